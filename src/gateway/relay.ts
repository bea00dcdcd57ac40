/**
 * One attempt's answer on its way from the upstream. Small answers are held whole and judged whole. A larger one streams
 * from the moment its beginning shows a result (the commit), with the last KiB held back and judged. After the commit
 * nothing can be taken back: a fault then cuts the client's connection, so that a cut answer never looks whole.
 */

import type { Peek } from '../chains/family.ts';
import type { TransportFault } from '../core/transport-fault.ts';
import type { Judgement } from '../core/verdict.ts';
import { joined } from '../wire/bytes.ts';
import type { Budget } from './budget.ts';
import { Pieces } from './pieces.ts';
import type {
  AnswerHandler,
  AnswerHeaders,
  Clock,
  Exchange,
  Inflate,
  Sink,
  Streamer,
  Timer,
} from './ports.ts';

/** Answers up to this size are judged whole before a byte goes to the client. */
const holdBytes = 64 * 1024;
const tailBytes = 1024;
/** After the commit: how long the upstream may make no progress, ms; and what counts as progress, bytes. */
const stallMs = 30_000;
const progressBytes = 1024;
/** An answer in crumbs costs far more to take in than its bytes are worth: so many pieces, and so small on average. */
const mostCrumbs = 4096;
const crumbBytes = 64;
/** What honest JSON is deflated to at most; beyond it somebody wants to fill our memory. */
const honestRatio = 100;
const honestBytes = 4 * 1024 * 1024;

const failure = (rule: string): Judgement => ({ verdict: 'node_failure', rule });
const tooLarge = failure('gateway.answer_too_large');
const noMemory = failure('gateway.no_memory');
const inCrumbs = failure('gateway.answer_in_crumbs');

/** An attempt's time is up. Whether a byte left is not asked where nothing hangs on it, so it counts as handed over. */
export function noAnswerWithin(ms: number): TransportFault {
  return { kind: 'timeout', reached: 'handed_over', message: `no answer within ${Math.round(ms)} ms` };
}

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
      /** What the budget holds for both; given back by whoever keeps them (`keepsWhole`), else by the relay. */
      readonly cost: number;
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
  head(status: number, headers: AnswerHeaders): string[];
}

export interface RelayOptions {
  readonly clock: Clock;
  readonly budget: Budget;
  readonly inflate: Inflate;
  /** Absent: the answer is collected, never streamed. */
  readonly stream?: Stream;
  /** How much is held at most when the answer may not be streamed, bytes. */
  readonly collectBytes: number;
  /** A whole answer is kept past its end. */
  readonly keepsWhole?: true;
  onEnd(ended: Ended): void;
  onCommit?(): void;
}

export class Relay implements AnswerHandler, Streamer {
  readonly #options: RelayOptions;
  #exchange: Exchange | undefined;
  #status = 0;
  #headers: AnswerHeaders = {};
  /** Until the commit: all of it. */
  readonly #before = new Pieces();
  #cost = 0;
  #pieces = 0;
  #bytes = 0;
  /** How much must be there before the beginning is looked at again. */
  #lookAt = holdBytes;
  /** After the commit: the end that is held back. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #committed = false;
  #over = false;
  #paused = false;
  #lastProgressMs = 0;
  #sinceProgress = 0;
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
    this.#pieces += 1;
    this.#bytes += chunk.length;
    if (this.#pieces > mostCrumbs && this.#bytes < this.#pieces * crumbBytes) return this.#refuse(inCrumbs);
    if (this.#committed) return this.#pass(chunk);
    const more = this.#before.costOf(chunk);
    if (!this.#options.budget.take(more)) return this.#refuse(noMemory);
    this.#cost += more;
    this.#before.add(chunk);
    if (this.#bytes > this.#lookAt) {
      if (this.#mayCommit()) return this.#commit();
      // Ever more seldom: each look goes through all that is there.
      this.#lookAt = 2 * this.#bytes;
    }
    if (this.#bytes > this.#options.collectBytes) return this.#refuse(tooLarge);
    return true;
  }

  end(): void {
    if (this.#over) return;
    if (this.#committed) {
      this.#finishStream();
      return;
    }
    const body = this.#before.whole();
    const encoding = this.#headers['content-encoding'];
    const plain = encoded(encoding) ? this.#inflated(encoding, body) : body;
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
      this.#finish({ how: 'unusable', judgement: failure('gateway.bad_encoding') });
      return;
    }
    const more = plain === body ? 0 : plain.length;
    if (!this.#options.budget.take(more)) {
      this.#finish({ how: 'unusable', judgement: noMemory });
      return;
    }
    const cost = this.#cost + more;
    this.#cost = this.#options.keepsWhole ? 0 : cost;
    this.#finish({ how: 'whole', status: this.#status, headers: this.#headers, body, plain, cost });
  }

  #inflated(encoding: string, body: Uint8Array): Uint8Array | 'too_large' | undefined {
    const most = Math.min(this.#options.collectBytes, honestBytes + honestRatio * body.length);
    return this.#options.inflate.whole(encoding, body, most);
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
    this.#finish({ how: 'fault', fault: this.answered ? { ...fault, reached: 'answered' } : fault });
  }

  #mayCommit(): boolean {
    const { stream, inflate } = this.#options;
    if (stream === undefined || this.#status !== 200) return false;
    const first = this.#before.whole();
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
    const held = this.#before.whole();
    budget.give(this.#cost);
    this.#cost = 0;
    this.#before.clear();
    stream.sink.onDrain = this;
    stream.sink.head(this.#status, stream.head(this.#status, this.#headers));
    this.#lastProgressMs = clock.now();
    this.#watch();
    // In two parts, so that all but the end goes out at once.
    const cut = Math.max(0, held.length - tailBytes);
    if (cut > 0) this.#pass(held.subarray(0, cut));
    return this.#pass(held.subarray(cut));
  }

  /** Writes what is certain not to be the last KiB, without copying: whole chunks are kept until enough came after. */
  #pass(chunk: Uint8Array): boolean {
    const sink = this.#options.stream?.sink;
    if (sink === undefined) return true;
    this.#sinceProgress += chunk.length;
    if (this.#sinceProgress >= progressBytes) {
      this.#lastProgressMs = this.#options.clock.now();
      this.#sinceProgress = 0;
    }
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

  drained(): void {
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
    const last = joined(this.#held);
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

  /** It is of no use, and no more of it is wanted. */
  #refuse(judgement: Judgement): true {
    this.#exchange?.abort();
    if (this.#committed) this.#cut(judgement.rule);
    else this.#finish({ how: 'unusable', judgement });
    return true;
  }

  #finish(ended: Ended): void {
    this.#close();
    this.#options.onEnd(ended);
  }

  #close(): void {
    this.#over = true;
    this.#stallTimer?.cancel();
    this.#options.budget.give(this.#cost);
    this.#cost = 0;
    this.#before.clear();
    if (!this.#committed) return;
    this.#held = [];
    this.#heldBytes = 0;
  }
}

function encoded(encoding: string | undefined): encoding is string {
  return encoding !== undefined && encoding !== '' && encoding !== 'identity';
}
