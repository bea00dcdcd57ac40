import { expect } from 'vitest';
import { jsonShapes } from '../../src/cli/json-shapes.ts';

/** Fails when a value is not of the documented shape, and when it has a field that is not documented. */
export function expectShape(name: string, value: unknown): void {
  const known = jsonShapes[name];
  if (known === undefined) throw new Error(`there is no shape ${name}`);
  const read = known.shape.safeParse(value);
  expect(read.error?.issues ?? [], name).toEqual([]);
  expect(read.data, name).toEqual(value);
}
