/**
 * Long computations in turns: one slice in one turn of the event loop, whichever computation it belongs to, so that nobody
 * waits for longer than a slice, however many there are.
 */

import type { Work } from '../core/work.ts';
import type { Clock, Loop } from './ports.ts';

/** Does the next slice; true: it was the last. */
type Step = () => boolean;

export class Slices {
  readonly #clock: Clock;
  readonly #loop: Loop;
  readonly #waiting: Step[] = [];

  constructor(clock: Clock, loop: Loop) {
    this.#clock = clock;
    this.#loop = loop;
  }

  /** What it ends with; undefined: not by then (monotonic ms), and it is given up. Rejects with what it throws. */
  finish<T>(work: Work<T>, by: number): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        if (this.#clock.now() >= by) {
          resolve(undefined);
          return true;
        }
        try {
          const step = work.next();
          if (step.done === true) resolve(step.value);
          return step.done === true;
        } catch (bug) {
          reject(bug);
          return true;
        }
      });
      if (this.#waiting.length === 1) this.#loop.turn(this.#turn);
    });
  }

  readonly #turn = (): void => {
    const step = this.#waiting[0];
    if (step === undefined) return;
    const over = step();
    this.#waiting.shift();
    if (!over) this.#waiting.push(step);
    if (this.#waiting.length > 0) this.#loop.turn(this.#turn);
  };
}
