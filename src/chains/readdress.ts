/** One caller's answer for another caller: the id at the top is changed, everything else stays byte for byte. */

import { afterSpace, LEFT_BRACE } from '../wire/grammar.ts';
import { hasMark, spells } from '../wire/text.ts';
import { keyIs, newWalk, nextMember } from '../wire/walk.ts';
import type { Call } from './family.ts';

const encoder = new TextEncoder();

/** The very same bytes when the id is the caller's already, or where there is no place for one. */
export function readdress(call: Call, body: Uint8Array): Uint8Array {
  const start = afterSpace(body, hasMark(body) ? 3 : 0);
  if (body[start] !== LEFT_BRACE) return body;
  const walk = newWalk(start);
  let before = start + 1;
  let found: { readonly from: number; readonly at: number; readonly end: number } | undefined;
  let members = 0;
  let step = nextMember(body, walk, Number.POSITIVE_INFINITY);
  while (step === 1) {
    members += 1;
    if (keyIs(body, walk, 'id')) found = { from: before, at: walk.at, end: walk.end };
    before = walk.next;
    step = nextMember(body, walk, Number.POSITIVE_INFINITY);
  }
  if (step < 0) return body;
  const { id } = call;
  if (found !== undefined) {
    if (id === undefined) return without(body, found.from, found.end, found.from === start + 1);
    return spells(body, found.at, found.end, id) ? body : spliced(body, found.at, found.end, id);
  }
  if (id === undefined) return body;
  const brace = walk.next - 1;
  return spliced(body, brace, brace, members === 0 ? `"id":${id}` : `,"id":${id}`);
}

function spliced(body: Uint8Array, at: number, end: number, text: string): Uint8Array {
  const middle = encoder.encode(text);
  const whole = new Uint8Array(body.length - (end - at) + middle.length);
  whole.set(body.subarray(0, at));
  whole.set(middle, at);
  whole.set(body.subarray(end), at + middle.length);
  return whole;
}

/** Takes the comma before the member along, or behind it when it is the first. */
function without(body: Uint8Array, from: number, end: number, first: boolean): Uint8Array {
  if (!first) return spliced(body, from, end, '');
  const behind = afterSpace(body, end);
  return spliced(body, from, body[behind] === 0x2c ? behind + 1 : behind, '');
}
