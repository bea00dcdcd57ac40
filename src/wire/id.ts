/** JSON-RPC ids, kept as the JSON text they came in and compared as JSON values: 1 is 1.0, and "1" is neither. */

export type IdValue = string | number | null;

/** The value of a JSON text; undefined when it is no string, number or null. Past 2^53 numbers are the nearest double. */
export function idValue(text: string): IdValue | undefined {
  if (text.length < 16) {
    const digits = digitsOf(text);
    if (digits >= 0) return digits;
  }
  const value: unknown = JSON.parse(text);
  return typeof value === 'string' || typeof value === 'number' || value === null ? value : undefined;
}

/** Most ids are counted up: read without a parser. -1: not only digits. Fewer than 16 of them are exact. */
function digitsOf(text: string): number {
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

export function sameId(a: string, b: string): boolean {
  if (a === b) return true;
  const value = idValue(a);
  return value !== undefined && value === idValue(b);
}
