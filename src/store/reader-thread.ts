import { openForReading } from './database.ts';
import { unusable } from './failure.ts';
import { reads } from './reads.ts';
import { runThread } from './thread.ts';

export type ReaderQuestion = readonly [name: string, argument: unknown];

let dir = '';

runThread(
  data => {
    // Started by `openStore` alone, which hands over the folder.
    dir = data as string;
    const db = openForReading(dir);
    // A query and its argument belong together by the type of Ask; called by name the pairing is lost.
    const byName = reads(db) as Record<string, (argument: unknown) => unknown>;
    return {
      ready: undefined,
      answer(question) {
        // Asked by `openStore` alone.
        const [name, argument] = question as ReaderQuestion;
        return byName[name]?.(argument);
      },
      close() {
        db.close();
      },
    };
  },
  error => unusable(dir, error),
);
