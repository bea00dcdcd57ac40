/**
 * Strict JSON (RFC 8259) over bytes: where a value ends, without building it. It takes what a fatal UTF-8 decoder and
 * `JSON.parse` take, and nothing else. One pass; nesting is a stack of our own, so no depth of an answer can end ours.
 */

/** Instead of an end: no JSON, deeper than asked, or sound so far when the bytes ran out. */
export const INVALID = -1;
export const TOO_DEEP = -2;
export const CUT = -3;

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const LEFT_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const RIGHT_BRACKET = 0x5d;
export const LEFT_BRACE = 0x7b;
export const RIGHT_BRACE = 0x7d;

/** 1: goes on with a string, whatever stands around it. */
const plain = new Uint8Array(256).map((_, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);

/** 1: may be alone behind a backslash. */
const escapable = new Uint8Array(256);
for (const letter of '"\\/bfnrt') escapable[letter.charCodeAt(0)] = 1;

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The first byte from `at` on that is no white space, or the end. */
export function afterSpace(bytes: Uint8Array, at: number): number {
  let i = at;
  while (i < bytes.length && bytes[i]! <= 0x20 && isSpace(bytes[i]!)) i++;
  return i;
}

/** The last byte before `end` that is no white space, or -1. */
export function lastSolid(bytes: Uint8Array, end: number): number {
  let i = end - 1;
  while (i >= 0 && isSpace(bytes[i]!)) i--;
  return i;
}

/** Just past the value that starts at or after `at`. */
export function scanValue(bytes: Uint8Array, at: number, maxDepth: number): number {
  const length = bytes.length;
  let depth = 0;
  let i = at;
  for (;;) {
    i = afterSpace(bytes, i);
    if (i >= length) return CUT;
    const first = bytes[i]!;
    if (first === QUOTE) {
      i = stringEnd(bytes, i + 1);
    } else if (first === LEFT_BRACE || first === LEFT_BRACKET) {
      if (depth >= maxDepth) return TOO_DEEP;
      const close = first + 2;
      i = afterSpace(bytes, i + 1);
      if (i >= length) return CUT;
      if (bytes[i] === close) {
        i++;
      } else {
        push(depth++, close);
        if (first === LEFT_BRACKET) continue;
        i = keyEnd(bytes, i);
        if (i < 0) return i;
        continue;
      }
    } else {
      i = scalarEnd(bytes, i, first);
    }
    if (i < 0) return i;

    for (;;) {
      if (depth === 0) return i;
      i = afterSpace(bytes, i);
      if (i >= length) return CUT;
      const next = bytes[i++]!;
      const close = closers[depth - 1];
      if (next === close) {
        depth--;
      } else if (next === COMMA) {
        if (close === RIGHT_BRACKET) break;
        i = keyEnd(bytes, i);
        if (i < 0) return i;
        break;
      } else {
        return INVALID;
      }
    }
  }
}

/** What closes each container that is open in the scan under way. */
let closers = new Uint8Array(256);

function push(depth: number, close: number): void {
  if (depth === closers.length) {
    const wider = new Uint8Array(2 * depth);
    wider.set(closers);
    closers = wider;
  }
  closers[depth] = close;
}

/** Just past the colon behind the key that starts at or after `at`. */
function keyEnd(bytes: Uint8Array, at: number): number {
  let i = afterSpace(bytes, at);
  if (i >= bytes.length) return CUT;
  if (bytes[i] !== QUOTE) return INVALID;
  i = stringEnd(bytes, i + 1);
  return i < 0 ? i : afterColon(bytes, i);
}

export function afterColon(bytes: Uint8Array, at: number): number {
  const i = afterSpace(bytes, at);
  if (i >= bytes.length) return CUT;
  return bytes[i] === COLON ? i + 1 : INVALID;
}

/** Just past the closing quote of the string whose first byte inside is at `at`. */
export function stringEnd(bytes: Uint8Array, at: number): number {
  const length = bytes.length;
  let i = at;
  for (;;) {
    // Four at a time: long hex is most of what passes here, and it halves the time.
    const near = Math.min(length - 3, i + longString);
    while (
      i < near &&
      (plain[bytes[i]!]! & plain[bytes[i + 1]!]! & plain[bytes[i + 2]!]! & plain[bytes[i + 3]!]!) === 1
    )
      i += 4;
    if (i >= near && i < length - 3) i = plainWordsEnd(bytes, i);
    while (i < length && plain[bytes[i]!] === 1) i++;
    if (i >= length) return CUT;
    const byte = bytes[i]!;
    if (byte === QUOTE) return i + 1;
    if (byte === BACKSLASH) i = escapeEnd(bytes, i + 1);
    else if (byte >= 0x80) i = characterEnd(bytes, i, byte);
    else return INVALID;
    if (i < 0) return i;
  }
}

/** Plain bytes from which on it pays to look at them as words. */
const longString = 256;
const spaces = 0x20202020;
const quotes = 0x22222222;
const backslashes = 0x5c5c5c5c;
const ones = 0x01010101;
const highBits = 0x80808080;

/** Behind plain bytes: no further than the first that is not plain, and at most six bytes before it. */
function plainWordsEnd(bytes: Uint8Array, at: number): number {
  const { buffer, byteOffset, length } = bytes;
  const from = at - ((byteOffset + at) & 3);
  const words = new Int32Array(buffer, byteOffset + from, (length - from) >> 2);
  let k = 0;
  for (; k < words.length; k++) {
    const word = words[k]!;
    // What is taken from a byte borrows only if it was smaller: then, and in bytes of 0x80 and more, there is a high bit.
    const found = (word - spaces) | ((word ^ quotes) - ones) | ((word ^ backslashes) - ones) | word;
    if ((found & highBits) !== 0) break;
  }
  return from + 4 * k;
}

function escapeEnd(bytes: Uint8Array, at: number): number {
  if (at >= bytes.length) return CUT;
  const letter = bytes[at]!;
  if (escapable[letter] === 1) return at + 1;
  if (letter !== 0x75) return INVALID;
  for (let i = at + 1; i < at + 5; i++) {
    if (i >= bytes.length) return CUT;
    if (!isHex(bytes[i]!)) return INVALID;
  }
  return at + 5;
}

function isHex(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** One character beyond ASCII. The table of well-formed sequences is Unicode's 3-7: no overlong forms, no surrogates. */
function characterEnd(bytes: Uint8Array, at: number, lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return INVALID;
  const more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  for (let i = 1; i <= more; i++) {
    if (at + i >= bytes.length) return CUT;
    const byte = bytes[at + i]!;
    if (byte < (i === 1 ? lowest : 0x80) || byte > (i === 1 ? highest : 0xbf)) return INVALID;
  }
  return at + more + 1;
}

function scalarEnd(bytes: Uint8Array, at: number, first: number): number {
  switch (first) {
    case 0x74:
      return wordEnd(bytes, at, 'true');
    case 0x66:
      return wordEnd(bytes, at, 'false');
    case 0x6e:
      return wordEnd(bytes, at, 'null');
    default:
      return numberEnd(bytes, at);
  }
}

function wordEnd(bytes: Uint8Array, at: number, word: string): number {
  for (let k = 1; k < word.length; k++) {
    if (at + k >= bytes.length) return CUT;
    if (bytes[at + k] !== word.charCodeAt(k)) return INVALID;
  }
  return at + word.length;
}

function numberEnd(bytes: Uint8Array, at: number): number {
  let i = at;
  if (bytes[i] === 0x2d) i++;
  if (bytes[i] === 0x30) i++;
  else i = digitsEnd(bytes, i);
  if (i < 0) return i;
  if (bytes[i] === 0x2e) {
    i = digitsEnd(bytes, i + 1);
    if (i < 0) return i;
  }
  if (bytes[i] === 0x65 || bytes[i] === 0x45) {
    i++;
    if (bytes[i] === 0x2b || bytes[i] === 0x2d) i++;
    i = digitsEnd(bytes, i);
  }
  return i;
}

/** At least one digit must stand at `at`. */
function digitsEnd(bytes: Uint8Array, at: number): number {
  if (at >= bytes.length) return CUT;
  let i = at;
  while (isDigit(bytes[i])) i++;
  return i === at ? INVALID : i;
}
