/**
 * What java-tron's `message` says. Its HTTP writes the bytes as hex unless the request asked for `visible: true`, a gRPC
 * front end writes base64, and `broadcasthex` writes plain text.
 */

import { hexToBytes } from '@noble/hashes/utils.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const hex = /^(?:[0-9a-fA-F]{2})+$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Shorter words are taken as they stand: `null` is base64 by its letters. */
const base64Letters = 8;

/** The text for people. What does not decode to readable text is taken as it came. */
export function decodeMessage(message: string): string {
  if (hex.test(message)) return readable(hexToBytes(message)) ?? message;
  if (message.length >= base64Letters && base64.test(message))
    return readable(base64Bytes(message)) ?? message;
  return message;
}

export function encodeMessage(text: string): string {
  let out = '';
  for (const byte of new TextEncoder().encode(text)) out += byte.toString(16).padStart(2, '0');
  return out;
}

/** Plain hex only: no prefix, whole bytes. */
export function isHex(text: string): boolean {
  return text === '' || hex.test(text);
}

function base64Bytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
}

function readable(bytes: Uint8Array): string | undefined {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return undefined; // Not UTF-8: then it was no encoded text either.
  }
  return /[^\t\n\r\x20-\x7e\u00a0-\u{10ffff}]/u.test(text) ? undefined : text;
}
