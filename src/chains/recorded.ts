/**
 * A recorded request as calls. What the gateway refuses at its door (a path in no table, an ambiguous body, a key that is
 * handed over) may still have been answered by a node, and that answer means what it means: so every request is read, the
 * odd ones by as much of them as can be.
 */

import type { Call, Family, Incoming, Method } from './family.ts';

export type Members = Readonly<Record<string, unknown>>;

const encoder = new TextEncoder();
const options = { maxDepth: 100, maxBatch: 10_000, development: false };

/** At least one. Ids are compared only where the record has them. */
export function callsOf(family: Family, request: unknown): readonly Call[] {
  if (Array.isArray(request) && request.length > 0) {
    const items = request.map((item, index) => ({ jsonrpc: '2.0', id: index + 1, ...membersOf(item) }));
    const calls = opened(family, post(items));
    return calls?.length === items.length ? calls : items.map(item => callOf(family, item));
  }
  const record = membersOf(request) ?? {};
  const path = pathOf(record);
  if (path !== undefined) return overPath(family, record, path).map(call => asNamed(family, call));
  const call = callOf(family, { jsonrpc: '2.0', id: 1, ...record });
  return [Object.hasOwn(record, 'id') ? call : { ...call, id: undefined }];
}

function callOf(family: Family, record: Members): Call {
  const { method, command, params, id } = record;
  const name = typeof method === 'string' ? method : typeof command === 'string' ? command : '';
  const { command: _, id: __, ...flat } = record;
  const call =
    one(family, post(record)) ??
    // A WebSocket's form has its parameters beside the method.
    (method === undefined && name !== '' ? one(family, post({ method: name, params: [flat] })) : undefined) ??
    one(family, post({ jsonrpc: '2.0', id: id ?? 1, method: name, params: params ?? [] })) ??
    bare(family, name, 'POST', '', '');
  return asNamed(family, call);
}

/** REST, and JSON-RPC below a path of its own. A method with a slash is a path as well: gRPC writes it so. */
function pathOf({ path, method }: Members): string | undefined {
  if (typeof path === 'string') return path;
  return typeof method === 'string' && method.includes('/') ? method : undefined;
}

function overPath(family: Family, { verb, body }: Members, target: string): readonly Call[] {
  const get = String(verb).toUpperCase() === 'GET';
  const text =
    typeof body === 'string' ? body : body === undefined || body === null ? '' : JSON.stringify(body);
  const incoming = (content: string): Incoming => ({
    verb: get ? 'GET' : 'POST',
    target,
    body: encoder.encode(get ? '' : content),
  });
  return (
    opened(family, incoming(text)) ??
    opened(family, incoming('{}')) ?? [bare(family, target, get ? 'GET' : 'POST', target, text)]
  );
}

/** A call of which only the name is read; it has the row of its nearest kin. */
function bare(family: Family, name: string, verb: Call['verb'], path: string, body: string): Call {
  const method = kin(family, name) ?? name;
  const spec: Method = family.methods[method] ?? { kind: 'read', unknown: true };
  const text = encoder.encode(body);
  return { method, spec, id: undefined, text, paramsAt: -1, paramsEnd: -1, verb, path };
}

/** The same last segment under another tree or in another case: `/walletpbft/getblock`, `protocol.Wallet/GetAccount`. */
function kin(family: Family, name: string): string | undefined {
  if (Object.hasOwn(family.methods, name)) return name;
  const last = lastOf(name);
  const names = Object.keys(family.methods);
  return (
    names.find(known => lastOf(known) === last) ??
    // gRPC numbers the later forms of a method.
    names.find(known => lastOf(known) === last.replace(/\d+$/, ''))
  );
}

function lastOf(name: string): string {
  const [path = ''] = name.split('?');
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

/** A broadcast in a form that the gateway refuses is a broadcast all the same. */
function asNamed(family: Family, call: Call): Call {
  const row = Object.hasOwn(family.methods, call.method) ? family.methods[call.method] : undefined;
  return call.spec.kind === 'refused' && row?.kind === 'broadcast' ? { ...call, spec: row } : call;
}

function post(body: unknown): Incoming {
  return { verb: 'POST', target: '', body: encoder.encode(JSON.stringify(body)) };
}

function one(family: Family, incoming: Incoming): Call | undefined {
  return opened(family, incoming)?.[0];
}

function opened(family: Family, incoming: Incoming): readonly Call[] | undefined {
  const read = family.open(incoming, options);
  if (read.form === 'single') return [read.call];
  return read.form === 'batch' ? read.calls : undefined;
}

export function membersOf(value: unknown): Members | undefined {
  // Any member may be there, with any value: each is checked where it is used.
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
}
