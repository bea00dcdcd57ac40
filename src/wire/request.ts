/** A JSON-RPC request by position: method, id and the range of the params. What could be read in two ways is refused. */

import { afterSpace, LEFT_BRACE, LEFT_BRACKET, QUOTE, scanValue, TOO_DEEP } from './grammar.ts';
import { type IdValue, idValue } from './id.ts';
import { keyFlaw, maxKeys, repeats, tooManyKeys } from './keys.ts';
import { marked, onlySpaceFrom, type Unread, unreadable } from './scan.ts';
import { hasEscape, hasMark, spells, textOf } from './text.ts';
import { newWalk, nextMember, startWalk, walkArray } from './walk.ts';

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

interface RequestRefused {
  readonly form: 'refused';
  readonly reason: Unread['refused'];
  readonly message: string;
  /** The caller's, as JSON text, where the text tells one id and no other. */
  readonly id?: string;
}

export function readRequest(body: Uint8Array, limits: RequestLimits): RequestRead {
  const { maxDepth } = limits;
  if (hasMark(body)) return refused('invalid_request', marked);
  const at = afterSpace(body, 0);
  if (at === body.length) return refused('parse_error', 'the body is empty');
  if (maxDepth >= 1) {
    if (body[at] === LEFT_BRACE) return readSingle(body, at, maxDepth);
    if (body[at] === LEFT_BRACKET) return readBatch(body, at, limits);
  }
  const end = scanValue(body, at, maxDepth);
  if (end < 0) return unread(end, maxDepth);
  return refused('invalid_request', 'a request is an object, a batch is an array');
}

function readSingle(body: Uint8Array, at: number, maxDepth: number): RequestRead {
  const envelope = readEnvelope(body, at, maxDepth);
  if (typeof envelope === 'number') return unread(envelope, maxDepth);
  if (!onlySpaceFrom(body, walk.next)) return refused('invalid_request', 'text follows the request');
  return 'form' in envelope ? envelope : { form: 'single', envelope };
}

function readBatch(body: Uint8Array, at: number, { maxDepth, maxBatch }: RequestLimits): RequestRead {
  const envelopes: Envelope[] = [];
  const flaws: string[] = [];
  const end = walkArray(body, at, (itemAt, index) => {
    if (index === maxBatch) return TOO_MANY;
    if (body[itemAt] !== LEFT_BRACE) {
      flaws.push(`item ${index + 1} of the batch is no object`);
      return scanValue(body, itemAt, maxDepth - 1);
    }
    const item = maxDepth > 1 ? readEnvelope(body, itemAt, maxDepth - 1) : TOO_DEEP;
    if (typeof item === 'number') return item;
    if ('form' in item) flaws.push(`item ${index + 1} of the batch: ${item.message}`);
    else envelopes.push(item);
    return walk.next;
  });
  if (end === TOO_MANY) return refused('too_large', `more than ${maxBatch} calls in one batch`);
  if (end < 0) return unread(end, maxDepth);
  if (!onlySpaceFrom(body, end)) return refused('invalid_request', 'text follows the batch');
  if (flaws[0] !== undefined) return refused('invalid_request', flaws[0]);
  if (envelopes.length === 0) return refused('invalid_request', 'the batch is empty');
  if (repeatedId(envelopes)) return refused('invalid_request', 'two calls of the batch have the same id');
  return { form: 'batch', envelopes };
}

function repeatedId(envelopes: readonly Envelope[]): boolean {
  const seen = new Set<IdValue | undefined>();
  for (const { id } of envelopes) {
    if (id === undefined) continue;
    const value = idValue(id);
    if (seen.has(value)) return true;
    seen.add(value);
  }
  return false;
}

/** Beside the codes of the grammar. */
const TOO_MANY = -4;

const known = ['jsonrpc', 'id', 'method', 'params'];
const walk = newWalk();

/**
 * Reads to the end of the object even after the first flaw, so that a text which is no JSON is told as such: a code of
 * the grammar then. Leaves `walk.next` just past the object.
 */
function readEnvelope(body: Uint8Array, at: number, maxDepth: number): Envelope | RequestRefused | number {
  let versionAt = -1;
  let idAt = -1;
  let idEnd = -1;
  let methodAt = -1;
  let methodEnd = -1;
  let paramsAt = -1;
  let paramsEnd = -1;
  let others: Set<string> | undefined;
  let flaw: string | undefined;
  let idIsClear = true;
  startWalk(walk, at);
  let step = nextMember(body, walk, maxDepth - 1);
  while (step === 1) {
    const { keyAt, keyEnd } = walk;
    if (spells(body, keyAt, keyEnd, 'id')) {
      if (idAt >= 0) {
        flaw ??= repeats('id');
        idIsClear = false;
      }
      idAt = walk.at;
      idEnd = walk.end;
    } else if (spells(body, keyAt, keyEnd, 'method')) {
      if (methodAt >= 0) flaw ??= repeats('method');
      methodAt = walk.at;
      methodEnd = walk.end;
    } else if (spells(body, keyAt, keyEnd, 'params')) {
      if (paramsAt >= 0) flaw ??= repeats('params');
      paramsAt = walk.at;
      paramsEnd = walk.end;
    } else if (spells(body, keyAt, keyEnd, 'jsonrpc')) {
      if (versionAt >= 0) flaw ??= repeats('jsonrpc');
      versionAt = walk.at;
    } else {
      others ??= new Set();
      const own = otherFlaw(body, others);
      if (own !== undefined) {
        flaw ??= own;
        idIsClear = false;
      }
    }
    step = nextMember(body, walk, maxDepth - 1);
  }
  if (step < 0) return step;
  const idFits = idAt < 0 || isId(body[idAt]!);
  flaw ??= methodFlaw(body, methodAt, methodEnd);
  if (!idFits) flaw ??= 'the id is neither a string nor a number nor null';
  if (paramsAt >= 0 && body[paramsAt] !== LEFT_BRACE && body[paramsAt] !== LEFT_BRACKET)
    flaw ??= 'params is neither an array nor an object';
  const id = idAt < 0 || !idFits || !idIsClear ? undefined : textOf(body, idAt, idEnd);
  if (flaw !== undefined) return refused('invalid_request', flaw, id);
  return { method: textOf(body, methodAt + 1, methodEnd - 1), id, paramsAt, paramsEnd, at, end: walk.next };
}

/** Of a key that is none of ours, under the walk. */
function otherFlaw(body: Uint8Array, others: Set<string>): string | undefined {
  if (others.size === maxKeys) return tooManyKeys;
  const key = textOf(body, walk.keyAt, walk.keyEnd);
  if (others.has(key)) return repeats(key);
  others.add(key);
  return keyFlaw(body, walk, known);
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
