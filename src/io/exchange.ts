import type { Dispatcher } from 'undici';
import type { AnswerHandler, AnswerHeaders, Exchange } from '../gateway/ports.ts';
import type { Connection } from './connections.ts';
import { faultAfterStart, faultBeforeStart } from './faults.ts';

/** One for all: an error of one's own for each abort would cost a stack trace each. */
const givenUp = new Error('given up');

/**
 * One request on its way, as the HTTP client's handler on one side and as the gateway's `Exchange` on the other.
 *
 * How far it got is known from one fact of undici's HTTP/1.1 writer: `onRequestStart` comes immediately before the
 * first write to the socket, in the same turn, and nothing is written when it aborts. So what ended before it handed
 * over nothing, and what ended after it counts as handed over.
 */
export class UpstreamExchange implements Exchange, Dispatcher.DispatchHandler {
  readonly #handler: AnswerHandler;
  readonly #host: string;
  readonly #connection: Pick<Connection, 'release' | 'drop'>;
  readonly #passed: (bytes: number) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #answered: boolean;
  #over: boolean;

  /** `passed` is told of all that is read, bytes. */
  constructor(
    handler: AnswerHandler,
    host: string,
    connection: Pick<Connection, 'release' | 'drop'>,
    passed: (bytes: number) => void,
  ) {
    this.#handler = handler;
    this.#host = host;
    this.#connection = connection;
    this.#passed = passed;
    this.#controller = undefined;
    this.#answered = false;
    this.#over = false;
  }

  get begun(): boolean {
    return this.#controller !== undefined;
  }

  /**
   * Once the stack is empty: a client may be found to take more while another endpoint's answer is being read, and the
   * HTTP client, whose one parser serves all connections, throws when it is entered twice. Nobody would catch that.
   */
  resume(): void {
    queueMicrotask(() => {
      if (!this.#over) this.#controller?.resume();
    });
  }

  abort(): void {
    if (this.#over) return;
    this.#over = true;
    // Not started: a name or a connection may still be coming, and is then of no use. Should the client start it all the
    // same, `onRequestStart` aborts it before its first byte.
    this.#controller?.abort(givenUp);
    this.#connection.drop();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A second start would be the client sending again by itself. It does so only over HTTP/2, which is not offered;
    // and if it ever does elsewhere, not from here.
    if (this.#over || this.#controller !== undefined) controller.abort(givenUp);
    else this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: UndiciHeaders): void {
    if (this.#over || status < 200) return;
    this.#answered = true;
    try {
      this.#handler.head(status, lookedAt(headers));
    } catch (bug) {
      this.#surface(bug);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#passed(chunk.length);
    if (this.#over) return;
    try {
      if (!this.#handler.data(chunk)) controller.pause();
    } catch (bug) {
      this.#surface(bug);
    }
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#over = true;
    this.#connection.release();
    try {
      this.#handler.end();
    } catch (bug) {
      this.#surface(bug);
    }
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#over) return;
    const fault =
      this.#controller === undefined
        ? faultBeforeStart(this.#host, error)
        : faultAfterStart(this.#host, error, this.#answered);
    // Later in this turn: no caller gets a fault before `send` has returned, and the client has put its own things in
    // order before its connection is dropped.
    queueMicrotask(() => {
      if (this.#over) return;
      this.#over = true;
      this.#connection.drop();
      this.#handler.fault(fault);
    });
  }

  /** The client takes whatever a handler throws for an error of the connection; a fault of our own must be seen. */
  #surface(bug: unknown): void {
    this.abort();
    queueMicrotask(() => {
      throw bug;
    });
  }
}

type UndiciHeaders = Record<string, string | string[] | undefined>;

/** What anybody here looks at. Repeated headers become one, as HTTP has it. */
function lookedAt(headers: UndiciHeaders): AnswerHeaders {
  return {
    'content-type': one(headers['content-type']),
    'content-encoding': one(headers['content-encoding']),
    'content-length': one(headers['content-length']),
    'retry-after': one(headers['retry-after']),
    date: one(headers.date),
  } satisfies Required<AnswerHeaders>;
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value;
}
