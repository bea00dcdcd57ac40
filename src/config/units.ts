/** Spans, sizes and shares as the config writes them. A number without its unit is refused: 30 of what? */

const spans = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;
const sizes = { GiB: 2 ** 30, MiB: 2 ** 20, KiB: 2 ** 10, B: 1 } as const;

export const spanPattern = /^(\d{1,12}(?:\.\d{1,3})?)(ms|s|m|h|d)$/;
export const sizePattern = /^(\d{1,12}(?:\.\d{1,3})?)(B|KiB|MiB|GiB)$/;
export const sharePattern = /^(\d{1,3}(?:\.\d{1,3})?)%$/;

/** Whole milliseconds; undefined when the text is no span. */
export function spanMs(text: string): number | undefined {
  return whole(spanPattern.exec(text), spans);
}

/** Whole bytes. */
export function sizeBytes(text: string): number | undefined {
  return whole(sizePattern.exec(text), sizes);
}

/** 0–1 and beyond: the caller knows the limit. */
export function share(text: string): number | undefined {
  const digits = sharePattern.exec(text)?.[1];
  // Of thousandths of a percent, so that 0.1% is the double nearest to 0.001.
  return digits === undefined ? undefined : Math.round(Number(digits) * 1000) / 100_000;
}

export function spanText(ms: number): string {
  return inLargestUnit(ms, spans, 's');
}

export function sizeText(bytes: number): string {
  return inLargestUnit(bytes, sizes, 'B');
}

export function shareText(value: number): string {
  return `${Math.round(value * 100_000) / 1000}%`;
}

function whole(match: RegExpExecArray | null, units: Readonly<Record<string, number>>): number | undefined {
  const factor = units[match?.[2] ?? ''];
  if (factor === undefined) return undefined;
  // Thousandths first: 1.1 × 1000 is not 1100 in binary.
  const value = (Math.round(Number(match?.[1]) * 1000) * factor) / 1000;
  return Number.isSafeInteger(value) ? value : undefined;
}

function inLargestUnit(value: number, units: Readonly<Record<string, number>>, zeroUnit: string): string {
  if (value === 0) return `0${zeroUnit}`;
  const [unit, factor] = Object.entries(units).find(([, size]) => value % size === 0) ?? ['', 1];
  return `${value / factor}${unit}`;
}
