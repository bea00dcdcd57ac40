/** Bytes written as hex digits in JSON, in slices where there are many. */

import type { Work } from '../core/work.ts';
import { QUOTE } from './grammar.ts';
import type { Span } from './scan.ts';
import { hasEscape, unescaped } from './text.ts';

/** What a digit is worth, by its byte; negative: it is none. */
const worth = new Int8Array(256).fill(-1);
for (let value = 0; value < 16; value++) {
  const letter = value.toString(16);
  worth[letter.charCodeAt(0)] = value;
  worth[letter.toUpperCase().charCodeAt(0)] = value;
}

/** Bytes decoded at a time: a quarter of a millisecond. */
const slice = 64 * 1024;

const encoder = new TextEncoder();

/** What a JSON string spells, in digits of either case, `0x` before them where that `may` be; undefined: something else, or nothing. */
export function* hexAt(text: Uint8Array, span: Span, prefix: 'may' | 'never'): Work<Uint8Array | undefined> {
  if (text[span.at] !== QUOTE) return undefined;
  const from = span.at + 1;
  const end = span.end - 1;
  const bytes = yield* hexIn(text.subarray(from, end), prefix);
  // An escape in it, as one may write any text.
  if (bytes !== undefined || !hasEscape(text, from, end)) return bytes;
  return yield* hexIn(encoder.encode(unescaped(text, from, end)), prefix);
}

/** Of a text without escapes. */
function* hexIn(text: Uint8Array, prefix: 'may' | 'never'): Work<Uint8Array | undefined> {
  const from = prefix === 'may' && text[0] === 0x30 && (text[1] === 0x78 || text[1] === 0x58) ? 2 : 0;
  const digits = text.length - from;
  if (digits === 0 || digits % 2 !== 0) return undefined;
  const bytes = new Uint8Array(digits / 2);
  for (let done = 0; done < bytes.length; done += slice) {
    if (done > 0) yield;
    if (!decode(text, from, bytes, done, Math.min(bytes.length, done + slice))) return undefined;
  }
  return bytes;
}

/** A part of the bytes; false: not all of it is digits. */
function decode(text: Uint8Array, from: number, bytes: Uint8Array, at: number, to: number): boolean {
  let all = 0;
  for (let i = at; i < to; i++) {
    const value = (worth[text[from + 2 * i]!]! << 4) | worth[text[from + 2 * i + 1]!]!;
    all |= value;
    bytes[i] = value;
  }
  return all >= 0;
}
