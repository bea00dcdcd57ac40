/** Random lives of a pool, for properties: anything may happen to any endpoint in any order, time only goes on. */

import fc from 'fast-check';
import type { ChainSettings, EndpointSettings, HistoryKind, WorkClass } from '../../src/core/chain.ts';
import { noteBuilds, noteHistory, noteIdentity, quarantine, setSwitches } from '../../src/core/facts.ts';
import type { Need } from '../../src/core/need.ts';
import { type Asker, type Attempt, abandon, begin, observe, undo } from '../../src/core/observe.ts';
import { type Pool, refresh } from '../../src/core/pool.ts';
import type { Verdict } from '../../src/core/verdict.ts';
import { at, head, newPool, seen } from './pool-fixture.ts';

type Event =
  | { readonly does: 'begin'; readonly at: number; readonly class: WorkClass; readonly by: Asker }
  | {
      readonly does: 'end';
      readonly verdict: Verdict;
      readonly height: number | undefined;
      readonly asked: number | undefined;
      readonly flag: boolean;
      readonly method: string;
    }
  | { readonly does: 'abandon' | 'undo' | 'refresh' }
  | { readonly does: 'identity'; readonly at: number; readonly claims: string | undefined }
  | { readonly does: 'builds'; readonly at: number; readonly builds: boolean | undefined }
  | { readonly does: 'history'; readonly at: number; readonly kind: HistoryKind; readonly lowest: number }
  | {
      readonly does: 'switch';
      readonly at: number;
      readonly what: 'disabled' | 'draining' | 'weight';
      readonly on: boolean;
    }
  | { readonly does: 'quarantine'; readonly at: number }
  | { readonly does: 'pass'; readonly ms: number };

const verdict = fc.constantFrom<Verdict>(
  'ok',
  'ok',
  'ok',
  'app_error',
  'missing_history',
  'unsupported',
  'rate_limited',
  'auth_refused',
  'node_failure',
  'transport',
  'transport',
);
const method = fc.constantFrom('eth_call', 'eth_getLogs', 'debug_traceCall');
const workClass = fc.constantFrom<WorkClass>('read', 'read', 'heavy', 'broadcast');
const kind = fc.constantFrom<HistoryKind>('state', 'blocks', 'transactions');
const height = fc.oneof(fc.integer({ min: head - 300, max: head + 20 }), fc.constant(head * 1_000));
const size = 4;
const place = fc.integer({ min: 0, max: size - 1 });

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('begin' as const),
      at: place,
      class: workClass,
      by: fc.constantFrom<Asker>('client', 'client', 'retry', 'height', 'identity', 'builds'),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant('end' as const),
      verdict,
      height: fc.option(height, { nil: undefined }),
      asked: fc.option(fc.integer({ min: 0, max: 900_000 }), { nil: undefined }),
      flag: fc.boolean(),
      method,
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('abandon' as const, 'undo', 'refresh') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('identity' as const),
      at: place,
      claims: fc.constantFrom('7', '7', '7', '8', undefined),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('builds' as const),
      at: place,
      builds: fc.constantFrom(true, true, false, undefined),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('history' as const), at: place, kind, lowest: height }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('switch' as const),
      at: place,
      what: fc.constantFrom('disabled' as const, 'draining', 'weight'),
      on: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('quarantine' as const), at: place }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('pass' as const),
      ms: fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.constantFrom(5_000, 30_000, 60_000, 400_000)),
    }),
  },
);

export const life = fc.array(event, { maxLength: 120, size: 'max' });

export const need: fc.Arbitrary<Need> = fc
  .record({
    class: workClass,
    method,
    height: fc.option(height, { nil: undefined }),
    history: fc.option(fc.record({ kind, height }), { nil: undefined }),
    unplaced: fc.option(kind, { nil: undefined }),
  })
  .map(({ class: cls, method: name, height: named, history, unplaced }) => ({
    class: cls,
    method: name,
    ...(named === undefined ? {} : { height: named }),
    ...(history === undefined ? {} : { history }),
    ...(unplaced === undefined ? {} : { unplaced }),
  }));

export const chain: fc.Arbitrary<Partial<ChainSettings>> = fc
  .record({
    family: fc.constantFrom('evm' as const, 'tron'),
    strategy: fc.constantFrom('best' as const, 'priority', 'weighted', 'least-outstanding', 'latency'),
    trickle: fc.constantFrom(0, 0, 0.3),
    lastResort: fc.constantFrom('on' as const, 'off', 'stale'),
    maxLatencyMs: fc.option(fc.constant(50), { nil: undefined }),
  })
  .map(({ maxLatencyMs, ...rest }) => (maxLatencyMs === undefined ? rest : { ...rest, maxLatencyMs }));

export const endpoints: fc.Arbitrary<readonly Partial<EndpointSettings>[]> = fc.array(
  fc
    .record({
      history: fc.constantFrom('auto' as const, 'full', 'recent'),
      roles: fc.constantFrom(
        ['read', 'broadcast', 'history'] as const,
        ['read'] as const,
        ['broadcast'] as const,
        ['history', 'broadcast'] as const,
      ),
      broadcast: fc.constantFrom('prefer' as const, 'allow', 'never'),
      origin: fc.constantFrom('file' as const, 'runtime'),
      weight: fc.constantFrom(0, 1, 50, 100),
      maxInFlight: fc.constantFrom(2, 256),
      rps: fc.option(fc.constantFrom(1, 5), { nil: undefined }),
    })
    .map(({ rps, ...rest }) => (rps === undefined ? rest : { ...rest, rps })),
  { minLength: size, maxLength: size },
);

/** Lives through `events`; after each one `check` looks at the pool. */
export function live(
  setting: {
    readonly chain: Partial<ChainSettings>;
    readonly endpoints: readonly Partial<EndpointSettings>[];
  },
  events: readonly Event[],
  check: (pool: Pool, now: number) => void,
): void {
  const pool = newPool(setting);
  for (const record of pool.records) noteBuilds(record, true, 0);
  const inFlight: Attempt[] = [];
  let ended: Attempt[] = [];
  let now = 0;
  for (const happens of events) {
    switch (happens.does) {
      case 'begin':
        inFlight.push(begin(pool, at(pool, happens.at), happens.class, happens.by, now));
        break;
      case 'end': {
        const attempt = inFlight.shift();
        if (attempt === undefined) break;
        const { verdict: said, height: shown, asked, flag, method: name } = happens;
        const judgement = {
          ...(asked === undefined ? {} : { retryAfterMs: asked }),
          ...(flag && said === 'rate_limited' ? { quota: true as const } : {}),
          ...(flag && said === 'unsupported' ? { wholeMethod: true as const } : {}),
        };
        observe(
          attempt,
          seen(said, { judgement, height: shown, method: name, ms: flag ? 10 : 200 }),
          now,
          0.5,
        );
        ended.push(attempt);
        break;
      }
      case 'abandon': {
        const attempt = inFlight.shift();
        if (attempt !== undefined) abandon(attempt, now, 0.5);
        break;
      }
      case 'undo':
        undo(ended.slice(-3), now);
        ended = [];
        break;
      case 'refresh':
        refresh(pool, now);
        break;
      case 'identity':
        noteIdentity(pool, at(pool, happens.at), happens.claims, now);
        break;
      case 'builds':
        if (pool.chain.family === 'tron') noteBuilds(at(pool, happens.at), happens.builds, now);
        break;
      case 'history':
        noteHistory(at(pool, happens.at), happens.kind, happens.lowest);
        break;
      case 'switch': {
        const { what, on } = happens;
        setSwitches(
          pool,
          at(pool, happens.at),
          what === 'weight' ? { weight: on ? 50 : 0 } : { [what]: on },
          now,
        );
        break;
      }
      case 'quarantine':
        quarantine(at(pool, happens.at), 'a test says so', now);
        break;
      case 'pass':
        now += happens.ms;
        break;
    }
    check(pool, now);
  }
}
