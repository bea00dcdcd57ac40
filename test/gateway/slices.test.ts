import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Work } from '../../src/core/work.ts';
import { Slices } from '../../src/gateway/slices.ts';
import { HandClock, watched } from '../kit/fake-world.ts';

const never = Number.POSITIVE_INFINITY;

/** So many slices; each tells of itself. */
function* steps(name: string, count: number, did: (name: string) => void): Work<string> {
  for (let step = 1; step < count; step += 1) {
    did(name);
    yield;
  }
  did(name);
  return `${name} is done`;
}

describe('long computations', () => {
  test('take turns: one slice of one of them in each, and the shortest first', async () => {
    const clock = new HandClock();
    const slices = new Slices(clock, clock);
    const did: string[] = [];
    const tell = (name: string) => void did.push(`${name} in turn ${clock.turns}`);
    const long = slices.finish(steps('long', 3, tell), 100, never);
    await clock.passTurn();
    const ended = ['short', 'as short'].map(name => slices.finish(steps(name, 2, tell), 10, never));
    const tiny = slices.finish(steps('tiny', 1, tell), 1, never);
    expect(did).toEqual(['long in turn 1']);
    await clock.pass(0);
    expect(did).toEqual([
      'long in turn 1',
      'tiny in turn 2',
      'short in turn 3',
      'short in turn 4',
      'as short in turn 5',
      'as short in turn 6',
      'long in turn 7',
      'long in turn 8',
    ]);
    expect(await Promise.all([long, ...ended, tiny])).toEqual([
      'long is done',
      'short is done',
      'as short is done',
      'tiny is done',
    ]);
    expect(await clock.passTurn()).toBe(false);
  });

  test('however many there are and whenever they come, no turn has two slices and every one is done', async () => {
    const coming = fc.record({
      slices: fc.integer({ min: 1, max: 6 }),
      before: fc.integer({ min: 0, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(coming, { minLength: 1, maxLength: 8 }), async all => {
        const clock = new HandClock();
        const slices = new Slices(clock, clock);
        const turns: number[] = [];
        const ended = [];
        for (const [nth, one] of all.entries()) {
          for (let turn = 0; turn < one.before; turn += 1) await clock.passTurn();
          const work = steps(String(nth), one.slices, () => void turns.push(clock.turns));
          ended.push(slices.finish(work, one.slices % 3, never));
        }
        await clock.pass(0);
        expect(await Promise.all(ended)).toEqual(all.map((_, nth) => `${nth} is done`));
        expect(new Set(turns).size).toBe(turns.length);
        expect(turns.length).toBe(all.reduce((sum, one) => sum + one.slices, 0));
      }),
      { numRuns: 60 },
    );
  });

  test('one that fails is its own affair', async () => {
    const clock = new HandClock();
    const slices = new Slices(clock, clock);
    function* broken(): Work<string> {
      yield;
      throw new Error('a fault of the gateway');
    }
    const failing = slices.finish(broken(), 1, never).catch(String);
    const other = slices.finish(
      steps('other', 4, () => undefined),
      1,
      never,
    );
    await clock.pass(0);
    expect(await failing).toBe('Error: a fault of the gateway');
    expect(await other).toBe('other is done');
  });

  test('past its time it is given up, whether it was begun or not, and the others go on', async () => {
    const clock = new HandClock();
    const slices = new Slices(clock, clock);
    const did: string[] = [];
    const tell = (name: string) => void did.push(name);
    const soon = clock.now() + 50;
    const ended = [
      slices.finish(steps('begun', 9, tell), 1, soon),
      slices.finish(steps('waiting', 9, tell), 2, soon),
      slices.finish(steps('other', 3, tell), 3, never),
    ].map(one => watched(one.then(value => ({ value }))));
    for (let turn = 0; turn < 3; turn += 1) await clock.passTurn();
    expect(ended.map(({ value }) => value)).toEqual([undefined, undefined, undefined]);
    clock.holdUp(50);
    await clock.pass(0);
    expect(ended.map(({ value }) => value?.value)).toEqual([undefined, undefined, 'other is done']);
    expect(ended.every(({ value }) => value !== undefined)).toBe(true);
    expect(did).toEqual(['begun', 'begun', 'begun', 'other', 'other', 'other']);
    expect(clock.pending).toBe(0);
  });

  test('when all are given up nothing is left to do, and the next one gets its turns', async () => {
    const clock = new HandClock();
    const slices = new Slices(clock, clock);
    const late = watched(
      slices
        .finish(
          steps('late', 9, () => undefined),
          1,
          clock.now(),
        )
        .then(() => true),
    );
    await clock.pass(0);
    expect(late.value).toBe(true);
    expect(await clock.passTurn()).toBe(false);
    const turns: number[] = [];
    const next = slices.finish(
      steps('next', 3, () => void turns.push(clock.turns)),
      1,
      never,
    );
    await clock.pass(0);
    expect(await next).toBe('next is done');
    expect(new Set(turns).size).toBe(3);
  });
});
