import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Put } from './group-commit.ts';
import type { Ask } from './reads.ts';

type Detail = Readonly<Record<string, string | number | boolean | null>>;

/** One admin action. Carries no URL beyond a host. */
export interface AuditEntry {
  /** As the command states it: unproven. */
  readonly who: string;
  readonly action: string;
  readonly chain?: string;
  /** Endpoint name, broadcast id, … */
  readonly target?: string;
  readonly result: 'done' | 'already' | 'refused';
  readonly before?: Detail;
  readonly after?: Detail;
  readonly note?: string;
}

export interface AuditRow extends AuditEntry {
  readonly id: number;
  /** Wall clock, ms. */
  readonly time: number;
  readonly hash: string;
}

export type AuditVerdict =
  | { readonly sound: true; readonly rows: number; readonly head: string }
  /** `row`: the first one that does not hold. */
  | {
      readonly sound: false;
      readonly fault: 'changed' | 'missing' | 'head_unknown';
      readonly row?: number;
      readonly text: string;
    };

export interface AuditStore {
  /** Resolves when the row is on disk; its hash also goes to the log. */
  append(entry: AuditEntry): Promise<{ readonly id: number; readonly hash: string }>;
  /** Oldest first. */
  list(filter?: { readonly after?: number; readonly limit?: number }): Promise<readonly AuditRow[]>;
  /** `head`: a hash from the log, so that rows cut off at the end are noticed too. */
  verify(head?: string): Promise<AuditVerdict>;
}

interface Row {
  id: number;
  time: number;
  who: string;
  action: string;
  chain: string | null;
  target: string | null;
  result: AuditRow['result'];
  /** `before`, `after` and `note`, as JSON text: the very text that was hashed. */
  detail: string;
  hash: string;
}

const noRowYet = '0'.repeat(64);

function hashOf(previous: string, row: Omit<Row, 'hash'>): string {
  const canonical = [row.id, row.time, row.who, row.action, row.chain, row.target, row.result, row.detail];
  return createHash('sha256').update(previous).update(JSON.stringify(canonical)).digest('hex');
}

export function auditWrites(db: Database) {
  const last = db.prepare<[], { id: number; hash: string }>(
    'SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1',
  );
  const insert = db.prepare(
    `INSERT INTO audit (id, time, who, action, chain, target, result, detail, hash)
      VALUES (@id, @time, @who, @action, @chain, @target, @result, @detail, @hash)`,
  );
  return {
    audit({ time, entry }: { time: number; entry: AuditEntry }): { id: number; hash: string } {
      const previous = last.get() ?? { id: 0, hash: noRowYet };
      const { action, result, before, after, note } = entry;
      const detail = JSON.stringify({ before, after, note });
      // Half of a surrogate pair has no form in the file: what is read back would have another hash.
      const who = entry.who.toWellFormed();
      const [chain, target] = [kept(entry.chain), kept(entry.target)];
      const row = { id: previous.id + 1, time, who, action, chain, target, result, detail };
      const hash = hashOf(previous.hash, row);
      insert.run({ ...row, hash });
      return { id: row.id, hash };
    },
  };
}

function kept(text: string | undefined): string | null {
  return text?.toWellFormed() ?? null;
}

export function auditReads(db: Database) {
  const list = db.prepare<[number, number], Row>('SELECT * FROM audit WHERE id > ? ORDER BY id LIMIT ?');
  const all = db.prepare<[], Row>('SELECT * FROM audit ORDER BY id');
  return {
    audit({ after = 0, limit = 1000 }: { after?: number; limit?: number }): AuditRow[] {
      return list.all(after, limit).map(({ chain, target, detail, ...row }) => ({
        ...row,
        ...(chain === null ? {} : { chain }),
        ...(target === null ? {} : { target }),
        ...JSON.parse(detail),
      }));
    },
    verifyAudit({ head }: { head: string | undefined }): AuditVerdict {
      let previous = { id: 0, hash: noRowYet };
      let headSeen = head === undefined || head === noRowYet;
      for (const row of all.iterate()) {
        const expected = previous.id + 1;
        if (row.id !== expected) {
          return { sound: false, fault: 'missing', row: expected, text: `row ${expected} is missing` };
        }
        if (hashOf(previous.hash, row) !== row.hash) {
          const text = `row ${row.id} was changed, or the hash of the row before it`;
          return { sound: false, fault: 'changed', row: row.id, text };
        }
        if (row.hash === head) headSeen = true;
        previous = row;
      }
      if (!headSeen) {
        const text = `no row has the hash ${head}: rows after ${previous.id} were cut off, or all were written anew`;
        return { sound: false, fault: 'head_unknown', text };
      }
      return { sound: true, rows: previous.id, head: previous.hash };
    },
  };
}

export function auditStore(put: Put, ask: Ask, wall: () => number): AuditStore {
  return {
    append: entry => put('audit', { time: wall(), entry }),
    list: (filter = {}) => ask('audit', filter),
    verify: head => ask('verifyAudit', { head }),
  };
}
