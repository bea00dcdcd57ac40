/** Seeded chance: the same seed, the same life. */

import type { Chance } from '../../src/gateway/ports.ts';

export class Dice implements Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 ≤ n < 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** low ≤ n ≤ high */
  whole(low: number, high: number): number {
    return low + Math.floor((high - low + 1) * this.next());
  }

  happens(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(values: readonly T[]): T {
    if (values.length === 0) throw new Error('nothing to pick from');
    // Within the bounds, so it is a T even where that is undefined.
    return values[Math.floor(this.next() * values.length)] as T;
  }

  /** Another stream, so that what one part draws does not shift what another gets. */
  fork(): Dice {
    return new Dice(Math.floor(this.next() * 4_294_967_296));
  }
}
