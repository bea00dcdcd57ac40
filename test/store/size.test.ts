import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { broadcastRow, changeOfGate, minuteRow, rowEnd } from '../../bench/kit/rows.ts';
import { bytesOf, emptyBytes, type Kept, logBytes, predictedBytes } from '../../bench/kit/store-size.ts';
import { openForWriting } from '../../src/store/database.ts';
import { steps } from '../../src/store/schema.ts';
import { trafficTable } from '../../src/store/traffic.ts';
import { writes } from '../../src/store/writes.ts';
import { folder } from './setup.ts';

const then = 1_796_000_000_000;

/** What the store holds when `fill` is done, in bytes. */
function sizeOf(
  fill: (write: ReturnType<typeof writes>, hour: (n: number, endpoint: number) => void) => void,
): number {
  const db = openForWriting(folder(), { steps, now: then });
  try {
    const write = writes(db);
    const hours = trafficTable(db, 'hour');
    db.transaction(() => fill(write, (n, e) => hours.add(minuteRow(then + n * 3_600_000, e))))();
    return (
      Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }))
    );
  } finally {
    db.close();
  }
}

const many = 5_000;
const endpoints = 20;

const fills: Readonly<Record<keyof Kept, Parameters<typeof sizeOf>[0]>> = {
  broadcasts(write) {
    for (let n = 0; n < many; n += 1)
      write.finish({
        row: write.begin({ row: broadcastRow(n), at: then + n }),
        at: then + n + 30,
        end: rowEnd,
      });
  },
  followed(write) {
    for (let n = 0; n < many; n += 1) {
      const at = then + n;
      const row = write.begin({ row: broadcastRow(n), at });
      write.finish({ row, at, end: rowEnd });
      write.follow({ row, at, reason: 'confirm' });
      write.look({ row, at, look: { found: 'pool', endpoint: 'own-node' } });
      write.look({ row, at, look: { found: 'block', height: 21_798_026, endpoint: 'own-node' } });
      write.settle({ row, settled: { at, how: 'final', note: 'two endpoints agree on block 21798026' } });
    }
  },
  minutes(write) {
    for (let n = 0; n < many / endpoints; n += 1)
      write.minutes(Array.from({ length: endpoints }, (_, e) => minuteRow(then + n * 60_000, e)));
  },
  hours(_, hour) {
    for (let n = 0; n < many / endpoints; n += 1) for (let e = 0; e < endpoints; e += 1) hour(n, e);
  },
  events(write) {
    for (let n = 0; n < many; n += 1) write.event({ time: then + n, event: changeOfGate });
  },
};

describe('the size of the store', () => {
  it('is made of what is told to operators and to the bench', () => {
    const empty = sizeOf(() => undefined);
    expect(empty).toBe(emptyBytes);
    const each = new Map(Object.entries(fills).map(([kind, fill]) => [kind, (sizeOf(fill) - empty) / many]));
    // Filled with their attempts, and told without them.
    each.set('followed', (each.get('followed') ?? 0) - (each.get('broadcasts') ?? 0));
    for (const [kind, bytes] of Object.entries(bytesOf))
      expect({ kind, share: (each.get(kind) ?? 0) / bytes }).toEqual({ kind, share: expect.closeTo(1, 1) });
  });

  it('stands in the table for operators', () => {
    const page = readFileSync(new URL('../../docs/operations/production.md', import.meta.url), 'utf8');
    const [, section = ''] = page.split('## How large the state gets');
    const told = [...section.matchAll(/^\| (?:an|its) [^|]*\| (\d+) \|/gm)].map(([, bytes]) => Number(bytes));
    expect(told).toEqual(Object.values(bytesOf));
    const days = (each: number, count: number): number => (each * count * 400) / 2 ** 20;
    const confirmed = bytesOf.broadcasts + bytesOf.followed;
    const endpoint = predictedBytes({ minutes: 7 * 1440, hours: 90 * 24 }) - emptyBytes;
    for (const line of [
      `${days(bytesOf.broadcasts, 1000).toFixed(0)} MiB after 400 days`,
      `each is looked up: ${days(confirmed, 1000).toFixed(0)} MiB`,
      `${((7 * 1440 * bytesOf.minutes) / 2 ** 20).toFixed(1)} MiB for the minutes of 7 days`,
      `100 endpoints ${((100 * endpoint) / 2 ** 20).toFixed(0)} MiB`,
      `events: ${((500_000 * bytesOf.events) / 2 ** 20).toFixed(0)} MiB at most`,
      `the log, \`rpcgw.db-wal\`: ${(logBytes / 2 ** 20).toFixed(0)} MiB`,
    ])
      expect(section).toContain(line);
  });
});
