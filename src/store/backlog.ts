import type { Write } from './writes.ts';

export interface Entry {
  write: Write;
  /** Somebody waits for it; a failed batch tells them, and it is not tried again. */
  readonly waiter?: Waiter;
  readonly droppable?: boolean;
  readonly key?: string;
}

export interface Waiter {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  /** It has been told that this took too long; what it wants done when the row went in all the same. */
  abandoned?: (value: unknown) => Write;
}

/** Past so many droppable ones the oldest of them goes. */
const droppableMost = 10_000;

/** Writes that wait for their batch, in order. */
export interface Backlog {
  readonly size: number;
  /** Returns how many older ones were given up for it. */
  add(entry: Entry): number;
  take(most: number): Entry[];
  /** After a failed batch: in front of all that came since. */
  putBack(entries: readonly Entry[]): void;
}

export function backlog(): Backlog {
  let entries: Entry[] = [];
  let droppable = 0;
  const byKey = new Map<string, Entry>();

  function enter(entry: Entry): void {
    if (entry.droppable === true) droppable++;
    if (entry.key !== undefined) byKey.set(entry.key, entry);
  }
  function leave(entry: Entry): void {
    if (entry.droppable === true) droppable--;
    if (entry.key !== undefined) byKey.delete(entry.key);
  }

  return {
    get size() {
      return entries.length;
    },
    add(entry) {
      const twin = entry.key === undefined ? undefined : byKey.get(entry.key);
      if (twin !== undefined) {
        twin.write = entry.write;
        return 0;
      }
      let dropped = 0;
      if (entry.droppable === true && droppable >= droppableMost) {
        for (const oldest of entries.splice(
          entries.findIndex(other => other.droppable === true),
          1,
        ))
          leave(oldest);
        dropped = 1;
      }
      entries.push(entry);
      enter(entry);
      return dropped;
    },
    take(most) {
      entries = entries.filter(entry => entry.waiter?.abandoned === undefined);
      const taken = entries.splice(0, most);
      for (const entry of taken) leave(entry);
      return taken;
    },
    putBack(back) {
      // One with the same key that came since is newer.
      const still = back.filter(entry => entry.key === undefined || !byKey.has(entry.key));
      entries = [...still, ...entries];
      for (const entry of still) enter(entry);
    },
  };
}
