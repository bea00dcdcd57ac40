import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cool, noCooldown, warm } from '../../src/core/cooldown.ts';
import { firstAsk, nowhere, placeOf } from '../../src/core/place.ts';
import { refresh } from '../../src/core/pool.ts';
import { stateOf } from '../../src/core/state.ts';
import { at, attempt, newPool, read, times } from './pool-fixture.ts';

/** Lengths of cooldowns that follow each other, each by an attempt begun when the one before ended. */
function lengths(count: number, asked?: number): number[] {
  const cooldown = noCooldown();
  let now = 0;
  return Array.from({ length: count }, () => {
    cool(cooldown, now, asked, now, 0);
    const ms = cooldown.until - now;
    now = cooldown.until;
    return ms;
  });
}

describe('cooldown', () => {
  it('rate limited: 5 s, doubling to 60 s', () => {
    expect(lengths(6)).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('a longer Retry-After or time named in the body wins', () => {
    expect(lengths(1, 30_000)).toEqual([30_000]);
    expect(lengths(3, 7_000)).toEqual([7_000, 10_000, 20_000]);
  });

  it('a shorter one does not', () => {
    expect(lengths(1, 1_000)).toEqual([5_000]);
    expect(lengths(1, 0)).toEqual([5_000]);
    expect(lengths(1, -5)).toEqual([5_000]);
  });

  it('up to 10 min', () => {
    expect(lengths(1, 599_999)).toEqual([599_999]);
    expect(lengths(1, 86_400_000)).toEqual([600_000]);
  });

  it('doubles once a cooldown, not once a parallel answer', () => {
    const cooldown = noCooldown();
    times(20, n => cool(cooldown, 0, undefined, n, 0));
    expect(cooldown).toMatchObject({ since: 0, until: 5_000, nextMs: 10_000 });
    cool(cooldown, 4_999, undefined, 6_000, 0);
    expect(cooldown).toMatchObject({ since: 0, until: 5_000, nextMs: 10_000 });
    cool(cooldown, 5_000, undefined, 6_000, 0);
    expect(cooldown).toMatchObject({ since: 6_000, until: 16_000, nextMs: 20_000 });
  });

  it('a parallel answer that names a longer time moves the end, never back', () => {
    const cooldown = noCooldown();
    cool(cooldown, 0, undefined, 0, 0);
    cool(cooldown, 0, 60_000, 100, 0);
    expect(cooldown).toMatchObject({ until: 60_100, nextMs: 10_000 });
    cool(cooldown, 0, 1_000, 200, 0);
    expect(cooldown.until).toBe(60_100);
  });

  it('the next success resets the doubling; one that began before the end does not', () => {
    const cooldown = noCooldown();
    cool(cooldown, 0, undefined, 0, 0);
    warm(cooldown, 4_999);
    expect(cooldown.nextMs).toBe(10_000);
    warm(cooldown, 5_000);
    expect(cooldown.nextMs).toBe(5_000);
  });

  it('jitter stays within 20 % and never ends early', () => {
    fc.assert(
      fc.property(
        fc.option(fc.integer({ min: 0, max: 2_000_000 }), { nil: undefined }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 0, max: 1e9 }),
        (asked, chance, now) => {
          const cooldown = noCooldown();
          cool(cooldown, now, asked, now, chance);
          const plain = Math.max(5_000, Math.min(600_000, asked ?? 0));
          expect(cooldown.until).toBeGreaterThanOrEqual(now + plain);
          expect(cooldown.until).toBeLessThanOrEqual(now + plain * 1.2);
        },
      ),
    );
  });

  it('a pool that was limited at once does not come back in step', () => {
    const ends = [0, 0.25, 0.5, 0.75].map(chance => {
      const cooldown = noCooldown();
      cool(cooldown, 0, undefined, 0, chance);
      return cooldown.until;
    });
    expect(ends).toEqual([5_000, 5_250, 5_500, 5_750]);
  });
});

describe('a rate limited endpoint', () => {
  it('takes nothing until time releases it, to the millisecond', () => {
    const pool = newPool({ chain: { lastResort: 'stale' } });
    const record = at(pool, 0);
    attempt(pool, record, 'rate_limited', 100);
    expect(placeOf(record, read, firstAsk, 5_099)).toBe(nowhere);
    expect(placeOf(record, read, firstAsk, 5_100)).toBe(0);
  });

  it('whoever is not asked is not stale for his silence: four intervals count from the end of the cooldown', () => {
    const pool = newPool();
    const record = at(pool, 0);
    attempt(pool, record, 'rate_limited', 100, { seen: { judgement: { retryAfterMs: 300_000 } } });
    expect(stateOf(record, 200_000).state).toBe('cooling');
    expect(placeOf(record, read, firstAsk, 300_100)).toBe(0);
    expect(placeOf(record, read, firstAsk, 320_099)).toBe(0);
    expect(stateOf(record, 320_100).state).toBe('stale');
    refresh(pool, 100_000);
    expect(pool.head.median).toBe(-1);
  });

  it('one that was silent before stays stale', () => {
    const pool = newPool();
    attempt(pool, at(pool, 0), 'rate_limited', 30_000);
    expect(stateOf(at(pool, 0), 30_000).state).toBe('stale');
  });

  it('a throttle leaves the score alone, a used-up quota does not', () => {
    const pool = newPool();
    const { read: tally } = at(pool, 0);
    const { score } = tally;
    attempt(pool, at(pool, 0), 'rate_limited', 1);
    expect(tally).toMatchObject({ score, success: 1, samples: 1 });
    attempt(pool, at(pool, 0), 'rate_limited', 2, { seen: { judgement: { quota: true } } });
    expect(tally).toMatchObject({ success: 0.7, samples: 2 });
    expect(tally.score).toBeLessThan(score);
  });

  it.each(['ok', 'app_error'] as const)('%s resets the doubling', verdict => {
    const pool = newPool();
    const record = at(pool, 0);
    attempt(pool, record, 'rate_limited', 0);
    attempt(pool, record, verdict, 5_000);
    attempt(pool, record, 'rate_limited', 6_000);
    expect(record.cooldown.until).toBe(11_000);
  });

  it('a failure does not', () => {
    const pool = newPool();
    const record = at(pool, 0);
    attempt(pool, record, 'rate_limited', 0);
    attempt(pool, record, 'node_failure', 5_000);
    attempt(pool, record, 'rate_limited', 6_000);
    expect(record.cooldown.until).toBe(16_000);
  });
});
