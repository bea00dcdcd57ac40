/** The record of broadcasts as it lies on the disk, read from another process than the one that writes it. */

import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Reached } from '../../src/core/transport-fault.ts';
import type { TxOutcome } from '../../src/core/verdict.ts';

export interface Row {
  readonly row: number;
  readonly chain: string;
  readonly tx_id: string | null;
  readonly endpoint: string;
  readonly attempt: number;
  /** Null: pending. */
  readonly outcome: TxOutcome | null;
  readonly reached: Reached | null;
  readonly rule: string | null;
}

/** Why a transaction is looked up, and whether that is over. */
export interface Followed {
  readonly chain: string;
  readonly tx_key: string;
  readonly reason: string;
  readonly settled: number | null;
}

export interface DiskRecord {
  rows(): readonly Row[];
  rowsOf(chain: string): readonly Row[];
  followed(): readonly Followed[];
  close(): void;
}

const columns = 'SELECT row, chain, tx_id, endpoint, attempt, outcome, reached, rule FROM broadcast';

export function openRecord(dataDir: string): DiskRecord {
  const db = new Database(join(dataDir, 'rpcgw.db'), { readonly: true, timeout: 5000 });
  const all = db.prepare<[], Row>(`${columns} ORDER BY row`);
  const some = db.prepare<[string], Row>(`${columns} WHERE chain = ? ORDER BY row`);
  const looked = db.prepare<[], Followed>('SELECT chain, tx_key, reason, settled FROM follow_up');
  return {
    rows: () => all.all(),
    rowsOf: chain => some.all(chain),
    followed: () => looked.all(),
    close: () => void db.close(),
  };
}

/** Takes the one lock that every write needs, so that no row can be put on the disk until it is let go. */
export function holdWrites(dataDir: string): () => void {
  const db = new Database(join(dataDir, 'rpcgw.db'), { timeout: 5000 });
  db.exec('BEGIN IMMEDIATE');
  return () => {
    db.exec('ROLLBACK');
    db.close();
  };
}
