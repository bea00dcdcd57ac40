/** Averages that forget: the newest sample has a fixed share. Latencies are forgotten altogether after five minutes. */

/** Written as a step towards the sample, so that an average of ones stays exactly one. */
export function ewma(average: number, sample: number, share: number): number {
  return average + share * (sample - average);
}

export interface Latency {
  ms: number;
  /** When it was last measured; -Infinity: never. */
  at: number;
}

const latencyShare = 0.1;
const forgottenAfterMs = 300_000;

export function unmeasured(): Latency {
  return { ms: 0, at: Number.NEGATIVE_INFINITY };
}

export function isKnown(latency: Latency, now: number): boolean {
  return now - latency.at < forgottenAfterMs;
}

export function measure(latency: Latency, ms: number, now: number): void {
  latency.ms = isKnown(latency, now) ? ewma(latency.ms, ms, latencyShare) : ms;
  latency.at = now;
}
