import type { Database } from 'better-sqlite3';
import { auditReads } from './audit.ts';
import { broadcastReads } from './broadcast-reads.ts';
import { eventReads } from './events.ts';
import { reportReads } from './report.ts';

/** Everything that can be asked, by name. The reader thread runs them; the main side only knows their types. */
export function reads(db: Database) {
  return { ...eventReads(db), ...broadcastReads(db), ...auditReads(db), ...reportReads(db) };
}

type Reads = ReturnType<typeof reads>;

export type Ask = <K extends keyof Reads>(
  name: K,
  argument: Parameters<Reads[K]>[0],
) => Promise<ReturnType<Reads[K]>>;
