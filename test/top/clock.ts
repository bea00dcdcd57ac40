import type { Timers } from '../../src/top/feed.ts';

export interface FakeTimers extends Timers {
  /** Lets so much time pass; what is due runs in its order. */
  pass(ms: number): void;
  /** Resolves when something waits. */
  waiting(): Promise<void>;
}

export function fakeTimers(): FakeTimers {
  let now = 0;
  let entries: { at: number; run: () => void }[] = [];
  let asked: (() => void)[] = [];
  return {
    now: () => now,
    after(ms, run) {
      const entry = { at: now + ms, run };
      entries.push(entry);
      for (const resolve of asked) resolve();
      asked = [];
      return () => {
        entries = entries.filter(each => each !== entry);
      };
    },
    pass(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = entries.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        entries = entries.filter(each => each !== next);
        now = next.at;
        next.run();
      }
      now = end;
    },
    waiting: () => (entries.length > 0 ? Promise.resolve() : new Promise(resolve => asked.push(resolve))),
  };
}
