/** What the gateway asks of a family. A new family is a folder that answers this, and one line in the register. */

import type { FamilyName, HistoryKind } from '../core/chain.ts';
import type { Fault } from '../core/errors.ts';
import type { Need } from '../core/need.ts';
import type { Judgement } from '../core/verdict.ts';
import type { Work } from '../core/work.ts';
import type { FollowUp } from './follow-up.ts';
import type { RuleRow } from './rules.ts';

export type MethodKind = 'read' | 'heavy' | 'broadcast' | 'local' | 'refused';

/** One row of a family's method table. Families add their own columns (where the block stands, …). */
export interface Method {
  readonly kind: MethodKind;
  /** `refused`: the reason, told to the caller. */
  readonly why?: string;
  /** `local`: the JSON text of the result. */
  readonly result?: string;
  /** Lives on one node: this call makes the thing, or uses it. */
  readonly filter?: 'makes' | 'uses';
  /**
   * Its answer is about no block (the network's name, the node's software, what the call itself brings): freshness and
   * a client's own writes do not touch it.
   */
  readonly timeless?: true;
  /**
   * At the head it tells what a transaction changes before it stands in a block: after a broadcast, only the endpoint that
   * took it is sure to know.
   */
  readonly own?: true;
  /** Stands in no table: sent once, to another endpoint only when the first never got it. */
  readonly unknown?: true;
}

/** One call of a client, read by position; nothing of it is rebuilt. */
export interface Call {
  /** JSON-RPC or XRPL method, or for TRON's REST the path (`/wallet/getblock`). */
  readonly method: string;
  readonly spec: Method;
  /** The id as JSON text, as it came; undefined: a notification, or a protocol without ids. */
  readonly id: string | undefined;
  /** This call's own bytes: the whole body, or one item of a batch. */
  readonly text: Uint8Array;
  /** Range of the params value in `text`; both -1 when absent. */
  readonly paramsAt: number;
  readonly paramsEnd: number;
  readonly verb: 'POST' | 'GET';
  /** Appended to the endpoint's own path, query included; '' for JSON-RPC at the root. */
  readonly path: string;
}

export type Opened =
  | { readonly form: 'single'; readonly call: Call }
  | { readonly form: 'batch'; readonly calls: readonly Call[] }
  /** Nothing to answer: every call was a notification of a read. */
  | { readonly form: 'silent' }
  /** `id` is the caller's, as JSON text, when it could be read. */
  | {
      readonly form: 'refused';
      readonly reason: 'parse_error' | 'invalid_request' | 'too_large' | 'not_found';
      readonly message: string;
      readonly id?: string;
    };

export interface Incoming {
  readonly verb: string;
  /** What follows `/<chain>` in the raw request target, query included; '' for the root. */
  readonly target: string;
  readonly body: Uint8Array;
}

export interface OpenOptions {
  readonly maxDepth: number;
  readonly maxBatch: number;
  /** The chain is a development chain (contract section 2: methods never forwarded). */
  readonly development: boolean;
}

/** A whole answer, content encoding undone. Header names are lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export interface JudgeContext {
  /** Highest agreed head of the pool, when known. */
  readonly poolHead?: number;
  /** Wall clock, ms: for `Retry-After` dates. */
  readonly nowMs: number;
  /** The chain's name: some rules are one chain's habit. */
  readonly chain: string;
}

export interface HeadSeen {
  readonly height: number;
  /** The head block's own time, ms since 1970, when the answer tells it. */
  readonly blockTimeMs?: number;
}

/** A question of the gateway's own. `read` gets the body of an answer that was judged `ok`; undefined: it did not tell. */
export interface Probe<T> {
  readonly call: Call;
  read(body: Uint8Array): T | undefined;
}

export interface Probes {
  /** The head at the family's one level: EVM latest, Solana confirmed, XRPL validated, TRON head. */
  readonly head: Probe<HeadSeen>;
  /** Asked in order until one tells. The value is compared with the chain's expected identity as text. */
  readonly identity: readonly Probe<string>[];
  /** The kinds that can be asked about. */
  readonly historyKinds: readonly HistoryKind[];
  /** Does the endpoint keep this kind of thing at this height? */
  history(kind: HistoryKind, height: number): Probe<boolean>;
  /** TRON: true when the endpoint gives what building a transfer needs. */
  readonly builds?: readonly Probe<boolean>[];
  /** Client software and version. */
  readonly client?: Probe<string>;
}

/** A transaction read out of a broadcast. */
export interface SignedTransaction {
  /** The id the network will know it by; absent when the bytes are no transaction that we can read. */
  readonly id?: string;
  /** SHA-256, hex, of the decoded signed bytes: two broadcasts of equal digest are the same. */
  readonly digest: string;
  /** What it was signed for, in the chain's identity form, when the bytes say so. */
  readonly signedFor?: string;
  /** Method options that make it another broadcast although the bytes are the same, as JSON text. */
  readonly options: string;
  /** What the family's `look` will need of the signed bytes, as JSON text; absent when there is nothing of use. */
  readonly facts?: string;
}

export type Peek =
  /** The beginning is a result's: it may be streamed. */
  | 'commit'
  /** Needs more bytes, or the whole. */
  | 'hold';

export interface Family {
  readonly name: FamilyName;
  /** The method table, for docs and `explain`. */
  readonly methods: Readonly<Record<string, Method>>;
  /** The rules its replies are judged by, for docs and `classify`. */
  readonly rules: readonly RuleRow[];
  open(incoming: Incoming, options: OpenOptions): Opened;
  need(call: Call): Need;
  /** Judges a whole answer to one call. Never throws. */
  judge(call: Call, answer: Answer, context: JudgeContext): Judgement;
  /** Looks at the first bytes (64 KiB at most) of an answer that is larger than what is held whole. */
  peek(call: Call, head: Uint8Array): Peek;
  /** Looks at the last KiB of a streamed answer; undefined when sound, else what is wrong with it. */
  tail(call: Call, last: Uint8Array): string | undefined;
  /** The height an `ok` answer shows, at the level of `probes.head`. */
  headOf(call: Call, body: Uint8Array): number | undefined;
  /** True when an `ok` answer says "no such thing" and a higher endpoint might know better (contract section 5). */
  absent(call: Call, body: Uint8Array): boolean;
  /** Id of the filter that a call makes (from its answer) or uses (from its params); only families that have filters. */
  filterMade?(call: Call, body: Uint8Array): string | undefined;
  filterUsed?(call: Call): string | undefined;
  /** Only for calls whose spec is `broadcast`. */
  transaction(call: Call): Work<SignedTransaction>;
  /** The same answer to the same broadcast of another caller: only the id is changed, where the protocol has one. */
  readdress(call: Call, body: Uint8Array): Uint8Array;
  /** What a broadcast is answered whose transaction has been seen on the network since. */
  knownReply(call: Call, txId: string): string;
  /** The id under which an answer says the transaction was taken, written as `transaction` writes it. */
  answeredId(call: Call, body: Uint8Array): string | undefined;
  readonly followUp: FollowUp;
  /** Body of the gateway's own error in the family's shape; `call` is absent when none could be read. */
  fault(call: Call | undefined, fault: Fault): string;
  /** One upstream body for several calls, and its answer taken apart again, one slice a call (undefined: missing). */
  join(calls: readonly Call[]): Uint8Array;
  split(calls: readonly Call[], body: Uint8Array): readonly (Uint8Array | undefined)[] | undefined;
  readonly probes: Probes;
}
