const bars = '▁▂▃▄▅▆▇█';

/**
 * The newest values as bars, the oldest left: the shape of a row, not a comparison of rows. What is usual stands at half
 * the height or above, so that a calm row is no wall of full bars and a peak is seen. An unknown value is a gap.
 */
export function spark(values: readonly (number | null)[], width: number): string {
  const shown = values.slice(-width);
  const known = shown.filter(value => value !== null).toSorted((a, b) => a - b);
  const usual = known[Math.floor(known.length / 2)] ?? 0;
  const top = Math.max(known.at(-1) ?? 0, 2 * usual);
  const text = shown.map(value => (value === null ? ' ' : barOf(value, top))).join('');
  return text.padStart(width);
}

function barOf(value: number, top: number): string {
  const step = top <= 0 ? 0 : Math.min(bars.length - 1, Math.floor((value / top) * bars.length));
  return bars[step] ?? ' ';
}

/** A share of a whole as a bar of whole and half signs. */
export function bar(share: number, width: number): string {
  const filled = Math.round(Math.max(0, Math.min(1, share)) * width);
  return '█'.repeat(filled).padEnd(width);
}
