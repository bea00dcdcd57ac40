/**
 * The life of a broadcast (contract section 6): a durable row, then one attempt, then what is known about it. Here stands
 * what proves that nothing left, when a second endpoint may be tried, how long each part may take, and what the same
 * transaction gets when it comes again.
 *
 *     row on disk ──▶ attempt ──▶ accepted · known · rejected ─▶ the node's own answer
 *          │             ├──────▶ refused, or nothing left ────▶ perhaps one other endpoint, with a row of its own
 *          ▼             └──────▶ unknown ─────────────────────▶ never sent again; looked up until it is settled
 *      no row: no byte
 */

import type { Reached } from './transport-fault.ts';
import type { TxOutcome } from './verdict.ts';

/** What a row of the record says, the unfinished one first. */
export const recordedOutcomes = [
  'pending',
  'accepted',
  'known',
  'rejected',
  'refused',
  'unknown',
] as const satisfies readonly (TxOutcome | 'pending')[];

/** For everything that is done for a body which holds a broadcast, rows included, ms. */
export const broadcastDeadlineMs = 9_000;
/** How long a row may take to be on disk, ms. */
export const rowMs = 1_000;
const longestAttemptMs = 7_500;
const shortestAttemptMs = 3_000;
const mostEndpoints = 2;
/** A rejection may be the fault of a moment (a node that lags, a nonce still missing), so it is repeated for less long. */
const rejectedWindowMs = 10_000;

/** What one attempt came to. */
export interface Ending {
  readonly outcome: TxOutcome;
  readonly reached: Reached;
  /** Of the answer, when there was one. */
  readonly status?: number | undefined;
}

/** What was never handed to a socket cannot arrive. */
export function nothingLeft(reached: Reached): boolean {
  return reached === 'not_connected' || reached === 'nothing_handed_over';
}

/** `judged`: what the answer says, when it is whole. */
export function outcomeOf(reached: Reached, judged: TxOutcome | undefined): TxOutcome {
  if (nothingLeft(reached)) return 'refused';
  return reached === 'answered' ? (judged ?? 'unknown') : 'unknown';
}

/**
 * Another endpoint, after this many were tried? Only when the last one certainly has not got it: nothing left, or it said
 * so by one of the two statuses with which servers turn a request away unread. A refusal in words is not enough.
 */
export function mayTryAnother({ outcome, reached, status }: Ending, tried: number): boolean {
  if (tried >= mostEndpoints || outcome !== 'refused') return false;
  return nothingLeft(reached) || status === 429 || status === 403;
}

/** The time an attempt that starts now may take; undefined: too little is left to start one. */
export function broadcastAttemptMs(deadlineAt: number, now: number): number | undefined {
  const left = deadlineAt - now;
  return left < shortestAttemptMs ? undefined : Math.min(left, longestAttemptMs);
}

/**
 * Of the attempts of one broadcast, the one the client is told of: the last, and when that one refused, the one that came
 * nearest to taking it. Only a refusal is ever followed by another attempt.
 */
export function mostTelling<T extends Ending>(attempts: readonly T[]): T | undefined {
  const last = attempts.at(-1);
  if (last?.outcome !== 'refused') return last;
  return attempts.findLast(({ reached }) => !nothingLeft(reached)) ?? last;
}

/** An earlier broadcast of the same, as the record has it. */
export interface Before {
  readonly outcome: TxOutcome | 'pending';
  /** Undefined: nobody knows how far it got. */
  readonly reached?: Reached | undefined;
  /** When it ended, or began if it has no end; wall clock, ms. */
  readonly at: number;
  /** The follow-up last saw it in a pool or a block. */
  readonly seen: boolean;
}

/** A try that came to nothing must not hide an earlier one that may have arrived. */
export function leftNothing({ outcome, reached }: Pick<Before, 'outcome' | 'reached'>): boolean {
  return outcome === 'refused' && reached !== undefined && nothingLeft(reached);
}

/** `send`: as something new; `recorded`: what the first got; `known`: it has arrived since. */
export type Again = 'send' | 'recorded' | 'known';

export function again(before: Before, windowMs: number, wallMs: number): Again {
  const { outcome, at, seen } = before;
  if (leftNothing(before)) return 'send';
  const window = outcome === 'rejected' ? Math.min(windowMs, rejectedWindowMs) : windowMs;
  if (wallMs - at >= window) return 'send';
  return seen && (outcome === 'unknown' || outcome === 'pending') ? 'known' : 'recorded';
}

/** Contract 6.8: same chain, method and options, and equal signed bytes. */
export function sameness(
  chain: string,
  method: string,
  transaction: { readonly digest: string; readonly options: string },
): string {
  return JSON.stringify([chain, method, transaction.digest, transaction.options]);
}
