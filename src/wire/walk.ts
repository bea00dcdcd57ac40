/** Steps through an object or an array by position, checking the text on the way. Codes below 0 are `grammar.ts`'s. */

import {
  afterColon,
  afterSpace,
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
} from './grammar.ts';
import { hasEscape, spells, unescaped } from './text.ts';

/** One record serves a whole walk: take out what is needed before the next step. */
export interface Walk {
  /** Where the walk stands; just past the closing brace when it is over. */
  next: number;
  begun: boolean;
  /** The key as it is written, without its quotes. */
  keyAt: number;
  keyEnd: number;
  /** The value. */
  at: number;
  end: number;
}

export function newWalk(objectAt = 0): Walk {
  return { next: objectAt, begun: false, keyAt: 0, keyEnd: 0, at: 0, end: 0 };
}

export function startWalk(walk: Walk, objectAt: number): void {
  walk.next = objectAt;
  walk.begun = false;
}

/** 1: a member was read; 0: the object is over. `maxDepth` is for the member's value. */
export function nextMember(bytes: Uint8Array, walk: Walk, maxDepth: number): number {
  const step = nextKey(bytes, walk);
  if (step !== 1) return step;
  const end = scanValue(bytes, walk.at, maxDepth);
  if (end < 0) return end;
  walk.end = end;
  walk.next = end;
  return 1;
}

/** As `nextMember`, but stops before the value: `at` is its first byte, and `next` must be set past it to go on. */
export function nextKey(bytes: Uint8Array, walk: Walk): number {
  const { begun } = walk;
  let i = afterSpace(bytes, walk.next);
  if (i >= bytes.length) return CUT;
  if (begun && bytes[i] === RIGHT_BRACE) return over(walk, i);
  if (bytes[i] !== (begun ? COMMA : LEFT_BRACE)) return INVALID;
  i = afterSpace(bytes, i + 1);
  if (i >= bytes.length) return CUT;
  if (!begun && bytes[i] === RIGHT_BRACE) return over(walk, i);
  if (bytes[i] !== QUOTE) return INVALID;
  const keyEnd = stringEnd(bytes, i + 1);
  if (keyEnd < 0) return keyEnd;
  walk.begun = true;
  walk.keyAt = i + 1;
  walk.keyEnd = keyEnd - 1;
  i = afterColon(bytes, keyEnd);
  if (i < 0) return i;
  walk.at = afterSpace(bytes, i);
  return walk.at < bytes.length ? 1 : CUT;
}

function over(walk: Walk, brace: number): number {
  walk.next = brace + 1;
  return 0;
}

/** A letter takes six bytes as an escape. */
const escapeGrows = 5;

/** Is the key under the walk this name of letters, digits and `_`, however it is written? */
export function keyIs(bytes: Uint8Array, walk: Walk, name: string): boolean {
  const { keyAt, keyEnd } = walk;
  if (spells(bytes, keyAt, keyEnd, name)) return true;
  if (keyEnd - keyAt < name.length + escapeGrows || !hasEscape(bytes, keyAt, keyEnd)) return false;
  return unescaped(bytes, keyAt, keyEnd) === name;
}

/**
 * Calls `read` with the first byte of each element of the array at `arrayAt`; it returns that element's end, or a code
 * that ends the walk. Returns what stands just past the array.
 */
export function walkArray(
  bytes: Uint8Array,
  arrayAt: number,
  read: (at: number, index: number) => number,
): number {
  let i = afterSpace(bytes, arrayAt);
  if (i >= bytes.length) return CUT;
  if (bytes[i] !== LEFT_BRACKET) return INVALID;
  i = afterSpace(bytes, i + 1);
  if (bytes[i] === RIGHT_BRACKET) return i + 1;
  for (let index = 0; ; index++) {
    i = afterSpace(bytes, i);
    if (i >= bytes.length) return CUT;
    i = read(i, index);
    if (i < 0) return i;
    i = afterSpace(bytes, i);
    if (i >= bytes.length) return CUT;
    const byte = bytes[i++];
    if (byte === RIGHT_BRACKET) return i;
    if (byte !== COMMA) return INVALID;
  }
}
