/** Rows as the gateway makes them, of the lengths that were seen in a store. */

import type { BroadcastEnd, BroadcastRow, Event } from '../../src/gateway/ports.ts';
import type { MinuteRow } from '../../src/store/traffic.ts';

const hex = (n: number, digits: number): string => n.toString(16).padStart(digits, '0');
/** Digits without order, as those of hashes: where a row goes in an index decides how full its pages are. */
const scattered = (n: number): string =>
  [1, 2, 3, 4, 5, 6, 7, 8].map(k => hex(Math.imul(n + k, 2_654_435_761) >>> 0, 8)).join('');

export function broadcastRow(n: number): BroadcastRow {
  const id = scattered(n);
  return {
    chain: 'ethereum',
    method: 'eth_sendRawTransaction',
    txId: `0x${id}`,
    digest: id,
    options: '[]',
    endpoint: 'own-node',
    identityKey: 'e961e9ed89630e1e21a0bce86fc47dd3',
    requestId: `mx2wk29k-${n.toString(36)}`,
    attempt: 1,
    earlier: undefined,
    facts: JSON.stringify({
      nonce: `0x${hex(n, 4)}`,
      digest: `0x${id}`,
      r: `0x${id}`,
      s: `0x${id}`,
      odd: true,
    }),
  };
}

export const rowEnd: BroadcastEnd = {
  outcome: 'accepted',
  reached: 'answered',
  ms: 30.123456000000001,
  answer: new TextEncoder().encode(`{"jsonrpc":"2.0","id":1,"result":"0x${'ab'.repeat(32)}"}`),
  rule: 'evm.result',
};

/** What one endpoint of many did in a minute in which it was busy: all but a few buckets of its latencies are empty. */
export function minuteRow(start: number, endpoint: number): MinuteRow {
  const latency = Array.from({ length: 45 }, (_, bucket) => (bucket < 22 ? 0 : 12 + bucket));
  return {
    start,
    identityKey: scattered(endpoint).slice(0, 32),
    chain: 'ethereum',
    endpoint: `provider-${endpoint}`,
    requests: 1234,
    verdicts: {
      ok: 1200,
      app_error: 30,
      missing_history: 0,
      unsupported: 0,
      rate_limited: 2,
      auth_refused: 0,
      node_failure: 2,
      transport: 0,
    },
    latency,
    lagMedian: 0,
    lagWorst: 1,
    outMs: 0,
    probes: 12,
    circuitOpenings: 0,
  };
}

export const changeOfGate: Event = {
  kind: 'circuit',
  chain: 'ethereum',
  endpoint: 'own-node',
  level: 'warn',
  text: 'down: 5 failures in a row (node_failure), held for 30 s',
  detail: { gate: 'circuit', class: 'read', shut: true, hard: false, rule: 'evm.http_status' },
};
