import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { OperatorError } from '../core/errors.ts';

export interface InstanceLock {
  release(): void;
}

/**
 * Creates a file that only its owner can read, when it is not there. Exclusive creation on purpose: closing a second
 * descriptor of a file gives up every POSIX lock that this process holds on it, SQLite's own included.
 */
export function createPrivate(file: string): boolean {
  try {
    writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * One process a state folder. The lock is the kernel's, on a file of its own: it goes with the process however that
 * ends, and no clock is asked.
 */
export function takeLock(dir: string): InstanceLock {
  const file = join(dir, 'rpcgw.lock');
  createPrivate(file);
  const db = new Database(file, { timeout: 0 });
  try {
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    throw new OperatorError('already_running', `another rpcgw uses the state in ${dir}`, {
      next: ['rpcgw status', 'to run a second one, give it another dataDir'],
    });
  }
  return {
    release() {
      db.close();
    },
  };
}
