/** The gateway's own errors in words that an operator can act on. */

import type { AttemptNote, ClientReason, Fault } from '../core/errors.ts';
import { gatesOf } from '../core/gates.ts';
import type { Need } from '../core/need.ts';
import type { Chain } from './roster.ts';

export interface FaultFacts {
  readonly requestId: string;
  readonly attempts: readonly AttemptNote[];
  readonly retryAfterMs?: number | undefined;
}

export function readFault(
  chain: Chain,
  need: Need,
  reason: ClientReason,
  facts: FaultFacts,
  now: number,
): Fault {
  const { requestId, attempts, retryAfterMs } = facts;
  return {
    reason,
    message: message(chain, need, reason, attempts, now),
    chain: chain.settings.name,
    requestId,
    attempts,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs: Math.round(retryAfterMs) }),
  };
}

function message(
  chain: Chain,
  need: Need,
  reason: ClientReason,
  attempts: readonly AttemptNote[],
  now: number,
): string {
  const { name } = chain.settings;
  const tried = attempts
    .map(({ endpoint, verdict, ms }) => `${endpoint} ${verdict} after ${Math.round(ms)} ms`)
    .join(', ');
  switch (reason) {
    case 'no_endpoint':
      return `no endpoint of ${name} may take ${need.method}: ${heldBack(chain, need, now)}`;
    case 'not_fresh':
      return `no endpoint of ${name} has reached height ${need.height}, which was seen before: ${heldBack(chain, need, now)}`;
    case 'all_cooling':
      return `every endpoint of ${name} that could take ${need.method} asked to slow down${tried === '' ? '' : `: ${tried}`}`;
    case 'filter_lost':
      return `filter not found: the endpoint of ${name} that made it cannot answer for it; changes may be lost, make the filter anew`;
    case 'missing_history':
      return `no endpoint of ${name} keeps the history that ${need.method} asks for: ${tried}`;
    case 'deadline':
      return `the deadline for ${need.method} passed: ${tried || heldBack(chain, need, now)}`;
    default:
      return `every attempt at ${need.method} failed: ${tried}`;
  }
}

/** Each endpoint with the worst of what holds it. */
function heldBack(chain: Chain, need: Need, now: number): string {
  const parts = chain.pool.records.map(record => {
    const [worst] = gatesOf(record, need, now);
    return `${record.settings.name} (${worst === undefined ? 'open' : worst.reason})`;
  });
  return parts.length === 0 ? 'the chain has no endpoints' : parts.join(', ');
}
