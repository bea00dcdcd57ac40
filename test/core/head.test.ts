import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EndpointRecord } from '../../src/core/endpoint.ts';
import { noteIdentity } from '../../src/core/facts.ts';
import { noteBehindAtStart } from '../../src/core/head.ts';
import { begin, observe } from '../../src/core/observe.ts';
import { firstAsk, nowhere, placeOf } from '../../src/core/place.ts';
import { createPool, type Pool, refresh } from '../../src/core/pool.ts';
import { questionDue } from '../../src/core/probing.ts';
import { staleThreshold } from '../../src/core/rhythm.ts';
import { stateOf } from '../../src/core/state.ts';
import { at, attempt, head, newPool, probeFails, read, seen, show, times } from './pool-fixture.ts';

const takes = (record: EndpointRecord, now: number): boolean => placeOf(record, read, firstAsk, now) === 0;
const pools = (size: number, chain: Parameters<typeof newPool>[0] = {}): Pool =>
  newPool({ ...chain, endpoints: Array.from({ length: size }, () => ({})) });

/** Everyone shows the head the chain has at `now`, give or take what each lags. */
function step(pool: Pool, now: number, lags: readonly number[] = []): void {
  for (const [n, record] of pool.records.entries()) {
    show(pool, record, head + Math.floor(now / 12_000) - (lags[n] ?? 0), now);
  }
}

describe("the pool's median", () => {
  it.each([
    [[5], 5],
    [[4, 5], 5],
    [[3, 4, 5], 4],
    [[2, 3, 4, 5], 4],
    [[1, 2, 3, 4, 5], 3],
    [[5, 5, 1, 1], 5],
    [[5, 1, 1], 1],
  ])('of %j is the upper one, %i', (lags, expected) => {
    const pool = pools(lags.length, { chain: { staleBlocks: 50 } });
    for (const [n, height] of lags.entries()) show(pool, at(pool, n), head + height, 1);
    expect(pool.head.median).toBe(head + expected);
  });

  it('for any heights: at least half are at or above it, and it is one of them', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 9 }), heights => {
        const pool = pools(heights.length, { chain: { staleBlocks: 50 } });
        for (const [n, height] of heights.entries()) show(pool, at(pool, n), head + height, 1);
        const sorted = [...heights].sort((a, b) => a - b);
        expect(pool.head.median).toBe(head + (sorted[Math.floor(sorted.length / 2)] ?? -1));
        expect(pool.head.highest).toBe(head + Math.max(...heights));
      }),
    );
  });

  it('counts only recent heights', () => {
    const pool = pools(3);
    show(pool, at(pool, 0), head + 1, 15_000);
    show(pool, at(pool, 1), head + 1, 15_000);
    refresh(pool, 20_000);
    show(pool, at(pool, 2), head, 36_000);
    expect(pool.head.median).toBe(head);
  });
});

describe('stale', () => {
  it.each([
    [2, true],
    [3, false],
  ])('lag over the threshold (2): %i blocks behind, takes reads: %s', (lag, open) => {
    const pool = pools(3);
    step(pool, 60_000, [0, 0, lag]);
    expect(takes(at(pool, 2), 60_000)).toBe(open);
  });

  it.each([
    [50, true],
    [3, true],
    [2, false],
  ])(
    'the first to show a height in a new pool, %i blocks behind those who came after it: stale: %s',
    (lag, stale) => {
      const pool = pools(3);
      show(pool, at(pool, 2), head, 60_000);
      show(pool, at(pool, 0), head + lag, 60_900);
      show(pool, at(pool, 1), head + lag, 61_000);
      expect(takes(at(pool, 2), 61_000)).toBe(true);
      noteBehindAtStart(pool, 61_000);
      expect(takes(at(pool, 2), 61_000)).toBe(!stale);
      expect(at(pool, 2).head.lag).toBe(stale ? lag : 0);
      show(pool, at(pool, 2), head + lag, 62_000);
      expect(takes(at(pool, 2), 62_000)).toBe(true);
    },
  );

  it('lag is against the median of the moment the height was observed', () => {
    const pool = pools(3);
    show(pool, at(pool, 2), head, 59_000);
    show(pool, at(pool, 0), head + 5, 60_000);
    show(pool, at(pool, 1), head + 5, 60_000);
    expect(pool.head.median).toBe(head + 5);
    expect(at(pool, 2).head.lag).toBe(0);
    expect(takes(at(pool, 2), 60_000)).toBe(true);
    show(pool, at(pool, 2), head, 61_000);
    expect(stateOf(at(pool, 2), 61_000)).toMatchObject({ state: 'stale', since: 61_000 });
  });

  it('since when is kept while it stays behind', () => {
    const pool = pools(3);
    step(pool, 60_000, [0, 0, 5]);
    step(pool, 72_000, [0, 0, 5]);
    expect(stateOf(at(pool, 2), 72_000).since).toBe(60_000);
  });

  it('a height within the threshold releases', () => {
    const pool = pools(3);
    step(pool, 60_000, [0, 0, 5]);
    const changes = show(pool, at(pool, 2), head + 4, 61_000);
    expect(changes).toMatchObject([{ gate: { name: 'stale' }, shut: false }]);
    expect(takes(at(pool, 2), 61_000)).toBe(true);
  });

  it('no height for 4 probe intervals, to the millisecond', () => {
    const pool = pools(3);
    expect(takes(at(pool, 0), 19_999)).toBe(true);
    expect(takes(at(pool, 0), 20_000)).toBe(false);
    expect(refresh(pool, 20_000)).toHaveLength(3);
    expect(refresh(pool, 20_500)).toEqual([]);
  });

  it('a height from passing traffic counts like a probe', () => {
    const pool = pools(3);
    attempt(pool, at(pool, 0), 'ok', 15_000, { seen: { height: head + 1 } });
    expect(takes(at(pool, 0), 34_999)).toBe(true);
    expect(at(pool, 0).head).toMatchObject({ height: head + 1, probeGood: true });
  });

  it.each(['node_failure', 'transport', 'rate_limited', 'missing_history'] as const)(
    'a height that came with %s does not',
    verdict => {
      const pool = pools(3);
      attempt(pool, at(pool, 0), verdict, 15_000, { seen: { height: head + 1 } });
      expect(at(pool, 0).head.height).toBe(head);
    },
  );

  it('with a daily cap on probes, four of the longer intervals', () => {
    const pool = pools(3, { chain: { probesMaxPerDay: 1_440 } });
    expect(takes(at(pool, 0), 299_999)).toBe(true);
    expect(takes(at(pool, 0), 300_000)).toBe(false);
  });

  it.each([
    [12_000, undefined, 2],
    [5_000, undefined, 2],
    [3_000, undefined, 4],
    [400, undefined, 25],
    [250, undefined, 40],
    [12_000, 7, 7],
    [400, 1, 1],
  ])('block time %i ms, set %s: %i blocks', (blockTimeMs, staleBlocks, expected) => {
    const { staleBlocks: _known, ...plain } = newPool({ chain: { blockTimeMs } }).chain;
    const pool = createPool(staleBlocks === undefined ? plain : { ...plain, staleBlocks }, []);
    expect(staleThreshold(pool)).toBe(expected);
  });
});

describe('the measured block time', () => {
  it('is taken from how far the agreed head moves', () => {
    const pool = pools(3, { chain: { blockTimeMs: 1_000 } });
    times(40, n => {
      for (const record of pool.records) show(pool, record, head + n, n * 4_000);
    });
    expect(pool.head.blockTimeMs).toBe(4_000);
  });

  it.each([
    [59_999, 1_000],
    [60_000, 2_000],
  ])('over %i ms: %i ms a block', (elapsed, expected) => {
    const pool = pools(1, { chain: { blockTimeMs: 1_000, probeIntervalMs: 60_000 } });
    show(pool, at(pool, 0), head + 30, elapsed);
    expect(Math.round(pool.head.blockTimeMs)).toBe(expected);
  });

  it('later measurements count for 0.3 each', () => {
    const pool = pools(1, { chain: { blockTimeMs: 1_000, probeIntervalMs: 60_000 } });
    show(pool, at(pool, 0), head + 30, 60_000);
    show(pool, at(pool, 0), head + 50, 120_000);
    expect(pool.head.blockTimeMs).toBeCloseTo(2_300, 6);
  });

  it('a standstill does not stretch it, and a leap does not shrink it', () => {
    const pool = pools(3);
    times(20, n => step(pool, n * 12_000));
    for (const record of pool.records) show(pool, record, head + 20, 4_000_000);
    for (const record of pool.records) show(pool, record, head + 9_000_000, 4_012_000);
    for (const record of pool.records) show(pool, record, head + 9_000_001, 4_024_000);
    expect(pool.head.blockTimeMs).toBe(12_000);
  });
});

describe('a liar with a high head', () => {
  const liar = (pool: Pool): EndpointRecord => at(pool, 2);

  it('is left out: takes no reads, does not push the others out, and has its identity asked at once', () => {
    const pool = pools(3);
    step(pool, 60_000);
    const changes = show(pool, liar(pool), head * 1_000, 61_000);
    expect(changes).toMatchObject([{ shut: true, gate: { name: 'implausible_head' } }]);
    expect(placeOf(liar(pool), read, firstAsk, 61_000)).toBe(nowhere);
    expect(questionDue(liar(pool), 61_000)).toBe('identity');
    step(pool, 62_000, [0, 0, -head * 1_000]);
    expect([0, 1].map(n => takes(at(pool, n), 62_000))).toEqual([true, true]);
    expect(pool.head).toMatchObject({ median: head + 5, highest: head + 5 });
    expect(stateOf(liar(pool), 62_000)).toMatchObject({ state: 'not_verified', since: 61_000 });
  });

  it('never bypassed, not even for a request that names its height', () => {
    const pool = newPool({ chain: { lastResort: 'stale' } });
    step(pool, 60_000);
    show(pool, liar(pool), head * 1_000, 61_000);
    expect(placeOf(liar(pool), { ...read, height: head * 1_000 }, firstAsk, 61_000)).toBe(nowhere);
  });

  it('of two: the one that leaps is left out, the other goes on', () => {
    const pool = pools(2);
    step(pool, 60_000);
    show(pool, at(pool, 1), head * 1_000, 61_000);
    show(pool, at(pool, 0), head + 5, 62_000);
    expect([0, 1].map(n => takes(at(pool, n), 62_000))).toEqual([true, false]);
  });

  it.each([
    // Threshold 2, block time 12 s: at once 2 may be ahead, after 36 s of nothing new 3 × 3 more.
    [0, 2, true],
    [0, 3, false],
    [36_000, 11, true],
    [36_000, 12, false],
  ])('%i ms after the last agreed head, %i ahead is believed: %s', (elapsed, ahead, believed) => {
    const pool = pools(3, { chain: { probeIntervalMs: 60_000 } });
    step(pool, 60_000);
    show(pool, at(pool, 0), head + 5 + ahead, 60_000 + elapsed);
    expect(at(pool, 0).head.suspectSince === undefined).toBe(believed);
  });

  it('three times what the block time allows *since the last agreed one*, not since it was last repeated', () => {
    const pool = pools(3);
    step(pool, 60_000);
    // Two stuck endpoints go on showing the same height for two minutes; the third comes back with the true one.
    times(24, n => {
      show(pool, at(pool, 0), head + 5, 60_000 + n * 5_000);
      show(pool, at(pool, 1), head + 5, 60_000 + n * 5_000);
    });
    show(pool, at(pool, 2), head + 15, 180_000);
    expect(at(pool, 2).head.suspectSince).toBeUndefined();
  });

  it('until a second endpoint comes near it', () => {
    const pool = pools(3);
    step(pool, 60_000);
    show(pool, at(pool, 2), head + 500, 61_000);
    expect(takes(at(pool, 2), 61_000)).toBe(false);
    const changes = show(pool, at(pool, 1), head + 500, 62_000);
    expect(changes).toEqual([]);
    expect([1, 2].map(n => takes(at(pool, n), 62_000))).toEqual([true, true]);
    expect(pool.head.median).toBe(head + 500);
    show(pool, at(pool, 0), head + 5, 63_000);
    expect(stateOf(at(pool, 0), 63_000).state).toBe('stale');
  });

  it('a believable one that comes near it is a second too', () => {
    const pool = pools(3);
    step(pool, 60_000);
    show(pool, at(pool, 2), head + 13, 61_000);
    expect(takes(at(pool, 2), 61_000)).toBe(false);
    show(pool, at(pool, 1), head + 11, 76_000);
    expect(at(pool, 1).head.suspectSince).toBeUndefined();
    expect(takes(at(pool, 2), 76_000)).toBe(true);
  });

  it('even one that only repeats its height, when time has brought it near', () => {
    const pool = pools(3);
    step(pool, 60_000);
    show(pool, at(pool, 2), head + 13, 61_000);
    show(pool, at(pool, 1), head + 5, 85_000);
    show(pool, at(pool, 2), head + 13, 85_000);
    show(pool, at(pool, 1), head + 5, 85_000);
    expect(takes(at(pool, 2), 85_000)).toBe(true);
    expect(pool.head.median).toBe(head + 13);
  });

  it('an unverified one near it is no second', () => {
    const pool = pools(4);
    step(pool, 60_000);
    noteIdentity(pool, at(pool, 3), '8', 60_000);
    show(pool, at(pool, 2), head + 500, 61_000);
    show(pool, at(pool, 3), head + 500, 62_000);
    expect(takes(at(pool, 2), 62_000)).toBe(false);
  });

  it('a plausible height releases it', () => {
    const pool = pools(3);
    step(pool, 60_000);
    show(pool, at(pool, 2), head + 500, 61_000);
    show(pool, at(pool, 2), head + 5, 62_000);
    expect(takes(at(pool, 2), 62_000)).toBe(true);
  });

  it('that spoke first at the start is found out when two others agree', () => {
    const pool = newPool({ unlearned: true });
    for (const record of pool.records) noteIdentity(pool, record, '7', 0);
    show(pool, at(pool, 2), head * 1_000, 1);
    show(pool, at(pool, 0), head, 2);
    show(pool, at(pool, 1), head, 3);
    show(pool, at(pool, 0), head, 4);
    expect(pool.records.map(record => takes(record, 4))).toEqual([true, true, false]);
    expect(pool.head.median).toBe(head);
  });

  it('a lagging one that spoke first at the start does not make a liar of the one that is in step', () => {
    const pool = newPool({ unlearned: true, endpoints: [{}, {}] });
    for (const record of pool.records) noteIdentity(pool, record, '7', 0);
    show(pool, at(pool, 0), head - 500, 1);
    show(pool, at(pool, 1), head, 2);
    show(pool, at(pool, 0), head - 500, 3);
    expect(takes(at(pool, 1), 3)).toBe(true);
    expect(stateOf(at(pool, 0), 3).state).toBe('stale');
  });

  it('a new one beside one that went on steadily for a minute is not believed', () => {
    const pool = newPool({ unlearned: true, endpoints: [{}, {}] });
    for (const record of pool.records) noteIdentity(pool, record, '7', 0);
    times(20, n => show(pool, at(pool, 0), head + n, n * 12_000));
    show(pool, at(pool, 1), head * 1_000, 230_000);
    show(pool, at(pool, 0), head + 19, 231_000);
    expect([0, 1].map(n => takes(at(pool, n), 231_000))).toEqual([true, false]);
  });

  it('the only endpoint left to ask is believed again when it proves its identity once more', () => {
    const pool = pools(1);
    times(20, n => step(pool, n * 12_000));
    show(pool, at(pool, 0), head + 900, 240_000);
    expect(takes(at(pool, 0), 240_000)).toBe(false);
    expect(questionDue(at(pool, 0), 240_000)).toBe('identity');
    noteIdentity(pool, at(pool, 0), undefined, 240_010);
    expect(takes(at(pool, 0), 240_010)).toBe(false);
    noteIdentity(pool, at(pool, 0), '7', 240_020);
    expect(takes(at(pool, 0), 240_020)).toBe(true);
    expect(pool.head.median).toBe(head + 900);
  });

  it('a proof from before the leap is not enough', () => {
    const pool = pools(1);
    times(20, n => step(pool, n * 12_000));
    noteIdentity(pool, at(pool, 0), '7', 239_000);
    show(pool, at(pool, 0), head + 900, 240_000);
    refresh(pool, 240_500);
    expect(takes(at(pool, 0), 240_500)).toBe(false);
  });

  it('among others, proving its identity does not help it', () => {
    const pool = pools(3);
    step(pool, 60_000);
    show(pool, at(pool, 2), head + 500, 61_000);
    noteIdentity(pool, at(pool, 2), '7', 61_010);
    refresh(pool, 61_500);
    expect(takes(at(pool, 2), 61_500)).toBe(false);
  });

  it('a height that falls implausibly has its identity asked at once, and is only stale', () => {
    const pool = pools(3);
    step(pool, 60_000);
    show(pool, at(pool, 0), 5, 61_000);
    expect(questionDue(at(pool, 0), 61_000)).toBe('identity');
    expect(stateOf(at(pool, 0), 61_000).state).toBe('stale');
  });

  it('a block or two back is a reorganisation, not a reason to ask', () => {
    const pool = pools(3);
    step(pool, 60_000);
    show(pool, at(pool, 0), head + 3, 60_000);
    expect(questionDue(at(pool, 0), 60_000)).toBeUndefined();
  });

  it('whatever the heights: never is a pool left without anyone, if two of three are in step', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            wild: fc.oneof(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 900, max: 1_100 })),
            afterMs: fc.integer({ min: 1, max: 12_000 }),
          }),
          { maxLength: 40 },
        ),
        steps => {
          const pool = pools(3);
          let now = 0;
          for (const { wild, afterMs } of steps) {
            now += afterMs;
            show(pool, at(pool, 2), wild, now);
            show(pool, at(pool, 0), head + Math.floor(now / 12_000), now);
            show(pool, at(pool, 1), head + Math.floor(now / 12_000), now);
            refresh(pool, now);
            expect([0, 1].map(n => takes(at(pool, n), now))).toEqual([true, true]);
          }
        },
      ),
    );
  });
});

describe('a chain that moves again after a standstill', () => {
  it('is not doubted because the block time was measured over it', () => {
    const pool = pools(1, { chain: { blockTimeMs: 2_000 } });
    const [only] = pool.records;
    if (only === undefined) throw new Error('no endpoint');
    for (let now = 5_000; now <= 50_000; now += 5_000) show(pool, only, head, now);
    show(pool, only, head + 1, 52_000);
    show(pool, only, head + 4, 61_000);
    expect(pool.head.blockTimeMs).toBeGreaterThan(10_000);
    show(pool, only, head + 9, 71_000);
    expect(takes(only, 71_000)).toBe(true);
  });
});

describe('a height that jumps', () => {
  it.each([
    ['down', head - 500, head - 1_000],
    ['up, back to where the others are', head - 500, head],
  ])('%s has the identity asked at once', (_name, before, after) => {
    const pool = pools(3);
    show(pool, at(pool, 0), before, 1_000);
    noteIdentity(pool, at(pool, 0), '7', 1_500);
    show(pool, at(pool, 0), after, 6_000);
    expect(questionDue(at(pool, 0), 6_000)).toBe('identity');
  });
});

describe('a height that jumps while the identity is being asked', () => {
  it('has it asked again: what is on its way may still be of the endpoint as it was', () => {
    const pool = pools(3);
    const record = at(pool, 0);
    const asking = begin(pool, record, 'read', 'identity', 1_000);
    show(pool, record, head - 500, 1_010);
    observe(asking, seen('ok'), 1_020, 0);
    noteIdentity(pool, record, '7', 1_020);
    expect(questionDue(record, 1_020)).toBe('identity');
    begin(pool, record, 'read', 'identity', 1_100);
    noteIdentity(pool, record, '7', 1_150);
    expect(record.identity.dueAt).toBe(1_150 + 3_600_000);
  });
});

describe('a chain that stands still', () => {
  const aged = (pool: Pool, age: number, now: number): void => {
    for (const record of pool.records) show(pool, record, head, now, age);
    refresh(pool, now);
  };

  it.each([
    [12_000, 120_000],
    [400, 60_000],
    [6_000, 60_000],
  ])('block time %i ms: a head block older than %i ms in the whole pool', (blockTimeMs, limit) => {
    const pool = pools(3, { chain: { blockTimeMs } });
    aged(pool, limit, 1_000);
    expect(pool.head.oldSince).toBeUndefined();
    aged(pool, limit + 1, 2_000);
    expect(pool.head.oldSince).toBe(2_000);
  });

  it('is not a pool of stale endpoints', () => {
    const pool = pools(3);
    times(100, n => aged(pool, n * 12_000, n * 12_000));
    expect(pool.head.oldSince).toBeDefined();
    expect(pool.records.map(record => stateOf(record, 99 * 12_000).state)).toEqual([
      'healthy',
      'healthy',
      'healthy',
    ]);
  });

  it('one that still moves is enough', () => {
    const pool = pools(3);
    aged(pool, 500_000, 1_000);
    show(pool, at(pool, 0), head + 1, 2_000, 1_000);
    refresh(pool, 2_000);
    expect(pool.head.oldSince).toBeUndefined();
  });

  it('is seen without block times too: by a head that nobody raises', () => {
    const pool = pools(3);
    times(30, n => {
      for (const record of pool.records) show(pool, record, head, n * 5_000);
      refresh(pool, n * 5_000);
    });
    expect(pool.head.oldSince).toBe(125_000);
  });

  it('does not seem to move because traffic shows how a node goes on lagging', () => {
    const pool = pools(1);
    const [lagging] = pool.records;
    if (lagging === undefined) throw new Error('no endpoint');
    show(pool, lagging, head + 1, 1_000, 500_000);
    attempt(pool, lagging, 'ok', 13_000, { seen: { height: head + 2 } });
    refresh(pool, 13_000);
    expect(pool.head.oldSince).toBe(13_000);
  });

  it('does not seem to stand because a liar came back to the truth', () => {
    const pool = pools(1);
    const [liar] = pool.records;
    if (liar === undefined) throw new Error('no endpoint');
    show(pool, liar, head + 1_000_000, 1_000, 1_000);
    attempt(pool, liar, 'ok', 2_000, { seen: { height: head } });
    refresh(pool, 2_000);
    expect(pool.head.oldSince).toBeUndefined();
  });

  it('nor goes on standing when a node has caught up and only traffic shows it', () => {
    const pool = pools(1);
    const [lagging] = pool.records;
    if (lagging === undefined) throw new Error('no endpoint');
    show(pool, lagging, head + 1, 1_000, 500_000);
    attempt(pool, lagging, 'ok', 13_000, { seen: { height: head + 44 } });
    refresh(pool, 13_000);
    expect(pool.head.oldSince).toBeUndefined();
  });

  it('is asked for the age of its head, whatever traffic shows', () => {
    const pool = pools(1);
    aged(pool, 500_000, 1_000);
    attempt(pool, at(pool, 0), 'ok', 5_900, { seen: { height: head + 1 } });
    expect(questionDue(at(pool, 0), 6_000)).toBe('height');
  });

  it('that moves on is believed, however far', () => {
    const pool = pools(3);
    times(50, n => aged(pool, n * 12_000, n * 12_000));
    show(pool, at(pool, 0), head + 40, 600_000, 0);
    expect(at(pool, 0).head.suspectSince).toBeUndefined();
  });
});

describe('the last height probe', () => {
  it('a bad one shuts the endpoint for broadcasts, the next good one opens it', () => {
    const pool = pools(1);
    probeFails(pool, at(pool, 0), 'node_failure', 1);
    expect(at(pool, 0).head.probeGood).toBe(false);
    show(pool, at(pool, 0), head, 2);
    expect(at(pool, 0).head.probeGood).toBe(true);
  });
});
