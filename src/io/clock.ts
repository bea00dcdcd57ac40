import { performance } from 'node:perf_hooks';
import { type Link, LinkedList } from '../core/linked.ts';
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
  readonly #alarms = new LinkedList<Alarm>();
  #waits = false;

  constructor(spanMs: number) {
    this.#spanMs = spanMs;
  }

  add(alarm: Alarm): void {
    this.#alarms.add(alarm);
    if (!this.#waits) this.#wait(this.#spanMs);
  }

  /** Timers count whole milliseconds and can be early by part of one; whoever then asks `now()` must find it is due. */
  ring(): void {
    const now = performance.now();
    try {
      const alarms = this.#alarms;
      for (let alarm = alarms.first; alarm !== undefined && alarm.due <= now; alarm = alarms.first) {
        alarms.remove(alarm);
        alarm.run();
      }
    } finally {
      this.#waits = false;
      const { first } = this.#alarms;
      if (first === undefined) rows.delete(this.#spanMs);
      else this.#wait(first.due - now);
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

class Alarm implements Timer, Link<Alarm> {
  readonly due: number;
  readonly run: () => void;
  list: Link<Alarm>['list'] = undefined;
  before: Alarm | undefined = undefined;
  next: Alarm | undefined = undefined;

  constructor(due: number, run: () => void) {
    this.due = due;
    this.run = run;
  }

  cancel(): void {
    this.list?.remove(this);
  }
}

export const clock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(ms, run) {
    const row = rowOf(Math.max(0, Math.ceil(ms)));
    const alarm = new Alarm(performance.now() + ms, run);
    row.add(alarm);
    return alarm;
  },
};
