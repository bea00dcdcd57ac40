import { expect, test } from 'vitest';
import { within } from '../../src/gateway/within.ts';
import { HandClock, settle, watched } from '../kit/fake-world.ts';

test('what comes in time is told, and no timer is left', async () => {
  const clock = new HandClock();
  expect(await within(clock, 10, Promise.resolve(7))).toEqual({ came: 7 });
  expect(clock.pending).toBe(0);
});

test('a rejection in time is told as failed', async () => {
  const clock = new HandClock();
  expect(await within(clock, 10, Promise.reject(new Error('no')))).toBe('failed');
  expect(clock.pending).toBe(0);
});

test('what comes in the turn in which the time ends is in time', async () => {
  const clock = new HandClock();
  const result = watched(
    within(clock, 10, new Promise<number>(resolve => clock.after(10, () => resolve(7)))),
  );
  await clock.pass(10);
  expect(result.value).toEqual({ came: 7 });
  expect(clock.pending).toBe(0);
});

test('what comes later goes to whoever cleans up after it, once', async () => {
  const clock = new HandClock();
  const after: number[] = [];
  const slow = new Promise<number>(resolve => clock.after(11, () => resolve(7)));
  const result = watched(within(clock, 10, slow, value => after.push(value)));
  await clock.pass(10);
  expect(result.value).toBe('late');
  expect(after).toEqual([]);
  await clock.pass(1);
  expect(after).toEqual([7]);
});

test('a rejection that comes later is nobody’s any more', async () => {
  const clock = new HandClock();
  const slow = new Promise<number>((_, reject) => clock.after(11, () => reject(new Error('no'))));
  const result = watched(within(clock, 10, slow));
  await clock.pass(20);
  await settle();
  expect(result.value).toBe('late');
});
