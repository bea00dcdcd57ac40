/**
 * In what order endpoints may be tried for a need: first those that nothing holds back, then the last resorts, and when
 * nobody fits the request itself, those that only do not fit. One number an endpoint, from its bits alone.
 */

import { atTime } from './circuit.ts';
import type { EndpointRecord } from './endpoint.ts';
import { bits, circuitBit, heldFor } from './held.ts';
import { keeps } from './history.ts';
import type { Need } from './need.ts';

/** 0 is best. Places under `lastResortPlace` are open; from `nowhere` on it is not to be tried now. */
export const lastResortPlace = 2;
export const unfitPlace = 10;
export const nowhere = 1_000;
const perhaps = 1;
const whenSlow = 2;
const whenBroken = 4;
const whenStale = 6;
const whenTooLow = 10;
const whenRefused = 20;
const whenPruned = 40;

const unfit = bits.height | bits.method | bits.history;
const soft = bits.circuit_read | bits.circuit_heavy | bits.stale | bits.slow | unfit;

/** What one pick is told besides the need. A trail of attempts is one. */
export interface Ask {
  readonly tried: readonly EndpointRecord[];
  /** One answered `missing_history`: what cannot be placed in time now goes first to whoever keeps everything. */
  readonly missing: boolean;
  /** Room was waited for, so a last resort need not wait for busy ones any more. */
  readonly waited: boolean;
  /** Only the highest head will do (contract section 5: the second question after a `null`). */
  readonly highest: boolean;
  /** What lives on one node is asked of that node alone. */
  readonly only: EndpointRecord | undefined;
}

export const firstAsk: Ask = { tried: [], missing: false, waited: false, highest: false, only: undefined };

export function placeOf(record: EndpointRecord, need: Need, ask: Ask, now: number): number {
  return placeOfHeld(record, need, ask, heldFor(record, need, now), now);
}

/** Where it would stand if these gates opened; `nowhere` when they do not hold it. */
export function placeWithout(
  record: EndpointRecord,
  need: Need,
  ask: Ask,
  gates: number,
  now: number,
): number {
  const held = heldFor(record, need, now);
  return (held & gates) === 0 ? nowhere : placeOfHeld(record, need, ask, held & ~gates, now);
}

/** Which last resort an endpoint was, for the `rpcgw-degraded` header. */
export function degradedBy(
  record: EndpointRecord,
  need: Need,
  now: number,
): 'circuit' | 'slow' | 'stale' | undefined {
  const held = heldFor(record, need, now);
  if ((held & circuitBit[need.class]) !== 0) return 'circuit';
  if ((held & bits.stale) !== 0) return 'stale';
  return (held & bits.slow) !== 0 ? 'slow' : undefined;
}

function placeOfHeld(record: EndpointRecord, need: Need, ask: Ask, held: number, now: number): number {
  if (ask.only !== undefined) return record === ask.only && (held & ~soft) === 0 ? 0 : nowhere;
  if (need.class === 'broadcast') return placeOfBroadcast(record, held, now);
  const doubt = mayLack(record, need, ask) ? perhaps : 0;
  if (held === 0) return doubt;
  if (need.strict && (held & bits.height) !== 0) return nowhere;
  const rest = held & ~unfit;
  const misfit =
    ((held & bits.height) === 0 ? 0 : whenTooLow) +
    ((held & bits.method) === 0 ? 0 : whenRefused) +
    ((held & bits.history) === 0 ? 0 : whenPruned);
  return misfit + (rest === 0 ? 0 : lastResort(record, need, rest)) + doubt;
}

function mayLack(record: EndpointRecord, need: Need, ask: Ask): boolean {
  if (need.history === undefined && (need.unplaced === undefined || !ask.missing)) return false;
  return keeps(record, need) !== 'yes';
}

/** Held only by *slow*, then only by *circuit* (slow or not: a node that hangs is both), then the stale that may. */
function lastResort(record: EndpointRecord, need: Need, held: number): number {
  const { lastResort: allowed } = record.chain;
  if (allowed === 'off') return nowhere;
  if (held === bits.slow) return whenSlow;
  if ((held & ~(bits.slow | circuitBit[need.class])) === 0) return whenBroken;
  if ((held & ~(bits.slow | bits.stale)) !== 0) return nowhere;
  const hasIt = need.height !== undefined && record.head.height >= need.height;
  return allowed === 'stale' || hasIt ? whenStale : nowhere;
}

/** No last resort; but a half-open broadcast circuit is tried by one broadcast that nobody else can take. */
function placeOfBroadcast(record: EndpointRecord, held: number, now: number): number {
  if (held === 0) return 0;
  if (held !== bits.circuit_broadcast || record.broadcast.trial) return nowhere;
  return atTime(record.broadcast.circuit, now).state === 'half_open' ? whenBroken : nowhere;
}
