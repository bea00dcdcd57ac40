import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/config/nearest.ts';

const known = ['url', 'name', 'weight', 'maxInFlight', 'allowPrivate', 'history', 'headers'];

describe('nearest', () => {
  it.each([
    ['weigth', 'weight'],
    ['wieght', 'weight'],
    ['max_in_flight', 'maxInFlight'],
    ['MaxInflight', 'maxInFlight'],
    ['allow-private', 'allowPrivate'],
    ['header', 'headers'],
    ['uri', 'url'],
    ['nam', 'name'],
  ])('%s was meant to be %s', (typed, meant) => {
    expect(nearest(typed, known)).toBe(meant);
  });

  it.each(['concurrency', 'priority', 'x1234567', '⚡⚡⚡⚡⚡'])('%s was meant to be none of them', typed => {
    expect(nearest(typed, known)).toBeUndefined();
  });

  it('knows a known name, and knows nothing of an empty list', () => {
    fc.assert(
      fc.property(fc.constantFrom(...known), name => {
        expect(nearest(name, known)).toBe(name);
      }),
    );
    expect(nearest('weight', [])).toBeUndefined();
  });

  it('ends for any text', () => {
    fc.assert(
      fc.property(fc.string(), name => {
        expect([undefined, ...known]).toContain(nearest(name, known));
      }),
    );
  });
});
