import type { Database } from 'better-sqlite3';
import { auditWrites } from './audit.ts';
import { broadcastWrites } from './broadcast-writes.ts';
import { endpointWrites } from './endpoints.ts';
import { eventWrites } from './events.ts';
import { isStoreWide, reasonOf } from './failure.ts';
import { learnedWrites } from './learned.ts';
import { thinWrites } from './thin.ts';
import { trafficWrites } from './traffic.ts';

/** Everything that can be written, by name. The writer thread runs them; the main side only knows their types. */
export function writes(db: Database) {
  return {
    ...endpointWrites(db),
    ...learnedWrites(db),
    ...eventWrites(db),
    ...trafficWrites(db),
    ...broadcastWrites(db),
    ...auditWrites(db),
    ...thinWrites(db),
  };
}

export type Writes = ReturnType<typeof writes>;
export type WriteName = keyof Writes;
export type WriteOf<K extends WriteName> = readonly [name: K, argument: Parameters<Writes[K]>[0]];
export type Write = { [K in WriteName]: WriteOf<K> }[WriteName];

export type Written = { readonly value: unknown } | { readonly fault: string };

export type BatchResult =
  /** `commits`: transactions since the start. */
  | { readonly results: readonly Written[]; readonly commits: number }
  /** Nothing of the batch is in the store. */
  | { readonly failed: string };

/**
 * One transaction for the whole batch. A write that is at fault itself is left out and told so, and the others go in:
 * the transaction starts over without it, so that no half of it stays.
 */
export function batchWriter(db: Database, touch: () => void): (batch: readonly Write[]) => BatchResult {
  // A write and its argument belong together by the type of Write; called by name the pairing is lost.
  const byName = writes(db) as Record<string, (argument: unknown) => unknown>;
  let commits = 0;

  function attempt(batch: readonly Write[], faults: Map<number, string>): readonly Written[] | undefined {
    let faulty: number | undefined;
    const run = db.transaction(() =>
      batch.map(([name, argument], index): Written => {
        const fault = faults.get(index);
        if (fault !== undefined) return { fault };
        faulty = index;
        const value = byName[name]?.(argument);
        faulty = undefined;
        return { value };
      }),
    );
    try {
      return run.immediate();
    } catch (error) {
      if (faulty === undefined || isStoreWide(error)) throw error;
      faults.set(faulty, reasonOf(error));
      return undefined;
    }
  }

  return batch => {
    const faults = new Map<number, string>();
    try {
      // An empty batch asks whether the disk takes rows at all.
      if (batch.length === 0) touch();
      for (;;) {
        const results = attempt(batch, faults);
        if (results === undefined) continue;
        commits++;
        return { results, commits };
      }
    } catch (error) {
      return { failed: reasonOf(error) };
    }
  };
}
