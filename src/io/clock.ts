import { performance } from 'node:perf_hooks';
import type { Clock, Timer } from '../gateway/ports.ts';

/** The longest span `setTimeout` takes, ms; a longer one would fire at once. */
const longestMs = 2 ** 31 - 1;

/**
 * Nearly all timers are of a few equal spans and are cancelled long before their time. So those of one span stand in a
 * row, in the order of their time, and one timer of the runtime waits for the first of them: to start and to cancel one
 * is to link and unlink it. A pending timer does not hold the process: sockets do.
 */
class Row {
  readonly #spanMs: number;
  #first: Alarm | undefined;
  #last: Alarm | undefined;
  #waits = false;

  constructor(spanMs: number) {
    this.#spanMs = spanMs;
  }

  add(alarm: Alarm): void {
    alarm.before = this.#last;
    if (this.#last === undefined) this.#first = alarm;
    else this.#last.next = alarm;
    this.#last = alarm;
    if (!this.#waits) this.#wait(this.#spanMs);
  }

  remove(alarm: Alarm): void {
    const { before, next } = alarm;
    if (before === undefined) this.#first = next;
    else before.next = next;
    if (next === undefined) this.#last = before;
    else next.before = before;
    alarm.row = undefined;
    alarm.before = undefined;
    alarm.next = undefined;
  }

  /** Timers count whole milliseconds and can be early by part of one; whoever then asks `now()` must find it is due. */
  ring(): void {
    const now = performance.now();
    try {
      for (let alarm = this.#first; alarm !== undefined && alarm.due <= now; alarm = this.#first) {
        this.remove(alarm);
        alarm.run();
      }
    } finally {
      this.#waits = false;
      if (this.#first === undefined) rows.delete(this.#spanMs);
      else this.#wait(this.#first.due - now);
    }
  }

  #wait(ms: number): void {
    this.#waits = true;
    setTimeout(ring, Math.min(Math.ceil(ms), longestMs), this).unref();
  }
}

function ring(row: Row): void {
  row.ring();
}

const rows = new Map<number, Row>();

function rowOf(spanMs: number): Row {
  const known = rows.get(spanMs);
  if (known !== undefined) return known;
  const row = new Row(spanMs);
  rows.set(spanMs, row);
  return row;
}

class Alarm implements Timer {
  readonly due: number;
  readonly run: () => void;
  row: Row | undefined;
  before: Alarm | undefined;
  next: Alarm | undefined;

  constructor(due: number, run: () => void, row: Row) {
    this.due = due;
    this.run = run;
    this.row = row;
    this.before = undefined;
    this.next = undefined;
  }

  cancel(): void {
    this.row?.remove(this);
  }
}

export const clock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(ms, run) {
    const row = rowOf(Math.max(0, Math.ceil(ms)));
    const alarm = new Alarm(performance.now() + ms, run, row);
    row.add(alarm);
    return alarm;
  },
};
