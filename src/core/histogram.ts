/**
 * Latencies as counts in logarithmic buckets, four to a doubling (so a quantile is right within 19 %), from 0.25 ms to
 * 65 s. Every fourth bound is a power of two ms, which is what the metrics page shows.
 */

const stepsPerDoubling = 4;
const firstBoundMs = 0.25;
const doublings = 18;
const buckets = doublings * stepsPerDoubling + 1;

export type Histogram = Uint32Array;

export function createHistogram(): Histogram {
  return new Uint32Array(buckets);
}

/** One more in a bucket; `bucketOf` says which, once for all histograms that count the same latency. */
export function record(histogram: Histogram, bucket: number): void {
  histogram[bucket] = (histogram[bucket] ?? 0) + 1;
}

export function bucketOf(ms: number): number {
  if (!(ms > firstBoundMs)) return 0;
  return Math.min(buckets - 1, Math.ceil(Math.log2(ms / firstBoundMs) * stepsPerDoubling));
}

/** Upper bound of a bucket, ms. */
function boundMs(at: number): number {
  return firstBoundMs * 2 ** (at / stepsPerDoubling);
}

export function total(histogram: Histogram): number {
  let sum = 0;
  for (const count of histogram) sum += count;
  return sum;
}

export function add(into: Histogram, from: ArrayLike<number>): void {
  for (let at = 0; at < buckets; at += 1) into[at] = (into[at] ?? 0) + (from[at] ?? 0);
}

/** The latency that this share (0–1) of the records does not exceed, ms; null when there is none. */
export function quantile(histogram: Histogram, share: number): number | null {
  const wanted = total(histogram) * share;
  if (wanted === 0) return null;
  let seen = 0;
  for (let at = 0; at < buckets; at += 1) {
    seen += histogram[at] ?? 0;
    if (seen >= wanted) return boundMs(at);
  }
  return boundMs(buckets - 1);
}

/** Cumulative counts at each power of two ms, as Prometheus histograms want them. */
export function cumulative(histogram: Histogram): { readonly le: number; readonly count: number }[] {
  const rows: { le: number; count: number }[] = [];
  let seen = 0;
  for (let at = 0; at < buckets; at += 1) {
    seen += histogram[at] ?? 0;
    if (at % stepsPerDoubling === 0) rows.push({ le: boundMs(at), count: seen });
  }
  return rows;
}
