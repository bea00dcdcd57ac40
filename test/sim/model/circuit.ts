/**
 * Contract section 3, gate "circuit", told from what was seen: "per class: 5 consecutive failures, or success below 0.2
 * with at least 10 samples; 30 s … then half-open: tried by the gateway's own probe, one at a time; 3 good ones release
 * and the average restarts at 0.5; a failure holds again for twice as long, up to 5 min. Attempts that began before the
 * last change do not move it." And "success: exponentially weighted average of outcomes, 0.3 for the newest, starting at 1".
 */

/** An attempt. */
interface Failed {
  readonly startedAt: number;
}

interface Outcome {
  readonly of: Failed;
  readonly good: boolean;
  /** Counted while it was closed: only then it belongs to a streak. */
  readonly inStreak: boolean;
}

/** What the gateway itself believes of a circuit; adopted where the contract leaves both possible. */
export interface Believed {
  readonly success: number;
  readonly samples: number;
  readonly streak: number;
  readonly circuit:
    | { readonly state: 'closed' }
    | { readonly state: 'open'; readonly until: number; readonly holdMs: number }
    | { readonly state: 'half_open'; readonly since: number; readonly holdMs: number; readonly good: number };
}

const remembered = 256;
/** What was counted before so many others has no share left; how exactly it is taken back nobody says. */
const longAgo = 40;

export class ShadowCircuit {
  success = 1;
  samples = 0;
  streak = 0;
  held = false;
  /** End of the hold; from then on it is half-open. */
  until = 0;
  holdMs = 0;
  good = 0;
  heldBy: 'streak' | 'average' | 'trial' = 'streak';
  epoch = 0;
  trialRuns = false;
  /** Batches that run and have failed items here: when one of them ends, and is taken back, is not seen from outside. */
  unclear = 0;
  #halfOpenSeen = false;
  /** What was counted before is not known one by one. */
  #adoptedAt = Number.NEGATIVE_INFINITY;
  /** Outcomes since the last restart, newest last, and what the average was before them. */
  readonly #outcomes: Outcome[] = [];
  #before = { success: 1, samples: 0, streak: 0 };

  /** Something ended that began before the gateway's belief was adopted: it is to be adopted again. */
  outdated = false;

  get isUnclear(): boolean {
    return this.unclear > 0 || this.outdated;
  }

  isHalfOpen(now: number): boolean {
    return this.held && now >= this.until;
  }

  /** An attempt begins: the circuit's life it belongs to. */
  begin(now: number): number {
    if (this.isHalfOpen(now) && !this.#halfOpenSeen) {
      this.#halfOpenSeen = true;
      this.epoch += 1;
    }
    return this.epoch;
  }

  count(of: Failed, good: boolean, epoch: number, now: number): void {
    if (of.startedAt <= this.#adoptedAt) this.outdated = true;
    if (epoch !== this.epoch) return;
    this.#outcomes.push({ of, good, inStreak: !this.held });
    if (this.#outcomes.length > remembered) this.#forgetOldest();
    this.#take(good, !this.held);
    if (this.held || good) return;
    if (this.#isBroken()) this.#hold(30_000, this.streak >= 5 ? 'streak' : 'average', now);
  }

  endTrial(good: boolean | undefined, epoch: number, now: number): void {
    if (epoch !== this.epoch) return;
    this.trialRuns = false;
    if (good === undefined) return;
    if (!good) {
      this.#hold(Math.min(300_000, this.holdMs * 2), 'trial', now);
      return;
    }
    this.good += 1;
    if (this.good >= 3) this.#restart(0.5);
  }

  /** These never were. Whether an average would have opened it without them is left to what the gateway believes. */
  takeBack(of: ReadonlySet<Failed>, believed: Believed, now: number): void {
    for (const one of of) {
      if (one.startedAt > this.#adoptedAt) continue;
      this.adopt(believed, now);
      return;
    }
    const oldest = this.#outcomes.findIndex(outcome => !outcome.good && of.has(outcome.of));
    if (oldest < 0) return;
    if (this.#outcomes.length - oldest > longAgo) {
      this.adopt(believed, now);
      return;
    }
    const kept = this.#outcomes.filter(outcome => outcome.good || !of.has(outcome.of));
    this.#outcomes.length = 0;
    Object.assign(this, this.#before);
    for (const outcome of kept) {
      this.#outcomes.push(outcome);
      this.#take(outcome.good, outcome.inStreak);
    }
    if (!this.held || this.heldBy === 'trial' || this.#halfOpenSeen) return;
    const closes = this.heldBy === 'streak' ? this.streak < 5 : believed.circuit.state === 'closed';
    if (closes) this.#close();
  }

  adopt({ success, samples, streak, circuit }: Believed, now: number): void {
    this.#adoptedAt = now;
    this.outdated = false;
    Object.assign(this, { success, samples, streak });
    this.#before = { success, samples, streak };
    this.#outcomes.length = 0;
    const held = circuit.state !== 'closed';
    if (held !== this.held) {
      this.epoch += 1;
      this.trialRuns = false;
    }
    this.held = held;
    this.#halfOpenSeen = circuit.state === 'half_open';
    if (circuit.state === 'closed') return;
    this.holdMs = circuit.holdMs;
    this.until = circuit.state === 'open' ? circuit.until : circuit.since;
    this.good = circuit.state === 'half_open' ? circuit.good : 0;
  }

  #isBroken(): boolean {
    return this.streak >= 5 || (this.success < 0.2 && this.samples >= 10);
  }

  #take(good: boolean, inStreak: boolean): void {
    this.success = 0.7 * this.success + (good ? 0.3 : 0);
    this.samples += 1;
    if (inStreak) this.streak = good ? 0 : this.streak + 1;
  }

  #hold(ms: number, by: 'streak' | 'average' | 'trial', now: number): void {
    this.held = true;
    this.heldBy = by;
    this.holdMs = ms;
    this.until = now + ms;
    this.good = 0;
    this.epoch += 1;
    this.trialRuns = false;
    this.#halfOpenSeen = false;
  }

  #restart(success: number): void {
    this.success = success;
    this.samples = 0;
    this.streak = 0;
    this.#outcomes.length = 0;
    this.#before = { success, samples: 0, streak: 0 };
    this.#close();
  }

  #close(): void {
    this.held = false;
    this.epoch += 1;
    this.trialRuns = false;
    this.#halfOpenSeen = false;
  }

  #forgetOldest(): void {
    const oldest = this.#outcomes.shift();
    if (oldest === undefined) return;
    const { success, samples, streak } = this.#before;
    this.#before = {
      success: 0.7 * success + (oldest.good ? 0.3 : 0),
      samples: samples + 1,
      streak: oldest.inStreak ? (oldest.good ? 0 : streak + 1) : streak,
    };
  }
}
