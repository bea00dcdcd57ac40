/** The endpoints of one chain, in config order (the file's first), and what only all of them together know. */

import { forgiveTheOnly, recount } from './agreement.ts';
import type { ChainSettings, WorkClass } from './chain.ts';
import { type Change, changesOf } from './changes.ts';
import type { EndpointRecord } from './endpoint.ts';
import { isKnown } from './ewma.ts';
import { newPoolHead, noteStandstill, type PoolHead } from './head.ts';
import { bits, fold } from './held.ts';
import { rescore } from './score.ts';
import { noteSlow } from './slow.ts';
import { settle } from './tally.ts';
import { forgetExpired } from './unsupported.ts';

/** The endpoint that `best` stays with, and who is about to take its place. */
interface Favourite {
  record: EndpointRecord | undefined;
  challenger: EndpointRecord | undefined;
  /** The pool's count of observations when the challenger began to lead. */
  leadsSince: number;
}

export interface Pool {
  readonly chain: ChainSettings;
  readonly records: readonly EndpointRecord[];
  readonly head: PoolHead;
  readonly favourites: Readonly<Record<WorkClass, Favourite>>;
  /** Lower median of the height reads' latency, ms; 0: none known. The lower, so that of two the slower one shows. */
  medianLatencyMs: number;
  /** Finished attempts, ever. */
  observations: number;
  /** Client requests in flight, and those of them that are in a retry. */
  requests: number;
  retries: number;
}

/** `before`: the pool this one replaces; what it knows of the chain is taken over, its records by the caller. */
export function createPool(chain: ChainSettings, records: readonly EndpointRecord[], before?: Pool): Pool {
  const keep = (favourite: Favourite | undefined): Favourite => ({
    record:
      favourite?.record !== undefined && records.includes(favourite.record) ? favourite.record : undefined,
    challenger: undefined,
    leadsSince: 0,
  });
  return {
    chain,
    records,
    // A copy: the pool before may still serve requests that began with it, and who is in it is another question.
    head: before === undefined ? newPoolHead(chain.blockTimeMs) : { ...before.head },
    favourites: {
      read: keep(before?.favourites.read),
      heavy: keep(before?.favourites.heavy),
      broadcast: keep(before?.favourites.broadcast),
    },
    medianLatencyMs: before?.medianLatencyMs ?? 0,
    observations: before?.observations ?? 0,
    requests: 0,
    retries: 0,
  };
}

const outOfComparison = bits.wrong_network | bits.not_verified | bits.quarantine | bits.disabled;

/** Twice a second: what time alone changes. Gives the gates that opened or shut since they were last told of. */
export function refresh(pool: Pool, now: number): readonly Change[] {
  for (const record of pool.records) {
    settle(record.read, now);
    settle(record.heavy, now);
    settle(record.broadcast, now);
    forgetExpired(record, now);
    noteSlow(record, now);
    fold(record);
  }
  recount(pool, now);
  forgiveTheOnly(pool, now);
  noteStandstill(pool, now);
  pool.medianLatencyMs = medianLatency(pool, now);
  const changes: Change[] = [];
  for (const record of pool.records) {
    rescore(pool, record, now);
    for (const change of changesOf(record, now)) changes.push(change);
  }
  return changes;
}

function medianLatency(pool: Pool, now: number): number {
  const known: number[] = [];
  for (const record of pool.records) {
    if ((record.closed & outOfComparison) !== 0 || !isKnown(record.heightLatency, now)) continue;
    known.push(record.heightLatency.ms);
  }
  known.sort((a, b) => a - b);
  return known[(known.length - 1) >> 1] ?? 0;
}
