/** A JSON-RPC request by position: method, id and the range of the params. What could be read in two ways is refused. */

import {
  afterSpace,
  COMMA,
  CUT,
  LEFT_BRACE,
  LEFT_BRACKET,
  QUOTE,
  RIGHT_BRACKET,
  scanValue,
} from './grammar.ts';
import { type IdValue, idValue } from './id.ts';
import {
  flawOf,
  hasEscape,
  hasMark,
  newWalk,
  nextMember,
  onlySpaceFrom,
  spells,
  startWalk,
  textOf,
  type Unread,
  unreadable,
} from './scan.ts';

/** One call; positions are in the body. */
export interface Envelope {
  readonly method: string;
  /** As JSON text; undefined for a notification. */
  readonly id: string | undefined;
  /** The params value; both -1 when there is none. */
  readonly paramsAt: number;
  readonly paramsEnd: number;
  /** The call itself. */
  readonly at: number;
  readonly end: number;
}

export interface RequestLimits {
  /** Nesting of the whole body, the array of a batch included. */
  readonly maxDepth: number;
  /** Items of a batch. */
  readonly maxBatch: number;
}

export type RequestRead =
  | { readonly form: 'single'; readonly envelope: Envelope }
  | { readonly form: 'batch'; readonly envelopes: readonly Envelope[] }
  | RequestRefused;

export interface RequestRefused {
  readonly form: 'refused';
  readonly reason: Unread['refused'];
  readonly message: string;
  /** The caller's, as JSON text, where the text tells one id and no other. */
  readonly id?: string;
}

export function readRequest(body: Uint8Array, limits: RequestLimits): RequestRead {
  if (hasMark(body)) return refused('invalid_request', 'the body begins with a byte order mark');
  const at = afterSpace(body, 0);
  if (at === body.length) return refused('parse_error', 'the body is empty');
  if (body[at] === LEFT_BRACE) return readSingle(body, at, limits);
  if (body[at] === LEFT_BRACKET) return readBatch(body, at, limits);
  const end = scanValue(body, at, limits.maxDepth);
  if (end < 0) return unread(end, limits.maxDepth);
  return refused('invalid_request', 'a request is an object, a batch is an array');
}

function readSingle(body: Uint8Array, at: number, limits: RequestLimits): RequestRead {
  const envelope = readEnvelope(body, at, limits.maxDepth, limits.maxDepth);
  if ('form' in envelope) return envelope;
  if (!onlySpaceFrom(body, envelope.end)) return refused('invalid_request', 'text follows the request');
  return { form: 'single', envelope };
}

function readBatch(body: Uint8Array, at: number, limits: RequestLimits): RequestRead {
  const { maxDepth, maxBatch } = limits;
  if (maxDepth < 1) return unread(-2, maxDepth);
  const envelopes: Envelope[] = [];
  let flaw: RequestRefused | undefined;
  let i = afterSpace(body, at + 1);
  if (body[i] === RIGHT_BRACKET) return refused('invalid_request', 'the batch is empty');
  for (let count = 1; ; count++) {
    if (count > maxBatch) return refused('too_large', `more than ${maxBatch} calls in one batch`);
    i = afterSpace(body, i);
    const end = scanValue(body, i, maxDepth - 1);
    if (end < 0) return unread(end, maxDepth);
    if (body[i] === LEFT_BRACE) {
      const item = readEnvelope(body, i, maxDepth - 1, maxDepth);
      if (!('form' in item)) envelopes.push(item);
      else flaw ??= refused(item.reason, `item ${count} of the batch: ${item.message}`);
    } else {
      flaw ??= refused('invalid_request', `item ${count} of the batch is no object`);
    }
    i = afterSpace(body, end);
    if (i >= body.length) return unread(CUT, maxDepth);
    const byte = body[i++];
    if (byte === RIGHT_BRACKET) break;
    if (byte !== COMMA) return unread(-1, maxDepth);
  }
  if (!onlySpaceFrom(body, i)) return refused('invalid_request', 'text follows the batch');
  if (flaw !== undefined) return flaw;
  const twice = repeatedId(envelopes);
  if (twice !== undefined) return refused('invalid_request', `the id ${twice} stands in the batch twice`);
  return { form: 'batch', envelopes };
}

function repeatedId(envelopes: readonly Envelope[]): string | undefined {
  const seen = new Set<IdValue | undefined>();
  for (const { id } of envelopes) {
    if (id === undefined) continue;
    const value = idValue(id);
    if (seen.has(value)) return id;
    seen.add(value);
  }
  return undefined;
}

const known = ['jsonrpc', 'id', 'method', 'params'];
const walk = newWalk();

/** Reads to the end even after the first fault: a text that is no JSON is told as such. */
function readEnvelope(
  body: Uint8Array,
  at: number,
  maxDepth: number,
  shownDepth: number,
): Envelope | RequestRefused {
  if (maxDepth < 1) return unread(-2, shownDepth);
  let versionAt = -1;
  let idAt = -1;
  let idEnd = -1;
  let methodAt = -1;
  let methodEnd = -1;
  let paramsAt = -1;
  let paramsEnd = -1;
  let others: Set<string> | undefined;
  let flaw: string | undefined;
  let idClear = true;
  startWalk(walk, at);
  let step = nextMember(body, walk, maxDepth - 1);
  while (step === 1) {
    const { keyAt, keyEnd } = walk;
    if (spells(body, keyAt, keyEnd, 'id')) {
      if (idAt >= 0) {
        flaw ??= 'the key "id" repeats';
        idClear = false;
      }
      idAt = walk.at;
      idEnd = walk.end;
    } else if (spells(body, keyAt, keyEnd, 'method')) {
      if (methodAt >= 0) flaw ??= 'the key "method" repeats';
      methodAt = walk.at;
      methodEnd = walk.end;
    } else if (spells(body, keyAt, keyEnd, 'params')) {
      if (paramsAt >= 0) flaw ??= 'the key "params" repeats';
      paramsAt = walk.at;
      paramsEnd = walk.end;
    } else if (spells(body, keyAt, keyEnd, 'jsonrpc')) {
      if (versionAt >= 0) flaw ??= 'the key "jsonrpc" repeats';
      versionAt = walk.at;
    } else {
      const own = flawOf(body, walk, known);
      if (own !== undefined) {
        flaw ??= own;
        idClear = false;
      }
      others ??= new Set();
      const key = textOf(body, keyAt, keyEnd);
      if (others.has(key)) flaw ??= `the key ${JSON.stringify(key)} repeats`;
      others.add(key);
    }
    step = nextMember(body, walk, maxDepth - 1);
  }
  if (step < 0) return unread(step, shownDepth);
  const end = walk.next;
  const idFits = idAt < 0 || isId(body[idAt]!);
  flaw ??= methodFlaw(body, methodAt, methodEnd);
  if (!idFits) flaw ??= 'the id is neither a string nor a number nor null';
  if (paramsAt >= 0 && body[paramsAt] !== LEFT_BRACE && body[paramsAt] !== LEFT_BRACKET)
    flaw ??= 'params is neither an array nor an object';
  const id = idAt < 0 || !idFits || !idClear ? undefined : textOf(body, idAt, idEnd);
  if (flaw !== undefined) return refused('invalid_request', flaw, id);
  return { method: textOf(body, methodAt + 1, methodEnd - 1), id, paramsAt, paramsEnd, at, end };
}

function methodFlaw(body: Uint8Array, at: number, end: number): string | undefined {
  if (at < 0) return 'the method is missing';
  if (body[at] !== QUOTE) return 'the method is no string';
  return hasEscape(body, at, end) ? 'the method is written with an escape' : undefined;
}

/** By its first byte: a string, a number or null. */
function isId(first: number): boolean {
  return first === QUOTE || first === 0x2d || first === 0x6e || (first >= 0x30 && first <= 0x39);
}

function refused(reason: Unread['refused'], message: string, id?: string): RequestRefused {
  return id === undefined ? { form: 'refused', reason, message } : { form: 'refused', reason, message, id };
}

function unread(code: number, maxDepth: number): RequestRefused {
  const { refused: reason, message } = unreadable(code, maxDepth);
  return refused(reason, message);
}
