/** JSON as bytes: the parts of a text by position, and what of it may be read at all. Nothing is built but what is asked. */

import {
  afterColon,
  afterSpace,
  BACKSLASH,
  COMMA,
  CUT,
  INVALID,
  LEFT_BRACE,
  LEFT_BRACKET,
  QUOTE,
  RIGHT_BRACE,
  RIGHT_BRACKET,
  scanValue,
  stringEnd,
  TOO_DEEP,
} from './grammar.ts';

/** A value's own bytes: white space around it is outside. */
export interface Span {
  readonly at: number;
  readonly end: number;
}

/** Index just past the value at or after `at`; -1 when it is no JSON (cut short, too), -2 when deeper than `maxDepth`. */
export function valueEnd(bytes: Uint8Array, at: number, maxDepth: number): number {
  const end = scanValue(bytes, at, maxDepth);
  return end === CUT ? INVALID : end;
}

/** True when nothing but white space stands from `at` to the end. */
export function onlySpaceFrom(bytes: Uint8Array, at: number): boolean {
  return afterSpace(bytes, at) === bytes.length;
}

/** A walk over the members of one object. One record serves a whole walk: read what is needed before the next step. */
export interface Walk {
  /** Where the walk stands; just past the closing brace when it is over. */
  next: number;
  begun: boolean;
  /** The key, without its quotes and as it is written. */
  keyAt: number;
  keyEnd: number;
  at: number;
  end: number;
}

export function newWalk(): Walk {
  return { next: 0, begun: false, keyAt: 0, keyEnd: 0, at: 0, end: 0 };
}

export function startWalk(walk: Walk, objectAt: number): void {
  walk.next = objectAt;
  walk.begun = false;
}

/** 1: a member was read; 0: the object is over; below: as `scanValue`. `maxDepth` is for the member's value. */
export function nextMember(bytes: Uint8Array, walk: Walk, maxDepth: number): number {
  const step = nextKey(bytes, walk);
  if (step !== 1) return step;
  walk.end = scanValue(bytes, walk.at, maxDepth);
  if (walk.end < 0) return walk.end;
  walk.next = walk.end;
  return 1;
}

/** As `nextMember`, but stops before the value: `at` is its first byte. Go on with `next` set just past the value. */
export function nextKey(bytes: Uint8Array, walk: Walk): number {
  let i = afterSpace(bytes, walk.next);
  if (i >= bytes.length) return CUT;
  const byte = bytes[i];
  if (walk.begun && byte === RIGHT_BRACE) {
    walk.next = i + 1;
    return 0;
  }
  if (byte !== (walk.begun ? COMMA : LEFT_BRACE)) return INVALID;
  i = afterSpace(bytes, i + 1);
  if (i >= bytes.length) return CUT;
  if (!walk.begun && bytes[i] === RIGHT_BRACE) {
    walk.begun = true;
    walk.next = i + 1;
    return 0;
  }
  walk.begun = true;
  if (bytes[i] !== QUOTE) return INVALID;
  const keyEnd = stringEnd(bytes, i + 1);
  if (keyEnd < 0) return keyEnd;
  walk.keyAt = i + 1;
  walk.keyEnd = keyEnd - 1;
  i = afterColon(bytes, keyEnd);
  if (i < 0) return i;
  walk.at = afterSpace(bytes, i);
  return walk.at >= bytes.length ? CUT : 1;
}

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

/** In text known to be valid: the member of this name, the last one where it repeats, as `JSON.parse` takes it. */
export function memberOf(bytes: Uint8Array, objectAt: number, key: string): Span | undefined {
  const walk = newWalk();
  startWalk(walk, objectAt);
  let found: Span | undefined;
  while (nextMember(bytes, walk, Number.POSITIVE_INFINITY) === 1) {
    const { keyAt, keyEnd, at, end } = walk;
    const same =
      spells(bytes, keyAt, keyEnd, key) || (isUnusual(bytes, keyAt, keyEnd) && keyText(bytes, walk) === key);
    if (same) found = { at, end };
  }
  return found;
}

/** In text known to be valid: the spans of an array's elements; none when it is no array. */
export function elementsOf(bytes: Uint8Array, arrayAt: number): Span[] {
  const spans: Span[] = [];
  let i = afterSpace(bytes, arrayAt);
  if (bytes[i] !== LEFT_BRACKET) return spans;
  i = afterSpace(bytes, i + 1);
  if (bytes[i] === RIGHT_BRACKET) return spans;
  for (;;) {
    const at = afterSpace(bytes, i);
    const end = scanValue(bytes, at, Number.POSITIVE_INFINITY);
    if (end < 0) return spans;
    spans.push({ at, end });
    i = afterSpace(bytes, end);
    if (bytes[i] !== COMMA) return spans;
    i++;
  }
}

export function elementOf(bytes: Uint8Array, arrayAt: number, index: number): Span | undefined {
  return elementsOf(bytes, arrayAt)[index];
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The bytes as text; malformed ones as U+FFFD. */
export function textOf(bytes: Uint8Array, at: number, end: number): string {
  return decoder.decode(bytes.subarray(at, end));
}

/** The value's text, decoded, when it is a string. */
export function stringAt(bytes: Uint8Array, span: Span): string | undefined {
  if (bytes[span.at] !== QUOTE) return undefined;
  const text = textOf(bytes, span.at + 1, span.end - 1);
  return text.includes('\\') ? parseString(textOf(bytes, span.at, span.end)) : text;
}

function parseString(text: string): string {
  const value: unknown = JSON.parse(text);
  return String(value);
}

export function valueAt(bytes: Uint8Array, span: Span): unknown {
  return JSON.parse(textOf(bytes, span.at, span.end));
}

export type StrictObject = { readonly members: ReadonlyMap<string, Span>; readonly end: number } | Unread;

export interface Unread {
  readonly refused: 'parse_error' | 'invalid_request' | 'too_large';
  readonly message: string;
}

/**
 * The members of the object at `at`, or why two readers could disagree about them: a key that repeats, that equals a
 * known one only after folding (`Method`, `paramſ`), or that is written with an escape. `maxDepth` counts this object.
 */
export function strictObject(
  bytes: Uint8Array,
  at: number,
  known: readonly string[],
  maxDepth: number,
): StrictObject {
  const start = afterSpace(bytes, at);
  if (bytes[start] !== LEFT_BRACE) {
    const end = scanValue(bytes, start, maxDepth);
    return end < 0
      ? unreadable(end, maxDepth)
      : { refused: 'invalid_request', message: 'an object is expected' };
  }
  if (maxDepth < 1) return unreadable(TOO_DEEP, maxDepth);
  const members = new Map<string, Span>();
  let flaw: string | undefined;
  const walk = newWalk();
  startWalk(walk, start);
  let step = nextMember(bytes, walk, maxDepth - 1);
  while (step === 1) {
    const key = textOf(bytes, walk.keyAt, walk.keyEnd);
    if (flaw === undefined && !known.includes(key)) flaw = flawOf(bytes, walk, known);
    if (members.has(key)) flaw ??= `the key ${shown(key)} repeats`;
    members.set(key, { at: walk.at, end: walk.end });
    step = nextMember(bytes, walk, maxDepth - 1);
  }
  if (step < 0) return unreadable(step, maxDepth);
  return flaw === undefined ? { members, end: walk.next } : { refused: 'invalid_request', message: flaw };
}

/** As `strictObject`, for a whole body: no byte order mark, nothing behind the object. */
export function strictBody(bytes: Uint8Array, known: readonly string[], maxDepth: number): StrictObject {
  if (hasMark(bytes))
    return { refused: 'invalid_request', message: 'the body begins with a byte order mark' };
  const read = strictObject(bytes, 0, known, maxDepth);
  if ('refused' in read || onlySpaceFrom(bytes, read.end)) return read;
  return { refused: 'invalid_request', message: 'text follows the object' };
}

/** The UTF-8 byte order mark: one reader skips it, another refuses it. */
export function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

export function unreadable(code: number, maxDepth: number): Unread {
  if (code === TOO_DEEP) return { refused: 'too_large', message: `nested deeper than ${maxDepth} levels` };
  return {
    refused: 'parse_error',
    message: code === CUT ? 'the JSON text ends early' : 'the body is not JSON',
  };
}

/** Why a key that is none of the known ones must not be there; undefined when it is merely unknown. */
export function flawOf(bytes: Uint8Array, walk: Walk, known: readonly string[]): string | undefined {
  const { keyAt, keyEnd } = walk;
  if (hasEscape(bytes, keyAt, keyEnd))
    return `the key "${textOf(bytes, keyAt, keyEnd)}" is written with an escape`;
  const key = textOf(bytes, keyAt, keyEnd);
  const folded = fold(key);
  for (const name of known)
    if (folded === fold(name)) return `the key ${shown(key)} can be taken for ${shown(name)}`;
  return undefined;
}

/** NFKC and case folding, invisible characters left out: what the most lenient reader could take for the same key. */
function fold(key: string): string {
  return key
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC');
}

function shown(key: string): string {
  return JSON.stringify(key);
}

function isUnusual(bytes: Uint8Array, at: number, end: number): boolean {
  for (let i = at; i < end; i++) if (bytes[i]! >= 0x80 || bytes[i] === BACKSLASH) return true;
  return false;
}

function keyText(bytes: Uint8Array, walk: Walk): string {
  return parseString(textOf(bytes, walk.keyAt - 1, walk.keyEnd + 1));
}
