/** What becomes of a transaction after it was sent: what must be kept of it, and how a node is asked. */

import type { Finding } from '../core/follow-up.ts';
import type { Verdict } from '../core/verdict.ts';
import type { Call } from './family.ts';

/** A transaction that is being looked up. */
export interface Tracked {
  readonly id: string;
  /** What was kept of its signed bytes when it was sent; undefined: it can be found, but not be proven impossible. */
  readonly facts: string | undefined;
  /** It may have been in a block before it was sent through this gateway, because its nonce is used. */
  readonly olderPossible: boolean;
  /** Where the chain stood when it was sent: at this height or higher, and at that one or lower. */
  readonly sent: { readonly from: number; readonly to: number };
}

/** An endpoint's whole answer to a question. Undefined in its place: there was none. */
export interface Told {
  readonly verdict: Verdict;
  readonly body: Uint8Array;
}

/** Asks one endpoint, question by question. Ends with what it shows; undefined: it could not tell. */
export type Look = Generator<Call, Finding | undefined, Told | undefined>;

export interface FollowUp {
  /** A rejection that says the nonce or sequence is used: perhaps by this very transaction. */
  spent(rule: string, body: Uint8Array): boolean;
  look(tracked: Tracked): Look;
}
