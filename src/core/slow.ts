/** The `slow` gate: shut by an average latency over the chain's `maxLatency`, opened under 80 % of it. */

import type { EndpointRecord } from './endpoint.ts';
import { isKnown } from './ewma.ts';

const releaseShare = 0.8;

/** Latency that nobody measured for five minutes holds nobody back. */
export function noteSlow(record: EndpointRecord, now: number): void {
  const limit = record.chain.maxLatencyMs;
  const { latency } = record;
  if (limit === undefined || !isKnown(latency, now)) record.slowSince = undefined;
  else if (latency.ms > limit) record.slowSince ??= now;
  else if (latency.ms < limit * releaseShare) record.slowSince = undefined;
}
