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
  test('take turns: one slice of one of them in each', async () => {
    const clock = new HandClock();
    const slices = new Slices(clock, clock);
    const did: string[] = [];
    const tell = (name: string) => void did.push(`${name} in turn ${clock.turns}`);
    const long = slices.finish(steps('long', 4, tell), never);
    const short = slices.finish(steps('short', 2, tell), never);
    expect(did).toEqual([]);
    await clock.pass(0);
    expect(did).toEqual([
      'long in turn 1',
      'short in turn 2',
      'long in turn 3',
      'short in turn 4',
      'long in turn 5',
      'long in turn 6',
    ]);
    expect(await Promise.all([long, short])).toEqual(['long is done', 'short is done']);
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
          ended.push(slices.finish(work, never));
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
    const failing = slices.finish(broken(), never).catch(String);
    const other = slices.finish(
      steps('other', 4, () => undefined),
      never,
    );
    await clock.pass(0);
    expect(await failing).toBe('Error: a fault of the gateway');
    expect(await other).toBe('other is done');
  });

  test('past its time it is given up, and the others go on', async () => {
    const clock = new HandClock();
    const slices = new Slices(clock, clock);
    const did: string[] = [];
    const tell = (name: string) => void did.push(name);
    const late = watched(slices.finish(steps('late', 9, tell), clock.now() + 50).then(value => [value]));
    const other = watched(slices.finish(steps('other', 4, tell), never));
    for (let turn = 0; turn < 4; turn += 1) await clock.passTurn();
    expect(late.value).toBeUndefined();
    clock.holdUp(50);
    await clock.pass(0);
    expect(late.value).toEqual([undefined]);
    expect(other.value).toBe('other is done');
    expect(did).toEqual(['late', 'other', 'late', 'other', 'other', 'other']);
  });
});
