/** The same broadcast again: what the record answers, so that nothing is sent (contract 6.8). */

import type { SignedTransaction } from '../chains/family.ts';
import { again, leftNothing, nothingLeft } from '../core/broadcast.ts';
import { interruptedText, refusedText, unknownText } from '../core/broadcast-text.ts';
import type { Outcome } from './broadcast-outcome.ts';
import type { BroadcastLog, Clock, RecordedBroadcast } from './ports.ts';
import { shownAnswer } from './replies.ts';
import type { Chain } from './roster.ts';

/** How often, and for how long at most, the end of a row is waited for, ms. */
const stepMs = 10;
const endWithinMs = 500;

/**
 * The same as the record has it. A row without an end that nobody here is sending is about to get one: it came too late to
 * be used, or its end is on its way to the disk. Told now it would read as if nobody knew what became of it.
 */
export async function earlierOf(
  clock: Clock,
  log: BroadcastLog,
  wanted: Parameters<BroadcastLog['same']>[0],
): Promise<RecordedBroadcast | undefined> {
  const until = clock.now() + endWithinMs;
  let found = await lastOfThese(log, wanted);
  while (found?.outcome === 'pending' && clock.now() < until) {
    await new Promise<void>(resolve => {
      clock.after(stepMs, resolve);
    });
    found = await lastOfThese(log, wanted);
  }
  return found;
}

/** The newest row of the same of which something may have left; where there is none, the newest. */
async function lastOfThese(
  log: BroadcastLog,
  wanted: Parameters<BroadcastLog['same']>[0],
): Promise<RecordedBroadcast | undefined> {
  const newest = await log.same(wanted);
  if (newest === undefined || !leftNothing(newest)) return newest;
  if (newest.attempt === 1 && newest.earlier === undefined) return newest;
  const { method, digest, options } = wanted;
  const rows = (await log.show(newest.row))?.attempts ?? [];
  const arrived = rows.findLast(
    row => row.method === method && row.digest === digest && row.options === options && !leftNothing(row),
  );
  return arrived ?? newest;
}

/** Undefined: it is to be sent as something new. */
export function repeatOf(
  before: RecordedBroadcast,
  chain: Chain,
  signed: SignedTransaction,
  wallMs: number,
): Outcome | undefined {
  const { row, outcome, reached, ended, began, answer, endpoint, followUp, txId } = before;
  const seen = followUp?.latest === 'pool' || followUp?.latest === 'block';
  const { repeatWindowMs } = chain.settings;
  const next = again({ outcome, reached, at: ended ?? began, seen }, repeatWindowMs, wallMs);
  if (next === 'send') return undefined;
  const definite = outcome === 'accepted' || outcome === 'known' || outcome === 'rejected';
  if (definite && answer !== undefined) {
    const verdict = outcome === 'accepted' ? 'ok' : 'app_error';
    return { told: { is: 'answer', verdict, body: answer, from: endpoint }, attempts: [], row };
  }
  const arrived = next === 'known' || outcome === 'accepted' || outcome === 'known';
  if (arrived && txId !== undefined) return { told: { is: 'known', txId, endpoint }, attempts: [], row };
  const watched = { endpoint, txId: signed.id };
  const transaction = {
    ...(signed.id === undefined ? {} : { id: signed.id }),
    endpoint,
    ...(reached === undefined ? {} : { reached }),
    outcome: outcome === 'pending' ? ('unknown' as const) : outcome,
    ...(answer === undefined ? {} : { answer: shownAnswer([], answer) }),
  };
  if (outcome === 'refused' && reached !== undefined && !nothingLeft(reached)) {
    const message = refusedText(watched, repeatWindowMs - Math.max(0, wallMs - (ended ?? began)));
    return { told: { is: 'fault', reason: 'broadcast_refused', message, transaction }, attempts: [], row };
  }
  const message =
    reached === undefined ? interruptedText(watched) : unknownText(watched, 'nothing is known of it since');
  return { told: { is: 'fault', reason: 'broadcast_unknown', message, transaction }, attempts: [], row };
}
