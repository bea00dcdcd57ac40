import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hexAt } from '../../src/wire/hex.ts';
import { finished, worked } from '../kit/work.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
/** Between quotes. */
const quoted = (text: Uint8Array, prefix: 'may' | 'never' = 'may') =>
  hexAt(Uint8Array.of(0x22, ...text, 0x22), { at: 0, end: text.length + 2 }, prefix);
const read = (text: string, prefix: 'may' | 'never' = 'may') => finished(quoted(utf8(text), prefix));
/** As a member of a JSON text. */
const member = (json: string, prefix: 'may' | 'never' = 'may') => {
  const before = '{"a":';
  const span = { at: before.length, end: before.length + utf8(json).length };
  return finished(hexAt(utf8(`${before}${json}}`), span, prefix));
};
const slice = 64 * 1024;

describe('hex digits', () => {
  test('are read as Node reads them, in either case', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.boolean(), (bytes, upper) => {
        const lower = Buffer.from(bytes).toString('hex');
        const digits = upper ? lower.toUpperCase() : lower;
        expect(read(digits)).toEqual(bytes);
        expect(read(`0x${digits}`)).toEqual(bytes);
        expect(read(`0X${digits}`)).toEqual(bytes);
        expect(read(`0x${digits}`, 'never')).toBeUndefined();
        expect(member(`"${digits}"`, 'never')).toEqual(bytes);
      }),
    );
  });

  test('and nothing else is one, in either place of a byte', () => {
    const isDigit = (byte: number) => /^[0-9a-fA-F]$/.test(String.fromCharCode(byte));
    for (let byte = 0; byte < 256; byte += 1) {
      // Behind a backslash it would be no JSON.
      if (byte === 0x5c) continue;
      const found = [Uint8Array.of(0x31, byte), Uint8Array.of(byte, 0x31)].map(text =>
        finished(quoted(text, 'never')),
      );
      expect(found.map(one => one !== undefined)).toEqual([isDigit(byte), isDigit(byte)]);
    }
  });

  test.each([['nothing'], ['0x'], ['0x1'], ['123'], [''], ['0x0x12'], ['12 34']])('%j are none', text => {
    expect(read(text)).toBeUndefined();
  });

  test('many are read in slices, and one that is wrong is found in each of them', () => {
    for (const length of [slice - 1, slice, slice + 1, 2 * slice, 2 * slice + 1]) {
      const bytes = Buffer.alloc(length, 'any bytes');
      const text = utf8(`"${bytes.toString('hex')}"`);
      const span = { at: 0, end: text.length };
      const { value, breaks } = worked(hexAt(text, span, 'may'));
      expect(bytes.equals(value ?? Buffer.alloc(0))).toBe(true);
      expect(breaks).toBe(Math.ceil(length / slice) - 1);
      for (const at of [1, text.length / 2, text.length - 2]) {
        const wrong = text.slice();
        wrong[at] = 0x67;
        expect(finished(hexAt(wrong, span, 'may'))).toBeUndefined();
      }
    }
  });
});

describe('in JSON', () => {
  test('escapes are undone', () => {
    expect(member('"\\u0030x\\u0061b"')).toEqual(Uint8Array.of(0xab));
    expect(member('"\\u0061b"', 'never')).toEqual(Uint8Array.of(0xab));
    expect(member('"a\\n"')).toBeUndefined();
  });

  test.each([['12'], ['[12]'], ['""'], ['"é1"'], ['null']])('%s is none', json => {
    expect(member(json)).toBeUndefined();
  });
});
