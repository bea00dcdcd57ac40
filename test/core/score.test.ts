import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setSwitches } from '../../src/core/facts.ts';
import { refresh } from '../../src/core/pool.ts';
import { explainScore, latencyPenalty } from '../../src/core/score.ts';
import { at, attempt, newPool } from './pool-fixture.ts';
import { chain, endpoints, life, live } from './random-life.ts';

describe('latencyPenalty', () => {
  it.each([
    [0, 100, 0],
    [50, 100, 0],
    [100, 100, 0],
    [110, 100, 2],
    [150, 100, 10],
    [199, 100, 19.8],
    [200, 100, 20],
    [10_000, 100, 20],
    [500, 0, 0],
  ])('%i ms against a median of %i ms: %d', (ms, median, penalty) => {
    expect(latencyPenalty(ms, median)).toBeCloseTo(penalty, 10);
  });
});

/** A pool whose height reads take these times. */
function timed(latencies: readonly number[]) {
  const pool = newPool({ endpoints: latencies.map(() => ({})), unlearned: true });
  for (const [n, ms] of latencies.entries()) {
    const record = at(pool, n);
    record.identity.state = 'verified';
    attempt(pool, record, 'ok', 0, { by: 'height', seen: { height: 1_000, ms } });
  }
  refresh(pool, 0);
  return pool;
}

describe('score = (100 × success − latencyPenalty) × weight', () => {
  it('term by term', () => {
    const pool = timed([100, 100, 150]);
    const record = at(pool, 2);
    attempt(pool, record, 'transport', 1);
    expect(explainScore(pool, record, 'read', 1)).toEqual({
      success: 0.7,
      samples: 2,
      latencyMs: 150,
      medianLatencyMs: 100,
      latencyPenalty: 10,
      weight: 50,
      score: 3_000,
    });
    expect(explainScore(pool, record, 'heavy', 1)).toMatchObject({ success: 1, score: 4_500 });
  });

  it('being fast earns nothing', () => {
    const pool = timed([1, 100, 100]);
    expect(at(pool, 0).read.score).toBe(5_000);
  });

  it.each([
    [[10, 20, 30, 40, 50], 30],
    [[10, 20, 30, 40], 20],
    [[40, 10, 30], 30],
  ])('the median of %j is %i', (latencies, median) => {
    expect(timed(latencies).medianLatencyMs).toBe(median);
  });

  it('of two the slower one is the one that pays', () => {
    const pool = timed([10, 100]);
    expect([0, 1].map(n => at(pool, n).read.score)).toEqual([5_000, 4_000]);
  });

  it('unknown latency (none for 5 min) costs nothing', () => {
    const pool = timed([10, 10, 100]);
    refresh(pool, 299_999);
    expect(at(pool, 2).read.score).toBe(4_000);
    refresh(pool, 300_000);
    expect(at(pool, 2).read.score).toBe(5_000);
    expect(explainScore(pool, at(pool, 2), 'read', 300_000)).toMatchObject({
      latencyMs: undefined,
      medianLatencyMs: undefined,
      latencyPenalty: 0,
    });
  });

  it('like is compared with like: slow requests of clients do not make the endpoint in use look slow', () => {
    const pool = timed([10, 10, 10]);
    for (let n = 0; n < 50; n += 1) attempt(pool, at(pool, 0), 'ok', n, { seen: { ms: 400 } });
    refresh(pool, 50);
    expect(at(pool, 0).read.score).toBe(5_000);
    expect(at(pool, 0).latency.ms).toBeGreaterThan(300);
  });

  it('failures and heavy work measure no latency', () => {
    const pool = timed([10]);
    attempt(pool, at(pool, 0), 'transport', 1, { seen: { ms: 5_000 } });
    attempt(pool, at(pool, 0), 'ok', 2, { class: 'heavy', seen: { ms: 20_000 } });
    expect(at(pool, 0).latency).toEqual({ ms: 10, at: 0 });
  });

  it('probes count for `read`', () => {
    const pool = timed([10]);
    attempt(pool, at(pool, 0), 'transport', 1, { by: 'identity' });
    expect(at(pool, 0)).toMatchObject({
      read: { success: 0.7 },
      heavy: { success: 1 },
      broadcast: { success: 1 },
    });
  });

  it('the number kept for choosing is the one explained, whatever happened', () => {
    fc.assert(
      fc.property(chain, endpoints, life, (c, e, events) => {
        live({ chain: c, endpoints: e }, events, (pool, now) => {
          refresh(pool, now);
          for (const record of pool.records) {
            for (const workClass of ['read', 'heavy', 'broadcast'] as const) {
              const {
                success,
                latencyPenalty: penalty,
                weight,
                score,
              } = explainScore(pool, record, workClass, now);
              if (score !== record[workClass].score) expect(record[workClass].score).toBe(score);
              const expected = (100 * success - penalty) * weight;
              if (score !== expected) expect(score).toBe(expected);
              const sane = success >= 0 && success <= 1 && penalty >= 0 && penalty <= 20;
              if (!sane) expect({ success, penalty }).toBe('sane');
            }
          }
        });
      }),
      { numRuns: 50 },
    );
  });

  it('weight 0 scores nothing', () => {
    const pool = timed([10]);
    setSwitches(pool, at(pool, 0), { weight: 0 }, 1);
    expect(at(pool, 0).read.score).toBe(0);
  });
});

describe('slow: average latency over the chain’s maxLatency', () => {
  const limited = () => newPool({ chain: { maxLatencyMs: 100 }, endpoints: [{}] });
  const answers = (pool: ReturnType<typeof newPool>, ms: number, count: number, now: number): void => {
    for (let n = 0; n < count; n += 1) attempt(pool, at(pool, 0), 'ok', now, { seen: { ms } });
  };

  it('shuts over it, and releases only under 80 % of it', () => {
    const pool = limited();
    const record = at(pool, 0);
    record.latency.ms = 100;
    answers(pool, 100, 1, 1);
    expect(record.slowSince).toBeUndefined();
    answers(pool, 101, 1, 2);
    expect(record.slowSince).toBe(2);
    record.latency.ms = 80;
    answers(pool, 80, 1, 3);
    expect(record.slowSince).toBe(2);
    answers(pool, 79, 1, 4);
    expect(record.slowSince).toBeUndefined();
  });

  it('is off by default', () => {
    const pool = newPool();
    answers(pool, 60_000, 10, 1);
    expect(at(pool, 0).slowSince).toBeUndefined();
  });

  it('forgotten latency holds nobody back', () => {
    const pool = limited();
    answers(pool, 5_000, 1, 1);
    refresh(pool, 300_000);
    expect(at(pool, 0).slowSince).toBe(1);
    refresh(pool, 300_001);
    expect(at(pool, 0).slowSince).toBeUndefined();
  });
});
