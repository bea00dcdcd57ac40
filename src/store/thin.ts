import type { Database } from 'better-sqlite3';
import { addUp, readRow, spansMs, type TrafficRow, trafficTable } from './traffic.ts';

/** How long what is kept, ms. Unsettled broadcasts and the audit are kept for ever. */
export interface Retention {
  /** Then a minute becomes a part of its hour. */
  readonly minutesMs: number;
  readonly hoursMs: number;
  readonly eventsMs: number;
  /** Rows: an endpoint that flaps for weeks does not fill the disk. */
  readonly eventsMost: number;
  readonly broadcastsMs: number;
}

const dayMs = 24 * spansMs.hour;

export const defaultRetention: Retention = {
  minutesMs: 7 * dayMs,
  hoursMs: 90 * dayMs,
  eventsMs: 90 * dayMs,
  eventsMost: 500_000,
  broadcastsMs: 400 * dayMs,
};

/** One bite is small, because the broadcast behind it waits for its row. */
const groupsABite = 32;
const rowsABite = 500;
const pagesABite = 128;

export interface Thinned {
  /** Minutes that went into their hour. */
  readonly folded: number;
  /** Rows removed for good. */
  readonly removed: number;
  /** More is to be done. */
  readonly more: boolean;
}

export function thinWrites(db: Database) {
  const oldestMinute = db.prepare<[], number | null>('SELECT min(start) FROM minute').pluck();
  const keysOfHour = db
    .prepare<[number, number, number], string>(
      'SELECT DISTINCT identity_key FROM minute WHERE start >= ? AND start < ? LIMIT ?',
    )
    .pluck();
  const minutesOf = db.prepare<[number, number, string], TrafficRow>(
    'SELECT * FROM minute WHERE start >= ? AND start < ? AND identity_key = ? ORDER BY start',
  );
  const removeMinutes = db.prepare('DELETE FROM minute WHERE start >= ? AND start < ? AND identity_key = ?');
  const hours = trafficTable(db, 'hour');
  const removeHours = db.prepare('DELETE FROM hour WHERE start < ? ORDER BY start LIMIT ?');
  const removeEvents = db.prepare('DELETE FROM event WHERE time < ? ORDER BY time LIMIT ?');
  const removeSurplusEvents = db.prepare(
    'DELETE FROM event WHERE id <= (SELECT max(id) FROM event) - ? ORDER BY id LIMIT ?',
  );
  const removeBroadcasts = db.prepare<[number, number], { chain: string; tx_key: string }>(
    `DELETE FROM broadcast WHERE row IN (
      SELECT b.row FROM broadcast b LEFT JOIN follow_up f ON f.chain = b.chain AND f.tx_key = b.tx_key
      WHERE b.began < ? AND b.outcome IS NOT NULL AND (f.reason IS NULL OR f.settled IS NOT NULL)
      ORDER BY b.began LIMIT ?) RETURNING chain, tx_key`,
  );
  const noAttemptLeft =
    'chain = @chain AND tx_key = @tx_key AND NOT EXISTS (SELECT 1 FROM broadcast WHERE chain = @chain AND tx_key = @tx_key)';
  const removeFollowUp = db.prepare(`DELETE FROM follow_up WHERE ${noAttemptLeft}`);
  const removeTimeline = db.prepare(`DELETE FROM timeline WHERE ${noAttemptLeft}`);

  /** Folds endpoints of the oldest hour that is over and past its time as minutes. */
  function fold(before: number): number {
    const oldest = oldestMinute.get() ?? undefined;
    if (oldest === undefined) return 0;
    const start = oldest - (oldest % spansMs.hour);
    const end = start + spansMs.hour;
    if (end > before) return 0;
    let folded = 0;
    for (const key of keysOfHour.all(start, end, groupsABite)) {
      const minutes = minutesOf.all(start, end, key).map(row => readRow(row, 'minute'));
      const newest = minutes.at(-1);
      if (newest === undefined) continue;
      hours.add({ ...newest, ...addUp(minutes), start });
      folded += removeMinutes.run(start, end, key).changes;
    }
    return folded;
  }

  function remove(now: number, retention: Retention): number {
    const transactions = removeBroadcasts.all(now - retention.broadcastsMs, rowsABite);
    for (const transaction of transactions) {
      removeFollowUp.run(transaction);
      removeTimeline.run(transaction);
    }
    return (
      transactions.length +
      removeHours.run(now - retention.hoursMs, rowsABite).changes +
      removeEvents.run(now - retention.eventsMs, rowsABite).changes +
      removeSurplusEvents.run(retention.eventsMost, rowsABite).changes
    );
  }

  /** Gives free pages back to the file system. */
  function shrink(): boolean {
    const free = Number(db.pragma('freelist_count', { simple: true }));
    if (free > 0) db.exec(`PRAGMA incremental_vacuum(${pagesABite})`);
    return free > pagesABite;
  }

  return {
    /** One bite; to be asked again while there is more. */
    thin({ now, retention }: { now: number; retention: Retention }): Thinned {
      const folded = fold(now - retention.minutesMs);
      const removed = remove(now, retention);
      return { folded, removed, more: folded + removed > 0 || shrink() };
    },
  };
}
