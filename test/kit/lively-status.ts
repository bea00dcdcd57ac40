import type { Status } from '../../src/api/contract.ts';
import { fakeChain, fakeEndpoint, fakeStatus } from './fake-status.ts';

const chains = ['ethereum', 'bnb', 'avalanche', 'tron', 'solana'] as const;
const states = [
  'healthy',
  'healthy',
  'healthy',
  'healthy',
  'healthy',
  'stale',
  'healthy',
  'cooling',
  'healthy',
  'down',
] as const;

/** So many endpoints over five chains, every number of which moves from one second to the next. */
export function livelyStatus(endpoints: number, second: number, nowMs: number): Status {
  const iso = (ms: number): string => new Date(ms).toISOString();
  const per = Math.ceil(endpoints / chains.length);
  const wave = (at: number, from: number, swing: number): number =>
    from + swing * Math.sin((second + at * 3) / (2 + (at % 5)));
  return fakeStatus(
    chains.map((name, chainAt) =>
      fakeChain({
        name,
        head: 20_000_000 + second,
        headSince: iso(nowMs - (second % 12) * 1000),
        requestsPerSecond: wave(chainAt, 300, 200),
        endpoints: Array.from({ length: Math.min(per, endpoints - chainAt * per) }, (_, at) => {
          const state = states[(at + chainAt) % states.length] ?? 'healthy';
          return fakeEndpoint({
            name: `${name}-${at + 1}`,
            chain: name,
            state,
            reason: state === 'healthy' ? null : 'as the script of this endpoint says',
            next: state === 'healthy' ? null : 'look at the node',
            since: iso(nowMs - 40_000 - second * 1000),
            until: state === 'cooling' ? iso(nowMs + 60_000 - (second % 60) * 1000) : null,
            requestsPerSecond: wave(at, 40, 30),
            inFlight: Math.round(wave(at, 10, 8)),
            success: Math.min(1, wave(at, 0.97, 0.05)),
            latencyMs: { p50: wave(at, 30, 10), p95: wave(at, 90, 30), p99: wave(at, 200, 50) },
            probesToday: 1000 + second,
          });
        }),
      }),
    ),
    { now: iso(nowMs), startedAt: iso(nowMs - second * 1000 - 3_600_000) },
  );
}
