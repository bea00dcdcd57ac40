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
  /** Counts successes and restarts, so that a failure can tell whether it still belongs to the streak. */
  run: number;
  restarts: number;
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

/** What a failure changed, so that it can be taken back. */
export interface Penalty {
  readonly tally: Tally;
  readonly success: number;
  readonly sample: number;
  readonly run: number;
  readonly restarts: number;
  readonly before: Circuit;
  readonly after: Circuit;
}

const newestShare = 0.3;
const restartAt = 0.5;

export function newTally(now: number): Tally {
  return {
    success: 1,
    samples: 0,
    streak: 0,
    run: 0,
    restarts: 0,
    circuit: closedSince(now),
    epoch: 0,
    trial: false,
    openings: 0,
    score: 0,
  };
}

/** Counts one outcome of an attempt that began in `epoch`. A failure gives back what `takeBack` needs. */
export function count(tally: Tally, good: boolean, epoch: number, now: number): Penalty | undefined {
  if (epoch !== tally.epoch) return undefined;
  const { success, circuit: before } = tally;
  tally.success = ewma(success, good ? 1 : 0, newestShare);
  tally.samples += 1;
  if (before.state === 'closed') {
    if (good) {
      tally.streak = 0;
      tally.run += 1;
    } else {
      tally.streak += 1;
      move(tally, afterFailure(before, tally.streak, tally.success, tally.samples, now));
    }
  }
  if (good) return undefined;
  const { samples: sample, run, restarts, circuit: after } = tally;
  return { tally, success, sample, run, restarts, before, after };
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
  tally.run += 1;
  tally.restarts += 1;
}

/** Lets time do its work: an open circuit whose time is over becomes half-open. */
export function settle(tally: Tally, now: number): void {
  move(tally, atTime(tally.circuit, now));
}

/**
 * As if the failure had never been counted. Exact when nothing was counted since (or only what was taken back before
 * it, newest first); otherwise exact but for rounding, because a sample's weight in the average is known for ever.
 * A circuit that would not have opened without it is closed again; only the epoch goes on, so that nothing old moves it.
 */
export function takeBack(penalty: Penalty): void {
  const { tally } = penalty;
  if (tally.restarts === penalty.restarts) {
    const later = Math.max(0, tally.samples - penalty.sample);
    tally.success =
      tally.samples === penalty.sample
        ? penalty.success
        : Math.min(1, tally.success + newestShare * penalty.success * (1 - newestShare) ** later);
    tally.samples -= 1;
  }
  if (penalty.before.state !== 'closed') return;
  const sameRun = tally.run === penalty.run;
  if (sameRun) tally.streak -= 1;
  const { circuit } = tally;
  if (circuit.state !== 'open' || circuit.cause === 'trial') return;
  const brokeIt = circuit.cause === 'streak' && sameRun && tally.streak < failuresToOpen;
  if (circuit !== penalty.after && !brokeIt) return;
  move(tally, penalty.before);
  tally.openings -= 1;
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
