/** How fast something rises, and how sure that is. */

export interface Trend {
  /** A unit of time, or a step. */
  readonly slope: number;
  /** Of the slope. */
  readonly error: number;
}

/** A straight line through samples, by least squares. For what swings round its level. */
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

/**
 * The mean of the steps from one value to the next. For what stays where a step has put it, as memory does: a straight line would
 * take each value after a step for one more proof of it, and be sure of a rise that one step made.
 */
export function drift(values: readonly number[]): Trend {
  const steps = values.slice(1).map((value, n) => value - (values[n] ?? 0));
  if (steps.length < 2) return { slope: 0, error: Number.POSITIVE_INFINITY };
  const slope = steps.reduce((sum, step) => sum + step, 0) / steps.length;
  const spread = steps.reduce((sum, step) => sum + (step - slope) ** 2, 0) / (steps.length - 1);
  return { slope, error: Math.sqrt(spread / steps.length) };
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
