/** Status values as the daemon tells them, for screens: everything is healthy unless a test says otherwise. */

import type { ChainStatus, EndpointStatus, EventRow, Status } from '../../src/api/contract.ts';
import type { Broadcast } from '../../src/api/history-shapes.ts';
import { stateWords } from '../../src/core/state.ts';

/** The moment of every frame in the tests, and the daemon's clock in them. */
const moment = Date.parse('2026-03-04T14:02:31.000Z');

export function ago(seconds: number): string {
  return new Date(moment - seconds * 1000).toISOString();
}

export function fakeEndpoint(
  part: Partial<EndpointStatus> & { name: string; chain: string },
): EndpointStatus {
  const { state = 'healthy', weight = 50, success = 1, progress = null } = part;
  const latencyMs = part.latencyMs ?? { p50: 18, p95: 64, p99: 120 };
  const score = part.score ?? 100 * success * weight;
  return {
    host: `https://${part.name}.example`,
    origin: 'file',
    state,
    stateText: progress === null ? stateWords[state] : `${stateWords[state]} ${progress.done}/${progress.of}`,
    progress,
    reason: null,
    since: ago(7_200),
    until: null,
    next: null,
    weight,
    score,
    success,
    latencyMs,
    head: 21_904_112,
    lag: 0,
    inFlight: 4,
    requestsPerSecond: 100,
    requests: 360_000,
    verdicts: { ok: 359_000, app_error: 990, node_failure: 10, rate_limited: 0 },
    probesToday: 1_440,
    history: 'full',
    client: 'Geth/v1.16.4',
    labels: { provider: 'own', region: 'eu' },
    roles: ['read', 'broadcast', 'history'],
    broadcast: 'allow',
    gates: [],
    terms: (['read', 'heavy', 'broadcast'] as const).map(workClass => ({
      class: workClass,
      success,
      latencyMs: latencyMs.p50,
      poolMedianMs: 20,
      latencyPenalty: 0,
      weight,
      score,
    })),
    ...part,
  };
}

export function fakeChain(part: Partial<ChainStatus> & { name: string }): ChainStatus {
  const endpoints = part.endpoints ?? [];
  return {
    family: 'evm',
    strategy: 'best',
    head: 21_904_112,
    headSince: ago(4),
    oldHead: false,
    usable: endpoints.filter(endpoint => endpoint.state === 'healthy').length,
    total: endpoints.length,
    inFlight: endpoints.reduce((sum, endpoint) => sum + endpoint.inFlight, 0),
    requestsPerSecond: endpoints.reduce((sum, endpoint) => sum + endpoint.requestsPerSecond, 0),
    okShare: 0.9999,
    latencyMs: { p50: 18, p95: 64, p99: 210 },
    unknownBroadcasts: 0,
    ready: true,
    notes: [],
    blockTimeMs: 12_000,
    ...part,
    endpoints,
  };
}

export function fakeStatus(chains: readonly ChainStatus[], part: Partial<Status> = {}): Status {
  return {
    version: '0.1.0',
    node: 'v24.0.0',
    pid: 4711,
    now: new Date(moment).toISOString(),
    startedAt: ago(6 * 86_400),
    ready: true,
    draining: false,
    listen: 'http://127.0.0.1:8600',
    config: '/etc/rpcgw/rpcgw.yaml',
    lastReload: null,
    store: { ok: true, reason: null, since: null },
    chains: [...chains],
    ...part,
  };
}

/** Six chains, and one of every trouble that is worth a look. */
export function troubledStatus(): Status {
  return fakeStatus([
    fakeChain({
      name: 'ethereum',
      usable: 3,
      endpoints: [
        fakeEndpoint({
          name: 'own-archive',
          chain: 'ethereum',
          weight: 100,
          requestsPerSecond: 312,
          inFlight: 12,
          latencyMs: { p50: 9, p95: 31, p99: 60 },
        }),
        fakeEndpoint({
          name: 'alchemy',
          chain: 'ethereum',
          weight: 60,
          requestsPerSecond: 184,
          success: 0.998,
        }),
        fakeEndpoint({
          name: 'infura',
          chain: 'ethereum',
          weight: 30,
          requestsPerSecond: 92,
          lag: 1,
          success: 0.96,
        }),
        fakeEndpoint({
          name: 'eth-new',
          chain: 'ethereum',
          origin: 'runtime',
          state: 'wrong_network',
          reason: 'it says it is on 0xaa36a7, ethereum is 0x1',
          next: 'correct its URL, or remove it',
          since: ago(371),
          weight: 10,
          score: 1000,
          requestsPerSecond: 0,
          requests: 0,
          verdicts: {},
          inFlight: 0,
          latencyMs: { p50: null, p95: null, p99: null },
          gates: [
            {
              name: 'wrong_network',
              hard: true,
              reason: 'it says it is on 0xaa36a7, ethereum is 0x1',
              since: ago(371),
              until: null,
              next: 'correct its URL, or remove it',
            },
          ],
        }),
        fakeEndpoint({
          name: 'eth-public',
          chain: 'ethereum',
          origin: 'runtime',
          state: 'quarantine',
          progress: { done: 13, of: 20 },
          reason: '13 of 20 good probes',
          next: 'nothing to do: it releases by itself',
          since: ago(14),
          weight: 10,
          requestsPerSecond: 0,
          inFlight: 0,
        }),
      ],
    }),
    fakeChain({
      name: 'bnb',
      notes: ['no spare left: one usable endpoint'],
      head: 46_120_338,
      headSince: ago(1),
      blockTimeMs: 750,
      endpoints: [
        fakeEndpoint({ name: 'bnb-own', chain: 'bnb', requestsPerSecond: 388 }),
        fakeEndpoint({
          name: 'bnb-quick',
          chain: 'bnb',
          state: 'stale',
          lag: 49,
          reason: '49 blocks behind, the limit is 20',
          next: 'check whether the node keeps up',
          since: ago(42),
          requestsPerSecond: 0,
        }),
      ],
    }),
    fakeChain({
      name: 'tron',
      family: 'tron',
      head: 68_310_554,
      headSince: ago(2),
      blockTimeMs: 3_000,
      notes: ['no spare left: one usable endpoint'],
      endpoints: [
        fakeEndpoint({ name: 'tron-own', chain: 'tron', requestsPerSecond: 96 }),
        fakeEndpoint({
          name: 'tron-grid',
          chain: 'tron',
          state: 'cooling',
          reason: 'it asked to slow down (429)',
          next: 'if it happens often: set rps or a lower weight',
          since: ago(12),
          until: ago(-18),
          requestsPerSecond: 0,
        }),
      ],
    }),
    fakeChain({
      name: 'solana',
      family: 'solana',
      head: 331_204_118,
      headSince: ago(1),
      blockTimeMs: 400,
      endpoints: [fakeEndpoint({ name: 'helius', chain: 'solana', requestsPerSecond: 140 })],
    }),
  ]);
}

export function fakeEvent(part: Partial<EventRow> & { id: number; text: string }): EventRow {
  return {
    time: ago(part.id),
    kind: 'gate',
    chain: 'ethereum',
    endpoint: null,
    level: 'info',
    detail: {},
    ...part,
  };
}

export function fakeBroadcast(part: Partial<Broadcast> & { id: number }): Broadcast {
  return {
    chain: 'ethereum',
    method: 'eth_sendRawTransaction',
    txId: '0x9f3a5b7c00000000000000000000000000000000000000000000000000c41e',
    digest: 'd1',
    endpoint: 'own-archive',
    requestId: 'r1',
    attempt: 1,
    earlier: null,
    began: ago(part.id * 3),
    ended: ago(part.id * 3),
    outcome: 'accepted',
    reached: 'answered',
    ms: 11,
    rule: null,
    followUp: null,
    ...part,
  };
}

export function unknownBroadcast(id: number): Broadcast {
  return fakeBroadcast({
    id,
    chain: 'solana',
    method: 'sendTransaction',
    txId: '4kPz9s6yQm3xNn1vV5cJt7bWfHq2dRgLrXuE8aTzYpKiMoSjCwBhDnFvGq3xQm3x5uWe',
    endpoint: 'helius',
    outcome: 'unknown',
    reached: 'handed_over',
    ms: 7_500,
    followUp: {
      reason: 'unknown',
      opened: ago(200),
      looks: 3,
      lastLook: ago(12),
      latest: 'not_seen',
      height: null,
      firstSeen: null,
      settled: null,
    },
  });
}
