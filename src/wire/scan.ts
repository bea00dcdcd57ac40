/** JSON as bytes: the parts of a text by position. Nothing is built but what is asked for. */

import { afterSpace, CUT, INVALID, LEFT_BRACE, QUOTE, scanValue, TOO_DEEP } from './grammar.ts';
import { keyFlaw, maxKeys, repeats, tooManyKeys } from './keys.ts';
import { hasMark, textOf, unescaped } from './text.ts';
import { keyIs, newWalk, nextMember, walkArray } from './walk.ts';

/** A value's own bytes: white space around it is outside. */
export interface Span {
  readonly at: number;
  readonly end: number;
}

/** Just past the value at or after `at`; -1 when it is no JSON (cut short, too), -2 when deeper than `maxDepth`. */
export function valueEnd(bytes: Uint8Array, at: number, maxDepth: number): number {
  const end = scanValue(bytes, at, maxDepth);
  return end === CUT ? INVALID : end;
}

/** True when nothing but white space stands from `at` to the end. */
export function onlySpaceFrom(bytes: Uint8Array, at: number): boolean {
  return afterSpace(bytes, at) === bytes.length;
}

/** In text known to be valid: the last member of this ASCII name, which is the one `JSON.parse` takes. */
export function memberOf(bytes: Uint8Array, objectAt: number, key: string): Span | undefined {
  const walk = newWalk(objectAt);
  let found: Span | undefined;
  while (nextMember(bytes, walk, Number.POSITIVE_INFINITY) === 1)
    if (keyIs(bytes, walk, key)) found = { at: walk.at, end: walk.end };
  return found;
}

/** In text known to be valid: the elements of an array; none when it is no array. */
export function elementsOf(bytes: Uint8Array, arrayAt: number): Span[] {
  const spans: Span[] = [];
  walkArray(bytes, arrayAt, at => {
    const end = scanValue(bytes, at, Number.POSITIVE_INFINITY);
    if (end >= 0) spans.push({ at, end });
    return end;
  });
  return spans;
}

/** In text known to be valid: one element, from 0. What follows it is not looked at. */
export function elementOf(bytes: Uint8Array, arrayAt: number, index: number): Span | undefined {
  let found: Span | undefined;
  walkArray(bytes, arrayAt, (at, current) => {
    const end = scanValue(bytes, at, Number.POSITIVE_INFINITY);
    if (current < index || end < 0) return end;
    found = { at, end };
    return INVALID;
  });
  return found;
}

/** The value's text, decoded, when it is a string. */
export function stringAt(bytes: Uint8Array, span: Span): string | undefined {
  return bytes[span.at] === QUOTE ? unescaped(bytes, span.at + 1, span.end - 1) : undefined;
}

export function valueAt(bytes: Uint8Array, span: Span): unknown {
  return JSON.parse(textOf(bytes, span.at, span.end));
}

export type StrictObject = StrictMembers | Unread;

interface StrictMembers {
  /** All of them, by key. */
  readonly members: ReadonlyMap<string, Span>;
  /** Just past the object. */
  readonly end: number;
}

export interface Unread {
  readonly refused: 'parse_error' | 'invalid_request' | 'too_large';
  readonly message: string;
}

/**
 * The members of the object at `at`, or why two readers could disagree about them: a key that repeats, that equals a
 * known one only after folding (`Method`, `paramſ`), or that is written with an escape. `maxDepth` counts this object.
 * What follows the object is not looked at.
 */
export function strictObject(
  bytes: Uint8Array,
  at: number,
  known: readonly string[],
  maxDepth: number,
): StrictObject {
  if (bytes[afterSpace(bytes, at)] !== LEFT_BRACE || maxDepth < 1) {
    const end = scanValue(bytes, at, maxDepth);
    return end < 0 ? unreadable(end, maxDepth) : notAllowed('an object is expected');
  }
  const members = new Map<string, Span>();
  let flaw: string | undefined;
  const walk = newWalk(at);
  let step = nextMember(bytes, walk, maxDepth - 1);
  while (step === 1) {
    const key = textOf(bytes, walk.keyAt, walk.keyEnd);
    if (members.has(key)) flaw ??= repeats(key);
    else if (members.size === maxKeys) flaw ??= tooManyKeys;
    else if (!known.includes(key)) flaw ??= keyFlaw(bytes, walk, known);
    if (flaw === undefined) members.set(key, { at: walk.at, end: walk.end });
    step = nextMember(bytes, walk, maxDepth - 1);
  }
  if (step < 0) return unreadable(step, maxDepth);
  return flaw === undefined ? { members, end: walk.next } : notAllowed(flaw);
}

/** As `strictObject`, for a whole body: no byte order mark, nothing behind the object. */
export function strictBody(bytes: Uint8Array, known: readonly string[], maxDepth: number): StrictObject {
  if (hasMark(bytes)) return notAllowed(marked);
  const read = strictObject(bytes, 0, known, maxDepth);
  if ('refused' in read || onlySpaceFrom(bytes, read.end)) return read;
  return notAllowed('text follows the object');
}

export const marked = 'the body begins with a byte order mark';

function notAllowed(message: string): Unread {
  return { refused: 'invalid_request', message };
}

/** What a code of the grammar means to the caller. */
export function unreadable(code: number, maxDepth: number): Unread {
  if (code === TOO_DEEP) return { refused: 'too_large', message: `nested deeper than ${maxDepth} levels` };
  return {
    refused: 'parse_error',
    message: code === CUT ? 'the JSON text ends early' : 'the body is not JSON',
  };
}
