/** Answers that are too large to be held whole: what their beginning and their end show. */

import { CUT, LEFT_BRACE, scanValue } from '../../wire/grammar.ts';
import { sameId } from '../../wire/id.ts';
import { tail as topTail } from '../../wire/tail.ts';
import { spells, textOf } from '../../wire/text.ts';
import { newWalk, nextKey, nextMember } from '../../wire/walk.ts';
import type { Call, Peek } from '../family.ts';
import { askedBy, coversLess, rangeShown } from './facts.ts';
import { paramsOfCall } from './request.ts';

/** What may stand before the result: single values, none of which says "error". */
export function peek(call: Call, head: Uint8Array): Peek {
  const top = newWalk();
  while (nextKey(head, top) === 1) {
    const { keyAt, keyEnd, at } = top;
    if (spells(head, keyAt, keyEnd, 'result')) return peekResult(call, head, at);
    const end = scanValue(head, at, 0);
    if (end < 0 || spells(head, keyAt, keyEnd, 'error') || spells(head, at, end, '"error"')) return 'hold';
    if (
      spells(head, keyAt, keyEnd, 'id') &&
      call.id !== undefined &&
      !sameId(textOf(head, at, end), call.id)
    ) {
      return 'hold';
    }
    top.next = end;
  }
  return 'hold';
}

/**
 * rippled sorts the members of a result and Clio writes its errors alone, so an error shows before what makes an answer
 * large. Of a range of ledgers the bounds must have been seen too: less than was asked for is no success.
 */
function peekResult(call: Call, head: Uint8Array, at: number): Peek {
  if (head[at] !== LEFT_BRACE || scanValue(head, at, head.length) !== CUT) return 'hold';
  const members = newWalk(at);
  while (nextMember(head, members, head.length) === 1) {
    const { keyAt, keyEnd } = members;
    if (spells(head, keyAt, keyEnd, 'error')) return 'hold';
    if (spells(head, keyAt, keyEnd, 'status') && !spells(head, members.at, members.end, '"success"'))
      return 'hold';
  }
  const asked = askedBy(call.text, paramsOfCall(call));
  if (asked.min === undefined && asked.max === undefined) return 'commit';
  const shown = rangeShown(head, at);
  if (shown.from === undefined || shown.to === undefined) return 'hold';
  return coversLess(shown, asked, { chain: 'xrpl' }) ? 'hold' : 'commit';
}

/** A quote inside a string is escaped, so these bytes are a member wherever they stand. */
const statusError = /(?<!\\)"status"\s*:\s*"error"/;

/** A short sentence about what is wrong; undefined when the end is sound. */
export function tail(call: Call, last: Uint8Array): string | undefined {
  const flaw = topTail(last, call.id);
  if (flaw !== undefined) return flaw;
  return statusError.test(textOf(last, 0, last.length)) ? 'the answer ends as an error' : undefined;
}
