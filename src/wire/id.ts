/** JSON-RPC ids, kept as the JSON text they came in and compared as JSON values: 1 is 1.0, and "1" is neither. */

export type IdValue = string | number | null;

/** The value of a JSON text; undefined when it is no string, number or null. Past 2^53 numbers are the nearest double. */
export function idValue(text: string): IdValue | undefined {
  const value: unknown = JSON.parse(text);
  return typeof value === 'string' || typeof value === 'number' || value === null ? value : undefined;
}

export function sameId(a: string, b: string): boolean {
  if (a === b) return true;
  const value = idValue(a);
  return value !== undefined && value === idValue(b);
}
