import type { Clock, Timer } from '../gateway/ports.ts';

/** The longest span `setTimeout` takes, ms; a longer one would fire at once. */
const longestMs = 2 ** 31 - 1;

/**
 * The runtime keeps one list for all timers of an equal span, so that starting and cancelling one costs a fraction of
 * a microsecond. A pending timer does not hold the process: sockets do.
 */
class Alarm implements Timer {
  readonly #due: number;
  readonly #run: () => void;
  #timeout: NodeJS.Timeout;

  constructor(ms: number, run: () => void) {
    this.#due = performance.now() + ms;
    this.#run = run;
    this.#timeout = this.#arm(ms);
  }

  cancel(): void {
    clearTimeout(this.#timeout);
  }

  #arm(ms: number): NodeJS.Timeout {
    return setTimeout(ring, Math.min(Math.ceil(ms), longestMs), this).unref();
  }

  /** Timers count whole milliseconds and can be early by part of one; whoever then asks `now()` must find it is due. */
  ring(): void {
    const left = this.#due - performance.now();
    if (left > 0) this.#timeout = this.#arm(left);
    else this.#run();
  }
}

function ring(alarm: Alarm): void {
  alarm.ring();
}

export const clock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after: (ms, run) => new Alarm(ms, run),
};
