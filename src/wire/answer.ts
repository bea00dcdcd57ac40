/**
 * The structure of a whole JSON-RPC answer: a result, an error in one of the shapes seen in the field, or nothing of
 * the kind. Only the top level is looked at. A plain result is found by position; only errors are parsed.
 */

import { afterSpace, CUT, LEFT_BRACE, LEFT_BRACKET, scanValue } from './grammar.ts';
import { sameId } from './id.ts';
import { onlySpaceFrom, type Span } from './scan.ts';
import { hasMark, spells, textOf } from './text.ts';
import { keyIs, newWalk, nextMember, startWalk } from './walk.ts';

export type Reply =
  /** `span` is the result's value in the body. */
  | { readonly kind: 'result'; readonly span: Span; readonly isNull: boolean }
  | RpcErrorReply
  /** `text` is the body, cut. */
  | { readonly kind: 'broken'; readonly what: Broken; readonly text: string };

interface RpcErrorReply {
  readonly kind: 'error';
  readonly code: number | string | undefined;
  /** '' when there is none. Cut, as `text` is: it is for rules and people. */
  readonly message: string;
  readonly data: unknown;
  /** `string`: the error is a bare text; it is the message, with the object's own `message` behind it if there is one. */
  readonly shape: 'object' | 'string';
  /** JSON text of the error; of the whole object when the error is a bare text, or has no envelope. */
  readonly text: string;
}

export type Broken =
  | 'empty'
  | 'html'
  /** No JSON object or array at all, a bare JSON text or number included. */
  | 'text'
  | 'truncated'
  /** JSON of another form, or an object with neither result nor error. */
  | 'no_result'
  | 'wrong_id'
  | 'array'
  /** Begins like JSON and is none, or tells its result, error or id twice. */
  | 'not_json';

/** Texts for rules are cut here, so that no answer can keep a table of patterns busy. */
const textLength = 16_384;

/** Traces nest as deep as calls do, 1,024 levels of several each; what goes beyond this is no answer. */
export const answerDepth = 100_000;

const walk = newWalk();

/** The verdict reads an answer, and then the height it shows, or whether it is there at all: the last small one is known. */
const smallBytes = 4096;
let last: { readonly body: Uint8Array; readonly id: string | undefined; readonly reply: Reply } | undefined;

/** `id` is the caller's, as JSON text. The bytes must stay as they are. */
export function readAnswer(body: Uint8Array, id: string | undefined): Reply {
  if (last !== undefined && last.body === body && last.id === id) return last.reply;
  const reply = readWhole(body, id);
  if (body.length <= smallBytes) last = { body, id, reply };
  return reply;
}

function readWhole(body: Uint8Array, id: string | undefined): Reply {
  const start = afterSpace(body, hasMark(body) ? 3 : 0);
  if (body[start] !== LEFT_BRACE) return noObject(body, start);

  let resultAt = -1;
  let resultEnd = -1;
  let errorAt = -1;
  let errorEnd = -1;
  let idAt = -1;
  let idEnd = -1;
  let twice = false;
  startWalk(walk, start);
  let step = nextMember(body, walk, answerDepth);
  while (step === 1) {
    if (keyIs(body, walk, 'result')) {
      twice ||= resultAt >= 0;
      resultAt = walk.at;
      resultEnd = walk.end;
    } else if (keyIs(body, walk, 'id')) {
      twice ||= idAt >= 0;
      idAt = walk.at;
      idEnd = walk.end;
    } else if (keyIs(body, walk, 'error')) {
      twice ||= errorAt >= 0;
      errorAt = walk.at;
      errorEnd = walk.end;
    }
    step = nextMember(body, walk, answerDepth);
  }
  if (step < 0) return broken(step === CUT ? 'truncated' : 'not_json', body, start);
  if (twice || !onlySpaceFrom(body, walk.next)) return broken('not_json', body, start);

  const failed = errorAt >= 0 && !spells(body, errorAt, errorEnd, 'null');
  if (idAt >= 0 && id !== undefined) {
    const own = textOf(body, idAt, idEnd);
    const unnamed = own === 'null' && (failed || resultAt < 0);
    if (!unnamed && !sameId(own, id)) return broken('wrong_id', body, start);
  }
  const whole = { at: start, end: walk.next };
  if (failed) return errorOf(body, { at: errorAt, end: errorEnd }, whole);
  if (resultAt >= 0)
    return {
      kind: 'result',
      span: { at: resultAt, end: resultEnd },
      isNull: spells(body, resultAt, resultEnd, 'null'),
    };
  return errorAt >= 0 ? broken('no_result', body, start) : bareError(body, whole);
}

function noObject(body: Uint8Array, start: number): Reply {
  if (start === body.length) return broken('empty', body, start);
  const first = body[start];
  if (first === 0x3c) return broken('html', body, start);
  if (first !== LEFT_BRACKET) return broken('text', body, start);
  const end = scanValue(body, start, answerDepth);
  if (end === CUT) return broken('truncated', body, start);
  return broken(end < 0 || !onlySpaceFrom(body, end) ? 'not_json' : 'array', body, start);
}

function broken(what: Broken, body: Uint8Array, start: number): Reply {
  return { kind: 'broken', what, text: textOf(body, start, Math.min(body.length, start + textLength)) };
}

function errorOf(body: Uint8Array, span: Span, whole: Span): Reply {
  const text = textOf(body, span.at, span.end);
  const error: unknown = JSON.parse(text);
  if (typeof error === 'string') {
    const around = textOf(body, whole.at, whole.end);
    const outer = fields(JSON.parse(around));
    const more = outer?.message;
    const message = typeof more === 'string' ? `${error}: ${more}` : error;
    return {
      kind: 'error',
      code: codeOf(outer),
      message: cut(message),
      data: outer?.data,
      shape: 'string',
      text: cut(around),
    };
  }
  return objectError(fields(error), text);
}

/** `{"code":-32007,"message":…}` or `{"message":"No API key found in request"}`: gateways in front of nodes. */
function bareError(body: Uint8Array, whole: Span): Reply {
  const text = textOf(body, whole.at, whole.end);
  const object = fields(JSON.parse(text));
  return typeof object?.message === 'string'
    ? objectError(object, text)
    : { kind: 'broken', what: 'no_result', text: cut(text) };
}

function objectError(error: Readonly<Record<string, unknown>> | undefined, text: string): Reply {
  const message = error?.message;
  return {
    kind: 'error',
    code: codeOf(error),
    message: typeof message === 'string' ? cut(message) : '',
    data: error?.data,
    shape: 'object',
    text: cut(text),
  };
}

function codeOf(error: Readonly<Record<string, unknown>> | undefined): number | string | undefined {
  const code = error?.code;
  return typeof code === 'number' || typeof code === 'string' ? code : undefined;
}

function cut(text: string): string {
  return text.length > textLength ? text.slice(0, textLength) : text;
}

function fields(value: unknown): Readonly<Record<string, unknown>> | undefined {
  // An object of JSON has any members, and string keys only.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}
