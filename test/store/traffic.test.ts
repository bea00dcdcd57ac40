import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latencyBoundsMs, latencyBucket, percentile } from '../../src/store/latency.ts';
import { addUp, type MinuteRow } from '../../src/store/traffic.ts';
import { openTestStore } from './setup.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const minute = 60_000;

function latency(...ms: number[]): number[] {
  const counts = Array.from({ length: latencyBoundsMs.length + 1 }, () => 0);
  for (const one of ms) counts[latencyBucket(one)] = (counts[latencyBucket(one)] ?? 0) + 1;
  return counts;
}

function row(changed: Partial<MinuteRow> = {}): MinuteRow {
  return {
    start: noon,
    identityKey: 'key-infura',
    chain: 'ethereum',
    endpoint: 'infura',
    requests: 10,
    verdicts: { ok: 7, app_error: 1, rate_limited: 1, transport: 1 },
    latency: latency(...Array.from({ length: 10 }, () => 100)),
    lagMedian: 1,
    lagWorst: 3,
    outMs: 500,
    probes: 12,
    circuitOpenings: 1,
    ...changed,
  };
}

describe('latency buckets', () => {
  it.each([
    [0, 0],
    [1, 0],
    [1.01, 1],
    [100, 11],
    [60_000, 26],
    [60_001, 27],
  ])('%d ms is counted in bucket %i', (ms, bucket) => expect(latencyBucket(ms)).toBe(bucket));

  it.each([
    ['nothing counted', [], 0.5, undefined],
    ['all in one bucket: even within it', [90, 90], 0.5, 85],
    ['the tail', [1, 1, 1, 1, 1, 1, 1, 1, 1, 5000], 0.95, 4000],
    ['slower than the last bound', [100_000], 0.99, 60_000],
  ])('percentile of %s', (_, ms, q, expected) => expect(percentile(latency(...ms), q)).toBe(expected));

  it('a percentile lies in the bucket of the true one', () => {
    const times = fc.array(fc.double({ min: 0.01, max: 59_999, noNaN: true }), {
      minLength: 1,
      maxLength: 50,
    });
    fc.assert(
      fc.property(times, fc.double({ min: 0.01, max: 1, noNaN: true }), (ms, q) => {
        const sorted = ms.toSorted((a, b) => a - b);
        const truth = sorted[Math.ceil(q * ms.length - 1e-9) - 1] ?? 0;
        const found = percentile(latency(...ms), q) ?? -1;
        const bucket = latencyBucket(truth);
        expect(found).toBeGreaterThanOrEqual((latencyBoundsMs[bucket - 1] ?? 0) - 1e-6);
        expect(found).toBeLessThanOrEqual((latencyBoundsMs[bucket] ?? Number.POSITIVE_INFINITY) + 1e-6);
      }),
    );
  });
});

describe('adding up', () => {
  it('sums counts, keeps the worst lag, and takes the median over time', () => {
    const quiet = row({ requests: 0, verdicts: {}, latency: latency(), lagMedian: 9, lagWorst: 9 });
    const { lagMedian: _median, lagWorst: _worst, ...blind } = row({ verdicts: { ok: 10 } });
    const parts = [row(), row({ lagMedian: 2 }), quiet, blind];
    const total = addUp(parts.map(part => ({ ...part, spanMs: minute })));
    expect(total).toEqual({
      requests: 30,
      verdicts: { ok: 24, app_error: 2, rate_limited: 2, transport: 2 },
      latency: latency(...Array.from({ length: 30 }, () => 100)),
      lagMedian: 2,
      lagWorst: 9,
      outMs: 2000,
      probes: 48,
      circuitOpenings: 4,
    });
  });

  it('an hour outweighs a minute', () => {
    const total = addUp([
      { ...row({ lagMedian: 8 }), spanMs: 60 * minute },
      { ...row({ lagMedian: 1 }), spanMs: minute },
      { ...row({ lagMedian: 1 }), spanMs: minute },
    ]);
    expect(total.lagMedian).toBe(8);
  });
});

describe('the report', () => {
  it('has a line for each endpoint', async () => {
    const store = await openTestStore();
    store.addMinutes([
      row(),
      row({ start: noon + minute, latency: latency(...Array.from({ length: 10 }, () => 400)) }),
      row({ endpoint: 'own-node', identityKey: 'key-own', verdicts: { ok: 10 } }),
    ]);
    store.addMinutes([
      row({ chain: 'bnb', endpoint: 'a', identityKey: 'key-bnb', requests: 0, verdicts: {}, latency: [] }),
    ]);
    await store.audit.append({ who: 'test', action: 'wait', result: 'done' });

    const lines = await store.report({ since: noon });
    expect(lines.map(({ chain, endpoint }) => [chain, endpoint])).toEqual([
      ['bnb', 'a'],
      ['ethereum', 'infura'],
      ['ethereum', 'own-node'],
    ]);
    expect(lines[0]).toMatchObject({ requests: 0, errors: 0, errorRate: 0 });
    expect(lines[0]?.p50).toBeUndefined();
    expect(lines[1]).toMatchObject({
      requests: 20,
      verdicts: { ok: 14, app_error: 2, rate_limited: 2, transport: 2 },
      errors: 4,
      errorRate: 0.2,
      p50: 100,
      p95: 480,
      p99: 496,
      lagMedian: 1,
      lagWorst: 3,
      outMs: 1000,
      probes: 24,
      circuitOpenings: 2,
      from: noon,
      to: noon + 2 * minute,
    });
    expect(lines[2]).toMatchObject({ errors: 0 });
  });

  it('takes what overlaps the span asked for', async () => {
    const store = await openTestStore();
    store.addMinutes([0, 1, 2, 3].map(n => row({ start: noon + n * minute })));
    await store.audit.append({ who: 'test', action: 'wait', result: 'done' });
    const requests = async (filter: { since: number; until?: number; chain?: string }) =>
      (await store.report(filter))[0]?.requests;
    expect(await requests({ since: noon })).toBe(40);
    expect(await requests({ since: noon + minute + 1 })).toBe(30);
    expect(await requests({ since: noon + 2 * minute })).toBe(20);
    expect(await requests({ since: noon, until: noon + minute })).toBe(10);
    expect(await requests({ since: noon, chain: 'bnb' })).toBeUndefined();
  });

  it('a restart within a minute adds to what stands there', async () => {
    const store = await openTestStore();
    store.addMinutes([row()]);
    store.addMinutes([row({ verdicts: { ok: 10 } })]);
    await store.audit.append({ who: 'test', action: 'wait', result: 'done' });
    expect(await store.report({ since: noon })).toMatchObject([
      { requests: 20, verdicts: { ok: 17, app_error: 1, rate_limited: 1, transport: 1 } },
    ]);
  });
});
