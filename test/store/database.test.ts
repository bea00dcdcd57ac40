import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openForReading, openForWriting, proveFull } from '../../src/store/database.ts';
import { steps } from '../../src/store/schema.ts';
import { folder } from './setup.ts';

function opened(path: string): Database.Database {
  const db = new Database(path);
  onTestFinished(() => {
    db.close();
  });
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE IF NOT EXISTS meta (one INTEGER PRIMARY KEY, touched INTEGER)');
  return db;
}

const level = (db: Database.Database) => db.pragma('synchronous', { simple: true });

describe('every commit is synced', () => {
  it('reads FULL after the first write, on a new file and on one that is there', () => {
    const dir = folder();
    for (const run of ['new', 'again']) {
      const db = openForWriting(dir, { steps, now: 1 });
      db.prepare('UPDATE meta SET touched = 2').run();
      expect([run, level(db)]).toEqual([run, 2]);
      expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
      expect(db.pragma('auto_vacuum', { simple: true })).toBe(2);
      db.close();
    }
  });

  it('refuses the trap: a FULL that was never set is none after the first write', () => {
    const db = opened(join(folder(), 'a.db'));
    // Whichever level this build falls to, a level that is not FULL is refused.
    if (level(db) === 2) db.pragma('synchronous = NORMAL');
    expect(() => proveFull(db, 1)).toThrow('does not sync its commits');
  });

  it('passes a connection that has set it', () => {
    const db = opened(join(folder(), 'a.db'));
    db.pragma('synchronous = FULL');
    expect(() => proveFull(db, 1)).not.toThrow();
  });
});

it('each connection keeps two thousand KiB of pages, not what this build of SQLite would', () => {
  const dir = folder();
  const writer = openForWriting(dir, { steps, now: 1 });
  const reader = openForReading(dir);
  for (const db of [writer, reader]) expect(db.pragma('cache_size', { simple: true })).toBe(-2000);
  reader.close();
  writer.close();
});
