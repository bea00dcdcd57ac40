/** Latency as counts in buckets: adds up over minutes, hours and endpoints, which percentiles do not. */

/** Upper bounds, ms; one more bucket takes what is slower. */
export const latencyBoundsMs: readonly number[] = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 7000,
  10_000, 15_000, 30_000, 60_000,
];

export function latencyBucket(ms: number): number {
  const bucket = latencyBoundsMs.findIndex(bound => ms <= bound);
  return bucket === -1 ? latencyBoundsMs.length : bucket;
}

/** Ms under which the share `q` (0–1) of all counted lies, even within a bucket; undefined when nothing was counted. */
export function percentile(counts: readonly number[], q: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let left = q * total;
  for (const [bucket, count] of counts.entries()) {
    const lower = latencyBoundsMs[bucket - 1] ?? 0;
    const upper = latencyBoundsMs[bucket] ?? lower;
    if (count > 0 && left <= count) return lower + ((upper - lower) * left) / count;
    left -= count;
  }
  return latencyBoundsMs.at(-1);
}
