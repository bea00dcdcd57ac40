/**
 * XRPL's request: `{"method": …, "params": [{…}]}`, one object, never a JSON array of calls. The node reads the method at
 * the top and everything else inside `params[0]`; proxies that speak WebSocket to it read `command` there. Whatever two of
 * them could read differently is refused.
 */

import {
  elementOf,
  elementsOf,
  type Span,
  type StrictObject,
  strictBody,
  strictObject,
  valueAt,
} from '../../wire/scan.ts';
import { hasEscape, textOf } from '../../wire/text.ts';
import { newWalk, nextMember } from '../../wire/walk.ts';
import type { Call, Incoming, Opened, OpenOptions } from '../family.ts';
import { adminMembers, keyMembers, methods, type XrplMethod } from './methods.ts';

export type Members = ReadonlyMap<string, Span>;
type Refused = Extract<Opened, { form: 'refused' }>;

const topKeys = ['method', 'params', 'id', 'command', 'jsonrpc', 'ripplerpc', 'api_version', ...keyMembers];
/** What this gateway, or a node, decides by within `params[0]`. */
const paramKeys = [
  ...topKeys,
  'tx_blob',
  'tx_json',
  'fail_hard',
  'offline',
  'ledger',
  'ledger_index',
  'ledger_hash',
  'ledger_index_min',
  'ledger_index_max',
  'min_ledger',
  'max_ledger',
  'marker',
  'ctid',
  'transaction',
  'full',
  'accounts',
  'vetoed',
];

export function open(incoming: Incoming, options: OpenOptions): Opened {
  const { verb, body, target } = incoming;
  if (verb !== 'POST') return refused('not_found', 'XRPL requests are sent by POST');
  if (target !== '' && target !== '/') return refused('not_found', 'XRPL is served at the root alone');
  const top = strictBody(body, topKeys, options.maxDepth);
  if ('refused' in top) return refused(top.refused, top.message);
  const method = methodOf(body, top.members);
  if (typeof method !== 'string') return method;
  if (method === 'batch') return openBatch(body, top.members, options);
  const params = paramsOf(body, top.members, options.maxDepth);
  if ('refused' in params) return refused(params.refused, params.message);
  const id = idOf(body, params.members) ?? undefined;
  const flaw = commandFlaw(body, params.members, method);
  if (flaw !== undefined) return refused('invalid_request', flaw, id);
  const spec = specOf(body, method, params.members, top.members);
  return single(body, top.members, method, spec, id);
}

/** The one object of the parameters, strictly read; no members when there are no parameters. */
function paramsOf(body: Uint8Array, top: Members, maxDepth: number): StrictObject {
  const none = { members: new Map<string, Span>(), end: 0 };
  const params = top.get('params');
  if (params === undefined || isNull(body, params)) return none;
  const elements = elementsOf(body, params.at);
  const [only] = elements;
  if (body[params.at] === 0x5b && only === undefined) return none;
  if (only === undefined || elements.length !== 1)
    return { refused: 'invalid_request', message: 'params must be an array of one object' };
  return strictObject(body, only.at, paramKeys, maxDepth - 2);
}

/** Its items are flat: method and parameters in one object. A broadcast among them could not be recorded as one. */
function openBatch(body: Uint8Array, top: Members, options: OpenOptions): Opened {
  const params = top.get('params');
  if (params === undefined || body[params.at] !== 0x5b)
    return refused('invalid_request', 'params of a batch must be an array');
  const items = elementsOf(body, params.at);
  if (items.length === 0) return refused('invalid_request', 'the batch is empty');
  if (items.length > options.maxBatch)
    return refused('too_large', `more than ${options.maxBatch} calls in one batch`);
  let spec: XrplMethod = holdsKey(top) ?? { kind: 'read' };
  for (const [index, item] of items.entries()) {
    const where = `item ${index + 1} of the batch: `;
    const read = strictObject(body, item.at, paramKeys, options.maxDepth - 2);
    if ('refused' in read) return refused(read.refused, where + read.message);
    const method = methodOf(body, read.members);
    if (typeof method !== 'string') return { ...method, message: where + method.message };
    const own = itemSpec(body, method, read.members);
    if (own.kind === 'refused' && spec.kind !== 'refused') spec = { ...own, why: where + own.why };
    else if (own.unknown && spec.kind !== 'refused') spec = { ...spec, unknown: true };
    else if (own.kind === 'heavy' && spec.kind === 'read') spec = { ...spec, kind: 'heavy' };
  }
  return single(body, top, 'batch', spec, undefined);
}

function itemSpec(body: Uint8Array, method: string, item: Members): XrplMethod {
  if (method === 'batch') return { kind: 'refused', why: 'a batch within a batch' };
  // The node takes an item's parameters from the item itself, yet what stands below travels there all the same.
  const inner = item.get('params');
  const first = inner === undefined ? undefined : elementsOf(body, inner.at)[0];
  const below = first === undefined ? undefined : membersAt(body, first.at);
  const spec = specOf(body, method, item, below);
  return spec.kind === 'broadcast'
    ? { kind: 'refused', why: 'a batch may not hold a transaction; send it alone' }
    : spec;
}

/** `params` is what the node reads; `beside` is looked at for secrets alone. */
function specOf(body: Uint8Array, method: string, params: Members, beside: Members | undefined): XrplMethod {
  const spec = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (spec?.kind === 'refused') return spec;
  const key = holdsKey(params) ?? (beside === undefined ? undefined : holdsKey(beside));
  if (key !== undefined) return key;
  if (spec === undefined) return { kind: 'read', unknown: true };
  if (method === 'submit' && (params.has('tx_json') || !params.has('tx_blob'))) return signAndSubmit;
  const asked = adminMembers[method]?.find(member => asks(body, params.get(member)));
  return asked === undefined ? spec : { kind: 'refused', why: `${asked} is for the node's administrator` };
}

const signAndSubmit: XrplMethod = {
  kind: 'refused',
  why: 'the node would have to sign it, anew at each try; sign on your own side and send tx_blob',
};

function holdsKey(members: Members): XrplMethod | undefined {
  const key = keyMembers.find(name => members.has(name));
  return key === undefined
    ? undefined
    : { kind: 'refused', why: `${key} hands a secret to the node; sign on your own side` };
}

/** `false` and `null` ask for nothing. */
function asks(body: Uint8Array, member: Span | undefined): boolean {
  if (member === undefined) return false;
  const value = valueAt(body, member);
  return value !== false && value !== null;
}

/** In text known to be valid: the members of the object at `at`; none when it is no object. */
function membersAt(body: Uint8Array, at: number): Members {
  const members = new Map<string, Span>();
  const walk = newWalk(at);
  while (nextMember(body, walk, Number.POSITIVE_INFINITY) === 1)
    members.set(textOf(body, walk.keyAt, walk.keyEnd), { at: walk.at, end: walk.end });
  return members;
}

/** What the node reads the parameters of this call from: `params[0]`. */
export function paramsOfCall(call: Call): Members {
  const first = call.paramsAt < 0 ? undefined : elementOf(call.text, call.paramsAt, 0);
  return first === undefined ? new Map() : membersAt(call.text, first.at);
}

/** The items of a `batch`. */
export function itemsOfBatch(call: Call): readonly Members[] {
  return call.paramsAt < 0
    ? []
    : elementsOf(call.text, call.paramsAt).map(item => membersAt(call.text, item.at));
}

function methodOf(body: Uint8Array, members: Members): string | Refused {
  const span = members.get('method');
  if (span === undefined) return refused('invalid_request', 'the method is missing');
  if (body[span.at] !== 0x22) return refused('invalid_request', 'the method is no string');
  if (hasEscape(body, span.at, span.end))
    return refused('invalid_request', 'the method is written with an escape');
  const method = textOf(body, span.at + 1, span.end - 1);
  const flaw = commandFlaw(body, members, method);
  return flaw === undefined ? method : refused('invalid_request', flaw);
}

function commandFlaw(body: Uint8Array, members: Members, method: string): string | undefined {
  const command = members.get('command');
  if (command === undefined || textOf(body, command.at, command.end) === `"${method}"`) return undefined;
  return 'command and method do not say the same';
}

/** The node echoes the id of `params[0]`, whatever value it is. */
function idOf(body: Uint8Array, members: Members): string | undefined {
  const id = members.get('id');
  return id === undefined ? undefined : textOf(body, id.at, id.end);
}

function isNull(body: Uint8Array, span: Span): boolean {
  return textOf(body, span.at, span.end) === 'null';
}

function single(
  body: Uint8Array,
  top: Members,
  method: string,
  spec: XrplMethod,
  id: string | undefined,
): Opened {
  const params = top.get('params');
  const call = {
    method,
    spec,
    id,
    text: body,
    paramsAt: params?.at ?? -1,
    paramsEnd: params?.end ?? -1,
    verb: 'POST' as const,
    path: '',
  };
  return { form: 'single', call };
}

function refused(reason: Refused['reason'], message: string, id?: string): Refused {
  return id === undefined ? { form: 'refused', reason, message } : { form: 'refused', reason, message, id };
}
