/** What makes two requests the same, as text: JSON with sorted keys, and hex in small letters. */

import type { Work } from '../../core/work.ts';
import { LEFT_BRACE, LEFT_BRACKET } from '../../wire/grammar.ts';
import { elementsOf, type Span, valueAt } from '../../wire/scan.ts';
import { unescaped } from '../../wire/text.ts';
import { keyIs, newWalk, nextMember } from '../../wire/walk.ts';

/** Bytes of texts and numbers between two breaks: some tenths of a millisecond. */
const slice = 64 * 1024;

/** Is shown where each text, number, … stands. */
type Beside = (span: Span) => Work<void>;

interface Going {
  /** Bytes until the next break. */
  left: number;
  readonly beside: Beside | undefined;
}

/** Of the value at `span`. */
export function* canonical(text: Uint8Array, span: Span, beside?: Beside): Work<string> {
  return yield* ofValue(text, span, { left: slice, beside });
}

/** Of an object without this member. */
export function* canonicalBut(name: string, text: Uint8Array, object: Span): Work<string> {
  return yield* ofObject(text, object, { left: slice, beside: undefined }, name);
}

function* ofValue(text: Uint8Array, span: Span, going: Going): Work<string> {
  if (text[span.at] === LEFT_BRACE) return yield* ofObject(text, span, going);
  if (text[span.at] === LEFT_BRACKET) {
    const elements: string[] = [];
    for (const element of elementsOf(text, span.at)) elements.push(yield* ofValue(text, element, going));
    return `[${elements.join(',')}]`;
  }
  if (going.left <= 0) {
    yield;
    going.left = slice;
  }
  going.left -= span.end - span.at;
  if (going.beside !== undefined) yield* going.beside(span);
  const value = valueAt(text, span);
  return JSON.stringify(typeof value === 'string' && isHex.test(value) ? value.toLowerCase() : value);
}

const isHex = /^0x[0-9a-f]*$/i;

function* ofObject(text: Uint8Array, span: Span, going: Going, but?: string): Work<string> {
  // Of two members of one name the last counts, as for any reader of JSON.
  const spans = new Map<string, Span>();
  const walk = newWalk(span.at);
  while (nextMember(text, walk, Number.POSITIVE_INFINITY) === 1) {
    if (but !== undefined && keyIs(text, walk, but)) continue;
    spans.set(unescaped(text, walk.keyAt, walk.keyEnd), { at: walk.at, end: walk.end });
  }
  const members: string[] = [];
  for (const [key, value] of [...spans].sort(([a], [b]) => (a < b ? -1 : 1)))
    members.push(`${JSON.stringify(key)}:${yield* ofValue(text, value, going)}`);
  return `{${members.join(',')}}`;
}
