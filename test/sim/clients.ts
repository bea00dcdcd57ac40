/** Clients: what they ask for, when, and what reaches them. */

import type { WorkClass } from '../../src/core/chain.ts';
import type { Answerer, Sink, Streamer } from '../../src/gateway/ports.ts';
import type { Outcome } from './check-answer.ts';
import type { Dice } from './dice.ts';
import { createCall, nodeSaid, type SimCall } from './family.ts';

export type Wish =
  | 'latest'
  | 'head'
  | 'at head'
  | 'above head'
  | 'old'
  | 'receipt'
  | 'heavy'
  | 'rare'
  | 'odd'
  | 'revert'
  | 'poison'
  | 'large'
  | 'new filter'
  | 'use filter';

/** `seen`: the height a client knows, from answers it got elsewhere. */
export function callFor(wish: Wish, seen: number, dice: Dice): SimCall {
  const read = (method: string, more: Parameters<typeof createCall>[2] = {}, need = {}): SimCall =>
    createCall(method, { class: 'read', method, ...need }, more);
  switch (wish) {
    case 'latest':
      return read('latest');
    case 'head':
      return read('head', { showsHead: true });
    case 'at head': {
      const height = seen - dice.whole(0, 3);
      return read('at', { looksFor: height }, { height });
    }
    case 'above head': {
      const height = seen + dice.whole(1, 3);
      return read('at', { looksFor: height }, { height });
    }
    case 'old': {
      const height = Math.max(1, seen - Math.floor(10 ** dice.between(2.4, 5.5)));
      const reads = { kind: 'state', height } as const;
      return read('old', { reads }, { height, history: reads });
    }
    case 'receipt':
      return read('receipt', { looksFor: seen - dice.whole(0, 5) }, { unplaced: 'transactions' });
    case 'heavy':
      return createCall('trace', { class: 'heavy', method: 'trace' });
    case 'rare':
      return read('rare');
    case 'odd':
      return read('odd', { spec: { kind: 'read', unknown: true } });
    case 'revert':
      return read('revert');
    case 'poison':
      return read('poison');
    case 'large':
      return read('large', { large: true });
    case 'new filter':
      return read('new filter', { spec: { kind: 'read', filter: 'makes' } });
    case 'use filter':
      return read('use filter', { spec: { kind: 'read', filter: 'uses' } });
  }
}

const decoder = new TextDecoder();

/** A client's end of one exchange. */
export class ClientEnd implements Sink {
  readonly gzip = false;
  onGone: Answerer | undefined;
  onDrain: Streamer | undefined;
  readonly #over: (outcome: Outcome) => void;
  #status = 0;
  #headers: readonly string[] = [];
  #wrote = false;
  ends = 0;

  constructor(over: (outcome: Outcome) => void) {
    this.#over = over;
  }

  head(status: number, headers: readonly string[]): void {
    this.#status = status;
    this.#headers = headers;
  }

  write(): boolean {
    this.#wrote = true;
    return true;
  }

  end(chunk?: Uint8Array): void {
    const by = this.#header('rpcgw-endpoint');
    const attempts = Number(this.#header('rpcgw-attempts'));
    if (this.#wrote) this.#ended({ is: 'streamed', by, attempts });
    else
      this.#ended(
        outcomeOf(chunk ?? new Uint8Array(), this.#status, by, attempts, this.#header('retry-after')),
      );
  }

  destroy(): void {
    this.#ended({ is: 'cut' });
  }

  #ended(outcome: Outcome): void {
    this.ends += 1;
    this.#over(outcome);
  }

  #header(name: string): string | undefined {
    const at = this.#headers.indexOf(name);
    return at < 0 ? undefined : this.#headers[at + 1];
  }
}

/** The bytes of a node, or the gateway's own error. */
export function outcomeOf(
  body: Uint8Array,
  status: number,
  by: string | undefined,
  attempts: number,
  retryAfter: string | undefined,
): Outcome {
  const said = nodeSaid(body);
  if (said !== undefined) return { is: 'answer', said, by, attempts };
  return { is: 'fault', reason: decoder.decode(body), status, retryAfter, attempts };
}

export function deadlineMs(
  workClass: WorkClass,
  chain: { readDeadlineMs: number; heavyDeadlineMs: number },
): number {
  return workClass === 'heavy' ? chain.heavyDeadlineMs : chain.readDeadlineMs;
}
