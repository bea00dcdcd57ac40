/**
 * The short form of the gates, for the hot path: one number, a bit a gate, zero when nothing holds the endpoint back.
 * `gates.ts` is the truth that people read; a property test says that the two never differ.
 */

import type { WorkClass } from './chain.ts';
import type { EndpointRecord } from './endpoint.ts';
import { isOld, keeps } from './history.ts';
import type { Need } from './need.ts';

export const bits = {
  wrong_network: 1 << 0,
  api_only: 1 << 1,
  not_verified: 1 << 2,
  implausible_head: 1 << 3,
  auth: 1 << 4,
  circuit_read: 1 << 5,
  circuit_heavy: 1 << 6,
  circuit_broadcast: 1 << 7,
  stale: 1 << 8,
  cooldown: 1 << 9,
  quarantine: 1 << 10,
  slow: 1 << 11,
  busy: 1 << 12,
  draining: 1 << 13,
  weight_zero: 1 << 14,
  disabled: 1 << 15,
  role: 1 << 16,
  method: 1 << 17,
  history: 1 << 18,
  height: 1 << 19,
} as const;

/** What a class does not ask about. Broadcasts ask the read circuit too: they go only where reads would (contract 6.1). */
const ignored: Readonly<Record<WorkClass, number>> = {
  read: bits.circuit_heavy | bits.circuit_broadcast,
  heavy: bits.circuit_read | bits.circuit_broadcast,
  broadcast: bits.circuit_heavy,
};

export const circuitBit: Readonly<Record<WorkClass, number>> = {
  read: bits.circuit_read,
  heavy: bits.circuit_heavy,
  broadcast: bits.circuit_broadcast,
};

/** Folds what changes seldom into `record.closed`. Called by whoever changed it. */
export function fold(record: EndpointRecord): void {
  let closed = 0;
  if (record.identity.state === 'wrong') closed |= bits.wrong_network;
  if (record.identity.state === 'unproven') closed |= bits.not_verified;
  if (record.builds.answer !== 'yes') closed |= bits.api_only;
  if (record.head.suspectSince !== undefined) closed |= bits.implausible_head;
  if (record.auth.holdMs > 0) closed |= bits.auth;
  if (record.read.circuit.state !== 'closed') closed |= bits.circuit_read;
  if (record.heavy.circuit.state !== 'closed') closed |= bits.circuit_heavy;
  if (record.broadcast.circuit.state !== 'closed') closed |= bits.circuit_broadcast;
  if (record.head.lag > record.head.lagLimit) closed |= bits.stale;
  if (record.quarantine.good >= 0) closed |= bits.quarantine;
  if (record.slowSince !== undefined) closed |= bits.slow;
  if (record.draining) closed |= bits.draining;
  if (record.weight <= 0) closed |= bits.weight_zero;
  if (record.disabled) closed |= bits.disabled;
  record.closed = closed;
}

/** What holds the endpoint back whatever is asked: the folded facts, and those that end or begin by themselves. */
export function heldAlways(record: EndpointRecord, now: number): number {
  let held = record.closed;
  if (record.cooldown.until > now) held |= bits.cooldown;
  if (record.head.freshUntil <= now && !record.disabled) held |= bits.stale;
  return held;
}

/** Everything that holds the endpoint back from this need. */
export function heldFor(record: EndpointRecord, need: Need, now: number): number {
  let held = heldAlways(record, now) & ~ignored[need.class];
  if (record.inFlight >= record.settings.maxInFlight || record.pace.roomAt > now) held |= bits.busy;
  if (record.unsupported.size > 0 && (record.unsupported.get(need.method) ?? now) > now) held |= bits.method;
  if (need.class === 'broadcast') {
    if (!record.forBroadcasts) held |= bits.role;
    if (!record.head.probeGood || record.head.height < 0 || record.head.lag > 0) held |= bits.height;
    return held;
  }
  if (need.height !== undefined && record.head.height < need.height) held |= bits.height;
  if (!mayRead(record, need)) held |= bits.role;
  if (need.history !== undefined && keeps(record, need) === 'no') held |= bits.history;
  return held;
}

/** The operator's roles: old heights are for `history`, the rest for `read`; what cannot be placed is for either. */
export function mayRead(record: EndpointRecord, need: Need): boolean {
  if (need.unplaced !== undefined) return record.forReads || record.forHistory;
  return isOld(record, need) ? record.forHistory : record.forReads;
}
