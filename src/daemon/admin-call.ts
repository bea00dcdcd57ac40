/** An operator's own request: the same walk as a client's, its answer kept in memory. */

import type { CallResult } from '../api/contract.ts';
import type { Dispatch } from '../gateway/dispatch.ts';
import type { Answerer, Sink, Streamer } from '../gateway/ports.ts';
import type { Chain } from '../gateway/roster.ts';
import { joined } from '../wire/bytes.ts';

const encoder = new TextEncoder();

export function adminCall(
  dispatch: Dispatch,
  chain: Chain,
  asked: { readonly method: string; readonly params: unknown },
  session: { readonly requestId: string; readonly startedAt: number },
): Promise<CallResult> {
  const { target, body } = requestOf(chain, asked.method, asked.params);
  return new Promise((resolve, reject) => {
    const sink = new MemorySink(resolve, reject);
    dispatch.handle({ ...session, sink }, chain, {
      verb: 'POST',
      target,
      body: encoder.encode(body),
      rebroadcast: false,
    });
  });
}

/** In the words of the family: `params` is a list from the command line, XRPL and TRON take its first member. */
export function requestOf(chain: Chain, method: string, params: unknown): { target: string; body: string } {
  const list = Array.isArray(params) ? params : params === undefined ? [] : [params];
  if (method.startsWith('/')) return { target: method, body: JSON.stringify(list[0] ?? {}) };
  if (chain.family.name === 'xrpl')
    return { target: '', body: JSON.stringify({ method, params: [list[0] ?? {}] }) };
  const target = chain.family.name === 'tron' ? '/jsonrpc' : '';
  return { target, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: list }) };
}

class MemorySink implements Sink {
  readonly gzip = false;
  onGone: Answerer | undefined;
  onDrain: Streamer | undefined;
  readonly #resolve: (result: CallResult) => void;
  readonly #reject: (error: Error) => void;
  #status = 0;
  #headers: readonly string[] = [];
  #chunks: Uint8Array[] = [];

  constructor(resolve: (result: CallResult) => void, reject: (error: Error) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  head(status: number, headers: readonly string[]): void {
    this.#status = status;
    this.#headers = headers;
  }

  write(chunk: Uint8Array): boolean {
    this.#chunks.push(chunk);
    return true;
  }

  end(chunk?: Uint8Array): void {
    if (chunk !== undefined) this.#chunks.push(chunk);
    const body = Buffer.from(joined(this.#chunks)).toString('utf8');
    const headers: Record<string, string> = {};
    for (let at = 0; at + 1 < this.#headers.length; at += 2)
      headers[this.#headers[at] ?? ''] = this.#headers[at + 1] ?? '';
    this.#resolve({ status: this.#status, body, headers });
  }

  destroy(): void {
    this.#reject(new Error('the answer broke off'));
  }
}
