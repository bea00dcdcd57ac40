/** What the families that speak JSON-RPC share: opening a request, batches up and down, own errors and questions. */

import { errors, type Fault, faultData } from '../core/errors.ts';
import { answerDepth, type Reply, readAnswer } from '../wire/answer.ts';
import { LEFT_BRACE, scanValue } from '../wire/grammar.ts';
import { type IdValue, idValue } from '../wire/id.ts';
import { peek } from '../wire/peek.ts';
import { errorText, stitch } from '../wire/reply.ts';
import { type Envelope, readRequest } from '../wire/request.ts';
import { onlySpaceFrom } from '../wire/scan.ts';
import { tail } from '../wire/tail.ts';
import { hasMark, textOf } from '../wire/text.ts';
import { keyIs, newWalk, nextMember, startWalk, walkArray } from '../wire/walk.ts';
import type { Answer, Call, Incoming, Method, Opened, OpenOptions, Peek } from './family.ts';

export type Lookup = (method: string) => Method;

/** Opens what came to the chain's root, or to the family's own `path` below it. */
export function openJsonRpc(incoming: Incoming, options: OpenOptions, lookup: Lookup, path: string): Opened {
  const { verb, target, body } = incoming;
  if (verb !== 'POST') return refused('not_found', 'JSON-RPC is sent by POST');
  if (target !== '' && target !== path) return refused('not_found', 'no such path');
  const read = readRequest(body, options);
  if (read.form === 'refused') return read;

  if (read.form === 'single') {
    const call = callOf(body, read.envelope, lookup, path);
    if (call.id !== undefined) return { form: 'single', call };
    return call.spec.kind === 'broadcast' ? broadcastWithoutId : { form: 'silent' };
  }
  const calls: Call[] = [];
  for (const envelope of read.envelopes) {
    const call = callOf(body, envelope, lookup, path);
    if (call.id !== undefined) calls.push(call);
    else if (call.spec.kind === 'broadcast') return broadcastWithoutId;
  }
  return calls.length === 0 ? { form: 'silent' } : { form: 'batch', calls };
}

function refused(reason: 'not_found' | 'invalid_request', message: string): Opened {
  return { form: 'refused', reason, message };
}

const broadcastWithoutId = refused(
  'invalid_request',
  'a broadcast needs an id: its outcome could not be told',
);

function callOf(body: Uint8Array, envelope: Envelope, lookup: Lookup, path: string): Call {
  const { method, id, at, end, paramsAt, paramsEnd } = envelope;
  return {
    method,
    spec: lookup(method),
    id,
    text: at === 0 && end === body.length ? body : body.subarray(at, end),
    paramsAt: paramsAt < 0 ? -1 : paramsAt - at,
    paramsEnd: paramsEnd < 0 ? -1 : paramsEnd - at,
    verb: 'POST',
    path,
  };
}

const walk = newWalk();

/** One batch body for several calls, also when there is only one. */
export function join(calls: readonly Call[]): Uint8Array {
  return stitch(calls.map(call => call.text));
}

/**
 * The answer to `join(calls)`, one slice a call, matched by id. Undefined in place: the answer is missing, or its id came
 * twice. Undefined as a whole: no array, so that the caller judges the body for each call.
 */
export function split(
  calls: readonly Call[],
  body: Uint8Array,
): readonly (Uint8Array | undefined)[] | undefined {
  const byId = new Map<IdValue, Uint8Array | undefined>();
  const end = walkArray(body, hasMark(body) ? 3 : 0, at => {
    if (body[at] !== LEFT_BRACE) return scanValue(body, at, answerDepth);
    let id: IdValue | undefined;
    startWalk(walk, at);
    let step = nextMember(body, walk, answerDepth);
    while (step === 1) {
      if (keyIs(body, walk, 'id')) id = idValue(textOf(body, walk.at, walk.end));
      step = nextMember(body, walk, answerDepth);
    }
    if (step < 0) return step;
    if (id !== undefined) byId.set(id, byId.has(id) ? undefined : body.subarray(at, walk.next));
    return walk.next;
  });
  if (end < 0 || !onlySpaceFrom(body, end)) return undefined;
  return calls.map(call => {
    const id = call.id === undefined ? undefined : idValue(call.id);
    return id === undefined ? undefined : byId.get(id);
  });
}

export function peekReply(call: Call, head: Uint8Array): Peek {
  return peek(head, call.id);
}

export function tailReply(call: Call, last: Uint8Array): string | undefined {
  return tail(last, call.id);
}

/** The gateway's own error, with the caller's id where it is known. */
export function faultBody(call: Call | undefined, fault: Fault, code?: number): string {
  return errorText(call?.id ?? fault.id ?? 'null', {
    code: code ?? errors[fault.reason].rpc,
    message: fault.message,
    data: faultData(fault),
  });
}

const encoder = new TextEncoder();

/** A question of the gateway's own. `params` are JSON values. */
export function probeCall(method: string, params: readonly unknown[], lookup: Lookup, path = ''): Call {
  const before = encoder.encode(`{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":`);
  const list = encoder.encode(JSON.stringify(params));
  const text = new Uint8Array(before.length + list.length + 1);
  text.set(before);
  text.set(list, before.length);
  text[text.length - 1] = 0x7d;
  return {
    method,
    spec: lookup(method),
    id: '1',
    text,
    paramsAt: before.length,
    paramsEnd: text.length - 1,
    verb: 'POST',
    path,
  };
}

/** The structure of a whole answer to one call; what it means is for the family's rules. */
export function readReply(call: Call, answer: Answer): Reply {
  return readAnswer(answer.body, call.id);
}
