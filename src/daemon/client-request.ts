import type { DispatchRequest } from '../gateway/dispatch.ts';
import { Pieces } from '../gateway/pieces.ts';
import type { Head } from './head.ts';
import type { ResponseSink } from './sink.ts';

/** Who takes a request when its body is whole, or when it cannot be. */
export interface Door {
  readonly bodyBytes: number;
  request(request: ClientRequest, sink: ResponseSink): void;
  refuseBody(request: ClientRequest, sink: ResponseSink, reason: 'too_large' | 'overloaded'): void;
  owe(client: string, calls: number): void;
}

const nothing = new Uint8Array();

/** One client request: what its head said, and its body as it comes in. */
export class ClientRequest implements DispatchRequest {
  readonly chain: string;
  readonly verb: string;
  /** What follows the chain in the raw target, query included. */
  readonly target: string;
  readonly requestId: string;
  readonly client: string;
  /** What its `rpcgw-session` header says. */
  readonly session: string | undefined;
  readonly strict: boolean;
  readonly rebroadcast: boolean;
  body: Uint8Array;
  readonly #door: Door;
  readonly #sink: ResponseSink;
  readonly #pieces: Pieces;
  #over: boolean;

  constructor(
    door: Door,
    sink: ResponseSink,
    head: Head,
    asked: Pick<ClientRequest, 'chain' | 'verb' | 'target' | 'requestId' | 'client'>,
  ) {
    this.chain = asked.chain;
    this.verb = asked.verb;
    this.target = asked.target;
    this.requestId = asked.requestId;
    this.client = asked.client;
    this.session = head.session;
    this.strict = head.freshness === 'strict';
    this.rebroadcast = head.rebroadcast === '1';
    this.body = nothing;
    this.#door = door;
    this.#sink = sink;
    this.#pieces = new Pieces();
    this.#over = false;
  }

  /** Told how many calls the body turned out to hold, when it is a batch. */
  calls(count: number): void {
    this.#door.owe(this.client, count - 1);
  }

  data(chunk: Uint8Array): void {
    if (this.#over) return;
    const pieces = this.#pieces;
    if (pieces.bytes + chunk.length > this.#door.bodyBytes) this.giveUp('too_large');
    else if (!this.#sink.take(pieces.costOf(chunk))) this.giveUp('overloaded');
    else pieces.add(chunk);
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    this.body = this.#pieces.whole();
    this.#door.request(this, this.#sink);
  }

  giveUp(reason: 'too_large' | 'overloaded'): void {
    this.#over = true;
    this.#pieces.clear();
    this.#sink.release();
    this.#door.refuseBody(this, this.#sink, reason);
  }
}
