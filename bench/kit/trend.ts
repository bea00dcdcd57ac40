/** A straight line through samples, by least squares, and how sure its slope is. */

export interface Trend {
  /** A unit of time. */
  readonly slope: number;
  /** Of the slope. */
  readonly error: number;
}

export function trend(samples: readonly { readonly at: number; readonly value: number }[]): Trend {
  const count = samples.length;
  if (count < 3) return { slope: 0, error: Number.POSITIVE_INFINITY };
  const mean = (of: (sample: (typeof samples)[number]) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / count;
  const [at, value] = [mean(sample => sample.at), mean(sample => sample.value)];
  const spread = samples.reduce((sum, sample) => sum + (sample.at - at) ** 2, 0);
  const slope = samples.reduce((sum, each) => sum + (each.at - at) * (each.value - value), 0) / spread;
  const rest = samples.reduce((sum, each) => sum + (each.value - value - slope * (each.at - at)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / (count - 2) / spread) };
}

/** The least of each stretch: what is left when the garbage is collected. */
export function floors(
  samples: readonly { readonly at: number; readonly value: number }[],
  stretch: number,
): { at: number; value: number }[] {
  const lowest = new Map<number, { at: number; value: number }>();
  for (const sample of samples) {
    const key = Math.floor(sample.at / stretch);
    const known = lowest.get(key);
    if (known === undefined || sample.value < known.value) lowest.set(key, { ...sample });
  }
  return [...lowest.values()];
}
