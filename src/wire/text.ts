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

/** Up to here putting a text together is faster than calling the decoder. */
const shortText = 18;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The bytes as text; malformed ones as U+FFFD. */
export function textOf(bytes: Uint8Array, at: number, end: number): string {
  if (end - at > shortText) return decoder.decode(bytes.subarray(at, end));
  const units: number[] = [];
  for (let i = at; i < end; i++) {
    const byte = bytes[i]!;
    if (byte >= 0x80) return decoder.decode(bytes.subarray(at, end));
    units.push(byte);
  }
  return String.fromCharCode(...units);
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
