/** The world as the use cases see it. Adapters in `io` and `store` answer these; tests answer them from memory. */

import type { EndpointSettings, HistoryKind, WorkClass } from '../core/chain.ts';
import type { AttemptNote, ClientReason } from '../core/errors.ts';
import type { TransportFault } from '../core/transport-fault.ts';
import type { TxOutcome, Verdict } from '../core/verdict.ts';

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Monotonic ms; for spans, gates and timers. */
  now(): number;
  /** Wall clock, ms since 1970; for records that outlive the process. */
  wall(): number;
  after(ms: number, run: () => void): Timer;
}

/** The event loop. */
export interface Loop {
  /** Runs it once others had their turn: whatever came in by then has been handed out before. */
  turn(run: () => void): void;
}

export interface Chance {
  /** 0 ≤ n < 1 */
  next(): number;
}

/** Upstream connections of one endpoint. Closed when the endpoint leaves the roster. */
export interface Line {
  /**
   * Sends one request, at most once. The handler gets head, data…, end, or at any point one fault and nothing after.
   * With `alone` the request gets a connection of its own (broadcasts).
   */
  send(request: Outgoing, handler: AnswerHandler): Exchange;
  /** Ends idle connections now and the others when their exchange is over. */
  close(): void;
}

export interface Transport {
  open(endpoint: EndpointSettings, connectTimeoutMs: number): Line;
}

export interface Outgoing {
  readonly verb: 'POST' | 'GET';
  /** Appended to the endpoint's path; '' for the URL as it stands. */
  readonly path: string;
  readonly body: Uint8Array | undefined;
  /** The client takes gzip, so it may be asked for and passed through. */
  readonly gzip: boolean;
  readonly alone: boolean;
}

/** What is looked at of an answer's head, as the upstream sent it. */
export type AnswerHeaders = Readonly<
  Partial<
    Record<
      'content-type' | 'content-encoding' | 'content-length' | 'retry-after' | 'date',
      string | undefined
    >
  >
>;

export interface AnswerHandler {
  head(status: number, headers: AnswerHeaders): void;
  /** False pauses the upstream until `resume`. */
  data(chunk: Uint8Array): boolean;
  end(): void;
  fault(fault: TransportFault): void;
}

export interface Exchange {
  /** Something was handed to a socket. Until then nothing has left, and after `abort` nothing will. */
  readonly begun: boolean;
  resume(): void;
  /** Nothing is handed over and nothing comes back after this, however early it is called. */
  abort(): void;
}

/** Content encodings undone; only for answers that came compressed. */
export interface Inflate {
  /** Undefined: broken, or of another encoding. `too_large`: more than `maxBytes`, and sound up to there. */
  whole(encoding: string, bytes: Uint8Array, maxBytes: number): Uint8Array | 'too_large' | undefined;
  /** As much as these first bytes give, at most `maxBytes`. */
  beginning(encoding: string, bytes: Uint8Array, maxBytes: number): Uint8Array | undefined;
}

export interface Answerer {
  /** Told once, when the client goes away before the end. */
  gone(): void;
}

export interface Streamer {
  /** A paused answer may go on. */
  drained(): void;
}

/** The client's answer. `id` as in `rpcgw-request-id`. */
export interface Sink {
  /** True when the client takes gzip. */
  readonly gzip: boolean;
  /**
   * Set by the use case. Objects, because V8 puts a function literal that is assigned to a property among the old ones at
   * once, and from there it keeps everything of its request until the next full collection.
   */
  onGone: Answerer | undefined;
  onDrain: Streamer | undefined;
  /** The list is the sink's from then on, which adds its own. */
  head(status: number, headers: string[]): void;
  /** False: wait for `onDrain`. */
  write(chunk: Uint8Array): boolean;
  end(chunk?: Uint8Array): void;
  /** Cuts the connection, so that a cut answer never looks whole. */
  destroy(): void;
}

/** A gate opened or closed, an alarm, a change of state. Told once per change, never per request. */
export interface Event {
  readonly kind: string;
  readonly chain: string;
  readonly endpoint?: string;
  readonly level: 'info' | 'warn' | 'alarm';
  /** One line for people, no URL beyond a host. */
  readonly text: string;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
}

export interface Events {
  emit(event: Event): void;
}

/** What is learned about an endpoint, by its identity key, and must outlive the process. */
export interface Memory {
  identity(identityKey: string, result: 'verified' | 'wrong', claims: string): void;
  quarantinePassed(identityKey: string): void;
  /** It has to earn its place again, whatever it passed before. */
  quarantineEntered(identityKey: string, reason: string): void;
  /** The lowest height kept; 0: everything. */
  history(identityKey: string, kind: HistoryKind, lowest: number, headThen: number): void;
  builds(identityKey: string, builds: boolean): void;
}

/** One client request that is over, for `rpcgw trace` and the counters. */
export interface RequestSeen {
  readonly requestId: string;
  readonly chain: string;
  readonly method: string;
  readonly class: WorkClass;
  /** What the client got: a node's answer by its verdict, or the gateway's own reason. */
  readonly outcome: Verdict | ClientReason | 'gone';
  readonly attempts: readonly AttemptNote[];
  readonly ms: number;
  /** Wall clock, ms. */
  readonly endedAt: number;
}

export interface Telemetry {
  request(seen: RequestSeen): void;
  /** An error no rule knew; `answer` is redacted and cut. */
  unclassified(seen: { chain: string; endpoint: string; method: string; answer: string }): void;
}

/** One line in the log for every attempt at a broadcast (contract 6.10). */
export interface AttemptLine {
  readonly chain: string;
  readonly txId: string | undefined;
  readonly endpoint: string;
  readonly outcome: TxOutcome;
  readonly ms: number;
  /** In the record. */
  readonly row: number;
  readonly requestId: string;
}

export interface AttemptLog {
  attempt(line: AttemptLine): void;
}

/** The durable record of broadcasts (contract section 6). Times in it are wall clock ms. */
export interface BroadcastLog {
  /** False: rows cannot be written now, so nothing may be sent. */
  readonly writable: boolean;
  /** Resolves when the row is on disk; rejects when it cannot be put there. */
  begin(row: BroadcastRow): Promise<number>;
  finish(row: number, end: BroadcastEnd): void;
  /** Something that happened around a row: joined, repeated. No URL beyond a host. */
  mark(row: number, kind: string, text: string): void;
  /** The newest row of the same broadcast. */
  same(
    wanted: Pick<BroadcastRow, 'chain' | 'method' | 'txId' | 'digest' | 'options'>,
  ): Promise<RecordedBroadcast | undefined>;
  /** All rows of the transaction that this row belongs to, oldest first. */
  show(row: number): Promise<{ readonly attempts: readonly RecordedBroadcast[] } | undefined>;
  /** Has a transaction looked up; one whose outcome is unknown is, without being asked for. */
  follow(row: number, reason: 'rejected' | 'confirm'): void;
  /** What one round of looks brought. */
  look(row: number, look: Look): void;
  /** `not_open`, `no_such`: there is nothing to settle. */
  settle(
    row: number,
    settled: { readonly how: 'final' | 'impossible'; readonly note: string },
  ): Promise<'settled' | 'already' | 'not_open' | 'no_such'>;
  /** The newest row of each transaction that is still to be looked up. */
  followed(): Promise<readonly RecordedBroadcast[]>;
}

export interface Look {
  readonly found: 'pool' | 'block' | 'not_seen';
  /** Of the block it stands in. */
  readonly height?: number;
  /** Name of the endpoint that said so. */
  readonly endpoint: string;
}

export interface BroadcastRow {
  readonly chain: string;
  readonly method: string;
  readonly txId: string | undefined;
  readonly digest: string;
  readonly options: string;
  readonly endpoint: string;
  readonly identityKey: string;
  readonly requestId: string;
  readonly attempt: number;
  /** The row this one repeats on purpose. */
  readonly earlier: number | undefined;
  /** What settling needs to know of the signed bytes, as JSON text of the family's. */
  readonly facts?: string | undefined;
}

export interface BroadcastEnd {
  readonly outcome: TxOutcome;
  readonly reached: 'not_connected' | 'nothing_handed_over' | 'handed_over' | 'answered';
  readonly ms: number;
  /** The node's own body, for repeats within the window. */
  readonly answer: Uint8Array | undefined;
  readonly rule: string;
}

/** A row as it was written, with what became of it. */
export interface RecordedBroadcast extends BroadcastRow {
  readonly row: number;
  readonly began: number;
  readonly outcome: TxOutcome | 'pending';
  readonly reached?: BroadcastEnd['reached'];
  readonly ended?: number;
  readonly answer?: Uint8Array;
  readonly followUp?: {
    readonly reason: 'unknown' | 'rejected' | 'confirm';
    readonly looks: number;
    readonly lastLook?: number;
    readonly latest?: Look['found'];
    readonly settled?: { readonly how: 'final' | 'impossible' | 'operator' };
  };
}
