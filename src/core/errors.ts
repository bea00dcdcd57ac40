/**
 * One table of what can go wrong: its code for ever, and what it means to JSON-RPC, HTTP, the shell and a person.
 * Codes are never renamed or reused; texts may change. `docs/errors.md` is generated from here.
 */

import { withoutUrls } from './redact.ts';
import type { Reached } from './transport-fault.ts';
import type { TxOutcome, Verdict } from './verdict.ts';

interface ErrorRow {
  /** JSON-RPC code and HTTP status, for what clients of the data side can get. */
  readonly rpc?: number;
  readonly http?: number;
  /** Exit code, for what an operator's command can end with. */
  readonly exit?: number;
  readonly text: string;
}

export const errors = {
  // The client side (contract section 2).
  parse_error: { rpc: -32700, http: 400, text: 'the body is not JSON' },
  invalid_request: { rpc: -32600, http: 400, text: 'the request is not valid, or could be read in two ways' },
  too_large: { rpc: -32600, http: 413, text: 'the request is over a limit' },
  not_found: { rpc: -32601, http: 404, text: 'no such chain or path' },
  verb_not_allowed: { rpc: -32600, http: 405, text: 'this path takes another HTTP method' },
  unauthorized: { rpc: -32600, http: 401, text: 'this gateway asks its clients for a key' },
  method_refused: { rpc: -32601, http: 200, text: 'the gateway never forwards this method' },
  no_endpoint: { rpc: -32004, http: 503, text: 'no endpoint could be tried' },
  not_fresh: { rpc: -32004, http: 503, text: 'no endpoint has reached the height that was asked for' },
  all_failed: { rpc: -32005, http: 502, text: 'every attempt failed' },
  all_cooling: { rpc: -32005, http: 429, text: 'all that could be tried is rate limited' },
  deadline: { rpc: -32005, http: 502, text: 'the deadline passed' },
  missing_history: { rpc: -32005, http: 502, text: 'no endpoint keeps the history asked for' },
  // As a node says it of a filter it does not know: on this code libraries make the filter anew by themselves.
  filter_lost: {
    rpc: -32000,
    http: 200,
    text: 'the filter is gone with the endpoint that made it; make it anew',
  },
  overloaded: { rpc: -32005, http: 503, text: 'too much is held in memory already' },
  client_rate: { rpc: -32005, http: 429, text: 'this client asks more often than it may' },
  wrong_chain: { rpc: -32000, http: 200, text: 'the transaction is signed for another chain' },
  not_sent: { rpc: -32000, http: 200, text: 'the transaction was not sent' },
  broadcast_refused: { rpc: -32000, http: 200, text: 'the endpoint refused to take the transaction' },
  broadcast_unknown: {
    rpc: -32000,
    http: 200,
    text: 'the transaction was handed over, its outcome is not known',
  },
  internal: { rpc: -32603, http: 500, text: 'a fault of the gateway' },

  // The operator side (contract section 7).
  usage: { exit: 2, http: 400, text: 'wrong use' },
  needs_terminal: { exit: 2, text: 'a prompt without a terminal' },
  answer_is_no: { exit: 1, text: 'the answer is no' },
  no_such_chain: { exit: 3, http: 404, text: 'no such chain' },
  no_such_endpoint: { exit: 3, http: 404, text: 'no such endpoint' },
  no_such_transaction: { exit: 3, http: 404, text: 'no such transaction' },
  no_such_request: { exit: 3, http: 404, text: 'no such request' },
  config_invalid: { exit: 4, http: 422, text: 'the config is not valid' },
  daemon_unreachable: { exit: 5, text: 'the daemon does not answer on its socket' },
  no_permission: { exit: 5, text: 'no right to the socket' },
  refused_by_rule: { exit: 7, http: 409, text: 'refused by a safety rule' },
  conflict: { exit: 7, http: 409, text: 'it conflicts with what is there' },
  wait_timeout: { exit: 8, http: 504, text: 'the wait ran out of time' },
  already_running: { exit: 9, text: 'another instance runs' },
  store_unusable: { exit: 1, text: 'the state cannot be read or written' },
  listen_failed: { exit: 1, text: 'an address cannot be listened on' },
  bad_admin_request: { exit: 2, http: 400, text: 'the admin request is not valid' },
  daemon_fault: { exit: 1, http: 500, text: 'a fault of the daemon' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errors;
export type ClientReason = {
  [K in ErrorCode]: (typeof errors)[K] extends { rpc: number; http: number } ? K : never;
}[ErrorCode];
export type OperatorCode = {
  [K in ErrorCode]: (typeof errors)[K] extends { exit: number } ? K : never;
}[ErrorCode];

/** One upstream try as it is told to the client. */
export interface AttemptNote {
  readonly endpoint: string;
  readonly verdict: Verdict;
  readonly ms: number;
}

/** An error of the gateway's own on the client side; families give it their shape. A plain value, never thrown. */
export interface Fault {
  readonly reason: ClientReason;
  /** What an operator can act on. Carries no URL beyond a host. */
  readonly message: string;
  readonly chain: string;
  readonly requestId: string;
  readonly attempts: readonly AttemptNote[];
  /** The caller's id as JSON text, when no call could be read but its id could. */
  readonly id?: string;
  readonly retryAfterMs?: number;
  readonly transaction?: {
    readonly id?: string;
    readonly endpoint?: string;
    readonly reached?: Reached;
    readonly outcome?: TxOutcome;
    /** The node's answer, redacted and cut. */
    readonly answer?: string;
  };
}

/** The `data` of a gateway error: the same members in every family. */
export function faultData(fault: Fault): Record<string, unknown> {
  const { reason, chain, requestId, attempts, retryAfterMs, transaction } = fault;
  return {
    source: 'rpcgw',
    reason,
    chain,
    requestId,
    attempts,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(transaction === undefined ? {} : { transaction }),
  };
}

/** What an operator's command ends with: what, why, and the next thing to type. Shows of any URL its host at most. */
export class OperatorError extends Error {
  readonly code: OperatorCode;
  readonly why: readonly string[];
  readonly next: readonly string[];

  constructor(
    code: OperatorCode,
    message: string,
    more: { why?: readonly string[]; next?: readonly string[] } = {},
  ) {
    super(withoutUrls(message));
    this.name = 'OperatorError';
    this.code = code;
    this.why = (more.why ?? []).map(withoutUrls);
    this.next = (more.next ?? []).map(withoutUrls);
  }

  get exit(): number {
    return errors[this.code].exit;
  }
}
