import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MinuteRow } from '../../src/store/traffic.ts';
import { folder, handClock, openRaw, openTestStore } from './setup.ts';
import { broadcastEnd, broadcastRow } from './values.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const midnight = Date.UTC(2026, 0, 1);

function row(start: number, identityKey: string, n: number): MinuteRow {
  return {
    start,
    identityKey,
    chain: 'ethereum',
    endpoint: `endpoint-${identityKey}`,
    requests: n,
    verdicts: { ok: n },
    latency: Array.from({ length: 20 }, (_, bucket) => (bucket === n % 20 ? n : 0)),
    lagMedian: n % 3,
    lagWorst: n % 7,
    outMs: n,
    probes: 1,
    circuitOpenings: 0,
  };
}

const written = (store: Awaited<ReturnType<typeof openTestStore>>) =>
  store.audit.append({ who: 'test', action: 'wait', result: 'done' });

describe('thinning', () => {
  it('folds whole hours past seven days, and the report says the same', async () => {
    const dir = folder();
    const store = await openTestStore({ dir, clock: handClock(midnight) });
    // More endpoints than one bite takes, over an hour and a half.
    const keys = Array.from({ length: 40 }, (_, n) => `key-${n}`);
    for (let n = 0; n < 90; n++)
      store.addMinutes(keys.map((key, k) => row(midnight + n * minute, key, n + k)));
    await written(store);
    const before = await store.report({ since: 0 });

    expect(await store.thin(midnight + 7 * day + hour - 1)).toEqual({ folded: 0, removed: 0 });
    expect(await store.thin(midnight + 7 * day + hour)).toEqual({ folded: 60 * 40, removed: 0 });
    expect(await store.thin(midnight + 7 * day + hour)).toEqual({ folded: 0, removed: 0 });
    const raw = openRaw(dir);
    expect(raw.prepare('SELECT count(*) FROM hour').pluck().get()).toBe(40);
    expect(raw.prepare('SELECT count(*), min(start) FROM minute').raw().get()).toEqual([
      40 * 30,
      midnight + hour,
    ]);

    const after = await store.report({ since: 0 });
    // A median of medians is only near the median.
    const exact = (lines: typeof before) => lines.map(({ lagMedian, ...line }) => line);
    expect(exact(after)).toEqual(exact(before));
    expect(after.every(({ lagMedian }) => lagMedian !== undefined)).toBe(true);
  });

  it('removes hours past ninety days, events past theirs, and events past their number', async () => {
    const clock = handClock(midnight);
    const retention = {
      minutesMs: 7 * day,
      hoursMs: 90 * day,
      eventsMs: 30 * day,
      eventsMost: 5,
      broadcastsMs: 400 * day,
    };
    const store = await openTestStore({ clock, retention });
    store.addMinutes([row(midnight, 'key', 1), row(midnight + 20 * day, 'key', 1)]);
    for (let n = 0; n < 10; n++) {
      clock.time = midnight + n * day;
      store.events.emit({ kind: 'k', chain: 'ethereum', level: 'info', text: `${n}` });
    }
    await written(store);
    expect(await store.thin(midnight + 9 * day)).toEqual({ folded: 1, removed: 5 });
    expect((await store.events.list()).map(({ text }) => text)).toEqual(['5', '6', '7', '8', '9']);
    expect(await store.thin(midnight + 36 * day + 1)).toEqual({ folded: 1, removed: 2 });
    expect(await store.report({ since: 0 })).toMatchObject([{ requests: 2 }]);
    expect(await store.thin(midnight + 90 * day + 1)).toEqual({ folded: 0, removed: 4 });
    expect(await store.report({ since: 0 })).toMatchObject([{ requests: 1 }]);
  });

  it('never removes a broadcast that is pending or not settled', async () => {
    const clock = handClock(midnight);
    const store = await openTestStore({ clock });
    const outcomes = ['accepted', 'unknown', 'unknown', 'rejected'] as const;
    for (const [n, outcome] of outcomes.entries()) {
      const row = await store.broadcasts.begin(broadcastRow({ txId: `0x${n}` }));
      store.broadcasts.finish(row, broadcastEnd({ outcome }));
      store.broadcasts.mark(row, 'joined', 'a request got the same answer');
    }
    const pending = await store.broadcasts.begin(broadcastRow({ txId: '0xpending' }));
    expect(await store.broadcasts.settle(2, { how: 'final', note: 'block 7' })).toBe('settled');
    expect(await store.thin(midnight + 399 * day)).toMatchObject({ removed: 0 });
    expect(await store.thin(midnight + 401 * day)).toMatchObject({ removed: 3 });
    expect((await store.broadcasts.list()).map(({ row }) => row)).toEqual([pending, 3]);
    expect((await store.broadcasts.show(3))?.timeline).toHaveLength(2);
    // A number that an operator has written down never comes to mean another broadcast.
    expect(await store.broadcasts.begin(broadcastRow())).toBe(pending + 1);
  });

  it('gives the space back to the disk', async () => {
    const dir = folder();
    const clock = handClock(midnight);
    const store = await openTestStore({ dir, clock });
    const size = (file: string) => statSync(join(dir, file)).size;
    for (let n = 0; n < 5000; n++) {
      store.events.emit({ kind: 'k', chain: 'ethereum', level: 'info', text: 'x'.repeat(1000) });
    }
    await written(store);
    await store.thin(midnight);
    const full = size('rpcgw.db');
    expect(full).toBeGreaterThan(5_000_000);
    expect(size('rpcgw.db-wal')).toBe(0);
    expect(await store.thin(midnight + 91 * day)).toMatchObject({ removed: 5000 });
    expect(size('rpcgw.db')).toBeLessThan(full / 20);
    expect(size('rpcgw.db-wal')).toBe(0);
  });

  it('the log stays small under steady writing', async () => {
    const dir = folder();
    const store = await openTestStore({ dir });
    for (let n = 0; n < 60; n++) {
      for (let m = 0; m < 100; m++) {
        store.events.emit({ kind: 'k', chain: 'ethereum', level: 'info', text: 'x'.repeat(3000) });
      }
      await written(store);
    }
    expect(statSync(join(dir, 'rpcgw.db')).size).toBeGreaterThan(16_000_000);
    expect(statSync(join(dir, 'rpcgw.db-wal')).size).toBeLessThan(9_000_000);
  });
});
