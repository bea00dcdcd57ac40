import type { Database } from 'better-sqlite3';
import type { HistoryKind } from '../core/chain.ts';
import type { Keep } from './group-commit.ts';

/** What was learned about a subject (an identity key, or a chain) and outlives the process. All times are wall clock ms. */

export interface IdentityFact {
  readonly result: 'verified' | 'wrong';
  /** What it answered, as text. */
  readonly value: string;
  readonly at: number;
}

/** A quarantine that was passed. */
export interface QuarantineFact {
  readonly passedAt: number;
  /** Why it has to be passed once more: it was on the wrong network since. */
  readonly again?: string;
}

/** The lowest height kept, and the endpoint's head when that was found: a node prunes as it goes. */
export interface HistoryBound {
  readonly lowest: number;
  readonly headThen: number;
  readonly at: number;
}

export type HistoryFact = Readonly<Partial<Record<HistoryKind, HistoryBound>>>;

/** TRON: whether it gives what building a transfer needs. */
export interface BuildsFact {
  readonly builds: boolean;
  readonly at: number;
}

/** A chain's first start: what appears in the file after it goes through quarantine. */
export interface ChainFact {
  readonly since: number;
}

export interface Facts {
  readonly identity: IdentityFact;
  readonly quarantine: QuarantineFact;
  readonly history: HistoryFact;
  readonly builds: BuildsFact;
  readonly chain: ChainFact;
}

/** Answers from memory; what is set goes to disk behind it. */
export interface Learned<T> {
  get(subject: string): T | undefined;
  set(subject: string, value: T): void;
  forget(subject: string): void;
}

export interface LearnedRow {
  readonly subject: string;
  readonly fact: string;
  /** JSON text. */
  readonly value: string;
}

export function learnedWrites(db: Database) {
  const put = db.prepare(
    'INSERT INTO learned VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  const remove = db.prepare('DELETE FROM learned WHERE subject = ? AND fact = ?');
  return {
    learn({ subject, fact, value }: LearnedRow): void {
      put.run(subject, fact, value);
    },
    forget({ subject, fact }: { subject: string; fact: string }): void {
      remove.run(subject, fact);
    },
  };
}

export function allLearned(db: Database): LearnedRow[] {
  return db.prepare<[], LearnedRow>('SELECT subject, fact, value FROM learned').all();
}

export function learned<F extends keyof Facts>(
  fact: F,
  rows: readonly LearnedRow[],
  keep: Keep,
): Learned<Facts[F]> {
  const known = new Map<string, Facts[F]>(
    rows.filter(row => row.fact === fact).map(row => [row.subject, JSON.parse(row.value)]),
  );
  return {
    get: subject => known.get(subject),
    set(subject, value) {
      known.set(subject, value);
      keep('learn', { subject, fact, value: JSON.stringify(value) }, { key: `${fact} ${subject}` });
    },
    forget(subject) {
      if (known.delete(subject)) keep('forget', { subject, fact }, { key: `${fact} ${subject}` });
    },
  };
}
