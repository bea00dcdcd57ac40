import type { Database } from 'better-sqlite3';
import { recoverBroadcasts } from './broadcast-writes.ts';
import { emptyLog, openForWriting, touch, type WritingOptions } from './database.ts';
import { allEndpoints, allOverrides } from './endpoints.ts';
import { unusable } from './failure.ts';
import { allLearned } from './learned.ts';
import { runThread } from './thread.ts';
import { batchWriter, type Write } from './writes.ts';

export interface WriterData extends WritingOptions {
  readonly dir: string;
}

/** What was known when the run before this one ended. */
function known(db: Database, now: number) {
  return {
    interrupted: recoverBroadcasts(db, now),
    endpoints: allEndpoints(db),
    overrides: allOverrides(db),
    learned: allLearned(db),
  };
}

export type Known = ReturnType<typeof known>;
export type WriterQuestion = readonly Write[] | 'empty the log';

let dir = '';

runThread(
  data => {
    // Started by `openStore` alone, which hands over just this.
    const options = data as WriterData;
    dir = options.dir;
    const db = openForWriting(dir, options);
    const write = batchWriter(db, () => touch(db, options.now));
    return {
      ready: known(db, options.now),
      answer(question) {
        // Asked by `openStore` alone.
        const asked = question as WriterQuestion;
        return asked === 'empty the log' ? emptyLog(db) : write(asked);
      },
      close() {
        db.close();
      },
    };
  },
  error => unusable(dir, error),
);
