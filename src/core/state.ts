/** The one word for an endpoint's state (contract section 7), the same in every view: the worst of its gates. */

import { atTime } from './circuit.ts';
import type { EndpointRecord } from './endpoint.ts';
import { type GateName, gateRows, type Held } from './gates.ts';
import { goodProbesNeeded } from './quarantine.ts';

export type StateWord =
  | 'wrong_network'
  | 'api_only'
  | 'not_verified'
  | 'auth_refused'
  | 'down'
  | 'half_open'
  | 'stale'
  | 'cooling'
  | 'quarantine'
  | 'slow'
  | 'busy'
  | 'draining'
  | 'disabled'
  | 'healthy';

/** Worst first; the words as people read them. */
export const stateWords: Readonly<Record<StateWord, string>> = {
  wrong_network: 'wrong network',
  api_only: 'API-only',
  not_verified: 'not verified',
  auth_refused: 'auth refused',
  down: 'down',
  half_open: 'half-open',
  stale: 'stale',
  cooling: 'cooling',
  quarantine: 'quarantine',
  slow: 'slow',
  busy: 'busy',
  draining: 'draining',
  disabled: 'disabled',
  healthy: 'healthy',
};

export interface State {
  readonly state: StateWord;
  /** The word, with progress where there is one: `quarantine 13/20`. */
  readonly label: string;
  readonly reason: string;
  readonly since: number;
  readonly until?: number;
  readonly progress?: { readonly done: number; readonly of: number };
  /** What to do; '' for nothing. */
  readonly next: string;
}

const wordOf: Partial<Record<GateName, StateWord>> = {
  wrong_network: 'wrong_network',
  api_only: 'api_only',
  not_verified: 'not_verified',
  implausible_head: 'not_verified',
  auth: 'auth_refused',
  circuit: 'down',
  stale: 'stale',
  cooldown: 'cooling',
  quarantine: 'quarantine',
  slow: 'slow',
  busy: 'busy',
  draining: 'draining',
  weight_zero: 'draining',
  disabled: 'disabled',
};

/**
 * `down` and `half-open` speak of the circuit of what the endpoint mainly does: reads, or broadcasts where it takes no
 * reads. A shut circuit of another class is told as the reason of an endpoint that is otherwise healthy.
 */
export function stateOf(record: EndpointRecord, now: number): State {
  const main = record.forReads || record.forHistory ? 'read' : 'broadcast';
  let beside: Held | undefined;
  for (const row of gateRows) {
    const word = wordOf[row.name];
    const held = word === undefined ? undefined : row.held(record, undefined, now);
    if (word === undefined || held === undefined) continue;
    if (row.class !== undefined && row.class !== main) {
      beside ??= held;
      continue;
    }
    return stateFrom(record, wordFor(record, word, now), held, now);
  }
  return {
    state: 'healthy',
    label: stateWords.healthy,
    reason: beside?.reason ?? '',
    since: record.toldAt,
    ...(beside?.until === undefined ? {} : { until: beside.until }),
    next: beside?.next ?? '',
  };

  function wordFor(of: EndpointRecord, word: StateWord, at: number): StateWord {
    if (word === 'api_only' && of.builds.answer === 'unknown') return 'not_verified';
    if (word === 'down' && atTime(of[main].circuit, at).state === 'half_open') return 'half_open';
    return word;
  }
}

function stateFrom(record: EndpointRecord, state: StateWord, held: Held, now: number): State {
  const { reason, since = now, until, next } = held;
  const progress =
    state === 'quarantine' ? { done: record.quarantine.good, of: goodProbesNeeded } : undefined;
  return {
    state,
    label:
      progress === undefined ? stateWords[state] : `${stateWords[state]} ${progress.done}/${progress.of}`,
    reason,
    since,
    ...(until === undefined ? {} : { until }),
    ...(progress === undefined ? {} : { progress }),
    next,
  };
}
