/** What the gateway itself says and asks in XRPL's form. */

import { type ClientReason, type Fault, faultData } from '../../core/errors.ts';
import { memberOf, type Span, stringAt } from '../../wire/scan.ts';
import { textOf } from '../../wire/text.ts';
import type { Call } from '../family.ts';
import { methods } from './methods.ts';
import { paramsOfCall } from './request.ts';

/** Token and number that clients of XRPL know; `internal` for every broadcast that did not end well. */
const tokens: Partial<Readonly<Record<ClientReason, readonly [token: string, code: number]>>> = {
  parse_error: ['invalidParams', 31],
  invalid_request: ['invalidParams', 31],
  too_large: ['invalidParams', 31],
  not_found: ['unknownCmd', 32],
  verb_not_allowed: ['unknownCmd', 32],
  method_refused: ['noPermission', 6],
  unauthorized: ['forbidden', 3],
  no_endpoint: ['tooBusy', 9],
  not_fresh: ['tooBusy', 9],
  all_failed: ['tooBusy', 9],
  deadline: ['tooBusy', 9],
  all_cooling: ['slowDown', 10],
  overloaded: ['slowDown', 10],
  client_rate: ['slowDown', 10],
  missing_history: ['lgrNotFound', 21],
};

export function fault(call: Call | undefined, told: Fault): string {
  const [error, code] = tokens[told.reason] ?? ['internal', 73];
  const own = { error, error_code: code, status: 'error', rpcgw: faultData(told) };
  const params = call === undefined ? new Map<string, Span>() : paramsOfCall(call);
  const text = call?.text ?? new Uint8Array();
  const version = params.get('ripplerpc');
  const modern = version !== undefined && (stringAt(text, version) ?? '') >= '2.0';
  // From ripplerpc 2.0 on, whoever finds a `result` takes it for success.
  const body = modern
    ? `"error":${JSON.stringify({ ...own, code, message: told.message })}`
    : `"result":${JSON.stringify({ ...own, error_message: told.message })}`;
  const echoed = ['jsonrpc', 'ripplerpc'].map(name => echo(text, name, params.get(name)));
  const id = call?.id ?? told.id;
  return `{${body}${echoed.join('')}${id === undefined ? '' : `,"id":${id}`}}`;
}

function echo(text: Uint8Array, name: string, span: Span | undefined): string {
  return span === undefined ? '' : `,"${name}":${textOf(text, span.at, span.end)}`;
}

const encoder = new TextEncoder();

/** A question of the gateway's own. */
export function question(method: string, params: Readonly<Record<string, unknown>>): Call {
  const before = `{"method":${JSON.stringify(method)},"params":`;
  const text = encoder.encode(`${before}[${JSON.stringify(params)}]}`);
  return {
    method,
    spec: methods[method] ?? { kind: 'read', unknown: true },
    id: undefined,
    text,
    paramsAt: before.length,
    paramsEnd: text.length - 1,
    verb: 'POST',
    path: '',
  };
}

/** The value at a path of keys below the top of an answer. */
export function inAnswer(body: Uint8Array, ...path: readonly string[]): Span | undefined {
  let at = body.indexOf(0x7b);
  let found: Span | undefined;
  for (const key of path) {
    if (at < 0 || body[at] !== 0x7b) return undefined;
    found = memberOf(body, at, key);
    if (found === undefined) return undefined;
    at = found.at;
  }
  return found;
}
