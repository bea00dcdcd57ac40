/** Methods an endpoint said it does not offer, each for an hour. */

import type { EndpointRecord } from './endpoint.ts';

const rememberedMs = 3_600_000;
/** Method names come from clients, so their number and length are bounded. */
const mostMethods = 256;
const longestName = 128;

export function rememberUnsupported(record: EndpointRecord, method: string, now: number): void {
  const { unsupported } = record;
  if (method.length > longestName) return;
  unsupported.delete(method);
  if (unsupported.size >= mostMethods) {
    for (const oldest of unsupported.keys()) {
      unsupported.delete(oldest);
      break;
    }
  }
  unsupported.set(method, now + rememberedMs);
}

/** It answered after all. */
export function forgetUnsupported(record: EndpointRecord, method: string): void {
  if (record.unsupported.size > 0) record.unsupported.delete(method);
}

export function forgetExpired(record: EndpointRecord, now: number): void {
  for (const [method, until] of record.unsupported) if (until <= now) record.unsupported.delete(method);
}
