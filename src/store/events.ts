import type { Database } from 'better-sqlite3';
import type { Event, Events } from '../gateway/ports.ts';
import type { Keep } from './group-commit.ts';
import type { Ask } from './reads.ts';

export interface StoredEvent extends Event {
  readonly id: number;
  /** Wall clock, ms. */
  readonly time: number;
}

export interface EventFilter {
  /** Only later ones than this id: how a follower goes on. */
  readonly after?: number;
  /** Wall clock, ms. */
  readonly since?: number;
  readonly kind?: string;
  readonly chain?: string;
  readonly endpoint?: string;
  /** The newest so many (with `after`: the next so many). */
  readonly limit?: number;
}

export interface EventStore extends Events {
  /** Oldest first. */
  list(filter?: EventFilter): Promise<readonly StoredEvent[]>;
}

interface Row {
  id: number;
  time: number;
  kind: string;
  chain: string;
  endpoint: string | null;
  level: Event['level'];
  text: string;
  detail: string | null;
}

export function eventWrites(db: Database) {
  const insert = db.prepare(
    'INSERT INTO event (time, kind, chain, endpoint, level, text, detail) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  return {
    event({ time, event }: { time: number; event: Event }): void {
      const detail = event.detail === undefined ? null : JSON.stringify(event.detail);
      insert.run(time, event.kind, event.chain, event.endpoint ?? null, event.level, event.text, detail);
    },
  };
}

export function eventReads(db: Database) {
  const where = `(@since IS NULL OR time >= @since) AND (@kind IS NULL OR kind = @kind)
    AND (@chain IS NULL OR chain = @chain) AND (@endpoint IS NULL OR endpoint = @endpoint)`;
  const next = db.prepare<[object], Row>(
    `SELECT * FROM event WHERE id > @after AND ${where} ORDER BY id LIMIT @limit`,
  );
  const newest = db.prepare<[object], Row>(
    `SELECT * FROM event WHERE ${where} ORDER BY id DESC LIMIT @limit`,
  );
  return {
    events(filter: EventFilter): StoredEvent[] {
      const { after, since = null, kind = null, chain = null, endpoint = null, limit = 200 } = filter;
      const bound = { since, kind, chain, endpoint, limit };
      const rows = after === undefined ? newest.all(bound).reverse() : next.all({ ...bound, after });
      return rows.map(row => ({
        id: row.id,
        time: row.time,
        kind: row.kind,
        chain: row.chain,
        ...(row.endpoint === null ? {} : { endpoint: row.endpoint }),
        level: row.level,
        text: row.text,
        ...(row.detail === null ? {} : { detail: JSON.parse(row.detail) }),
      }));
    },
  };
}

export function eventStore(keep: Keep, ask: Ask, wall: () => number): EventStore {
  return {
    emit(event) {
      keep('event', { time: wall(), event }, { droppable: true });
    },
    list: (filter = {}) => ask('events', filter),
  };
}
