import { expect, it } from 'vitest';
import type { Event } from '../../src/gateway/ports.ts';
import { handClock, openTestStore } from './setup.ts';

const event = (changed: Partial<Event>): Event => ({
  kind: 'circuit',
  chain: 'ethereum',
  level: 'warn',
  text: 'held: 5 failures in a row',
  ...changed,
});

it('events are found by kind, chain, endpoint and time, oldest first, and followed by id', async () => {
  const clock = handClock(0);
  const store = await openTestStore({ clock });
  const emitted = [
    event({ endpoint: 'infura', detail: { failures: 5, read: true, until: '12:00' } }),
    event({ kind: 'stale', endpoint: 'own-node' }),
    event({ chain: 'bnb' }),
    event({ kind: 'old-head', level: 'alarm' }),
  ];
  for (const one of emitted) {
    clock.time += 1000;
    store.events.emit(one);
  }
  await store.audit.append({ who: 'test', action: 'wait', result: 'done' });

  expect(await store.events.list()).toEqual(
    emitted.map((one, n) => ({ ...one, id: n + 1, time: (n + 1) * 1000 })),
  );
  const ids = async (filter: Parameters<typeof store.events.list>[0]) =>
    (await store.events.list(filter)).map(({ id }) => id);
  expect(await ids({ kind: 'circuit' })).toEqual([1, 3]);
  expect(await ids({ chain: 'ethereum' })).toEqual([1, 2, 4]);
  expect(await ids({ endpoint: 'own-node' })).toEqual([2]);
  expect(await ids({ since: 3000 })).toEqual([3, 4]);
  expect(await ids({ limit: 2 })).toEqual([3, 4]);
  expect(await ids({ after: 1, limit: 2 })).toEqual([2, 3]);
  expect(await ids({ after: 4 })).toEqual([]);
});
