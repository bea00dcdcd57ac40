/**
 * One attempt's answer on its way from the upstream. Small answers are held whole and judged whole. A larger one streams
 * from the moment its beginning shows a result (the commit), with the last KiB held back and judged. After the commit
 * nothing can be taken back: a fault then cuts the client's connection, so that a cut answer never looks whole.
 */

import type { Peek } from '../chains/family.ts';
import type { TransportFault } from '../core/transport-fault.ts';
import type { Judgement } from '../core/verdict.ts';
import type { Budget } from './budget.ts';
import type { AnswerHandler, AnswerHeaders, Clock, Exchange, Inflate, Sink, Timer } from './ports.ts';

/** Answers up to this size are judged whole before a byte goes to the client. */
const holdBytes = 64 * 1024;
const tailBytes = 1024;
/** After the commit: how long the upstream may make no progress, ms. */
const stallMs = 30_000;

const tooLarge: Judgement = { verdict: 'node_failure', rule: 'gateway.answer_too_large' };

/** What one attempt came to. */
export type Ended =
  | {
      readonly how: 'whole';
      readonly status: number;
      readonly headers: AnswerHeaders;
      /** As the upstream sent it. */
      readonly body: Uint8Array;
      /** Content encoding undone. */
      readonly plain: Uint8Array;
    }
  /** The client has it all. */
  | { readonly how: 'streamed' }
  /** Broken after the commit; the client's connection is cut. */
  | { readonly how: 'cut'; readonly why: string }
  /** An answer that cannot be held or judged. */
  | { readonly how: 'unusable'; readonly judgement: Judgement }
  | { readonly how: 'fault'; readonly fault: TransportFault };

export interface Stream {
  readonly sink: Sink;
  peek(head: Uint8Array): Peek;
  tail(last: Uint8Array): string | undefined;
  /** Status and headers for the client, asked for once, at the commit. */
  head(status: number, headers: AnswerHeaders): readonly string[];
}

export interface RelayOptions {
  readonly clock: Clock;
  readonly budget: Budget;
  readonly inflate: Inflate;
  /** Absent: the answer is collected, never streamed. */
  readonly stream?: Stream;
  /** How much is held at most when the answer may not be streamed, bytes. */
  readonly collectBytes: number;
  onEnd(ended: Ended): void;
  onCommit?(): void;
}

export class Relay implements AnswerHandler {
  readonly #options: RelayOptions;
  #exchange: Exchange | undefined;
  #status = 0;
  #headers: AnswerHeaders = {};
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #committed = false;
  #over = false;
  #paused = false;
  #lastProgressMs = 0;
  #stallTimer: Timer | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  get committed(): boolean {
    return this.#committed;
  }

  /** The status line came: for a broadcast, the furthest it can get. */
  get answered(): boolean {
    return this.#status !== 0;
  }

  attach(exchange: Exchange): void {
    this.#exchange = exchange;
  }

  head(status: number, headers: AnswerHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  data(chunk: Uint8Array): boolean {
    if (this.#over) return true;
    if (this.#committed) return this.#pass(chunk);
    if (!this.#options.budget.take(chunk.length)) {
      this.#abort({ how: 'unusable', judgement: { verdict: 'node_failure', rule: 'gateway.no_memory' } });
      return true;
    }
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes <= holdBytes) return true;
    if (this.#mayCommit()) return this.#commit();
    if (this.#heldBytes > this.#options.collectBytes) {
      this.#abort({ how: 'unusable', judgement: tooLarge });
    }
    return true;
  }

  end(): void {
    if (this.#over) return;
    if (this.#committed) {
      this.#finishStream();
      return;
    }
    const body = joined(this.#held, this.#heldBytes);
    const encoding = this.#headers['content-encoding'];
    const plain = encoded(encoding)
      ? this.#options.inflate.whole(encoding, body, this.#options.collectBytes)
      : body;
    // Small as it was sent, large when undone: it goes on as it is, like any other large answer.
    if (plain === 'too_large' && this.#mayCommit()) {
      this.#commit();
      this.#finishStream();
      return;
    }
    if (plain === 'too_large') {
      this.#finish({ how: 'unusable', judgement: tooLarge });
      return;
    }
    if (plain === undefined) {
      this.#finish({ how: 'unusable', judgement: { verdict: 'node_failure', rule: 'gateway.bad_encoding' } });
      return;
    }
    this.#finish({ how: 'whole', status: this.#status, headers: this.#headers, body, plain });
  }

  fault(fault: TransportFault): void {
    if (this.#over) return;
    if (this.#committed) this.#cut(`the upstream ended early: ${fault.message}`);
    else this.#finish({ how: 'fault', fault });
  }

  /** Gives the attempt up. Nothing comes back afterwards, not even an end. */
  abort(): void {
    if (this.#over) return;
    this.#close();
    this.#exchange?.abort();
  }

  /** The attempt's time is up; after the commit the stall timer watches instead. */
  timeout(fault: TransportFault): void {
    if (this.#over || this.#committed) return;
    this.#exchange?.abort();
    this.#finish({ how: 'fault', fault });
  }

  #mayCommit(): boolean {
    const { stream, inflate } = this.#options;
    if (stream === undefined || this.#status !== 200) return false;
    const first = joined(this.#held, this.#heldBytes);
    const encoding = this.#headers['content-encoding'];
    if (!encoded(encoding)) return stream.peek(first) === 'commit';
    if (!stream.sink.gzip || encoding !== 'gzip') return false;
    const beginning = inflate.beginning(encoding, first, holdBytes);
    return beginning !== undefined && stream.peek(beginning) === 'commit';
  }

  #commit(): boolean {
    const { stream, budget, clock } = this.#options;
    if (stream === undefined) throw new Error('nothing to stream to');
    this.#committed = true;
    this.#options.onCommit?.();
    const held = this.#held;
    budget.give(this.#heldBytes);
    this.#held = [];
    this.#heldBytes = 0;
    stream.sink.onDrain = () => this.#drained();
    stream.sink.head(this.#status, stream.head(this.#status, this.#headers));
    this.#lastProgressMs = clock.now();
    this.#watch();
    let open = true;
    for (const chunk of held) open = this.#pass(chunk);
    return open;
  }

  /** Writes what is certain not to be the last KiB, without copying: whole chunks are kept until enough came after. */
  #pass(chunk: Uint8Array): boolean {
    const sink = this.#options.stream?.sink;
    if (sink === undefined) return true;
    this.#lastProgressMs = this.#options.clock.now();
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    let open = true;
    for (let first = this.#held[0]; first !== undefined; first = this.#held[0]) {
      if (this.#heldBytes - first.length < tailBytes) break;
      this.#held.shift();
      this.#heldBytes -= first.length;
      open = sink.write(first);
    }
    this.#paused = !open;
    return open;
  }

  #drained(): void {
    if (this.#over || !this.#paused) return;
    this.#paused = false;
    this.#lastProgressMs = this.#options.clock.now();
    this.#exchange?.resume();
  }

  #watch(): void {
    const { clock } = this.#options;
    this.#stallTimer = clock.after(this.#lastProgressMs + stallMs - clock.now(), () => {
      // A slow client pauses the upstream: that is not the upstream's stall.
      if (this.#paused) this.#lastProgressMs = clock.now();
      if (clock.now() - this.#lastProgressMs >= stallMs) {
        this.#exchange?.abort();
        this.#cut(`the upstream made no progress for ${stallMs / 1000} s`);
      } else this.#watch();
    });
  }

  #finishStream(): void {
    const { stream } = this.#options;
    if (stream === undefined) return;
    const last = joined(this.#held, this.#heldBytes);
    // Compressed text cannot be judged by its end; its own checksum tells the client of a cut.
    const why = encoded(this.#headers['content-encoding'])
      ? undefined
      : stream.tail(last.subarray(Math.max(0, last.length - tailBytes)));
    if (why !== undefined) {
      this.#cut(why);
      return;
    }
    stream.sink.end(last);
    this.#close();
    this.#options.onEnd({ how: 'streamed' });
  }

  #cut(why: string): void {
    this.#options.stream?.sink.destroy();
    this.#close();
    this.#options.onEnd({ how: 'cut', why });
  }

  #abort(ended: Ended): void {
    this.#exchange?.abort();
    this.#finish(ended);
  }

  #finish(ended: Ended): void {
    this.#close();
    this.#options.onEnd(ended);
  }

  #close(): void {
    this.#over = true;
    this.#stallTimer?.cancel();
    if (!this.#committed) this.#options.budget.give(this.#heldBytes);
    this.#held = [];
    this.#heldBytes = 0;
  }
}

function encoded(encoding: string | undefined): encoding is string {
  return encoding !== undefined && encoding !== '' && encoding !== 'identity';
}

export function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
