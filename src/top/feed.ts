/** What is known of the daemon: the newest status, what was before it, and how it stands with the connection. */

import type { ApiClient } from '../api/client.ts';
import type { EventRow, Status } from '../api/contract.ts';
import type { Broadcast } from '../api/history-shapes.ts';
import { OperatorError } from '../core/errors.ts';
import type { Link } from './link.ts';
import { unknownCount } from './needs.ts';
import { extend, noTrail, type Trail } from './trail.ts';

export interface Feed {
  readonly status: Status;
  readonly trail: Trail;
  /** Oldest first. */
  readonly events: readonly EventRow[];
  /** Newest first; all that are unknown among them, however old. */
  readonly broadcasts: readonly Broadcast[];
  /** Why events and broadcasts are not what they should be. */
  readonly problem: string | undefined;
  readonly link: Link;
  /** When the status came, on the clock of `Timers`. */
  readonly seenAt: number;
}

export interface Timers {
  /** Monotonic, ms. */
  now(): number;
  /** Returns what takes it back. */
  after(ms: number, run: () => void): () => void;
}

export interface Watch {
  read(): Feed;
  /** Starts the stream anew with this interval. */
  every(intervalMs: number): void;
  stop(): void;
}

const keptEvents = 500;
const recentBroadcasts = 50;
const againMs = { first: 250, most: 2_000 } as const;

/** `changed` is told of each status and of each change of the link; what is asked beside waits for the next of them. */
export function watchDaemon(
  api: ApiClient,
  timers: Timers,
  first: Status,
  intervalMs: number,
  changed: () => void,
): Watch {
  let feed: Feed = {
    status: first,
    trail: extend(noTrail, first),
    events: [],
    broadcasts: [],
    problem: undefined,
    link: { is: 'live' },
    seenAt: timers.now(),
  };
  let interval = intervalMs;
  let stopped = false;
  let asking = false;
  let run = new AbortController();

  void follow();
  return {
    read: () => feed,
    every(ms) {
      interval = ms;
      run.abort();
    },
    stop() {
      stopped = true;
      run.abort();
    },
  };

  async function follow(): Promise<void> {
    let waitMs: number = againMs.first;
    while (!stopped) {
      run = new AbortController();
      const before = feed.seenAt;
      const why = await once(run.signal);
      if (stopped) return;
      // Asked for anew with another interval: nothing was lost.
      if (run.signal.aborted) continue;
      if (feed.seenAt !== before) waitMs = againMs.first;
      const since = feed.link.is === 'lost' ? feed.link.since : feed.seenAt;
      set({ link: { is: 'lost', since, why } });
      await wait(waitMs, run.signal);
      waitMs = Math.min(againMs.most, waitMs * 2);
    }
  }

  /** One connection, until it ends; resolves to why. */
  async function once(signal: AbortSignal): Promise<string> {
    try {
      for await (const status of api.watch('statusStream', { intervalMs: interval }, signal)) {
        take(status);
        void askBeside();
      }
      return 'the daemon ended the stream';
    } catch (error) {
      return inWords(error);
    }
  }

  function take(status: Status): void {
    const now = timers.now();
    const { link } = feed;
    const restarted = status.startedAt !== feed.status.startedAt;
    set({
      status,
      trail: extend(feed.trail, status),
      seenAt: now,
      link:
        link.is === 'live' ? link : { is: 'live', back: { at: now, afterMs: now - link.since, restarted } },
    });
  }

  /**
   * Asked with each status rather than followed: nothing can fall between a list and the tail after it, and a daemon with
   * ten dashboards has ten small questions a second, not ten tails.
   */
  async function askBeside(): Promise<void> {
    if (asking) return;
    asking = true;
    try {
      const last = feed.events.at(-1);
      const { events } = await api.ask('events', {
        limit: keptEvents,
        ...(last === undefined ? {} : { sinceMs: Date.parse(last.time) }),
      });
      const recent = await api.ask('broadcasts', { limit: recentBroadcasts });
      const open =
        unknownCount(feed.status) === 0 ? [] : (await api.ask('broadcasts', { unknown: true })).broadcasts;
      const known = new Set(open.map(({ id }) => id));
      feed = {
        ...feed,
        events: joined(feed.events, events),
        broadcasts: [...open, ...recent.broadcasts.filter(({ id }) => !known.has(id))],
        problem: undefined,
      };
    } catch (error) {
      feed = { ...feed, problem: inWords(error) };
    } finally {
      asking = false;
    }
  }

  function set(part: Partial<Feed>): void {
    feed = { ...feed, ...part };
    changed();
  }

  function wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const cancel = timers.after(ms, done);
      signal.addEventListener('abort', done, { once: true });
      function done(): void {
        cancel();
        signal.removeEventListener('abort', done);
        resolve();
      }
    });
  }
}

function joined(old: readonly EventRow[], found: readonly EventRow[]): readonly EventRow[] {
  // A daemon with a new store counts its events from one again, so the number alone tells nothing.
  const known = new Set(old.map(({ id, time }) => `${id} ${time}`));
  const fresh = found.filter(({ id, time }) => !known.has(`${id} ${time}`));
  return fresh.length === 0 ? old : [...old, ...fresh].slice(-keptEvents);
}

function inWords(error: unknown): string {
  return error instanceof OperatorError ? (error.why[0] ?? error.message) : String(error);
}
