/** What a broadcast came to, and how each caller who asked for it is told. */

import type { Call } from '../chains/family.ts';
import type { EndpointRecord } from '../core/endpoint.ts';
import type { AttemptNote, ClientReason, Fault } from '../core/errors.ts';
import type { Verdict } from '../core/verdict.ts';
import type { BroadcastReply } from './dispatch.ts';
import { ownReply } from './own-reply.ts';
import type { AnswerHeaders, RequestSeen } from './ports.ts';
import { answerHeaders } from './replies.ts';
import type { Chain } from './roster.ts';
import type { Session } from './session.ts';

export interface Outcome {
  readonly told: Told;
  readonly attempts: readonly AttemptNote[];
  /** The row in the record that it stands in. */
  readonly row: number | undefined;
}

type Told =
  /** The node's own body: fresh from an endpoint, or out of the record. */
  | {
      readonly is: 'answer';
      readonly verdict: Verdict;
      readonly body: Uint8Array;
      readonly from: { readonly record: EndpointRecord; readonly headers: AnswerHeaders } | string;
    }
  /** Seen on the network since its outcome was unknown. `endpoint`: who got it. */
  | { readonly is: 'known'; readonly txId: string; readonly endpoint: string }
  | {
      readonly is: 'fault';
      readonly reason: ClientReason;
      readonly message: string;
      readonly transaction: NonNullable<Fault['transaction']>;
    };

export type Caller = Pick<Session, 'requestId' | 'startedAt'>;

/** For the counters: a node's answer by its verdict, or the gateway's own reason. */
export function countedAs({ told }: Outcome): RequestSeen['outcome'] {
  if (told.is === 'answer') return told.verdict;
  return told.is === 'known' ? 'ok' : told.reason;
}

const encoder = new TextEncoder();

/** Always under HTTP 200. `first`: the caller whose bytes went out; to others the answer is addressed anew. */
export function replyTo(
  chain: Chain,
  call: Call,
  caller: Caller,
  outcome: Outcome,
  first: boolean,
): BroadcastReply {
  const { told, attempts } = outcome;
  const { requestId } = caller;
  if (told.is === 'fault') {
    const { reason, message, transaction } = told;
    const fault = { reason, message, chain: chain.settings.name, requestId, attempts, transaction };
    const { headers, body } = ownReply(chain.family, call, fault);
    return { status: 200, headers, body: encoder.encode(body) };
  }
  if (told.is === 'known') {
    const headers = recordedHeaders(told.endpoint, 'ok', requestId);
    return { status: 200, headers, body: encoder.encode(chain.family.knownReply(call, told.txId)) };
  }
  const { from, verdict } = told;
  const facts = { requestId, attempts: attempts.length, degraded: undefined };
  const headers =
    typeof from === 'string'
      ? recordedHeaders(from, verdict, requestId)
      : answerHeaders(chain, from.record, verdict, from.headers, facts);
  const took = typeof from === 'string' || verdict !== 'ok' ? undefined : from.record;
  return { status: 200, headers, body: first ? told.body : chain.family.readdress(call, told.body), took };
}

function recordedHeaders(endpoint: string, verdict: Verdict, requestId: string): string[] {
  return [
    'content-type',
    'application/json',
    'rpcgw-endpoint',
    endpoint,
    'rpcgw-attempts',
    '0',
    'rpcgw-verdict',
    verdict,
    'rpcgw-request-id',
    requestId,
  ];
}
