/** A server that gives the gateway's own errors, byte for byte, and counts who asks again. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Call, Family } from '../../src/chains/family.ts';
import { families } from '../../src/chains/index.ts';
import { notSentText, refusedText, unknownText, wrongChainText } from '../../src/core/broadcast-text.ts';
import type { FamilyName } from '../../src/core/chain.ts';
import { type ClientReason, errors, type Fault } from '../../src/core/errors.ts';
import { type OwnReply, ownReply } from '../../src/gateway/own-reply.ts';
import { readFault } from '../../src/gateway/reasons.ts';
import { FakeWorld } from '../kit/fake-world.ts';
import { finished } from '../kit/work.ts';

/** What only a broadcast is answered, once its body was read. */
export const sentReasons = ['wrong_chain', 'not_sent', 'broadcast_refused', 'broadcast_unknown'] as const;
/** What a body is answered that nobody looked into, whatever is in it. */
export const unreadReasons = ['unauthorized', 'not_found', 'client_rate', 'overloaded'] as const;
/**
 * What any read can be answered. `verb_not_allowed` is kept as a code, and nothing says it any more; `internal` is said of
 * the gateway's own pages alone.
 */
export const readReasons = (Object.keys(errors) as (keyof typeof errors)[]).filter(
  (code): code is ClientReason =>
    'rpc' in errors[code] && ![...sentReasons, 'verb_not_allowed', 'internal'].some(other => other === code),
);

/** Whether a client of this family can get it: not all have filters, or transactions that name their chain. */
export function occurs(name: FamilyName, reason: ClientReason): boolean {
  if (reason === 'filter_lost') return families[name].filterMade !== undefined;
  return reason !== 'wrong_chain' || name === 'evm' || name === 'xrpl';
}

/** Said of the body as a whole: before there is a call, and in part before there is a chain. */
const ofBody: readonly ClientReason[] = ['parse_error', 'invalid_request', 'too_large', ...unreadReasons];
const withoutChain: readonly ClientReason[] = ['unauthorized', 'not_found'];

function refusal(family: Family, call: Call, reason: ClientReason): OwnReply {
  const fault = faultOf(family, call, reason);
  if (withoutChain.includes(reason)) return ownReply(undefined, undefined, { ...fault, chain: '' });
  return ownReply(family, ofBody.includes(reason) ? undefined : call, fault);
}

/** The body of that answer to one request. */
export function refusedAs(family: Family, body: string, reason: ClientReason): string {
  const incoming = { verb: 'POST', target: '', body: new TextEncoder().encode(body) };
  const opened = family.open(incoming, { maxDepth: 10, maxBatch: 100, development: false });
  if (opened.form !== 'single') throw new Error(`no single request: ${opened.form}`);
  return refusal(family, opened.call, reason).body;
}

const world = new FakeWorld({ head: 1_000 });

function faultOf(family: Family, call: Call, reason: ClientReason): Fault {
  const requestId = 'm2x-1';
  if (call.spec.kind === 'broadcast' && !(unreadReasons as readonly string[]).includes(reason)) {
    const { id } = finished(family.transaction(call));
    const watched = { endpoint: 'a', txId: id };
    const texts: Partial<Record<ClientReason, string>> = {
      wrong_chain: wrongChainText('chain', '5', 'here', '1'),
      not_sent: notSentText('no endpoint can take it now'),
      broadcast_refused: refusedText(watched, 60_000),
      broadcast_unknown: unknownText(watched, 'no answer came within 7500 ms'),
    };
    const attempts =
      reason === 'wrong_chain' ? [] : [{ endpoint: 'a', verdict: 'transport' as const, ms: 7500 }];
    const transaction = { endpoint: 'a', ...(id === undefined ? {} : { id }) };
    return { reason, message: texts[reason] ?? reason, chain: 'here', requestId, attempts, transaction };
  }
  // A second is what libraries that heed it wait between their tries.
  const later = errors[reason].http === 429 || reason === 'overloaded' ? { retryAfterMs: 1_000 } : {};
  const attempts = /^(?:all_|deadline|missing)/.test(reason)
    ? [{ endpoint: 'a', verdict: 'node_failure' as const, ms: 12.5 }]
    : [];
  const fault = readFault(
    world.chain,
    family.need(call),
    reason,
    { requestId, attempts, ...later },
    world.clock.now(),
  );
  return attempts.length > 0 || /^(?:no_|not_fresh|filter)/.test(reason)
    ? fault
    : { ...fault, message: errors[reason].text };
}

export interface Refuser {
  readonly url: string;
  /** Requests that held the call this is about. */
  readonly refused: number;
  close(): Promise<void>;
}

/**
 * `beside`: what else the library asks, with its results. `well`: after so many requests all is well, with this result.
 */
export async function startRefuser(
  name: FamilyName,
  reason: ClientReason,
  beside: Readonly<Record<string, unknown>>,
  well?: { readonly after: number; readonly result: unknown },
): Promise<Refuser> {
  const family = families[name];
  let refused = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = new Uint8Array(Buffer.concat(chunks));
      const incoming = {
        verb: request.method ?? '',
        target: request.url === '/' ? '' : (request.url ?? ''),
        body,
      };
      const opened = family.open(incoming, { maxDepth: 10, maxBatch: 100, development: false });
      if (opened.form !== 'single' && opened.form !== 'batch') throw new Error(`no request: ${opened.form}`);
      const calls = opened.form === 'single' ? [opened.call] : opened.calls;
      const about = calls.filter(({ method }) => !Object.hasOwn(beside, method));
      if (about.length > 0) refused += 1;
      const isWell = well !== undefined && refused > well.after;
      if (about[0] !== undefined && !isWell && (opened.form === 'single' || ofBody.includes(reason))) {
        const { status, headers, body: text } = refusal(family, about[0], reason);
        response.writeHead(status, [...headers]);
        response.end(text);
        return;
      }
      const replies = calls.map(call => {
        if (about.includes(call) && !isWell) return refusal(family, call, reason).body;
        const result = about.includes(call) ? well?.result : beside[call.method];
        return `{"jsonrpc":"2.0","id":${call.id},"result":${JSON.stringify(result)}}`;
      });
      // In a batch each call has its own answer, under 200.
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(opened.form === 'single' ? replies[0] : `[${replies.join(',')}]`);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get refused() {
      return refused;
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
