import { isDeepStrictEqual } from 'node:util';

/** Properties run in the tests and, for longer, in a program of their own, where no test runner is. */
export function same(what: string, is: unknown, expected: unknown): void {
  if (isDeepStrictEqual(is, expected)) return;
  throw new Error(`${what}: ${shown(is)}, expected ${shown(expected)}`);
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
