/** JSON texts in every way of writing them, bytes that are nearly JSON, and what the platform's parser makes of both. */

import fc from 'fast-check';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

export function parsed(bytes: Uint8Array): Parsed {
  try {
    return { ok: true, value: JSON.parse(decoder.decode(bytes)) };
  } catch {
    return { ok: false };
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const spaceText = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom(' ', '\n', '\t', '\r'), { minLength: 1, maxLength: 3 })
      .map(list => list.join('')),
  },
);

/** A JSON string that reads as `text`, with some of its characters written as escapes. */
function spelled(text: string, escapes: readonly boolean[]): string {
  let out = '"';
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const must = unit < 0x20 || unit === 0x22 || unit === 0x5c || (unit >= 0xd800 && unit < 0xe000);
    if (must || escapes[i % Math.max(1, escapes.length)])
      out += `\\u${unit.toString(16).padStart(4, '0').toUpperCase()}`;
    else out += text[i];
  }
  return `${out}"`;
}

/** Texts that look like the members an answer or a request is searched for. */
const lookalike = fc.constantFrom(
  '"error":{"code":1}',
  '","error":{"code":-1},"id":9}',
  '{"result":1,"id":2}',
  '}}]}',
  '\\',
  '\\\\"',
  '"',
  '{',
  'ſ',
  '😀',
  '\ufeff',
  'é\u0000',
);

export const stringText = fc
  .tuple(
    fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 6 }), lookalike),
    fc.array(fc.boolean(), { maxLength: 3 }),
  )
  .map(([text, escapes]) => spelled(text, escapes));

export const numberText = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(number => JSON.stringify(number)),
  fc.constantFrom(
    '0',
    '-0',
    '1.0',
    '1e3',
    '1E+3',
    '1.5e-7',
    '-0.0e0',
    '9007199254740993',
    '1e999',
    '18446744073709551615',
  ),
);

/**
 * A key. None with a backslash in it: where V8 13.6 has read `{"a":1,"\\":2}`, it reads `{"a":1,"\u0022":2}` as that, too, so
 * `JSON.parse` could not be what the texts are held against.
 */
export const nameText = stringText.filter(text => !String(JSON.parse(text)).includes('\\'));

const keyText = fc.oneof(
  fc.constantFrom(
    '"id"',
    '"result"',
    '"error"',
    '"method"',
    '"params"',
    '"jsonrpc"',
    '"a"',
    '""',
    '"__proto__"',
  ),
  nameText,
);

/** Objects here may repeat keys. */
export const valueText: fc.Arbitrary<string> = fc.letrec<{ value: string; array: string; object: string }>(
  tie => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(stringText, numberText, fc.constantFrom('true', 'false', 'null', '[]', '{}', '[ ]', '{\n}')),
      tie('array'),
      tie('object'),
    ),
    array: fc
      .array(fc.tuple(spaceText, tie('value'), spaceText), { maxLength: 4 })
      .map(items => `[${items.map(item => item.join('')).join(',')}]`),
    object: fc
      .array(fc.tuple(spaceText, keyText, spaceText, tie('value'), spaceText), { maxLength: 4 })
      .map(items => `{${items.map(([a, key, b, value, c]) => `${a}${key}${b}:${b}${value}${c}`).join(',')}}`),
  }),
).value;

/** One change: a byte put in, taken out or replaced, a stretch doubled, or the end cut off. */
const change = fc.record({
  how: fc.constantFrom('replace', 'insert', 'remove', 'cut', 'double'),
  at: fc.nat(),
  length: fc.integer({ min: 1, max: 4 }),
  byte: fc.oneof(
    fc.constantFrom(
      ...bytesOf('{}[]",:\\u0e-+.tfn \n\t\u0001'),
      0x80,
      0xc0,
      0xc3,
      0xe0,
      0xed,
      0xef,
      0xf0,
      0xf4,
      0xff,
      0,
    ),
    fc.nat(255),
  ),
});

export function mutated(text: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> {
  return fc.tuple(text, fc.array(change, { maxLength: 3 })).map(([whole, changes]) => {
    let bytes = [...bytesOf(whole)];
    for (const { how, at, length, byte } of changes) {
      const i = at % (bytes.length + 1);
      if (how === 'cut') bytes = bytes.slice(0, i);
      else if (how === 'insert') bytes.splice(i, 0, byte);
      else if (how === 'remove') bytes.splice(i, length);
      else if (how === 'double') bytes.splice(i, 0, ...bytes.slice(i, i + length));
      else if (i < bytes.length) bytes[i] = byte;
    }
    return Uint8Array.from(bytes);
  });
}
