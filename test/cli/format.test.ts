import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Column, ms, span, table, thousands, withoutControls } from '../../src/cli/format.ts';

interface Row {
  readonly name: string;
  readonly n: number;
  readonly host: string;
}

const columns: readonly Column<Row>[] = [
  { title: 'NAME', value: row => row.name },
  { title: 'N', value: row => String(row.n), right: true, drop: 1 },
  { title: 'HOST', value: row => row.host, cut: true, drop: 2 },
];
const rows: readonly Row[] = [
  { name: 'a', n: 5, host: 'https://rpc.example.com' },
  { name: 'longer', n: 1234, host: 'https://x.io' },
];

describe('tables', () => {
  it('have upper-case heads, two spaces between columns, numbers to the right, no end of blanks', () => {
    expect(table(rows, columns)).toBe(
      ['NAME       N  HOST', 'a          5  https://rpc.example.com', 'longer  1234  https://x.io'].join(
        '\n',
      ),
    );
  });

  it('cut only what may be cut, and leave columns out in the order they say', () => {
    expect(table(rows, columns, 30).split('\n')).toEqual([
      'NAME       N  HOST',
      'a          5  https://rpc.exa…',
      'longer  1234  https://x.io',
    ]);
    expect(table(rows, columns, 18).split('\n')[0]).toBe('NAME       N');
    expect(table(rows, columns, 8).split('\n')[0]).toBe('NAME');
  });

  it('never grow wider than the terminal while anything can be left out, and show all elsewhere', () => {
    const row = fc.record({
      name: fc.stringMatching(/^[a-z]{1,8}$/),
      n: fc.nat(),
      host: fc.string({ maxLength: 40 }),
    });
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 12, max: 120 }),
        (all, width) => {
          for (const line of table(all, columns, width).split('\n'))
            expect([...line].length).toBeLessThanOrEqual(width);
          const whole = table(all, columns);
          for (const { host } of all) expect(whole).toContain(host.trimEnd());
        },
      ),
    );
  });
});

describe('small texts', () => {
  it.each([
    [0, '0s'],
    [119_000, '119s'],
    [120_000, '2m'],
    [7_200_000, '2h'],
    [172_800_000, '2d'],
    [-5, '0s'],
  ])('%d ms is %s', (value, text) => expect(span(value)).toBe(text));

  it.each([
    [null, '-'],
    [1.25, '1.3ms'],
    [10, '10ms'],
    [10_500, '10.5s'],
  ])('a latency of %s is %s', (value, text) => expect(ms(value)).toBe(text));

  it.each([
    [null, '-'],
    [999, '999'],
    [21_904_112, '21,904,112'],
  ])('%s is %s', (value, text) => expect(thousands(value)).toBe(text));
});

describe('an answer on a terminal', () => {
  it.each([
    ['{"a":"\u009b2J"}', '{"a":"\\u009b2J"}'],
    ['\u001b[2Jplain', '\\u001b[2Jplain'],
    ['a\u202eb\u200d\r', 'a\\u202eb\\u200d\\u000d'],
    ['a tag of two units: \u{e0020}', 'a tag of two units: \\udb40\\udc20'],
    ['{\n\t"é": "😀"\n}', '{\n\t"é": "😀"\n}'],
  ])('%j moves nothing', (text, shown) => {
    expect(withoutControls(text)).toBe(shown);
  });

  it('is the same JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const json = JSON.stringify({ [text]: text });
        expect(JSON.parse(withoutControls(json))).toEqual(JSON.parse(json));
      }),
    );
  });
});
