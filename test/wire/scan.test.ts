import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CUT, INVALID, scanValue, TOO_DEEP } from '../../src/wire/grammar.ts';
import {
  elementOf,
  elementsOf,
  memberOf,
  onlySpaceFrom,
  strictBody,
  strictObject,
  stringAt,
  valueAt,
  valueEnd,
} from '../../src/wire/scan.ts';
import { bytesOf, isRecord, mutated, parsed, spaceText, valueText } from './json-texts.ts';

const deep = Number.POSITIVE_INFINITY;

function isWhole(bytes: Uint8Array): boolean {
  const end = valueEnd(bytes, 0, deep);
  return end >= 0 && onlySpaceFrom(bytes, end);
}

describe('valueEnd agrees with JSON.parse', () => {
  it('on texts written in every way', () => {
    fc.assert(
      fc.property(spaceText, valueText, spaceText, (before, text, after) => {
        const bytes = bytesOf(before + text + after);
        expect(valueEnd(bytes, 0, deep)).toBe(bytesOf(before + text).length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('on texts with bytes changed', () => {
    fc.assert(
      fc.property(mutated(valueText), bytes => {
        expect(isWhole(bytes)).toBe(parsed(bytes).ok);
      }),
      { numRuns: 5_000 },
    );
  });

  it('on texts cut at every byte, and calls them cut, not invalid', () => {
    fc.assert(
      fc.property(valueText, text => {
        const bytes = bytesOf(text);
        for (let size = 0; size < bytes.length; size++) {
          const part = bytes.subarray(0, size);
          const { ok } = parsed(part);
          expect(isWhole(part)).toBe(ok);
          if (!ok) expect(scanValue(part, 0, deep)).toBe(CUT);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('on every pair of bytes inside a string, and on any bytes there', () => {
    for (let a = 0; a < 256; a++)
      for (let b = 0; b < 256; b++) {
        const bytes = Uint8Array.of(0x22, a, b, 0x22);
        if (isWhole(bytes) !== parsed(bytes).ok) expect.fail(`bytes ${a} ${b}`);
      }
    const lead = fc.constantFrom(0xe0, 0xed, 0xee, 0xf0, 0xf1, 0xf4, 0xf5, 0x5c, 0x41);
    fc.assert(
      fc.property(lead, fc.uint8Array({ maxLength: 5 }), (first, rest) => {
        const bytes = Uint8Array.of(0x22, first, ...rest, 0x22);
        expect(isWhole(bytes)).toBe(parsed(bytes).ok);
      }),
      { numRuns: 5_000 },
    );
  });

  it('on any byte anywhere in a long string, however it lies in memory', () => {
    for (let offset = 0; offset < 4; offset++) {
      for (const length of [255, 256, 257, 258, 259, 260, 300, 1_021]) {
        const text = `"${'0aZ~ '.repeat(length).slice(0, length)}"`;
        const bytes = bytesOf('    '.slice(0, offset) + text).subarray(offset);
        expect(valueEnd(bytes, 0, deep)).toBe(text.length);
        for (const at of [1, 250, 253, 254, 255, 256, 257, 258, 259, 260, length - 2, length - 1, length]) {
          if (at > length) continue;
          for (let byte = 0; byte < 256; byte++) {
            const changed = bytes.slice();
            const shifted = new Uint8Array(bytes.length + offset).subarray(offset);
            changed[at] = byte;
            shifted.set(changed);
            if (isWhole(shifted) !== parsed(changed).ok)
              expect.fail(`byte ${byte} at ${at} of ${length}, ${offset} off`);
          }
        }
      }
    }
  });

  it('on long strings with two bytes changed, in texts that are cut or go on', () => {
    const long = fc.record({
      length: fc.integer({ min: 240, max: 700 }),
      changes: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 2 }),
      more: fc.uint8Array({ maxLength: 9 }),
      cut: fc.integer({ min: 0, max: 9 }),
      offset: fc.integer({ min: 0, max: 7 }),
    });
    fc.assert(
      fc.property(long, ({ length, changes, more, cut, offset }) => {
        const text = Uint8Array.of(...bytesOf(`"${'x'.repeat(length)}"`), ...more);
        for (const [at, byte] of changes) text[at % text.length] = byte;
        const part = text.subarray(0, text.length - cut);
        const placed = new Uint8Array(part.length + offset).subarray(offset);
        placed.set(part);
        expect(isWhole(placed)).toBe(parsed(part).ok);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('valueEnd', () => {
  it.each([
    ['a byte order mark', '\ufeff{}'],
    ['a comma before the end', '[1,]'],
    ['a key without a value', '{"a"}'],
    ['a key that is no string', '{a:1}'],
    ['the wrong bracket', '[}'],
    ['a single quote', "'a'"],
    ['a comment', '/**/1'],
    ['a leading zero', '01'],
    ['a leading plus', '+1'],
    ['a point without digits', '1.e1'],
    ['hex', '0x1'],
    ['NaN', 'NaN'],
    ['a raw line end in a string', '"a\nb"'],
    ['an unknown escape', '"\\x41"'],
    ['a short \\u', '"\\u12g4"'],
    ['no-break space as white space', '\u00a01'],
    ['a capital literal', 'True'],
  ])('refuses %s', (_, text) => {
    const bytes = bytesOf(text);
    expect(parsed(bytes).ok).toBe(false);
    expect(isWhole(bytes)).toBe(false);
  });

  it.each([
    ['a lone surrogate as escape', '"\\ud800"'],
    ['an escaped NUL', '"\\u0000"'],
    ['DEL as it is', '"\u007f"'],
    ['a number beyond any double', '1e99999'],
    ['minus zero', '-0'],
  ])('takes %s, as JSON.parse does', (_, text) => {
    expect(isWhole(bytesOf(text))).toBe(true);
  });

  it.each([
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a lone continuation', [0x80]],
    ['an overlong three-byte form', [0xe0, 0x9f, 0xbf]],
  ])('refuses %s', (_, inside) => {
    expect(valueEnd(Uint8Array.of(0x22, ...inside, 0x22), 0, deep)).toBe(INVALID);
  });

  it('skips white space and starts where it is told', () => {
    expect(valueEnd(bytesOf('xx \n 12 ]'), 2, deep)).toBe(7);
  });

  it('tells what is too deep from what is no JSON', () => {
    const nested = (depth: number) => bytesOf('['.repeat(depth) + ']'.repeat(depth));
    expect(valueEnd(nested(10), 0, 10)).toBe(20);
    expect(valueEnd(nested(11), 0, 10)).toBe(TOO_DEEP);
    expect(valueEnd(bytesOf('{"a":[1]}'), 0, 1)).toBe(TOO_DEEP);
    expect(valueEnd(bytesOf('{"a":1}'), 0, 1)).toBe(7);
    expect(valueEnd(bytesOf('1'), 0, 0)).toBe(1);
    expect(valueEnd(bytesOf('{}'), 0, 0)).toBe(TOO_DEEP);
    expect(valueEnd(bytesOf('[[1,'), 0, 10)).toBe(INVALID);
  });

  it('takes any depth without a stack of its own overflowing', () => {
    const depth = 200_000;
    expect(valueEnd(bytesOf('[{"a":'.repeat(depth)), 0, deep)).toBe(INVALID);
    const text = bytesOf('['.repeat(depth) + ']'.repeat(depth));
    expect(valueEnd(text, 0, deep)).toBe(text.length);
  });
});

describe('parts of valid text', () => {
  it('members, elements and values are what JSON.parse says', () => {
    fc.assert(
      fc.property(spaceText, valueText, (before, text) => {
        const bytes = bytesOf(before + text);
        const value: unknown = JSON.parse(text);
        if (Array.isArray(value)) {
          const spans = elementsOf(bytes, 0);
          expect(spans.map(span => valueAt(bytes, span))).toEqual(value);
          value.forEach((_, index) => {
            expect(elementOf(bytes, 0, index)).toEqual(spans[index]);
          });
          expect(elementOf(bytes, 0, value.length)).toBeUndefined();
        } else {
          expect(elementsOf(bytes, 0)).toEqual([]);
        }
        for (const key of ['id', 'result', 'a', '', '__proto__', 'method']) {
          const span = memberOf(bytes, 0, key);
          const has = isRecord(value) && Object.hasOwn(value, key);
          expect(span !== undefined).toBe(has);
          if (span !== undefined && isRecord(value)) {
            expect(valueAt(bytes, span)).toEqual(value[key]);
            const string = stringAt(bytes, span);
            expect(string).toBe(typeof value[key] === 'string' ? value[key] : undefined);
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('finds a name that is written with escapes, and the last of two', () => {
    const bytes = bytesOf('{"b":1,"\\u0061":2,"a":3}');
    expect(memberOf(bytes, 0, 'a')).toEqual({ at: 22, end: 23 });
    expect(memberOf(bytesOf('{"\\u0061":2}'), 0, 'a')).toEqual({ at: 10, end: 11 });
  });

  it('spans leave white space outside', () => {
    expect(elementsOf(bytesOf(' [ 1 , "a" ] '), 0)).toEqual([
      { at: 3, end: 4 },
      { at: 7, end: 10 },
    ]);
  });
});

describe('strictObject', () => {
  const known = ['tx_blob', 'secret', 'ledger_index', 'key'];
  const read = (text: string, depth = 10) => strictObject(bytesOf(text), 0, known, depth);

  it('gives every member with its span', () => {
    const text = ' {"tx_blob" : "1200", "other":[1]}';
    const bytes = bytesOf(text);
    const object = strictObject(bytes, 0, known, 10);
    if ('refused' in object) return expect.fail(object.message);
    expect(object.end).toBe(bytes.length);
    expect([...object.members].map(([key, span]) => [key, valueAt(bytes, span)])).toEqual([
      ['tx_blob', '1200'],
      ['other', [1]],
    ]);
  });

  it.each([
    ['a known key twice', '{"secret":1,"secret":2}', 'the key "secret" repeats'],
    ['an unknown key twice', '{"x":1,"x":2}', 'the key "x" repeats'],
    ['another case', '{"Secret":1}', 'the key "Secret" can be taken for "secret"'],
    ['all capitals', '{"TX_BLOB":1}', 'the key "TX_BLOB" can be taken for "tx_blob"'],
    ['the long s', '{"ſecret":1}', 'the key "ſecret" can be taken for "secret"'],
    ['the Kelvin sign', '{"\u212aey":1}', 'the key "\u212aey" can be taken for "key"'],
    ['full-width letters', '{"ｓecret":1}', 'the key "ｓecret" can be taken for "secret"'],
    ['mathematical letters', '{"𝐬ecret":1}', 'the key "𝐬ecret" can be taken for "secret"'],
    ['an invisible character', '{"sec\u200bret":1}', 'the key "sec\u200bret" can be taken for "secret"'],
    ['a soft hyphen', '{"sec\u00adret":1}', 'the key "sec\u00adret" can be taken for "secret"'],
    [
      'a known key with an escape',
      '{"\\u0073ecret":1}',
      'the key "\\\\u0073ecret" is written with an escape',
    ],
    ['an unknown key with an escape', '{"a\\/b":1}', 'the key "a\\\\/b" is written with an escape'],
  ])('%s', (_, text, message) => {
    expect(read(text)).toEqual({ refused: 'invalid_request', message });
  });

  it('takes keys that are merely near a known one', () => {
    expect(read('{"secrets":1,"secre":2,"sécret":3,"tx-blob":4,"kéy":5}')).toHaveProperty('members');
  });

  it('every character that folds to a letter of a known key is seen', () => {
    for (let code = 0x80; code < 0x1f000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const character = String.fromCodePoint(code);
      const folded = character.normalize('NFKC').toLowerCase();
      if (folded !== 'k' && folded !== 'e' && folded !== 'y') continue;
      const key = 'key'.replace(folded, character);
      if ('members' in read(`{"${key}":1}`)) expect.fail(`U+${code.toString(16)}`);
    }
  });

  it('refuses what JSON allows only deeper, and looks at no deeper key', () => {
    expect(read('{"x":{"Secret":1,"Secret":2,"\\u0061":3}}')).toHaveProperty('members');
  });

  it.each([
    ['no JSON', '{"a":}', 'parse_error'],
    ['no JSON behind a repeated key', '{"a":1,"a":2,}', 'parse_error'],
    ['a cut text', '{"a":1', 'parse_error'],
    ['nothing', '', 'parse_error'],
    ['a list', '[1]', 'invalid_request'],
    ['a text', '"a"', 'invalid_request'],
    ['too deep a value', '{"a":[[1]]}', 'too_large'],
    ['too deep a list', '[[[1]]]', 'too_large'],
  ])('%s', (_, text, reason) => {
    expect(read(text, 2)).toMatchObject({ refused: reason });
  });

  it('takes no object at all at depth 0', () => {
    expect(read('{}', 0)).toMatchObject({ refused: 'too_large' });
    expect(read('{}', 1)).toHaveProperty('members');
  });

  it('bounds the keys it compares', () => {
    const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}`;
    expect(read(keys(64))).toHaveProperty('members');
    expect(read(keys(65))).toMatchObject({ refused: 'invalid_request' });
  });

  it('a long key is told cut', () => {
    const object = read(`{"${'k'.repeat(5_000)}\\n":1}`);
    expect('refused' in object && object.message.length < 100).toBe(true);
  });

  it('what it takes, JSON.parse reads alike', () => {
    fc.assert(
      fc.property(mutated(valueText), bytes => {
        const object = strictBody(bytes, known, 100);
        const reference = parsed(bytes);
        if ('refused' in object) return;
        if (!reference.ok) expect.fail('JSON.parse refuses it');
        const told = [...object.members].map(([key, span]) => [key, valueAt(bytes, span)]);
        expect(Object.fromEntries(told)).toEqual(reference.value);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('strictBody', () => {
  it.each([
    ['a byte order mark', '\ufeff{}', 'invalid_request'],
    ['trailing text', '{} x', 'invalid_request'],
    ['a second object', '{}{}', 'invalid_request'],
    ['a trailing NUL', '{}\0', 'invalid_request'],
    ['nothing', ' ', 'parse_error'],
  ])('%s', (_, text, reason) => {
    expect(strictBody(bytesOf(text), [], 10)).toMatchObject({ refused: reason });
  });

  it('white space around the object is no fault', () => {
    expect(strictBody(bytesOf('\r\n {} \n'), [], 10)).toHaveProperty('members');
  });
});
