/** What the daemon counts and remembers of requests: for the metrics page, `trace`, and answers that no rule knew. */

import type { WorkClass } from '../core/chain.ts';
import type { AttemptNote } from '../core/errors.ts';
import type { TxOutcome, Verdict } from '../core/verdict.ts';
import type { Clock, Events, RequestSeen, Telemetry } from '../gateway/ports.ts';

/** Recent requests that `rpcgw trace` can still tell of. */
const traced = 8192;
const methodsKept = 1000;
/** An endpoint that answers nonsense does so often: one event in this span is enough to see what it says. */
const unclassifiedEveryMs = 10_000;

/**
 * A place of the ring, written over and over: objects that outlive their request would make every young collection copy
 * them. Most requests have one attempt, which is kept in the place itself.
 */
interface Place {
  requestId: string;
  chain: string;
  method: string;
  class: WorkClass;
  outcome: RequestSeen['outcome'];
  ms: number;
  endedAt: number;
  attempts: number;
  endpoint: string;
  verdict: Verdict;
  attemptMs: number;
  /** All attempts, when there was more than one. */
  more: readonly AttemptNote[] | undefined;
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
  readonly #ring: Place[] = Array.from({ length: traced }, emptyPlace);
  /** By chain, class and outcome: no key is put together for a request. */
  readonly #requests = new Map<string, Record<WorkClass, Map<string, RequestCount>>>();
  readonly #methods = new Map<string, string>();
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
    this.#count(seen);
    const place = this.#ring[this.#next];
    if (place === undefined) throw new Error('the ring has no such place');
    this.#next = (this.#next + 1) % traced;
    const { attempts } = seen;
    const [first] = attempts;
    place.requestId = seen.requestId;
    place.chain = seen.chain;
    place.method = this.#kept(seen.method);
    place.class = seen.class;
    place.outcome = seen.outcome;
    place.ms = seen.ms;
    place.endedAt = seen.endedAt;
    place.attempts = attempts.length;
    place.more = attempts.length > 1 ? attempts : undefined;
    if (first === undefined) return;
    place.endpoint = first.endpoint;
    place.verdict = first.verdict;
    place.attemptMs = first.ms;
  }

  #count({ chain, class: workClass, outcome }: RequestSeen): void {
    let classes = this.#requests.get(chain);
    if (classes === undefined) {
      classes = { read: new Map(), heavy: new Map(), broadcast: new Map() };
      this.#requests.set(chain, classes);
    }
    const row = classes[workClass].get(outcome);
    if (row === undefined) classes[workClass].set(outcome, { chain, class: workClass, outcome, count: 1 });
    else row.count += 1;
  }

  /** One string for all requests of a method; names that clients make up do not pile up. */
  #kept(method: string): string {
    const known = this.#methods.get(method);
    if (known !== undefined) return known;
    if (this.#methods.size < methodsKept) this.#methods.set(method, method);
    return method;
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
    return [...this.#requests.values()].flatMap(classes =>
      Object.values(classes).flatMap(rows => [...rows.values()]),
    );
  }

  unclassifiedCounts(): readonly { chain: string; endpoint: string; count: number }[] {
    return [...this.#unclassified.values()];
  }

  /** Newest first: a batch has one entry an item. */
  trace(requestId: string): readonly RequestSeen[] {
    return this.#ring.filter(place => place.requestId === requestId).map(tracedRequest);
  }
}

function emptyPlace(): Place {
  return {
    requestId: '',
    chain: '',
    method: '',
    class: 'read',
    outcome: 'ok',
    ms: 0,
    endedAt: 0,
    attempts: 0,
    endpoint: '',
    verdict: 'ok',
    attemptMs: 0,
    more: undefined,
  };
}

function tracedRequest(place: Place): RequestSeen {
  const {
    requestId,
    chain,
    method,
    class: workClass,
    outcome,
    ms,
    endedAt,
    attempts,
    endpoint,
    verdict,
    more,
  } = place;
  const only = attempts === 0 ? [] : [{ endpoint, verdict, ms: place.attemptMs }];
  return { requestId, chain, method, class: workClass, outcome, ms, endedAt, attempts: more ?? only };
}
