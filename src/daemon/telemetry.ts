/** What the daemon counts and remembers of requests: for the metrics page, `trace`, and answers that no rule knew. */

import type { WorkClass } from '../core/chain.ts';
import type { TxOutcome } from '../core/verdict.ts';
import type { Clock, Events, RequestSeen, Telemetry } from '../gateway/ports.ts';

/** Recent requests that `rpcgw trace` can still tell of. */
const traced = 8192;
/** An endpoint that answers nonsense does so often: one event in this span is enough to see what it says. */
const unclassifiedEveryMs = 10_000;

export interface TracedRequest extends RequestSeen {
  /** Wall clock, ms. */
  readonly endedAt: number;
}

export interface RequestCount {
  readonly chain: string;
  readonly class: WorkClass;
  readonly outcome: string;
  count: number;
}

export class Counters implements Telemetry {
  readonly #clock: Clock;
  readonly #events: Events;
  readonly #ring: (TracedRequest | undefined)[] = new Array(traced);
  readonly #requests = new Map<string, RequestCount>();
  readonly #unclassified = new Map<
    string,
    { chain: string; endpoint: string; count: number; toldAt: number }
  >();
  readonly #broadcasts = new Map<string, { chain: string; outcome: TxOutcome; count: number }>();
  #next = 0;

  constructor(clock: Clock, events: Events) {
    this.#clock = clock;
    this.#events = events;
  }

  request(seen: RequestSeen): void {
    const key = `${seen.chain} ${seen.class} ${seen.outcome}`;
    const row = this.#requests.get(key);
    if (row === undefined) {
      this.#requests.set(key, { chain: seen.chain, class: seen.class, outcome: seen.outcome, count: 1 });
    } else row.count += 1;
    this.#ring[this.#next] = { ...seen, endedAt: this.#clock.wall() };
    this.#next = (this.#next + 1) % traced;
  }

  unclassified(seen: { chain: string; endpoint: string; method: string; answer: string }): void {
    const key = `${seen.chain} ${seen.endpoint}`;
    const now = this.#clock.now();
    const row = this.#unclassified.get(key) ?? { ...seen, count: 0, toldAt: Number.NEGATIVE_INFINITY };
    row.count += 1;
    this.#unclassified.set(key, row);
    if (now - row.toldAt < unclassifiedEveryMs) return;
    row.toldAt = now;
    const { chain, endpoint, method, answer } = seen;
    const text = `no rule knows this answer to ${method}: ${answer}`;
    this.#events.emit({
      kind: 'unclassified',
      chain,
      endpoint,
      level: 'info',
      text,
      detail: { method, answer },
    });
  }

  /** One finished broadcast attempt. */
  broadcast(chain: string, outcome: TxOutcome): void {
    const key = `${chain} ${outcome}`;
    const row = this.#broadcasts.get(key);
    if (row === undefined) this.#broadcasts.set(key, { chain, outcome, count: 1 });
    else row.count += 1;
  }

  broadcastCounts(): readonly { chain: string; outcome: TxOutcome; count: number }[] {
    return [...this.#broadcasts.values()];
  }

  requestCounts(): readonly RequestCount[] {
    return [...this.#requests.values()];
  }

  unclassifiedCounts(): readonly { chain: string; endpoint: string; count: number }[] {
    return [...this.#unclassified.values()];
  }

  /** Newest first: a batch has one entry an item. */
  trace(requestId: string): readonly TracedRequest[] {
    return this.#ring.filter(seen => seen?.requestId === requestId).filter(seen => seen !== undefined);
  }
}
