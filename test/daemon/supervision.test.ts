import { expect, it } from 'vitest';
import { supervise } from '../../src/daemon/supervision.ts';
import { HandClock, settle } from '../kit/fake-world.ts';

function supervised(watchdogMs: number | undefined) {
  const clock = new HandClock();
  const heard: (readonly string[])[] = [];
  const ready = Promise.withResolvers<void>();
  let usable = 1;
  const supervisor = supervise({
    clock,
    notify: (...assignments) => void heard.push(assignments),
    watchdogMs,
    ready: ready.promise,
    summary: () => `1 chain, ${usable}/2 endpoints usable`,
  });
  return { clock, heard, supervisor, ready, show: (n: number) => (usable = n) };
}

it('says ready once, then three signs of life in the time allowed, with how things stand', async () => {
  const { clock, heard, ready, show, supervisor } = supervised(30_000);
  await clock.pass(60_000);
  expect(heard).toEqual([]);
  ready.resolve();
  await settle();
  expect(heard).toEqual([['READY=1', 'STATUS=1 chain, 1/2 endpoints usable']]);
  show(2);
  await clock.pass(30_000);
  expect(heard.slice(1)).toEqual(Array(3).fill(['WATCHDOG=1', 'STATUS=1 chain, 2/2 endpoints usable']));
  supervisor.stopping();
  await clock.pass(60_000);
  expect(heard.slice(4)).toEqual([['STOPPING=1', 'STATUS=lets what is in flight end']]);
});

it('one that is stopped before it was ready never says that it is', async () => {
  const { clock, heard, ready, supervisor } = supervised(undefined);
  supervisor.stopping();
  ready.resolve();
  await clock.pass(60_000);
  expect(heard.map(([first]) => first)).toEqual(['STOPPING=1']);
});
