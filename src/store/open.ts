import { mkdirSync } from 'node:fs';
import type { Clock } from '../gateway/ports.ts';
import { type AuditStore, auditStore } from './audit.ts';
import type { BroadcastRecord } from './broadcast-record.ts';
import { type BroadcastStore, broadcastStore } from './broadcasts.ts';
import { type EndpointStore, endpointStores, type OverrideStore } from './endpoints.ts';
import { type EventStore, eventStore } from './events.ts';
import { unusable } from './failure.ts';
import { type Counters, groupCommit, type StoreState } from './group-commit.ts';
import { type Facts, type Learned, learned } from './learned.ts';
import { type InstanceLock, takeLock } from './lock.ts';
import type { Ask } from './reads.ts';
import type { ReportFilter, ReportLine } from './report.ts';
import { steps } from './schema.ts';
import { defaultRetention, type Retention } from './thin.ts';
import { startThread, type Thread } from './thread.ts';
import type { MinuteRow } from './traffic.ts';
import type { Known, WriterData, WriterQuestion } from './writer-thread.ts';
import type { BatchResult } from './writes.ts';

/** The store's threads, which load for as long as a config takes to be read. */
export interface StoreThreads {
  readonly writer: Thread<Known>;
  readonly reader: Thread<undefined>;
  /** May be said twice. */
  close(): Promise<void>;
}

export function startStoreThreads(): StoreThreads {
  const writer = startThread<Known>('writer-thread');
  const reader = startThread<undefined>('reader-thread');
  return {
    writer,
    reader,
    async close() {
      // The last connection empties the log and takes it away; one that only reads could not.
      await reader.close();
      await writer.close();
    },
  };
}

export interface StoreOptions {
  readonly dir: string;
  /** Started before; the store closes them, however its opening ends. */
  readonly threads?: StoreThreads;
  readonly clock: Clock;
  readonly retention?: Retention;
  onState?(state: StoreState): void;
  /** Rows that were given up: at fault themselves, or too many for a disk that takes none. */
  onLost?(rows: number, why: string): void;
  /** Only for tests: another schema, a disk that fills up early. */
  readonly testing?: { readonly steps?: readonly string[]; readonly maxPages?: number };
}

/**
 * The state folder. Writes go to one thread that commits them in groups, questions to another one with a connection
 * of its own, so that neither an fsync nor a long report ever holds up the event loop, nor the one the other.
 */
export interface Store {
  readonly state: StoreState;
  readonly counters: Counters;
  /** Broadcasts that the run before left without an outcome: `unknown` since this start. */
  readonly interrupted: readonly BroadcastRecord[];
  readonly broadcasts: BroadcastStore;
  readonly events: EventStore;
  readonly endpoints: EndpointStore;
  readonly overrides: OverrideStore;
  readonly audit: AuditStore;
  /** By identity key. */
  readonly identities: Learned<Facts['identity']>;
  readonly quarantines: Learned<Facts['quarantine']>;
  readonly histories: Learned<Facts['history']>;
  readonly builds: Learned<Facts['builds']>;
  /** By name of the chain. */
  readonly chains: Learned<Facts['chain']>;
  addMinutes(rows: readonly MinuteRow[]): void;
  report(filter: ReportFilter): Promise<readonly ReportLine[]>;
  /** Folds and removes what is past its time, and gives the space back. `now`: wall clock, ms. */
  thin(now: number): Promise<{ readonly folded: number; readonly removed: number }>;
  /** Writes what waits, then lets go of the folder. */
  close(): Promise<void>;
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const { dir, threads = startStoreThreads() } = options;
  let lock: InstanceLock | undefined;
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    lock = takeLock(dir);
    return await openLocked(options, threads, lock);
  } catch (error) {
    await threads.close();
    lock?.release();
    throw unusable(dir, error);
  }
}

async function openLocked(options: StoreOptions, threads: StoreThreads, lock: InstanceLock): Promise<Store> {
  const { dir, clock, retention = defaultRetention, testing, onState, onLost } = options;
  const { writer, reader } = threads;
  const wall = () => clock.wall();
  const data: WriterData = { dir, steps: testing?.steps ?? steps, maxPages: testing?.maxPages, now: wall() };
  const known = await writer.open(data);
  // What is to be read is there when the writer has opened it.
  await reader.open(dir);
  const tell = (question: WriterQuestion): Promise<unknown> => writer.ask(question);
  const queue = groupCommit({
    // The writer thread answers a batch with its result.
    commit: batch => tell(batch) as Promise<BatchResult>,
    clock,
    onState: state => onState?.(state),
    onLost: (rows, why) => onLost?.(rows, why),
  });
  // The reader thread answers each question with what its function of this name returns.
  const ask = ((name, argument) => reader.ask([name, argument])) as Ask;
  const { keep, put } = queue;

  return {
    get state() {
      return queue.state;
    },
    get counters() {
      return queue.counters;
    },
    interrupted: known.interrupted,
    broadcasts: broadcastStore(queue, ask, wall),
    events: eventStore(keep, ask, wall),
    ...endpointStores(put, known),
    audit: auditStore(put, ask, wall),
    identities: learned('identity', known.learned, keep),
    quarantines: learned('quarantine', known.learned, keep),
    histories: learned('history', known.learned, keep),
    builds: learned('builds', known.learned, keep),
    chains: learned('chain', known.learned, keep),
    addMinutes(rows) {
      keep('minutes', rows, { droppable: true });
    },
    report: filter => ask('report', filter),
    async thin(now) {
      const total = { folded: 0, removed: 0 };
      for (;;) {
        const { folded, removed, more } = await put('thin', { now, retention });
        total.folded += folded;
        total.removed += removed;
        if (!more) break;
      }
      await tell('empty the log');
      return total;
    },
    async close() {
      await queue.close();
      await threads.close();
      lock.release();
    },
  };
}
