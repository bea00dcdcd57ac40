/** A node's answer as it goes to the client: its bytes, its status, our headers beside its content type. */

import type { EndpointRecord } from '../core/endpoint.ts';
import { saidText, scrub } from '../core/redact.ts';
import type { Verdict } from '../core/verdict.ts';
import type { AnswerHeaders, Sink } from './ports.ts';
import type { Answered } from './read.ts';
import { type Chain, memberOf } from './roster.ts';

export interface HeaderFacts {
  readonly requestId: string;
  readonly attempts: number;
  readonly degraded: string | undefined;
}

export function answerHeaders(
  chain: Chain,
  record: EndpointRecord,
  verdict: Verdict,
  upstream: AnswerHeaders,
  facts: HeaderFacts,
): string[] {
  const { height } = record.head;
  const headers = [
    'content-type',
    upstream['content-type'] ?? 'application/json',
    'rpcgw-endpoint',
    record.settings.name,
    'rpcgw-attempts',
    `${facts.attempts}`,
    'rpcgw-verdict',
    verdict,
    'rpcgw-request-id',
    facts.requestId,
    'rpcgw-head',
    `${height}`,
  ];
  if (height < 0) headers.length -= 2;
  const degraded = facts.degraded ?? (chain.pool.head.oldSince === undefined ? undefined : 'old-head');
  if (degraded !== undefined) headers.push('rpcgw-degraded', degraded);
  return headers;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * A success goes out byte for byte. In anything else the endpoint's own secrets are masked: nodes and proxies like to
 * quote the URL they were asked at.
 */
export function sendAnswer(chain: Chain, answer: Answered, sink: Sink, facts: HeaderFacts): void {
  const { record, judgement, status, headers: upstream } = answer;
  const headers = answerHeaders(chain, record, judgement.verdict, upstream, facts);
  const encoding = upstream['content-encoding'];
  const body = judgement.verdict === 'ok' ? answer.body : withoutSecrets(chain, answer);
  const asSent = body === answer.body;
  if (asSent && encoding !== undefined && encoding !== 'identity') {
    if (sink.gzip && encoding === 'gzip') headers.push('content-encoding', encoding);
    else {
      sink.head(status, headers);
      sink.end(answer.plain);
      return;
    }
  }
  sink.head(status, headers);
  sink.end(body);
}

/** The very same bytes when there was nothing to mask. */
export function withoutSecrets(chain: Chain, answer: Answered): Uint8Array {
  const { secrets } = memberOf(chain, answer.record);
  if (secrets.length === 0) return answer.body;
  const text = decoder.decode(answer.plain);
  const clean = scrub(text, secrets);
  return clean === text ? answer.body : encoder.encode(clean);
}

const cutAt = 300;
/** Enough for that after everything is masked. */
const lookedAt = 16 * 1024;

/** An answer's text as it may be shown and kept: without the endpoint's secrets, on one line, cut. */
export function shownAnswer(secrets: readonly string[], plain: Uint8Array): string {
  return saidText(decoder.decode(plain.subarray(0, lookedAt)), secrets, cutAt, plain.length > lookedAt);
}
