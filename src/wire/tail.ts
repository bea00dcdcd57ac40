/**
 * What the last KiB of a streamed JSON-RPC answer shows. It is read from its end backwards, because its beginning lies
 * anywhere, inside a string too. That is exact in valid JSON: behind the last brace stand the members of the outermost
 * object, and a quote that ends a string is matched by the nearest one before it with no backslash of its own.
 */

import {
  BACKSLASH,
  COLON,
  COMMA,
  LEFT_BRACE,
  LEFT_BRACKET,
  lastSolid,
  QUOTE,
  RIGHT_BRACE,
  RIGHT_BRACKET,
  scanValue,
} from './grammar.ts';
import { sameId } from './id.ts';
import { spells, textOf, unescaped } from './text.ts';

/** Instead of a position: the window begins too late to tell; no valid JSON ends like this. */
const UNSEEN = -1;
const BROKEN = -2;
const broken = 'the end of the answer is no JSON';

/** A short sentence about what is wrong; undefined when it is sound, or when a window of this size cannot tell. */
export function tail(last: Uint8Array, id: string | undefined): string | undefined {
  const close = lastSolid(last, last.length);
  if (close < 0 || last[close] !== RIGHT_BRACE) return 'the answer ends before its last brace';
  let i = lastSolid(last, close);
  if (i >= 0 && last[i] === LEFT_BRACE) return opened(last, i);
  let results = 0;
  for (;;) {
    if (i < 0) return undefined;
    const end = i + 1;
    const at = valueStart(last, i);
    if (at < 0) return at === BROKEN ? broken : undefined;
    if (scanValue(last, at, last.length) !== end) return broken;
    i = lastSolid(last, at);
    if (i < 0) return undefined;
    if (last[i] !== COLON) return broken;
    const keyEnd = lastSolid(last, i);
    if (keyEnd < 0) return undefined;
    if (last[keyEnd] !== QUOTE) return broken;
    const quote = stringStart(last, keyEnd);
    if (quote < 0) return quote === BROKEN ? broken : undefined;

    if (scanValue(last, quote, 0) !== keyEnd + 1) return broken;
    const key = unescaped(last, quote + 1, keyEnd);
    if (key === 'error' && !spells(last, at, end, 'null')) return 'an error stands beside the result';
    if (key === 'id' && id !== undefined && !sameId(textOf(last, at, end), id))
      return 'the answer carries another id';
    if (key === 'result' && ++results > 1) return 'the answer has two results';

    i = lastSolid(last, quote);
    if (i < 0) return undefined;
    if (last[i] === LEFT_BRACE) return opened(last, i);
    if (last[i] !== COMMA) return broken;
    i = lastSolid(last, i);
  }
}

/** The brace that belongs to the last one: only white space may stand before the outermost. */
function opened(last: Uint8Array, brace: number): string | undefined {
  return lastSolid(last, brace) < 0 ? undefined : 'the answer ends inside its result';
}

function valueStart(last: Uint8Array, end: number): number {
  const byte = last[end];
  if (byte === QUOTE) return stringStart(last, end);
  if (byte === RIGHT_BRACE || byte === RIGHT_BRACKET) return nestedStart(last, end);
  let i = end;
  while (i >= 0 && isWord(last[i]!)) i--;
  if (i < 0) return UNSEEN;
  return i === end ? BROKEN : i + 1;
}

/** Letters, digits, `+`, `-`, `.`: what numbers, `true`, `false` and `null` are made of. */
function isWord(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x45 ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e
  );
}

/** From the closing quote to the opening one. */
function stringStart(last: Uint8Array, closing: number): number {
  const own = backslashesBefore(last, closing);
  if (own < 0) return UNSEEN;
  if (own % 2 === 1) return BROKEN;
  for (let i = closing - 1; i >= 0; i--) {
    if (last[i] !== QUOTE) continue;
    const count = backslashesBefore(last, i);
    if (count < 0) return UNSEEN;
    if (count === 0) return i;
    if (count % 2 === 0) return BROKEN;
    i -= count;
  }
  return UNSEEN;
}

/** -1 when they reach to the beginning of the window: there may be more. */
function backslashesBefore(last: Uint8Array, at: number): number {
  let i = at - 1;
  while (i >= 0 && last[i] === BACKSLASH) i--;
  return i < 0 ? UNSEEN : at - 1 - i;
}

function nestedStart(last: Uint8Array, closing: number): number {
  let depth = 0;
  for (let i = closing; i >= 0; i--) {
    const byte = last[i];
    if (byte === RIGHT_BRACE || byte === RIGHT_BRACKET) depth++;
    else if (byte === LEFT_BRACE || byte === LEFT_BRACKET) {
      depth--;
      if (depth === 0) return i;
    } else if (byte === QUOTE) {
      i = stringStart(last, i);
      if (i < 0) return i;
    }
  }
  return UNSEEN;
}
