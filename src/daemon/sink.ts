import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Budget } from '../gateway/budget.ts';
import type { Answerer, Sink, Streamer } from '../gateway/ports.ts';
import { type Conversation, restMs } from './conversations.ts';

/** Small bodies go out as one string: headers and body become a single write. `latin1` keeps every byte. */
const oneWriteBytes = 1024;

/** What all requests of the listener share. */
export interface House {
  readonly budget: Budget;
  /** Requests whose answer has not been handed to the system to its last byte. */
  open: number;
  /** True while draining: every answer ends its connection. */
  closing(): boolean;
}

const keepAlive = `timeout=${restMs / 1000}`;

/** Carries its sink, so that two listeners do for all responses. */
export class Answer<Asked extends IncomingMessage = IncomingMessage> extends ServerResponse<Asked> {
  sink: ResponseSink | undefined = undefined;
}

function onClose(this: Answer): void {
  this.sink?.closed();
}

function onDrain(this: Answer): void {
  this.sink?.onDrain?.drained();
}

/** The client's answer over `node:http`. */
export class ResponseSink implements Sink {
  readonly gzip: boolean;
  onGone: Answerer | undefined;
  onDrain: Streamer | undefined;
  readonly #response: Answer;
  readonly #house: House;
  readonly #conversation: Conversation;
  #status: number;
  #headers: string[];
  #started: boolean;
  #ended: boolean;
  /** Of the budget, until the answer is through or the client is gone. */
  #held: number;

  constructor(response: Answer, house: House, conversation: Conversation, gzip: boolean) {
    this.gzip = gzip;
    this.onGone = undefined;
    this.onDrain = undefined;
    this.#response = response;
    this.#house = house;
    this.#conversation = conversation;
    this.#status = 200;
    this.#headers = [];
    this.#started = false;
    this.#ended = false;
    this.#held = 0;
    house.open += 1;
    conversation.unanswered += 1;
    response.sink = this;
    response.on('close', onClose);
  }

  /** False: there is no room for so much more of the request's body. */
  take(bytes: number): boolean {
    if (!this.#house.budget.take(bytes)) return false;
    this.#held += bytes;
    return true;
  }

  /** What was taken is not there any more. */
  release(): void {
    this.#house.budget.give(this.#held);
    this.#held = 0;
  }

  /** After this answer nothing is read of the connection. */
  last(): void {
    this.#conversation.ending = true;
    this.#response.shouldKeepAlive = false;
  }

  closed(): void {
    this.#house.open -= 1;
    this.#conversation.unanswered -= 1;
    this.release();
    if (this.#ended) return;
    this.#ended = true;
    this.onGone?.gone();
  }

  head(status: number, headers: string[]): void {
    this.#status = status;
    this.#headers = headers;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#ended) return true;
    if (!this.#started) {
      this.#started = true;
      this.#response.on('drain', onDrain);
      this.#writeHead();
    }
    return this.#response.write(chunk);
  }

  end(chunk?: Uint8Array): void {
    if (this.#ended) return;
    this.#finish();
    if (chunk !== undefined) {
      // It is there already, room or not; a client that does not take it must not make room for the next one.
      this.#house.budget.owe(chunk.length);
      this.#held += chunk.length;
    }
    if (this.#started) {
      if (chunk === undefined) this.#response.end();
      else this.#response.end(chunk);
      return;
    }
    // A streamed answer that came in one piece brings the upstream's length along.
    const headers = this.#headers;
    if (chunk !== undefined && !headers.includes('content-length'))
      headers.push('content-length', `${chunk.length}`);
    this.#writeHead();
    if (chunk === undefined) this.#response.end();
    else if (chunk.length <= oneWriteBytes) this.#response.end(bufferOf(chunk).toString('latin1'), 'latin1');
    else this.#response.end(chunk);
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

  #writeHead(): void {
    const headers = this.#headers;
    if (this.#house.closing()) headers.push('connection', 'close');
    else if (this.#response.shouldKeepAlive) headers.push('keep-alive', keepAlive);
    this.#response.writeHead(this.#status, headers);
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
