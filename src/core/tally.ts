/** What one endpoint did in one class of work: its success average and its circuit, fed by outcomes. */

import { afterFailure, afterTrial, atTime, type Circuit, closedSince, failuresToOpen } from './circuit.ts';
import { ewma } from './ewma.ts';

export interface Tally {
  /** Average of outcomes, 0–1. */
  success: number;
  /** Outcomes in the average since it was last restarted. */
  samples: number;
  /** Failures in a row while closed. */
  streak: number;
  /** The last outcomes since the average was restarted, as a ring: what a failure that is taken back is replayed from. */
  readonly outcomes: Uint8Array;
  /** Where the next one goes. */
  counted: number;
  /** The average before the oldest of them. */
  base: number;
  restarts: number;
  /** The rule that judged the last failure; '' while there was none. */
  failedBy: string;
  circuit: Circuit;
  /** Counts changes of the circuit's state; an attempt of an earlier epoch moves nothing. */
  epoch: number;
  /** A trial of the half-open circuit is in flight. */
  trial: boolean;
  /** How often it opened, for reports. */
  openings: number;
  /** Kept here so that a choice only compares; `score.ts` says what it is. */
  score: number;
}

/** Which outcome a failure is, and what it did to the circuit, so that it can be taken back. */
export interface Penalty {
  readonly tally: Tally;
  readonly at: number;
  readonly restarts: number;
  readonly before: Circuit;
  readonly after: Circuit;
}

/** `…Beside`: while the circuit was not closed, and so in no streak. */
const outcome = { takenBack: 0, failure: 1, success: 2, failureBeside: 3, successBeside: 4 } as const;

/** After so many the share of an older one is 0.7^64, which is nothing. */
const remembered = 64;
const newestShare = 0.3;
const restartAt = 0.5;

export function newTally(now: number): Tally {
  return {
    success: 1,
    samples: 0,
    streak: 0,
    outcomes: new Uint8Array(remembered),
    counted: 0,
    base: 1,
    restarts: 0,
    failedBy: '',
    circuit: closedSince(now),
    epoch: 0,
    trial: false,
    openings: 0,
    score: 0,
  };
}

/** Counts one outcome of an attempt that began in `epoch`, by its rule. A failure gives back what `takeBack` needs. */
export function count(
  tally: Tally,
  good: boolean,
  rule: string,
  epoch: number,
  now: number,
): Penalty | undefined {
  if (epoch !== tally.epoch) return undefined;
  if (!good) tally.failedBy = rule;
  const { circuit: before, counted: at, restarts } = tally;
  const inStreak = before.state === 'closed';
  if (inStreak) keep(tally, good ? outcome.success : outcome.failure);
  else keep(tally, good ? outcome.successBeside : outcome.failureBeside);
  tally.success = ewma(tally.success, good ? 1 : 0, newestShare);
  tally.samples += 1;
  if (inStreak && good) tally.streak = 0;
  if (inStreak && !good) {
    tally.streak += 1;
    move(tally, afterFailure(before, tally.streak, tally.success, tally.samples, now));
  }
  return good ? undefined : { tally, at, restarts, before, after: tally.circuit };
}

function keep(tally: Tally, what: number): void {
  const slot = tally.counted % remembered;
  if (tally.counted >= remembered) tally.base = averageAfter(tally.base, tally.outcomes[slot]);
  tally.outcomes[slot] = what;
  tally.counted += 1;
}

function averageAfter(average: number, what: number | undefined): number {
  switch (what) {
    case outcome.failure:
    case outcome.failureBeside:
      return ewma(average, 0, newestShare);
    case outcome.success:
    case outcome.successBeside:
      return ewma(average, 1, newestShare);
    default:
      return average;
  }
}

/** Takes the one trial of a half-open circuit; false when it is not half-open or is being tried. */
export function takeTrial(tally: Tally, now: number): boolean {
  settle(tally, now);
  if (tally.circuit.state !== 'half_open' || tally.trial) return false;
  tally.trial = true;
  return true;
}

/** Ends the trial that began in `epoch`; `good` undefined: it told nothing. */
export function endTrial(
  tally: Tally,
  good: boolean | undefined,
  needed: number,
  epoch: number,
  now: number,
): void {
  if (epoch !== tally.epoch) return;
  tally.trial = false;
  if (good === undefined) return;
  const next = afterTrial(tally.circuit, good, needed, now);
  move(tally, next);
  if (next.state !== 'closed') return;
  tally.success = restartAt;
  tally.samples = 0;
  tally.streak = 0;
  tally.counted = 0;
  tally.base = restartAt;
  tally.restarts += 1;
}

/** Lets time do its work: an open circuit whose time is over becomes half-open. */
export function settle(tally: Tally, now: number): void {
  move(tally, atTime(tally.circuit, now));
}

/**
 * As if the failure had never been counted, whatever was counted or taken back before and after it: the average and the
 * streak are replayed without it. A circuit that would not have opened without it is closed again; only the epoch goes
 * on, so that nothing old moves it.
 */
export function takeBack({ tally, at, restarts, before, after }: Penalty): void {
  if (tally.restarts === restarts) {
    tally.samples -= 1;
    if (tally.counted - at <= remembered) replayWithout(tally, at);
  }
  if (before.state !== 'closed') return;
  const { circuit } = tally;
  if (circuit.state !== 'open' || circuit.cause === 'trial') return;
  const brokeIt = circuit.cause === 'streak' && tally.streak < failuresToOpen;
  if (circuit !== after && !brokeIt) return;
  move(tally, before);
  tally.openings -= 1;
}

function replayWithout(tally: Tally, at: number): void {
  const { outcomes } = tally;
  outcomes[at % remembered] = outcome.takenBack;
  while (tally.counted > 0 && outcomes[(tally.counted - 1) % remembered] === outcome.takenBack) {
    tally.counted -= 1;
  }
  const { counted } = tally;
  tally.success = tally.base;
  tally.streak = 0;
  for (let each = Math.max(0, counted - remembered); each < counted; each += 1) {
    const what = outcomes[each % remembered];
    tally.success = averageAfter(tally.success, what);
    if (what === outcome.success) tally.streak = 0;
    else if (what === outcome.failure) tally.streak += 1;
  }
}

function move(tally: Tally, next: Circuit): void {
  if (next === tally.circuit) return;
  if (next.state !== tally.circuit.state) {
    tally.epoch += 1;
    tally.trial = false;
    if (next.state === 'open') tally.openings += 1;
  }
  tally.circuit = next;
}
