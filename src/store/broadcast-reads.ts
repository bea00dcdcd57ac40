import type { Database } from 'better-sqlite3';
import type { BroadcastRow } from '../gateway/ports.ts';
import {
  type BroadcastRecord,
  type JoinedRow,
  joinedColumns,
  readBroadcast,
  type TimelineEntry,
  txKey,
} from './broadcast-record.ts';

export interface BroadcastFilter {
  readonly chain?: string;
  readonly outcome?: BroadcastRecord['outcome'];
  /** Only what is not settled: outcome unknown, or rejected and still looked up. */
  readonly unsettled?: boolean;
  /** Wall clock, ms. */
  readonly since?: number;
  readonly tx?: string;
  /** Only older rows than this one: how a list goes on. */
  readonly before?: number;
  readonly limit?: number;
}

/** A transaction in full: all its attempts, and what happened around them. */
export interface BroadcastStory {
  /** Oldest first, with the node's own body where one was kept. */
  readonly attempts: readonly AnsweredBroadcast[];
  readonly timeline: readonly TimelineEntry[];
}

export interface AnsweredBroadcast extends BroadcastRecord {
  readonly answer?: Uint8Array;
}

/** The same broadcast again (contract 6.8). */
export type SameBroadcast = Pick<BroadcastRow, 'chain' | 'method' | 'txId' | 'digest' | 'options'>;

type AnsweredRow = JoinedRow & { answer: Uint8Array | null };

/** One condition for each member of a filter that is set. */
const conditions: Readonly<Record<keyof Omit<BroadcastFilter, 'limit'>, string>> = {
  chain: 'b.chain = @chain',
  outcome: "coalesce(b.outcome, 'pending') = @outcome",
  unsettled:
    "f.reason IN ('unknown', 'rejected') AND f.settled IS NULL AND b.outcome IN ('unknown', 'rejected')",
  since: 'b.began >= @since',
  tx: 'b.tx_key = @tx',
  before: 'b.row < @before',
};

export function broadcastReads(db: Database) {
  const answered = (where: string) =>
    db.prepare<[object], AnsweredRow>(`SELECT b.answer, ${joinedColumns} WHERE ${where}`);
  const transaction = db.prepare<[number], { chain: string; tx_key: string }>(
    'SELECT chain, tx_key FROM broadcast WHERE row = ?',
  );
  const attempts = answered('b.chain = @chain AND b.tx_key = @tx_key ORDER BY b.row');
  const timeline = db.prepare<[object], TimelineEntry>(
    'SELECT at, row, kind, text FROM timeline WHERE chain = @chain AND tx_key = @tx_key ORDER BY id',
  );
  const same = answered(
    `b.tx_key = @tx AND b.chain = @chain AND b.method = @method AND b.digest = @digest AND b.options = @options
      ORDER BY b.row DESC LIMIT 1`,
  );
  const followed = db.prepare<[], JoinedRow>(
    `SELECT ${joinedColumns} WHERE f.reason IS NOT NULL AND f.settled IS NULL AND b.row =
      (SELECT max(row) FROM broadcast WHERE tx_key = f.tx_key AND chain = f.chain) ORDER BY b.row`,
  );
  const unsettled = db.prepare<[], { chain: string; count: number }>(
    `SELECT chain, count(*) AS count FROM follow_up
      WHERE settled IS NULL AND reason IN ('unknown', 'rejected') GROUP BY chain`,
  );
  return {
    broadcasts(filter: BroadcastFilter): BroadcastRecord[] {
      const { limit = 200, unsettled: only, ...values } = filter;
      const bound = { ...values, ...(only === true ? { unsettled: 1 } : {}) };
      // The keys are the filter's own; Object.keys forgets that.
      const set = (Object.keys(bound) as (keyof typeof bound)[]).filter(key => bound[key] !== undefined);
      const where = set.length === 0 ? '' : `WHERE ${set.map(key => conditions[key]).join(' AND ')}`;
      return db
        .prepare<[object], JoinedRow>(`SELECT ${joinedColumns} ${where} ORDER BY b.row DESC LIMIT @limit`)
        .all({ ...bound, limit })
        .map(readBroadcast);
    },

    broadcast({ row }: { row: number }): BroadcastStory | undefined {
      const tx = transaction.get(row);
      if (tx === undefined) return undefined;
      return { attempts: attempts.all(tx).map(readAnswered), timeline: timeline.all(tx) };
    },

    sameBroadcast(wanted: SameBroadcast): AnsweredBroadcast | undefined {
      const { chain, method, digest, options } = wanted;
      const found = same.get({ tx: txKey(wanted), chain, method, digest, options });
      return found === undefined ? undefined : readAnswered(found);
    },

    followedBroadcasts: (): BroadcastRecord[] => followed.all().map(readBroadcast),

    unsettledBroadcasts: (): Record<string, number> =>
      Object.fromEntries(unsettled.all().map(({ chain, count }) => [chain, count])),
  };
}

function readAnswered(row: AnsweredRow): AnsweredBroadcast {
  return { ...readBroadcast(row), ...(row.answer === null ? {} : { answer: row.answer }) };
}
