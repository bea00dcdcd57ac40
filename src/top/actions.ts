/** What can be done from inside: nothing but routes of the admin API, and each is also a command line. */

import type { ApiClient } from '../api/client.ts';
import type { Done } from '../api/contract.ts';

/** What is wanted, before anything is asked of the daemon. */
export interface Wish {
  readonly action: ActionName;
  readonly chain: string;
  readonly name: string;
  /** As it was typed: `20`, `+10`, `-10`, `50%`. */
  readonly weight?: string;
}

/** A wish with what the daemon says it would do. */
export interface Question {
  readonly wish: Wish;
  readonly effect: string;
  readonly notes: readonly string[];
}

interface Action {
  readonly key: string;
  readonly word: string;
  /** What `help` says. */
  readonly says: string;
  readonly command: (wish: Wish) => string;
  readonly ask: (api: ApiClient, wish: Wish, dryRun: boolean, who: string) => Promise<Done>;
}

export const actions = {
  drain: {
    key: 'd',
    word: 'drain',
    says: 'no new traffic; what is in flight ends',
    command: ({ chain, name }) => `rpcgw endpoint drain ${chain} ${name}`,
    ask: (api, { chain, name }, dryRun, who) => api.ask('endpointDrain', { chain, name, dryRun, who }),
  },
  enable: {
    key: 'e',
    word: 'enable',
    says: 'takes traffic again',
    command: ({ chain, name }) => `rpcgw endpoint enable ${chain} ${name}`,
    ask: (api, { chain, name }, dryRun, who) => api.ask('endpointEnable', { chain, name, dryRun, who }),
  },
  disable: {
    key: 'x',
    word: 'disable',
    says: 'no traffic at all, until it is enabled',
    command: ({ chain, name }) => `rpcgw endpoint disable ${chain} ${name}`,
    ask: (api, { chain, name }, dryRun, who) => api.ask('endpointDisable', { chain, name, dryRun, who }),
  },
  weight: {
    key: 'w',
    word: 'weight',
    says: 'how much it is preferred; 0 drains it',
    command: ({ chain, name, weight = '' }) => `rpcgw endpoint set ${chain} ${name} --weight ${weight}`,
    ask: (api, { chain, name, weight = '' }, dryRun, who) =>
      api.ask('endpointSet', { chain, name, weight, dryRun, who }),
  },
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof actions;

export function actionAt(key: string): ActionName | undefined {
  return actionNames.find(name => actions[name].key === key);
}

// `actions` is a literal of this file: its keys are its names.
export const actionNames = Object.keys(actions) as readonly ActionName[];
