/**
 * What an error says outside its message and its data: gateways call the message "Payment Required" and put the sentence,
 * a quota or a plan, into `details`. Some send no error at all, but an envelope of their own.
 */

import type { Reply } from '../wire/answer.ts';
import { waitInData } from './words.ts';

type Members = Readonly<Record<string, unknown>>;

const members = [
  'details',
  'detail',
  'description',
  'reason',
  'cause',
  'hint',
  'info',
  'msg',
  'error_description',
  'errorMessage',
];
/** One of `members`, by its beginning: a list of them costs three times as much. */
const named = /"(?:de(?:tails?|scription)|reason|cause|hint|info|msg|error(?:_description|Message))"\s*:/;

/** The texts, from the error's JSON text; none when that is cut. */
export function asideOf(text: string): readonly string[] {
  if (!named.test(text)) return none;
  const error = objectIn(text);
  return error === undefined ? none : members.flatMap(name => textsIn(error[name], 2));
}

const none: readonly string[] = [];

const ofWaiting = /"(?:retry|try|back|wait|reset|cool)/i;

/** How long the members of an error, or those beside it, ask us to wait, ms; from its JSON text. */
export function waitBeside(text: string): number | undefined {
  return ofWaiting.test(text) ? waitInData(objectIn(text)) : undefined;
}

/** Where the envelopes of gateways keep their sentence: RFC 9457, JSON:API, Apigee, OAuth, and what frameworks write. */
const sentences = [
  'title',
  'message',
  'Message',
  'msg',
  'detail',
  'details',
  'reason',
  'description',
  'error_description',
  'errorMessage',
  'errors',
  'fault',
];

/** An object with neither a result nor an error speaks for a gateway, when it says something where envelopes do. */
export function heard(reply: Reply): Reply {
  if (reply.kind !== 'broken' || reply.what !== 'no_result') return reply;
  const { text } = reply;
  const object = objectIn(text);
  const said = object === undefined ? none : sentences.flatMap(name => textsIn(object[name], 3));
  if (object === undefined || said.length === 0) return reply;
  const code = typeof object.code === 'number' || typeof object.code === 'string' ? object.code : undefined;
  return { kind: 'error', code, message: said.join(' '), data: undefined, shape: 'object', text };
}

const envelope = new Set([
  ...sentences,
  ...['type', 'status', 'statusCode', 'status_code', 'code', 'error_code', 'errorCode', 'success', 'Success'],
  ...['instance', 'path', 'timestamp', 'request_id', 'requestId', 'ray_id', 'trace_id', 'traceId', 'help'],
  ...['retryable', 'retry_after', 'retryAfter', 'cloudflare_error', 'documentation_url', 'docs', 'url'],
]);

export const isOfEnvelope = (key: string): boolean => envelope.has(key);

function objectIn(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // An object of JSON has any members, and string keys only.
    return typeof value === 'object' && value !== null ? (value as Members) : undefined;
  } catch {
    // Cut in the middle: the message has to do.
    return undefined;
  }
}

function textsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth === 0) return none;
  return Object.values(value).flatMap(own => textsIn(own, depth - 1));
}
