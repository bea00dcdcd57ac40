import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiClient } from '../../src/api/client.ts';
import type { Status } from '../../src/api/contract.ts';
import { OperatorError } from '../../src/core/errors.ts';
import { type Feed, type Watch, watchDaemon } from '../../src/top/feed.ts';
import { type FakeDaemon, fakeDaemon } from '../kit/fake-daemon.ts';
import {
  ago,
  fakeBroadcast,
  fakeEvent,
  fakeStatus,
  troubledStatus,
  unknownBroadcast,
} from '../kit/fake-status.ts';
import { type FakeTimers, fakeTimers } from './clock.ts';
import { feedWithUnknown } from './scenes.ts';

let dir: string;
let socket: string;
let timers: FakeTimers;
let daemon: FakeDaemon;
let watch: Watch;
let changed: (() => void)[];

/** Resolves when what is known fulfils this. */
async function until(holds: (feed: Feed) => boolean): Promise<Feed> {
  while (!holds(watch.read())) await new Promise<void>(resolve => changed.push(resolve));
  return watch.read();
}

function open(first: Status): void {
  watch = watchDaemon(
    apiClient(async () => [socket]),
    timers,
    first,
    1_000,
    () => {
      const told = changed;
      changed = [];
      for (const resolve of told) resolve();
    },
  );
}

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'rpcgw-top-'));
  socket = join(dir, 's');
  timers = fakeTimers();
  changed = [];
});

afterEach(async () => {
  watch.stop();
  await daemon.close();
  await rm(dir, { recursive: true, force: true });
});

const answers = {
  events: () => ({ events: [fakeEvent({ id: 1, text: 'one' })] }),
  broadcasts: (input: Record<string, unknown>) => ({
    now: ago(0),
    broadcasts: input.unknown === 'true' ? [unknownBroadcast(60)] : [fakeBroadcast({ id: 90 })],
  }),
};

describe('what is known of the daemon', () => {
  it('is its newest status, with what was before', async () => {
    daemon = await fakeDaemon(socket, answers);
    open(troubledStatus());
    await daemon.watched();
    timers.pass(700);
    daemon.send({ ...troubledStatus(), pid: 5 });
    const feed = await until(({ status }) => status.pid === 5);
    expect(feed.seenAt).toBe(700);
    expect(feed.trail.total).toHaveLength(2);
    expect(feed.link).toEqual({ is: 'live' });
  });

  it('comes with events and broadcasts, all that are unknown among them however old', async () => {
    daemon = await fakeDaemon(socket, answers);
    open(troubledStatus());
    await daemon.watched();
    daemon.send(feedWithUnknown.status);
    await until(({ trail }) => trail.total.length === 2);
    // What is asked beside the stream waits for the next status.
    while (watch.read().broadcasts.length === 0) await new Promise(setImmediate);
    const { events, broadcasts } = watch.read();
    expect(events.map(({ text }) => text)).toEqual(['one']);
    expect(broadcasts.map(({ id }) => id)).toEqual([60, 90]);
  });

  it('holds an event once, however often it is read', async () => {
    let reads = 0;
    daemon = await fakeDaemon(socket, {
      ...answers,
      events: () => {
        reads += 1;
        return {
          events: Array.from({ length: reads }, (_, at) => fakeEvent({ id: at + 1, text: `${at + 1}` })),
        };
      },
    });
    open(troubledStatus());
    await daemon.watched();
    for (const wanted of [1, 2, 3]) {
      daemon.send(troubledStatus());
      while (watch.read().events.length < wanted) await new Promise(setImmediate);
    }
    expect(watch.read().events.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('says why events cannot be read, and goes on with the pools', async () => {
    daemon = await fakeDaemon(socket, {
      ...answers,
      events: () => {
        throw new OperatorError('store_unusable', 'the disk is full');
      },
    });
    open(troubledStatus());
    await daemon.watched();
    daemon.send(troubledStatus());
    while (watch.read().problem === undefined) await new Promise(setImmediate);
    expect(watch.read().problem).toBe('the disk is full');
    expect(watch.read().link).toEqual({ is: 'live' });
  });
});

describe('a daemon that goes away', () => {
  it('is waited for, and told apart from one that only came back', async () => {
    for (const restarted of [true, false]) {
      daemon = await fakeDaemon(socket, answers);
      open(troubledStatus());
      await daemon.watched();
      daemon.send(troubledStatus());
      await until(({ trail }) => trail.total.length === 2);
      await daemon.close();
      const lost = await until(({ link }) => link.is === 'lost');
      expect(lost.link).toMatchObject({ is: 'lost', since: lost.seenAt });
      expect(lost.status).toEqual(troubledStatus());

      await timers.waiting();
      timers.pass(3_000);
      daemon = await fakeDaemon(socket, answers);
      // One of the tries may have come too early and waits again.
      const found = daemon.watched();
      let there = false;
      void found.then(() => {
        there = true;
      });
      while (!there) {
        timers.pass(500);
        await new Promise(setImmediate);
      }
      const status = restarted
        ? fakeStatus(troubledStatus().chains, { startedAt: ago(1) })
        : troubledStatus();
      daemon.send(status);
      const back = await until(({ link }) => link.is === 'live');
      expect(back.link).toMatchObject({ back: { restarted } });
      watch.stop();
      await daemon.close();
    }
    daemon = await fakeDaemon(socket, answers);
  });

  it('leaves no try behind when nobody watches any more', async () => {
    daemon = await fakeDaemon(socket, answers);
    open(troubledStatus());
    await daemon.watched();
    await daemon.close();
    await until(({ link }) => link.is === 'lost');
    watch.stop();
    daemon = await fakeDaemon(socket, answers);
    timers.pass(60_000);
    await new Promise(setImmediate);
    expect(daemon.streams).toEqual([]);
  });
});

it('asks for the stream anew when the interval is another, and calls that no loss', async () => {
  daemon = await fakeDaemon(socket, answers);
  open(troubledStatus());
  await daemon.watched();
  daemon.send(troubledStatus());
  await until(({ trail }) => trail.total.length === 2);
  const before = daemon.streams.length;
  watch.every(5_000);
  while (daemon.streams.length === before) await new Promise(setImmediate);
  expect(daemon.streams.at(-1)).toEqual({ intervalMs: '5000' });
  daemon.send(troubledStatus());
  const { link } = await until(({ trail }) => trail.total.length === 3);
  expect(link).toEqual({ is: 'live' });
});
