import type { ServerResponse } from 'node:http';
import type { Budget } from '../gateway/budget.ts';
import type { Answerer, Sink, Streamer } from '../gateway/ports.ts';

/** Small bodies go out as one string: headers and body become a single write. `latin1` keeps every byte. */
const oneWriteBytes = 1024;

/** The client's answer over `node:http`. */
export class ResponseSink implements Sink {
  readonly gzip: boolean;
  onGone: Answerer | undefined;
  onDrain: Streamer | undefined;
  readonly #response: ServerResponse;
  readonly #closing: () => boolean;
  readonly #budget: Budget;
  #status = 200;
  #headers: readonly string[] = [];
  #started = false;
  #ended = false;

  constructor(response: ServerResponse, gzip: boolean, closing: () => boolean, budget: Budget) {
    this.#response = response;
    this.gzip = gzip;
    this.#closing = closing;
    this.#budget = budget;
    response.on('close', () => {
      if (this.#ended) return;
      this.#ended = true;
      this.onGone?.gone();
    });
    response.on('drain', () => this.onDrain?.drained());
  }

  head(status: number, headers: readonly string[]): void {
    this.#status = status;
    this.#headers = headers;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#ended) return true;
    if (!this.#started) {
      this.#started = true;
      this.#response.writeHead(this.#status, this.#withConnection([...this.#headers]));
    }
    return this.#response.write(chunk);
  }

  end(chunk?: Uint8Array): void {
    if (this.#ended) return;
    this.#finish();
    if (chunk !== undefined) this.#holdUntilGone(chunk.length);
    if (this.#started) {
      if (chunk === undefined) this.#response.end();
      else this.#response.end(chunk);
      return;
    }
    const body =
      chunk === undefined ? undefined : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const headers = this.#withConnection([...this.#headers]);
    // A streamed answer that came in one piece brings the upstream's length along.
    if (body !== undefined && !headers.includes('content-length'))
      headers.push('content-length', String(body.length));
    this.#response.writeHead(this.#status, headers);
    if (body === undefined) this.#response.end();
    else if (body.length <= oneWriteBytes) this.#response.end(body.toString('latin1'), 'latin1');
    else this.#response.end(body);
  }

  destroy(): void {
    this.#finish();
    this.#response.destroy();
  }

  /** A kept-alive connection keeps its last response for a while; with these, it would keep the whole request. */
  #finish(): void {
    this.#ended = true;
    this.onGone = undefined;
    this.onDrain = undefined;
  }

  /** It is there already, room or not; a client that does not take it must not make room for the next one. */
  #holdUntilGone(bytes: number): void {
    this.#budget.owe(bytes);
    this.#response.on('close', () => this.#budget.give(bytes));
  }

  #withConnection(headers: string[]): string[] {
    if (this.#closing()) headers.push('connection', 'close');
    return headers;
  }
}
