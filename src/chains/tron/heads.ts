/** What an `ok` answer shows of the chain: the head, or that a thing is not there. */

import { afterSpace, LEFT_BRACE, LEFT_BRACKET, RIGHT_BRACE, RIGHT_BRACKET } from '../../wire/grammar.ts';
import { memberOf, type Span, stringAt } from '../../wire/scan.ts';
import { hasMark, spells, textOf } from '../../wire/text.ts';
import type { Call, HeadSeen } from '../family.ts';
import { namingOf, rowOf } from './named.ts';
import { rpcPath } from './open.ts';

/** The header of a block that an answer consists of. */
export function headerOf(body: Uint8Array): HeadSeen | undefined {
  const header = within(body, { at: 0, end: body.length }, 'block_header');
  const raw = header === undefined ? undefined : within(body, header, 'raw_data');
  if (raw === undefined) return undefined;
  const height = numberIn(body, raw, 'number');
  const blockTimeMs = numberIn(body, raw, 'timestamp');
  if (height === undefined) return undefined;
  return blockTimeMs === undefined ? { height } : { height, blockTimeMs };
}

/** Solidity paths show another level, and are left out. */
export function headOf(call: Call, body: Uint8Array): number | undefined {
  if (call.path === rpcPath) return call.method === 'eth_blockNumber' ? rpcHead(body) : undefined;
  const asksForHead =
    call.method === '/wallet/getnowblock' ||
    (call.method === '/wallet/getblock' && namingOf(call, rowOf(call)).what === 'nothing');
  return asksForHead ? headerOf(body)?.height : undefined;
}

function rpcHead(body: Uint8Array): number | undefined {
  const result = within(body, { at: 0, end: body.length }, 'result');
  const text = result === undefined ? undefined : stringAt(body, result);
  if (text === undefined || !/^0x[0-9a-fA-F]{1,13}$/.test(text)) return undefined;
  return Number(text);
}

/** Paths whose empty answer a node that is further ahead may fill. */
const mayCome = /\/(?:gettransactionbyid|gettransactioninfobyid|gettransactionreceiptbyid)$/;

export function absent(call: Call, body: Uint8Array): boolean {
  if (call.path === rpcPath) {
    const result = within(body, { at: 0, end: body.length }, 'result');
    return (
      result !== undefined && rowOf(call).keeps !== undefined && spells(body, result.at, result.end, 'null')
    );
  }
  const row = rowOf(call);
  if (row.list) return isEmpty(body, LEFT_BRACKET, RIGHT_BRACKET);
  if (call.method.endsWith('/gettransactioncountbyblocknum')) {
    const count = within(body, { at: 0, end: body.length }, 'count');
    return count !== undefined && /^"?0"?$/.test(textOf(body, count.at, count.end));
  }
  return (row.empty === 'block' || mayCome.test(call.method)) && isEmpty(body, LEFT_BRACE, RIGHT_BRACE);
}

function isEmpty(body: Uint8Array, open: number, close: number): boolean {
  const start = afterSpace(body, hasMark(body) ? 3 : 0);
  return body[start] === open && body[afterSpace(body, start + 1)] === close;
}

function within(body: Uint8Array, { at, end }: Span, key: string): Span | undefined {
  const start = afterSpace(body, at === 0 && hasMark(body) ? 3 : at);
  return start < end && body[start] === LEFT_BRACE ? memberOf(body, start, key) : undefined;
}

/** As a number or, after `int64_as_string`, as a string of one. */
function numberIn(body: Uint8Array, object: Span, key: string): number | undefined {
  const span = within(body, object, key);
  if (span === undefined) return undefined;
  const text = stringAt(body, span) ?? textOf(body, span.at, span.end);
  const number = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}
