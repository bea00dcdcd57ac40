import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/gateway/ports.ts';
import { openStore, type Store, type StoreOptions } from '../../src/store/open.ts';
import { patientClock } from './values.ts';

export function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'rpcgw-store-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export interface HandClock extends Clock {
  time: number;
  /** Runs the timers of this length that are not cancelled; says how many there were. */
  fire(ms: number): number;
}

/** Time stands still, and timers run when the test says so. */
export function handClock(time = 1_700_000_000_000): HandClock {
  const timers = new Set<{ ms: number; run: () => void }>();
  return {
    time,
    now: () => 0,
    wall() {
      return this.time;
    },
    after(ms, run) {
      const timer = { ms, run };
      timers.add(timer);
      return { cancel: () => timers.delete(timer) };
    },
    fire(ms) {
      const due = [...timers].filter(timer => timer.ms === ms);
      for (const timer of due) timers.delete(timer);
      for (const timer of due) timer.run();
      return due.length;
    },
  };
}

/** A store in a folder of its own unless one is named; closed after the test unless the test did it. */
export async function openTestStore(options: Partial<StoreOptions> = {}): Promise<Store> {
  const store = await openStore({ dir: options.dir ?? folder(), clock: patientClock, ...options });
  let closing: Promise<void> | undefined;
  const close = store.close;
  const closeOnce = () => {
    closing ??= close();
    return closing;
  };
  onTestFinished(closeOnce);
  // The store reads its state through getters, so it is wrapped and not copied.
  return Object.assign(Object.create(store), { close: closeOnce });
}

/** A second connection, as another program would have it. */
export function openRaw(dir: string): Database.Database {
  const db = new Database(join(dir, 'rpcgw.db'));
  onTestFinished(() => {
    db.close();
  });
  return db;
}
