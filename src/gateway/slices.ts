/**
 * Long computations, one slice in one turn of the event loop, however many there are: nobody waits for longer than a slice.
 * The shortest goes first, and of equals the first that came: when there are more than can be done in time, some are.
 */

import type { Work } from '../core/work.ts';
import type { Clock, Loop } from './ports.ts';

interface Job {
  readonly size: number;
  /** Does the next slice; true: it was the last. */
  step(): boolean;
}

export class Slices {
  readonly #clock: Clock;
  readonly #loop: Loop;
  /** The next one first. */
  readonly #jobs: Job[] = [];
  #called = false;

  constructor(clock: Clock, loop: Loop) {
    this.#clock = clock;
    this.#loop = loop;
  }

  /**
   * What it ends with; undefined: not by then (monotonic ms), and it is given up. Rejects with what it throws. `size`: of
   * what it works on, to be compared with others.
   */
  finish<T>(work: Work<T>, size: number, by: number): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const job: Job = {
        size,
        step: () => {
          try {
            const step = work.next();
            if (step.done !== true) return false;
            resolve(step.value);
          } catch (bug) {
            reject(bug);
          }
          timer.cancel();
          return true;
        },
      };
      const timer = this.#clock.after(by - this.#clock.now(), () => {
        this.#remove(job);
        resolve(undefined);
      });
      const behind = this.#jobs.findIndex(other => other.size > size);
      this.#jobs.splice(behind < 0 ? this.#jobs.length : behind, 0, job);
      this.#call();
    });
  }

  #call(): void {
    if (this.#called || this.#jobs.length === 0) return;
    this.#called = true;
    this.#loop.turn(this.#turn);
  }

  readonly #turn = (): void => {
    this.#called = false;
    const job = this.#jobs[0];
    if (job?.step()) this.#remove(job);
    this.#call();
  };

  #remove(job: Job): void {
    this.#jobs.splice(this.#jobs.indexOf(job), 1);
  }
}
