import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { OperatorError } from '../core/errors.ts';
import { createPrivate } from './lock.ts';

type Db = Database.Database;

const fileName = 'rpcgw.db';
/** "rpcg": tells our file from another program's. */
const applicationId = 0x72706367;
const full = 2;
const walBytes = 8 * 1024 * 1024;
/**
 * Of pages each connection keeps: SQLite's own default. This build's is eight times that, which a daemon takes hours to fill, and
 * that looks like a leak; what is not kept is in the system's page cache anyway.
 */
const cacheKiB = 2000;

export interface WritingOptions {
  /** The schema, one SQL text a version. */
  readonly steps: readonly string[];
  /** Size past which SQLite calls the disk full; for tests. */
  readonly maxPages?: number | undefined;
  /** Wall clock, ms. */
  readonly now: number;
}

/** Opens, migrates and proves the database. The only connection that writes. */
export function openForWriting(dir: string, { steps, maxPages, now }: WritingOptions): Db {
  const file = join(dir, fileName);
  // The -wal and -shm files take their mode from this one.
  if (!createPrivate(file) && (statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  const db = new Database(file, { timeout: 1000 });
  try {
    // Only heard while the file has no page yet, so before WAL writes its first.
    db.pragma('auto_vacuum = INCREMENTAL');
    if (db.pragma('journal_mode = WAL', { simple: true }) !== 'wal') {
      throw new OperatorError('store_unusable', `the disk of ${dir} cannot hold a write-ahead log`, {
        why: ['it needs shared memory and locks, which most network file systems lack'],
        next: ['choose a dataDir on a local disk'],
      });
    }
    db.pragma('synchronous = FULL');
    // Where fsync leaves data in the drive's cache (macOS), this asks for the real thing; a no-op elsewhere.
    db.pragma('fullfsync = ON');
    // A removed endpoint's key does not stay behind in free pages.
    db.pragma('secure_delete = ON');
    db.pragma('trusted_schema = OFF');
    db.pragma(`journal_size_limit = ${walBytes}`);
    boundCache(db);
    if (maxPages !== undefined) db.pragma(`max_page_count = ${maxPages}`);
    migrate(db, file, steps);
    proveFull(db, now);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A long query runs on its own connection: in WAL it neither waits for the writer nor holds it up. */
export function openForReading(dir: string): Db {
  const db = new Database(join(dir, fileName), { readonly: true, fileMustExist: true, timeout: 1000 });
  boundCache(db);
  return db;
}

function boundCache(db: Db): void {
  // A negative size is one in KiB.
  db.pragma(`cache_size = -${cacheKiB}`);
}

/** Writes something, so that the disk is known to take rows. */
export function touch(db: Db, now: number): void {
  db.prepare('INSERT INTO meta VALUES (1, ?) ON CONFLICT DO UPDATE SET touched = excluded.touched').run(now);
}

/**
 * The trap: in this build a WAL connection whose FULL was never set explicitly reads as FULL until its first
 * transaction and is NORMAL after it, which does not sync commits. So the level is read after a write.
 */
export function proveFull(db: Db, now: number): void {
  touch(db, now);
  const level = db.pragma('synchronous', { simple: true });
  if (level === full) return;
  throw new OperatorError('store_unusable', 'the database does not sync its commits to the disk', {
    why: [`synchronous reads ${level} after the first write, and must be ${full}`],
  });
}

/** A log that has grown is emptied, unless a reader needs it; never waits for one. */
export function emptyLog(db: Db): void {
  db.pragma('busy_timeout = 0');
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.pragma('busy_timeout = 1000');
}

function migrate(db: Db, file: string, steps: readonly string[]): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  const tables = db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() ?? 0;
  if (tables > 0 && db.pragma('application_id', { simple: true }) !== applicationId) {
    throw new OperatorError('store_unusable', `${file} belongs to another program`, {
      next: ['choose another dataDir'],
    });
  }
  if (version > steps.length) {
    throw new OperatorError('store_unusable', `${file} was written by a newer rpcgw`, {
      why: [`its version is ${version}, this rpcgw knows ${steps.length}`],
      next: ['run the newer rpcgw', `or put back the copy made before the upgrade: ${file}.v*.bak`],
    });
  }
  if (version > 0 && version < steps.length) backUp(db, `${file}.v${version}.bak`);
  for (let at = version; at < steps.length; at++) {
    db.transaction(() => {
      db.exec(steps[at] ?? '');
      db.pragma(`application_id = ${applicationId}`);
      db.pragma(`user_version = ${at + 1}`);
    })();
  }
}

/** SQLite makes the copy, so that what is still in the log is in it; a copy cut short never has the final name. */
function backUp(db: Db, target: string): void {
  const unfinished = `${target}.tmp`;
  rmSync(unfinished, { force: true });
  createPrivate(unfinished);
  db.prepare('VACUUM INTO ?').run(unfinished);
  const descriptor = openSync(unfinished, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, target);
}
