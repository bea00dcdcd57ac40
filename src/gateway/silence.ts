/**
 * Reads at an endpoint that has gone silent. Its circuit opens when some of them have waited in vain for all of their time. Those that
 * came after them would wait for as long, though by then it is known that nothing comes: they are taken elsewhere, as if their own time
 * were up, the oldest first. Who has the beginning of an answer stays, and so does who has nowhere better to go; and heavy work, since
 * that some of it took too long says nothing of the rest.
 */

import type { Change } from '../core/changes.ts';
import type { EndpointRecord } from '../core/endpoint.ts';
import type { Link } from '../core/linked.ts';
import type { TransportFault } from '../core/transport-fault.ts';
import { timedOut } from './judge.ts';
import type { Clock, Events } from './ports.ts';
import type { Chain } from './roster.ts';
import { tellChanges } from './tell.ts';

/** An attempt at a read that waits for its answer. */
export interface Waiter extends Link<Waiter> {
  /** Told that this endpoint has gone silent; it goes when it still waits there and may be answered elsewhere. */
  leave(silent: EndpointRecord): void;
}

export const goneSilent: TransportFault = {
  kind: 'timeout',
  reached: 'handed_over',
  message: 'the endpoint has gone silent',
};

/** To end an attempt and begin another takes a fraction of a millisecond, and there may be thousands. */
const atOnce = 8;
const pauseMs = 1;

/** What an attempt changed, told and acted on. */
export function tookIn(
  { events, clock }: { readonly events: Events; readonly clock: Clock },
  chain: Chain,
  changes: readonly Change[],
): void {
  if (changes.length === 0) return;
  tellChanges(events, chain, changes);
  for (const { record, gate, shut } of changes) {
    if (!shut || gate.name !== 'circuit' || gate.class !== 'read' || record.read.failedBy !== timedOut)
      continue;
    const waiters: Waiter[] = [];
    for (let one = chain.members.get(record)?.waiters.first; one !== undefined; one = one.next)
      waiters.push(one);
    sendAway(clock, record, waiters);
  }
}

function sendAway(clock: Clock, silent: EndpointRecord, waiters: readonly Waiter[]): void {
  if (waiters.length === 0) return;
  clock.after(pauseMs, () => {
    for (const waiter of waiters.slice(0, atOnce)) waiter.leave(silent);
    sendAway(clock, silent, waiters.slice(atOnce));
  });
}
