import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonical, canonicalBut } from '../../../src/chains/evm/canonical.ts';
import { finished, worked } from '../../kit/work.ts';
import { bytes } from '../cases.ts';

const of = (json: string) => {
  const text = bytes(json);
  return finished(canonical(text, { at: 0, end: text.length }));
};

/** The same by the book: keys sorted in each object, hex in small letters. */
function byTheBook(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(/^0x[0-9a-f]*$/i.test(value) ? value.toLowerCase() : value);
  if (Array.isArray(value)) return `[${value.map(byTheBook).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort((a, b) => (a < b ? -1 : 1));
  const members = Object.fromEntries(Object.entries(value));
  return `{${keys.map(key => `${JSON.stringify(key)}:${byTheBook(members[key])}`).join(',')}}`;
}

describe('one text for all ways to write a request', () => {
  const hex = fc.constantFrom('0xAB', '0x', '0xg', '0XaB', 'ab', '0xAb"');
  const { value } = fc.letrec<{ value: unknown }>(tie => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(
        hex,
        fc.string(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
      ),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('2', '10', 'tx', '__proto__')), tie('value'), {
        maxKeys: 5,
        noNullPrototype: false,
      }),
    ),
  }));

  test('by the book, with blanks or without', () => {
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 2 }), (one, blanks) => {
        expect(of(JSON.stringify(one, null, blanks))).toBe(byTheBook(JSON.parse(JSON.stringify(one))));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['{"b":1,"a":[{"d":2,"c":"0xAB"}]}', '{"a":[{"c":"0xab","d":2}],"b":1}'],
    ['{"\\u0061":1,"a":2}', '{"a":2}'],
    ['{"a":"\\u0030xAB","b":"0xABg"}', '{"a":"0xab","b":"0xABg"}'],
    ['[1e2,1.50,-0]', '[100,1.5,0]'],
  ])('%s', (text, want) => {
    expect(of(text)).toBe(want);
  });

  test('a member is left out where it stands, and nowhere below', () => {
    const text = bytes('{"tx":"0x1","b":{"tx":"0xA"},"t\\u0078":2,"a":[]}');
    expect(finished(canonicalBut('tx', text, { at: 0, end: text.length }))).toBe('{"a":[],"b":{"tx":"0xa"}}');
  });

  test('much of it is done in slices, and each text is shown once', () => {
    const long = `0x${'AB'.repeat(10_000)}`;
    const text = bytes(JSON.stringify([{ txs: Array.from({ length: 40 }, () => long), n: 1 }]));
    const seen: number[] = [];
    const work = canonical(text, { at: 0, end: text.length }, function* (span) {
      seen.push(span.end - span.at);
      yield* [];
    });
    const { value: same, breaks } = worked(work);
    expect(same).toBe(`[{"n":1,"txs":[${Array(40).fill(`"${long.toLowerCase()}"`)}]}]`);
    // Four of them are more than a slice.
    expect(breaks).toBe(9);
    expect(seen).toEqual([1, ...Array(40).fill(long.length + 2)]);
  });
});
