/** Rows and settings that tests begin with. Knows no test runner: the process that gets killed uses them too. */

import type { EndpointSettings } from '../../src/core/chain.ts';
import type { BroadcastEnd, BroadcastRow, Clock } from '../../src/gateway/ports.ts';

/** Real time, with timers sixty times as long: a busy machine that takes a second for a row is no fault of the store. */
export const patientClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms * 60);
    return { cancel: () => clearTimeout(timer) };
  },
};

export function broadcastRow(changed: Partial<BroadcastRow> = {}): BroadcastRow {
  return {
    chain: 'ethereum',
    method: 'eth_sendRawTransaction',
    txId: '0x9a',
    digest: 'd1',
    options: '{}',
    endpoint: 'infura',
    identityKey: 'ethereum/1/ab12',
    requestId: 'r-1',
    attempt: 1,
    earlier: undefined,
    ...changed,
  };
}

export function broadcastEnd(changed: Partial<BroadcastEnd> = {}): BroadcastEnd {
  return {
    outcome: 'accepted',
    reached: 'answered',
    ms: 12.5,
    answer: undefined,
    rule: 'evm.accepted',
    ...changed,
  };
}

export function endpointSettings(changed: Partial<EndpointSettings> = {}): EndpointSettings {
  return {
    name: 'spare',
    url: 'https://rpc.example.org/v3/SECRET-IN-PATH',
    headers: { 'x-api-key': 'SECRET-IN-HEADER' },
    origin: 'runtime',
    weight: 10,
    history: 'auto',
    roles: ['read', 'broadcast'],
    broadcast: 'allow',
    labels: { provider: 'example' },
    maxInFlight: 256,
    allowPrivate: false,
    disabled: false,
    ...changed,
  };
}
