/** Virtual time: a heap of alarms. It only moves when the next one is due, so hours pass in milliseconds. */

import type { Clock, Timer } from '../../src/gateway/ports.ts';

/** What the wall clock says at virtual time 0: 2026-01-01. */
export const wallAtStart = 1_767_225_600_000;

class Alarm implements Timer {
  readonly at: number;
  readonly order: number;
  run: (() => void) | undefined;

  constructor(at: number, order: number, run: () => void) {
    this.at = at;
    this.order = order;
    this.run = run;
  }

  cancel(): void {
    this.run = undefined;
  }
}

export class VirtualTime implements Clock {
  /** An answer went where promises wait for it: they run before time goes on. */
  stirred = false;
  #now = 0;
  #order = 0;
  readonly #heap: Alarm[] = [];

  now(): number {
    return this.#now;
  }

  wall(): number {
    return wallAtStart + this.#now;
  }

  after(ms: number, run: () => void): Timer {
    this.#order += 1;
    const alarm = new Alarm(this.#now + Math.max(0, ms), this.#order, run);
    this.#push(alarm);
    return alarm;
  }

  async runUntil(end: number): Promise<void> {
    for (let next = this.#heap[0]; next !== undefined && next.at <= end; next = this.#heap[0]) {
      this.#pop();
      const { run } = next;
      if (run === undefined) continue;
      this.#now = next.at;
      run();
      if (!this.stirred) continue;
      this.stirred = false;
      await promisesRan();
    }
    this.#now = end;
  }

  #push(alarm: Alarm): void {
    const heap = this.#heap;
    let at = heap.push(alarm) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = heap[up];
      if (parent === undefined || isSooner(parent, alarm)) break;
      heap[at] = parent;
      at = up;
    }
    heap[at] = alarm;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const left = heap[2 * at + 1];
      const right = heap[2 * at + 2];
      if (left === undefined) break;
      const goRight = right !== undefined && isSooner(right, left);
      const sooner = goRight ? right : left;
      if (isSooner(last, sooner)) break;
      heap[at] = sooner;
      at = goRight ? 2 * at + 2 : 2 * at + 1;
    }
    heap[at] = last;
  }
}

function isSooner(a: Alarm, b: Alarm): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** More turns than the longest chain of promises between an answer and the next question. */
const turns = 24;

async function promisesRan(): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await undefined;
}
