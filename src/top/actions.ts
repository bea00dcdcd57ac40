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

/** What came of it. */
export interface Outcome {
  readonly good: boolean;
  readonly lines: readonly string[];
}

interface Action {
  readonly key: string;
  readonly word: string;
  /** What `help` says. */
  readonly says: string;
  readonly command: (wish: Wish) => string;
  /** What it would do; an outcome when there is nothing to do. Changes nothing. */
  readonly propose: (api: ApiClient, wish: Wish, who: string) => Promise<Question | Outcome>;
  readonly perform: (api: ApiClient, wish: Wish, who: string) => Promise<Outcome>;
}

type Change = (api: ApiClient, wish: Wish, dryRun: boolean, who: string) => Promise<Done>;

/** The daemon itself says what a change would do: its rules are in one place, and this is not the place. */
function change(ask: Change): Pick<Action, 'propose' | 'perform'> {
  return {
    async propose(api, wish, who) {
      const { already, text, notes } = await ask(api, wish, true, who);
      return already
        ? { good: true, lines: [text, ...notes] }
        : { wish, effect: text.replace(/^would /, ''), notes };
    },
    async perform(api, wish, who) {
      const { text, notes } = await ask(api, wish, false, who);
      return { good: true, lines: [text, ...notes] };
    },
  };
}

/** A few height reads tell the latency, and cost no more than half a minute of probes. */
const samples = 5;

export const actions = {
  drain: {
    key: 'd',
    word: 'drain',
    says: 'no new traffic; what is in flight ends',
    command: ({ chain, name }) => `rpcgw endpoint drain ${chain} ${name}`,
    ...change((api, { chain, name }, dryRun, who) => api.ask('endpointDrain', { chain, name, dryRun, who })),
  },
  enable: {
    key: 'e',
    word: 'enable',
    says: 'takes traffic again',
    command: ({ chain, name }) => `rpcgw endpoint enable ${chain} ${name}`,
    ...change((api, { chain, name }, dryRun, who) => api.ask('endpointEnable', { chain, name, dryRun, who })),
  },
  disable: {
    key: 'x',
    word: 'disable',
    says: 'no traffic at all, until it is enabled',
    command: ({ chain, name }) => `rpcgw endpoint disable ${chain} ${name}`,
    ...change((api, { chain, name }, dryRun, who) =>
      api.ask('endpointDisable', { chain, name, dryRun, who }),
    ),
  },
  weight: {
    key: 'w',
    word: 'weight',
    says: 'how much it is preferred; 0 drains it',
    command: ({ chain, name, weight = '' }) => `rpcgw endpoint set ${chain} ${name} --weight ${weight}`,
    ...change((api, { chain, name, weight = '' }, dryRun, who) =>
      api.ask('endpointSet', { chain, name, weight, dryRun, who }),
    ),
  },
  test: {
    key: 't',
    word: 'test',
    says: 'identity, head, history and latency, by a few requests of our own',
    command: ({ chain, name }) => `rpcgw test ${chain} ${name} --samples ${samples}`,
    async propose(_api, wish) {
      const effect = `ask ${wish.chain}/${wish.name} for identity, head, history and latency: some 20 requests that count against its quota`;
      return { wish, effect, notes: [] };
    },
    async perform(api, { chain, name }) {
      const { checks, verdict, calls, host } = await api.ask('test', { chain, name, samples });
      return {
        good: verdict !== 'bad',
        lines: [
          `${verdict}: ${chain}/${name}, ${calls} calls made to ${host}`,
          ...checks.map(({ name: check, result, text }) => `${result.toUpperCase()} ${check}: ${text}`),
        ],
      };
    },
  },
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof actions;

export function actionAt(key: string): ActionName | undefined {
  return actionNames.find(name => actions[name].key === key);
}

// `actions` is a literal of this file: its keys are its names.
export const actionNames = Object.keys(actions) as readonly ActionName[];
