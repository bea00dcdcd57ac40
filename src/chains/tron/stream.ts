/** Answers too large to be held: their beginning and their end. */

import {
  afterSpace,
  CUT,
  LEFT_BRACE,
  LEFT_BRACKET,
  lastSolid,
  QUOTE,
  RIGHT_BRACE,
  RIGHT_BRACKET,
  scanValue,
} from '../../wire/grammar.ts';
import { spells, textOf } from '../../wire/text.ts';
import { newWalk, nextKey, startWalk } from '../../wire/walk.ts';
import type { Call, Peek } from '../family.ts';
import { peekReply, tailReply } from '../jsonrpc.ts';
import { rowOf } from './named.ts';
import { rpcPath } from './open.ts';

/** A fault may begin so; what does is judged when all of it is there. */
const ofFaults = [
  'Error',
  'error',
  'code',
  'message',
  'result',
  'success',
  'Success',
  'status',
  'statusCode',
  'jsonrpc',
];
/** A member that goes on past this is what makes the answer large: no fault is. */
const faultBytes = 4096;

const walk = newWalk();

export function peek(call: Call, head: Uint8Array): Peek {
  if (call.path === rpcPath) return peekReply(call, head);
  const row = rowOf(call);
  if (row.kind === 'broadcast') return 'hold';
  const start = afterSpace(head, 0);
  if (head[start] === LEFT_BRACKET) return row.list ? 'commit' : 'hold';
  if (head[start] !== LEFT_BRACE) return 'hold';
  startWalk(walk, start);
  while (nextKey(head, walk) === 1) {
    if (isOfFaults(head)) {
      const end = scanValue(head, walk.at, faultBytes);
      if (end < 0 || !isSuccess(head, end)) return 'hold';
      walk.next = end;
      continue;
    }
    // java-tron's own printer gives an answer's members in no order, so a fault's may still come behind a small one.
    const end = scanValue(head.subarray(walk.at, walk.at + faultBytes), 0, faultBytes);
    if (end === CUT) return 'commit';
    if (end < 0) return 'hold';
    walk.next = walk.at + end;
  }
  return 'hold';
}

function isOfFaults(head: Uint8Array): boolean {
  return ofFaults.some(key => spells(head, walk.keyAt, walk.keyEnd, key));
}

/** `true`, the `{"result":true…}` of a call that ran, or a transaction's own `"result":"FAILED"`. */
function isSuccess(head: Uint8Array, end: number): boolean {
  if (spells(head, walk.at, end, 'true')) return true;
  const isResult = spells(head, walk.keyAt, walk.keyEnd, 'result');
  if (head[walk.at] === QUOTE) return isResult;
  return isResult && /^\{"result"\s*:\s*true\b/.test(textOf(head, walk.at, end));
}

export function tail(call: Call, last: Uint8Array): string | undefined {
  if (call.path === rpcPath) return tailReply(call, last);
  const close = rowOf(call).list ? RIGHT_BRACKET : RIGHT_BRACE;
  return last[lastSolid(last, last.length)] === close ? undefined : 'the answer ends before its last bracket';
}
