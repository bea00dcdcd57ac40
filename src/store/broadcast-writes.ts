import type { Database } from 'better-sqlite3';
import type { BroadcastEnd, BroadcastRow } from '../gateway/ports.ts';
import {
  type BroadcastRecord,
  type FollowReason,
  type Found,
  type JoinedRow,
  joinedColumns,
  readBroadcast,
  type Settled,
  txKey,
} from './broadcast-record.ts';

export interface Look {
  readonly found: Found;
  /** Of the block it stands in. */
  readonly height?: number;
  /** Name of the endpoint that was asked. */
  readonly endpoint: string;
}

export type SettleResult = 'settled' | 'already' | 'not_open' | 'no_such';

const opened: Readonly<Record<FollowReason, string>> = {
  unknown: 'the outcome is unknown: looking it up',
  rejected: 'the nonce or sequence is used: looking up whether by this transaction',
  confirm: 'accepted: looking for it in a block',
};

export function broadcastWrites(db: Database) {
  const insert = db.prepare(
    `INSERT INTO broadcast (chain, method, tx_id, tx_key, digest, options, endpoint, identity_key, request_id, attempt,
      earlier, facts, began) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const conclude = db.prepare(
    `UPDATE broadcast SET outcome = ?, reached = ?, ms = ?, rule = ?, answer = ?, ended = ?
      WHERE row = ? AND outcome IS NULL`,
  );
  const transaction = db.prepare<[number], { chain: string; tx_key: string }>(
    'SELECT chain, tx_key FROM broadcast WHERE row = ?',
  );
  // A later attempt opens a settled one again; being followed for an unknown outcome outranks mere confirming.
  const open = db.prepare(
    `INSERT INTO follow_up (chain, tx_key, reason, opened) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
      SET reason = excluded.reason, opened = excluded.opened, settled = NULL, how = NULL, note = NULL, who = NULL
      WHERE settled IS NOT NULL OR (reason = 'confirm' AND excluded.reason <> 'confirm')`,
  );
  const followed = db.prepare<
    [string, string],
    { latest: Found | null; height: number | null; settled: number | null }
  >('SELECT latest, height, settled FROM follow_up WHERE chain = ? AND tx_key = ?');
  const seen = db.prepare(
    `UPDATE follow_up SET looks = looks + 1, last_look = @at, latest = @found, height = @height,
      first_seen = CASE WHEN @found = 'not_seen' THEN first_seen ELSE coalesce(first_seen, @at) END
      WHERE chain = @chain AND tx_key = @tx_key`,
  );
  const close = db.prepare(
    'UPDATE follow_up SET settled = ?, how = ?, note = ?, who = ? WHERE chain = ? AND tx_key = ?',
  );
  const entry = db.prepare(
    'INSERT INTO timeline (chain, tx_key, row, at, kind, text) VALUES (?, ?, ?, ?, ?, ?)',
  );

  function transactionOf(row: number): { chain: string; tx_key: string } {
    const found = transaction.get(row);
    if (found === undefined) throw new Error(`there is no broadcast row ${row}`);
    return found;
  }

  function note(row: number, at: number, kind: string, text: string): void {
    const { chain, tx_key } = transactionOf(row);
    entry.run(chain, tx_key, row, at, kind, text);
  }

  function follow({ row, at, reason }: { row: number; at: number; reason: FollowReason }): void {
    const { chain, tx_key } = transactionOf(row);
    if (open.run(chain, tx_key, reason, at).changes > 0) note(row, at, 'follow_up', opened[reason]);
  }

  return {
    begin({ row, at }: { row: BroadcastRow; at: number }): number {
      const { chain, method, txId, digest, options, endpoint, identityKey, requestId, attempt } = row;
      const key = txKey(row);
      const made = insert.run(
        ...[chain, method, txId ?? null, key, digest, options, endpoint, identityKey, requestId, attempt],
        ...[row.earlier ?? null, row.facts ?? null, at],
      );
      return Number(made.lastInsertRowid);
    },

    finish({
      row,
      at,
      end: { outcome, reached, ms, rule, answer },
    }: {
      row: number;
      at: number;
      end: BroadcastEnd;
    }): void {
      const { changes } = conclude.run(outcome, reached, ms, rule, answer ?? null, at, row);
      if (changes === 0) throw new Error(`broadcast row ${row} has an outcome already, or is not there`);
      if (outcome === 'unknown') follow({ row, at, reason: 'unknown' });
    },

    follow,

    mark({ row, at, kind, text }: { row: number; at: number; kind: string; text: string }): void {
      note(row, at, kind, text);
    },

    look({ row, at, look: { found, height, endpoint } }: { row: number; at: number; look: Look }): void {
      const tx = transactionOf(row);
      const before = followed.get(tx.chain, tx.tx_key);
      if (before === undefined) throw new Error(`broadcast row ${row} is not followed up`);
      seen.run({ ...tx, at, found, height: height ?? null });
      // Looks go on for as long as it takes; only what is new is worth a line.
      if (before.latest === found && before.height === (height ?? null)) return;
      const where = { pool: 'in the pool', block: `in block ${height ?? '?'}`, not_seen: '' }[found];
      const text = found === 'not_seen' ? `not seen by ${endpoint}` : `seen ${where} by ${endpoint}`;
      note(row, at, found === 'not_seen' ? 'not_seen' : 'seen', text);
    },

    settle({ row, settled }: { row: number; settled: Settled }): SettleResult {
      const tx = transaction.get(row);
      if (tx === undefined) return 'no_such';
      const before = followed.get(tx.chain, tx.tx_key);
      if (before === undefined) return 'not_open';
      if (before.settled !== null) return 'already';
      const { at, how, note: text, who } = settled;
      close.run(at, how, text, who ?? null, tx.chain, tx.tx_key);
      note(row, at, 'settled', `${how}: ${text}`);
      return 'settled';
    },
  };
}

/** Rows that a run before this one left without an outcome: unknown from now on, and followed up (contract 6.2). */
export function recoverBroadcasts(db: Database, now: number): BroadcastRecord[] {
  const pending = db
    .prepare<[], number>('SELECT row FROM broadcast WHERE outcome IS NULL ORDER BY row')
    .pluck();
  const end = db.prepare(
    "UPDATE broadcast SET outcome = 'unknown', rule = 'store.interrupted', ended = ? WHERE row = ?",
  );
  const read = db.prepare<[number], JoinedRow>(`SELECT ${joinedColumns} WHERE b.row = ?`);
  const { mark, follow } = broadcastWrites(db);
  return db.transaction(() =>
    pending.all().map(row => {
      end.run(now, row);
      mark({ row, at: now, kind: 'interrupted', text: 'the gateway ended before the outcome was known' });
      follow({ row, at: now, reason: 'unknown' });
      const joined = read.get(row);
      if (joined === undefined) throw new Error(`broadcast row ${row} is gone`);
      return readBroadcast(joined);
    }),
  )();
}
