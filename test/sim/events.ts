/** Events tell changes: each gate shuts and opens in turn, and a chain that stands still is told once, in time. */

import type { Event } from '../../src/gateway/ports.ts';
import type { Shadow } from './model/endpoint.ts';
import type { Referee } from './referee.ts';

export class EventLog {
  readonly #referee: Referee;
  readonly #shut = new Map<string, boolean>();
  readonly #unclear = new Set<string>();
  #standing = false;
  #oldSince: number | undefined;
  #youngSince: number | undefined;

  constructor(referee: Referee) {
    this.#referee = referee;
  }

  told(event: Event, now: number): void {
    if (event.kind === 'old_head') {
      this.#toldOldHead(event, now);
      return;
    }
    const { shut, gate } = event.detail ?? {};
    if (typeof shut !== 'boolean' || this.#unclear.has(event.endpoint ?? '')) return;
    const key = `${event.endpoint} ${gate}`;
    this.#referee.expect(
      'told_once',
      this.#shut.get(key) !== shut,
      now,
      () => `${event.text}, of ${event.endpoint}, again`,
    );
    this.#shut.set(key, shut);
  }

  /** It left the config: what is told under its name from now on may be of one that has its name, or still of itself. */
  forget(name: string): void {
    this.#unclear.add(name);
  }

  look(now: number): void {
    const ages = this.#ages(now);
    const limit = this.#limitMs(now);
    const old = ages !== undefined && ages.least > limit.most;
    const young = ages !== undefined && ages.most <= limit.least;
    this.#oldSince = old ? (this.#oldSince ?? now) : undefined;
    this.#youngSince = young ? (this.#youngSince ?? now) : undefined;
    this.#referee.expect(
      'standstill',
      this.#standing || this.#oldSince === undefined || now - this.#oldSince < this.#noticeMs,
      now,
      () => 'the chain stands still, and nobody is told',
    );
    this.#referee.expect(
      'standstill',
      !this.#standing || this.#youngSince === undefined || now - this.#youngSince < this.#noticeMs,
      now,
      () => 'the chain moves, and is still told to stand still',
    );
    for (const shadow of this.#referee.pool.shadows) {
      if (this.#unclear.has(shadow.name)) continue;
      const isWrong = shadow.identity === 'wrong';
      const key = `${shadow.name} wrong_network`;
      const told = this.#shut.get(key);
      // What was wrong before a restart was told before it.
      const fits = told === undefined ? !isWrong || shadow.identityKnown : told === isWrong;
      this.#referee.expect(
        'told_once',
        fits,
        now,
        () => `wrong network of ${shadow.name}: ${isWrong}, told ${told}`,
      );
    }
  }

  #toldOldHead({ level }: Event, now: number): void {
    const stands = level === 'alarm';
    this.#referee.expect(
      'standstill',
      stands !== this.#standing,
      now,
      () => `told ${stands ? 'again ' : ''}that the chain ${stands ? 'stands still' : 'moves'}`,
    );
    this.#standing = stands;
    this.#oldSince = undefined;
    this.#youngSince = undefined;
    const ages = this.#ages(now);
    if (ages === undefined) return;
    const limit = this.#limitMs(now);
    this.#referee.expect(
      'standstill',
      stands ? ages.most > limit.least - this.#noticeMs : ages.least < limit.most + 1,
      now,
      () =>
        `told that the chain ${stands ? 'stands still' : 'moves'}, its newest block is ${ages.least} to ${ages.most} ms old`,
    );
  }

  /** Until a standstill, or its end, must have been noticed: every endpoint asked once more, and looked at. */
  get #noticeMs(): number {
    return 1.1 * this.#referee.pool.probeEveryMs + 8_000;
  }

  /** "older than max(10 block times, 60 s)"; the block time is measured, so a fast chain's limit is sure. */
  #limitMs(now: number): { readonly least: number; readonly most: number } {
    const tenBlocks = 10 * this.#referee.truth.blockTimeMs;
    return {
      least: Math.max(tenBlocks / 1.5, 60_000),
      most: Math.max(this.#referee.pool.measuredAtMost(now) * tenBlocks, 60_000),
    };
  }

  /** How old the newest head block is that the pool showed; a newer one that an endpoint showed before may still count. */
  #ages(now: number): { readonly least: number; readonly most: number } | undefined {
    const { pool } = this.#referee;
    const age = (shadow: Shadow): number =>
      now - this.#referee.truth.bornAt(shadow.head.height, shadow.head.at);
    const sure = pool.shadows.filter(shadow => pool.voice(shadow, now) === 'yes').map(age);
    const may = pool.shadows.filter(shadow => pool.voice(shadow, now) !== 'no');
    if (sure.length === 0) return undefined;
    const least = Math.min(...may.map(age), ...may.map(shadow => now - shadow.head.newestBornAt));
    return { least, most: Math.min(...sure) };
  }
}
