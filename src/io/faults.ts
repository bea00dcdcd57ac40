/**
 * What the HTTP client and the sockets report, as a `TransportFault`. Messages are our own: theirs can carry paths and
 * bytes of the peer. Only their codes are taken over, which are words from fixed lists.
 */

import { errors } from 'undici';
import type { TransportFault, TransportKind } from '../core/transport-fault.ts';

/** A connection that did not come about. It passes through the HTTP client to the request that waited for it. */
export class DialError extends Error {
  readonly kind: TransportKind;

  constructor(kind: TransportKind, message: string) {
    super(message);
    this.name = 'DialError';
    this.kind = kind;
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}

/** Of a request the client had not started to write: no byte of it was handed over. */
export function faultBeforeStart(host: string, error: unknown): TransportFault {
  if (error instanceof DialError) {
    return { kind: error.kind, reached: 'not_connected', message: error.message };
  }
  const code = codeOf(error);
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED') {
    return {
      kind: 'aborted',
      reached: 'not_connected',
      message: `${host}: the endpoint was taken out of use`,
    };
  }
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    return { kind: 'protocol', reached: 'not_connected', message: `${host}: not a request HTTP can carry` };
  }
  // What is left is a connection that was there, kept from an earlier request, and broke.
  return {
    kind: 'reset',
    reached: 'nothing_handed_over',
    message: `${host}: the kept connection broke before the request was handed over (${code})`,
  };
}

/** Of a request that was handed to the socket, whole or in part. */
export function faultAfterStart(host: string, error: unknown, answered: boolean): TransportFault {
  const [kind, text] = told(error, answered);
  return { kind, reached: answered ? 'answered' : 'handed_over', message: `${host}: ${text}` };
}

const byCode: Readonly<Record<string, readonly [TransportKind, string] | undefined>> = {
  ECONNRESET: ['reset', 'connection reset'],
  EPIPE: ['reset', 'connection reset while sending'],
  ETIMEDOUT: ['timeout', 'the connection went dead'],
  UND_ERR_HEADERS_OVERFLOW: ['protocol', 'headers are too large'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['protocol', 'the answer is shorter than it announced'],
};

function told(error: unknown, answered: boolean): readonly [TransportKind, string] {
  const code = codeOf(error);
  const known = byCode[code];
  if (known !== undefined) return known;
  if (code === 'UND_ERR_SOCKET') {
    // One code for four cases; the client tells them apart in its fixed texts only.
    const text = error instanceof Error ? error.message : '';
    if (text === 'bad response') return ['protocol', 'an answer that nothing asked for'];
    if (text === 'bad upgrade') return ['protocol', 'switched to another protocol unasked'];
    return answered
      ? ['protocol', 'closed in the middle of the answer']
      : ['reset', 'closed without an answer'];
  }
  if (error instanceof errors.HTTPParserError) return ['protocol', 'the answer is not HTTP'];
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code === 'EPROTO')
    return ['tls', `TLS broke (${code})`];
  return ['reset', `connection broke (${code})`];
}
