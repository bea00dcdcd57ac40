/**
 * From what a client sent to a call. The target decides, and it is taken literally: nothing is decoded, folded or
 * cleaned up on the way, because the node, its disabled-path filter and the proxies before it each do that differently.
 */

import { strictBody } from '../../wire/scan.ts';
import type { Call, Incoming, Opened, OpenOptions } from '../family.ts';
import { openJsonRpc } from '../jsonrpc.ts';
import { indexPaths, paths, rpcMethod, segments, type TronMethod } from './methods.ts';

export const rpcPath = '/jsonrpc';

/** All keys java-tron reads from a body; another spelling of one of these is refused, an unknown key is not. */
const bodyKeys = [
  ...new Set([
    ...Object.values(paths).flatMap(row => row.query ?? []),
    ...`raw_data raw_data_hex signature transaction txID ret startNum endNum block_identifier
     account_identifier number hash to_address amount asset_name contract_address function_selector
     parameter data call_value call_token_value token_id fee_limit Permission_id extra_data contractType
     receiver_address account_address frozen_balance unfreeze_balance frozen_duration resource balance
     lock lock_period votes name abi bytecode consume_user_resource_percent origin_energy_limit`.split(/\s+/),
  ]),
];

export function open(incoming: Incoming, options: OpenOptions): Opened {
  const { verb, target, body } = incoming;
  const flaw = targetFlaw(target);
  if (flaw !== undefined) return refused('not_found', flaw);
  if (target === '' || target === rpcPath) return openJsonRpc(incoming, options, rpcMethod, rpcPath);

  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  const found = pathRow(path);
  if (found === undefined)
    return refused('not_found', 'no such TRON path; paths are matched exactly, capitals included');
  const { method, row } = found;
  if (row.kind === 'refused') return single(method, row, 'POST', path, body);
  if (verb === 'GET') {
    if (row.query === undefined) return refused('invalid_request', 'this path takes POST only');
    if (body.length > 0) return refused('invalid_request', 'a GET has no body');
    const unfit = queryAt < 0 ? undefined : queryFlaw(target.slice(queryAt + 1), row.query);
    if (unfit !== undefined) return refused('invalid_request', unfit);
    return single(method, row, 'GET', target, body);
  }
  if (verb !== 'POST') return refused('invalid_request', 'TRON paths take GET and POST');
  if (queryAt >= 0)
    return refused('invalid_request', 'a POST has its parameters in the body, not in the query');
  if (Object.hasOwn(indexPaths, method)) return refused('invalid_request', 'this path takes GET only');
  if (body.length === 0 && row.kind !== 'broadcast') return single(method, row, 'POST', path, body);
  const depth = wholeTransaction.test(path) ? Math.max(options.maxDepth, transactionDepth) : options.maxDepth;
  const read = strictBody(body, bodyKeys, depth);
  if ('refused' in read) return refused(read.refused, read.message);
  for (const key of read.members.keys())
    if (/^\d+$/.test(key)) return refused('invalid_request', `the key "${key}" names a field by its number`);
  return single(method, row, 'POST', path, body);
}

/** A contract that is deployed with its ABI: body, raw_data, contract, parameter, value, new_contract, abi, entrys, inputs. */
const transactionDepth = 12;
const wholeTransaction = /\/(?:broadcasttransaction|getsignweight|getapprovedlist|createCommonTransaction)$/;

/**
 * What makes two readers see two paths. `%` is refused in the query too: no value a read takes (numbers, hashes,
 * addresses, names of tokens and events) has a letter that must be escaped, and an escape is one more way to write it.
 */
function targetFlaw(target: string): string | undefined {
  if (!/^[!-~]*$/.test(target)) return 'the target has characters beyond printable ASCII';
  const odd = /%|;|\\|#|\/\/|\/\.{1,2}(?=\/|\?|$)/.exec(target)?.[0];
  return odd === undefined ? undefined : `a target with ${JSON.stringify(odd)} is never forwarded`;
}

function pathRow(path: string): { readonly method: string; readonly row: TronMethod } | undefined {
  if (Object.hasOwn(paths, path)) return rowAt(paths, path);
  for (const pattern of Object.keys(indexPaths)) if (fits(path, pattern)) return rowAt(indexPaths, pattern);
  return undefined;
}

function rowAt(rows: Readonly<Record<string, TronMethod>>, method: string) {
  const row = rows[method];
  return row === undefined ? undefined : { method, row };
}

/** Segment by segment; `{address}` stands for one of that kind. */
function fits(path: string, pattern: string): boolean {
  const given = path.split('/');
  const wanted = pattern.split('/');
  return (
    given.length === wanted.length &&
    wanted.every((segment, at) => {
      const kind = /^\{(\w+)\}$/.exec(segment)?.[1];
      return kind === undefined ? given[at] === segment : (segments[kind]?.test(given[at] ?? '') ?? false);
    })
  );
}

/** Each key once, known, with a plain value: java-tron takes the first of two, others the last. */
function queryFlaw(query: string, keys: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const pair of query.split('&')) {
    const parts = /^(\w+)=([\w.,:-]*)$/.exec(pair);
    const key = parts?.[1];
    if (key === undefined) return 'the query is not made of plain key=value pairs';
    if (!keys.includes(key)) return `this path takes no "${key}"; it takes ${keys.join(', ')}`;
    if (seen.has(key)) return `the key "${key}" repeats`;
    seen.add(key);
  }
  return undefined;
}

function single(
  method: string,
  spec: TronMethod,
  verb: Call['verb'],
  path: string,
  text: Uint8Array,
): Opened {
  return { form: 'single', call: pathCall(method, spec, verb, path, text) };
}

export function pathCall(
  method: string,
  spec: TronMethod,
  verb: Call['verb'],
  path: string,
  text: Uint8Array,
): Call {
  return { method, spec, id: undefined, text, paramsAt: -1, paramsEnd: -1, verb, path };
}

function refused(reason: (Opened & { form: 'refused' })['reason'], message: string): Opened {
  return { form: 'refused', reason, message };
}
