/**
 * The structure of an XRPL answer: a result, the node's own error in one of the places where servers put it, or an error
 * of somebody who stands in front of the node. The envelopes are those of rippled's ServerHandler and Clio's HttpBase.
 */

import { type Broken, readAnswer } from '../../wire/answer.ts';
import { LEFT_BRACE } from '../../wire/grammar.ts';
import { memberOf, type Span, valueAt } from '../../wire/scan.ts';
import { spells } from '../../wire/text.ts';
import { keyIs, newWalk, nextMember } from '../../wire/walk.ts';
import { asideOf, heard, waitBeside } from '../aside.ts';

export type Reply =
  | { readonly kind: 'success'; readonly result: Span }
  /** The node's own error. `token` is what it means, '' when it names none; `members` are those that stand beside it. */
  | { readonly kind: 'error'; readonly token: string; readonly members: Members }
  /** A JSON-RPC error, or a sentence, of a proxy or a provider. */
  | {
      readonly kind: 'provider';
      readonly code: number;
      readonly message: string;
      readonly waitMs: number | undefined;
    }
  | { readonly kind: 'broken'; readonly what: Broken; readonly text: string };

export type Members = Readonly<Record<string, unknown>>;

/** `id` is that of the request's `params[0]`, as JSON text. */
export function readReply(body: Uint8Array, id: string | undefined): Reply {
  const reply = heard(readAnswer(body, id));
  if (reply.kind === 'result') return readResult(body, reply.span);
  if (reply.kind === 'broken') return reply;
  const error = topError(body);
  if (error !== undefined) return error;
  // `invalid_api_key` is a sentence too.
  const said = reply.message.includes(' ') ? reply.message : reply.message.replaceAll('_', ' ');
  const message = [said, ...asideOf(reply.text)].join(' ');
  return {
    kind: 'provider',
    code: Number(reply.code ?? Number.NaN),
    message,
    waitMs: waitBeside(reply.text),
  };
}

/** Its own `error`, or its status, says what kind of result it is; one without a member is none. */
function readResult(body: Uint8Array, result: Span): Reply {
  if (body[result.at] !== LEFT_BRACE) return { kind: 'broken', what: 'no_result', text: '' };
  const walk = newWalk(result.at);
  let failed = false;
  let members = 0;
  while (nextMember(body, walk, body.length) === 1) {
    const { at, end } = walk;
    members++;
    if (keyIs(body, walk, 'error')) failed ||= !spells(body, at, end, 'null');
    else if (keyIs(body, walk, 'status')) failed ||= spells(body, at, end, '"error"');
  }
  if (members === 0) return { kind: 'broken', what: 'no_result', text: '' };
  return failed ? nodeError(fields(valueAt(body, result))) : { kind: 'success', result };
}

/** `error` at the top: a token (WebSocket's form, Clio without a result), or an object with one (ripplerpc 2.0). */
function topError(body: Uint8Array): Reply | undefined {
  const span = memberOf(body, body.indexOf(LEFT_BRACE), 'error');
  const error = span === undefined ? undefined : valueAt(body, span);
  if (isToken(error)) return nodeError(fields(JSON.parse(new TextDecoder().decode(body))));
  const inner = fields(error).error;
  if (isToken(inner)) return nodeError(fields(error));
  // In a batch the node nests its refusal of an item once more.
  const { code, message } = fields(inner);
  return typeof message === 'string'
    ? { kind: 'provider', code: Number(code), message, waitMs: undefined }
    : undefined;
}

function nodeError(members: Members): Reply {
  const { error } = members;
  return { kind: 'error', token: typeof error === 'string' ? error : '', members };
}

/** One word, and two that the node writes otherwise; a provider writes sentences. */
function isToken(value: unknown): boolean {
  return typeof value === 'string' && /^(?:[a-z][A-Za-z]*|json_rpc|invalid_API_version)$/.test(value);
}

export function fields(value: unknown): Members {
  // An object of JSON has any members, and string keys only.
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}
