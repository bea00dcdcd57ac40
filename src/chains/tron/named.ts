/** Which block, or transaction, a request names: for its need, and for what an empty answer to it means. */

import type { Need } from '../../core/need.ts';
import { elementOf, memberOf, type Span, stringAt } from '../../wire/scan.ts';
import { textOf } from '../../wire/text.ts';
import type { Call } from '../family.ts';
import { indexPaths, paths, rpcMethod, type TronMethod } from './methods.ts';
import { rpcPath } from './open.ts';

export type Naming =
  | { readonly what: 'nothing' }
  /** A transaction, which cannot be placed in time, or a block that cannot. */
  | { readonly what: 'unplaced' }
  | { readonly what: 'blocks'; readonly lowest: number; readonly highest: number }
  /** Numbers that no node could answer: the request is the caller's mistake. */
  | { readonly what: 'impossible' };

export const nothing: Naming = { what: 'nothing' };
const unplaced: Naming = { what: 'unplaced' };
const impossible: Naming = { what: 'impossible' };
/** `getblockbylimitnext` answers `{}` to a longer range. */
const longestRange = 100;

export function rowOf(call: Call): TronMethod {
  if (call.path === rpcPath) return rpcMethod(call.method);
  return paths[call.method] ?? indexPaths[call.method] ?? { kind: 'read', unknown: true };
}

export function need(call: Call): Need {
  const row = rowOf(call);
  const base = { class: classOf(row), method: call.method };
  if (row.timeless) return { ...base, timeless: true };
  if (row.own) return { ...base, own: true };
  const naming = namingOf(call, row);
  switch (naming.what) {
    case 'unplaced':
      return row.keeps === undefined ? base : { ...base, unplaced: row.keeps };
    case 'blocks':
      return {
        ...base,
        height: naming.highest,
        ...(row.keeps === undefined ? {} : { history: { kind: row.keeps, height: naming.lowest } }),
      };
    default:
      return base;
  }
}

function classOf(row: TronMethod): Need['class'] {
  return row.kind === 'broadcast' || row.kind === 'heavy' ? row.kind : 'read';
}

export function namingOf(call: Call, row: TronMethod): Naming {
  const { named } = row;
  if (named === undefined) return nothing;
  switch (named.by) {
    case 'transaction':
      return unplaced;
    case 'number':
      return numbered(decimal(textIn(call, named.key)));
    case 'id':
      return identified(textIn(call, named.key));
    case 'number-or-id':
      return numberOrId(textIn(call, named.key));
    case 'range':
      return ranged(decimal(textIn(call, 'startNum')), decimal(textIn(call, 'endNum')));
    case 'identifier':
      return identifier(call, named.key);
    case 'param':
      return parameter(call, named.at);
    case 'filter':
      return filter(call);
  }
}

function numbered(number: number | undefined): Naming {
  return number === undefined ? nothing : { what: 'blocks', lowest: number, highest: number };
}

/** A block id begins with the block's number in 8 bytes. */
function identified(id: string | undefined): Naming {
  const digits = id?.replace(/^0x/, '');
  if (digits === undefined || !/^[0-9a-fA-F]{64}$/.test(digits)) return nothing;
  const number = Number.parseInt(digits.slice(0, 16), 16);
  return Number.isSafeInteger(number) ? numbered(number) : unplaced;
}

function numberOrId(text: string | undefined): Naming {
  if (text === undefined) return nothing;
  return text.length === 64 ? identified(text) : numbered(decimal(text));
}

function ranged(start: number | undefined, end: number | undefined): Naming {
  if (start === undefined || end === undefined) return nothing;
  return end <= start || end - start > longestRange
    ? impossible
    : { what: 'blocks', lowest: start, highest: end - 1 };
}

function identifier(call: Call, key: string | undefined): Naming {
  const outer = key === undefined ? { at: 0, end: call.text.length } : memberIn(call, key);
  if (outer === undefined || !isObject(call.text, outer)) return nothing;
  const number = memberOf(call.text, outer.at, 'number');
  return numbered(number === undefined ? undefined : decimal(textOf(call.text, number.at, number.end)));
}

function parameter(call: Call, at: number): Naming {
  const span = paramOf(call, at);
  if (span === undefined) return nothing;
  if (!isObject(call.text, span)) return position(stringAt(call.text, span));
  return memberPosition(call, span, 'blockNumber') ?? memberPosition(call, span, 'blockHash') ?? nothing;
}

function filter(call: Call): Naming {
  const span = paramOf(call, 0);
  if (span === undefined || !isObject(call.text, span)) return nothing;
  const byId = memberPosition(call, span, 'blockHash');
  if (byId !== undefined && byId.what !== 'nothing') return byId;
  const from = memberPosition(call, span, 'fromBlock');
  const to = memberPosition(call, span, 'toBlock');
  const ends = [from, to].flatMap(one => (one?.what === 'blocks' ? [one.lowest] : []));
  return ends.length === 0
    ? nothing
    : { what: 'blocks', lowest: Math.min(...ends), highest: Math.max(...ends) };
}

function memberPosition(call: Call, object: Span, key: string): Naming | undefined {
  const span = memberOf(call.text, object.at, key);
  return span === undefined ? undefined : position(stringAt(call.text, span));
}

/** A number in hex or decimal, a block id, or a tag, of which only `earliest` names a block. */
function position(text: string | undefined): Naming {
  if (text === undefined) return nothing;
  if (text === 'earliest') return numbered(0);
  if (/^(?:0x)?[0-9a-fA-F]{64}$/.test(text)) return identified(text);
  if (!/^0x[0-9a-fA-F]{1,16}$/.test(text)) return numbered(decimal(text));
  const number = Number(text);
  return Number.isSafeInteger(number) ? numbered(number) : nothing;
}

/** As it is written in the query or in the body, a string's quotes off. */
function textIn(call: Call, key: string): string | undefined {
  if (call.verb === 'GET') return queryValue(call.path, key);
  const span = memberIn(call, key);
  return span === undefined ? undefined : (stringAt(call.text, span) ?? textOf(call.text, span.at, span.end));
}

function queryValue(path: string, key: string): string | undefined {
  for (const pair of path.slice(path.indexOf('?') + 1).split('&'))
    if (pair.startsWith(`${key}=`)) return pair.slice(key.length + 1);
  return undefined;
}

function memberIn(call: Call, key: string): Span | undefined {
  return isObject(call.text, { at: 0, end: call.text.length }) ? memberOf(call.text, 0, key) : undefined;
}

function paramOf(call: Call, at: number): Span | undefined {
  return call.paramsAt < 0 ? undefined : elementOf(call.text, call.paramsAt, at);
}

function isObject(text: Uint8Array, { at, end }: Span): boolean {
  let first = at;
  while (first < end && text[first] !== undefined && text[first]! <= 0x20) first++;
  return text[first] === 0x7b;
}

/** Canonical decimals only: java-tron's reader takes a leading zero as octal. */
function decimal(text: string | undefined): number | undefined {
  if (text === undefined || !/^(?:0|[1-9]\d{0,15})$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : undefined;
}
