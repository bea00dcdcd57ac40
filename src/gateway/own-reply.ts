/** How an error of the gateway's own goes to the client: status, headers, body in the family's shape. */

import type { Call, Family } from '../chains/family.ts';
import { errors, type Fault, faultData } from '../core/errors.ts';
import type { Sink } from './ports.ts';

export interface OwnReply {
  readonly status: number;
  readonly headers: string[];
  readonly body: string;
}

/** Whole seconds with a leading zero: one client library reads a plain `30` as milliseconds (contract section 2). */
function retryAfter(ms: number): string {
  return `0${Math.max(1, Math.ceil(ms / 1000))}`;
}

export function ownReply(family: Family | undefined, call: Call | undefined, fault: Fault): OwnReply {
  const row = errors[fault.reason];
  const headers = [
    'content-type',
    'application/json',
    'rpcgw-request-id',
    fault.requestId,
    'rpcgw-attempts',
    String(fault.attempts.length),
  ];
  if (fault.retryAfterMs !== undefined && (row.http === 429 || row.http === 503)) {
    headers.push('retry-after', retryAfter(fault.retryAfterMs));
  }
  return {
    status: row.http,
    headers,
    body: family === undefined ? plainBody(fault) : family.fault(call, fault),
  };
}

/** For a path that leads to no chain, and so to no family. */
function plainBody(fault: Fault): string {
  const { rpc } = errors[fault.reason];
  const error = { code: rpc, message: fault.message, data: faultData(fault) };
  return JSON.stringify({ jsonrpc: '2.0', id: null, error });
}

const utf8 = new TextEncoder();

export function sendOwn(sink: Sink, reply: OwnReply): void {
  sink.head(reply.status, reply.headers);
  sink.end(utf8.encode(reply.body));
}
