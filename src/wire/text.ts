/** Short texts in JSON bytes: compared where they stand, decoded only when someone asks for them. */

import { BACKSLASH } from './grammar.ts';

/** True when the bytes are this ASCII text and nothing else. */
export function spells(bytes: Uint8Array, at: number, end: number, text: string): boolean {
  if (end - at !== text.length) return false;
  for (let k = 0; k < text.length; k++) if (bytes[at + k] !== text.charCodeAt(k)) return false;
  return true;
}

export function hasEscape(bytes: Uint8Array, at: number, end: number): boolean {
  for (let i = at; i < end; i++) if (bytes[i] === BACKSLASH) return true;
  return false;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Methods and ids are few and come again and again: the last texts of up to so many bytes, by their ends and length. */
const shortText = 40;
const recent = new Array<string>(256).fill('');

/** The bytes as text; malformed ones as U+FFFD. */
export function textOf(bytes: Uint8Array, at: number, end: number): string {
  const length = end - at;
  if (length > shortText || length === 0) return decoder.decode(bytes.subarray(at, end));
  const place = (bytes[at + (length >> 1)]! * 31 + bytes[end - 1]! * 7 + length) & 255;
  const before = recent[place]!;
  if (spells(bytes, at, end, before)) return before;
  const text = decoder.decode(bytes.subarray(at, end));
  // ASCII only (or U+FFFD, which is no byte): a letter of two bytes is one unit, that spells another byte.
  if (text.length === length) recent[place] = text;
  return text;
}

/** The value of the JSON string whose inside is these bytes. */
export function unescaped(bytes: Uint8Array, at: number, end: number): string {
  if (!hasEscape(bytes, at, end)) return textOf(bytes, at, end);
  const value: unknown = JSON.parse(textOf(bytes, at - 1, end + 1));
  return String(value);
}

/** The UTF-8 byte order mark: one reader skips it, another refuses it. */
export function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
