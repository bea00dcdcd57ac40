import { describe, expect, it } from 'vitest';
import { bucketOf, createHistogram, quantile, record } from '../../src/core/histogram.ts';
import { addUp, type MinuteRow } from '../../src/store/traffic.ts';
import { folder, openRaw, openTestStore } from './setup.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const minute = 60_000;

function latency(...ms: number[]): number[] {
  const histogram = createHistogram();
  for (const one of ms) record(histogram, bucketOf(one));
  return [...histogram];
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
  it('reads what months ago was written: the buckets on disk are those of today', async () => {
    const dir = folder();
    const store = await openTestStore({ dir });
    store.addMinutes([row({ latency: latency(0.1, 1, 100, 100, 65_000) })]);
    await store.audit.append({ who: 'test', action: 'wait', result: 'done' });
    // A change of these numbers is a change of the schema.
    expect(openRaw(dir).prepare('SELECT latency FROM minute').pluck().all()).toEqual([
      '{"0":1,"8":1,"35":2,"72":1}',
    ]);
    expect((await store.report({ since: 0 }))[0]?.latency).toEqual(latency(0.1, 1, 100, 100, 65_000));
  });

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
    expect(lines[0]).toMatchObject({ requests: 0, errors: 0, errorRate: 0, p50: null });
    const seen = Uint32Array.from(latency(...Array.from({ length: 20 }, (_, n) => (n < 10 ? 100 : 400))));
    expect(lines[1]).toMatchObject({
      requests: 20,
      verdicts: { ok: 14, app_error: 2, rate_limited: 2, transport: 2 },
      errors: 4,
      errorRate: 0.2,
      p50: quantile(seen, 0.5),
      p95: quantile(seen, 0.95),
      p99: quantile(seen, 0.99),
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
