import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  bucketOf,
  createHistogram,
  cumulative,
  quantile,
  record,
  total,
} from '../../src/core/histogram.ts';

const latencies = fc.array(fc.double({ min: 0, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 200 });

describe('the latency histogram', () => {
  it('knows nothing without records', () => {
    expect(quantile(createHistogram(), 0.5)).toBeNull();
  });

  it('gives a quantile within a quarter of a doubling above the true one', () => {
    fc.assert(
      fc.property(latencies, fc.double({ min: 0.01, max: 1, noNaN: true }), (values, share) => {
        const histogram = createHistogram();
        for (const value of values) record(histogram, bucketOf(value));
        const sorted = [...values].sort((a, b) => a - b);
        const exact = sorted[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;
        const found = quantile(histogram, share) ?? Number.NaN;
        expect(found).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
        expect(found).toBeLessThanOrEqual(Math.max(0.25, exact * 2 ** 0.25) * (1 + 1e-9));
      }),
    );
  });

  it('adds up, and its last cumulative row is the total', () => {
    fc.assert(
      fc.property(latencies, latencies, (first, second) => {
        const a = createHistogram();
        const b = createHistogram();
        for (const value of first) record(a, bucketOf(value));
        for (const value of second) record(b, bucketOf(value));
        add(a, b);
        expect(total(a)).toBe(first.length + second.length);
        expect(cumulative(a).at(-1)?.count).toBe(total(a));
      }),
    );
  });
});
