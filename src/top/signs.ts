import type { EndpointStatus } from '../api/contract.ts';
import { stateWords } from '../core/state.ts';
import type { Tone } from './tone.ts';

export interface Sign {
  readonly sign: string;
  readonly tone: Tone;
}

/** A sign and a tone beside the word, never instead of it: readable in black and white and in any palette. */
export const signs: Readonly<Record<EndpointStatus['state'], Sign>> = {
  wrong_network: { sign: '✖', tone: 'alarm' },
  api_only: { sign: '✖', tone: 'bad' },
  not_verified: { sign: '?', tone: 'bad' },
  auth_refused: { sign: '✖', tone: 'bad' },
  down: { sign: '▼', tone: 'bad' },
  half_open: { sign: '◑', tone: 'warn' },
  stale: { sign: '▲', tone: 'warn' },
  cooling: { sign: '◌', tone: 'warn' },
  quarantine: { sign: '◐', tone: 'info' },
  slow: { sign: '~', tone: 'warn' },
  busy: { sign: '≡', tone: 'warn' },
  draining: { sign: '■', tone: 'off' },
  disabled: { sign: '·', tone: 'quiet' },
  healthy: { sign: '●', tone: 'good' },
};

const worstFirst = Object.keys(stateWords);

/** 0 is the worst. */
export function severity(state: EndpointStatus['state']): number {
  return worstFirst.indexOf(state);
}

/** Held by the daemon, not by an operator's own wish. */
export function isTrouble({ state }: Pick<EndpointStatus, 'state'>): boolean {
  return state !== 'healthy' && state !== 'disabled' && state !== 'draining';
}
