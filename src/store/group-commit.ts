import { OperatorError } from '../core/errors.ts';
import type { Clock, Timer } from '../gateway/ports.ts';
import { backlog, type Entry, type Waiter } from './backlog.ts';
import type { BatchResult, Write, WriteName, WriteOf, Writes, Written } from './writes.ts';

/**
 * The main side of the writer: collects writes, has one batch in flight, one transaction a batch. What comes while a
 * batch is on its way goes with the next one, so many rows share one fsync and a lone row waits for nobody.
 *
 *     put ──┐                      ┌─ committed: resolve
 *           ├─ waiting ─ in flight ┤
 *     keep ─┘     ▲                └─ failed: put rejects, keep goes back and is tried again
 *                 └────────────────────────────────────┘
 */

export type StoreState =
  | { readonly is: 'ok' }
  /** Rows cannot be written now. `since`: wall clock, ms. */
  | { readonly is: 'failing'; readonly reason: string; readonly since: number };

export interface KeepOptions {
  /** May be lost, oldest first, when the disk takes nothing for long. */
  readonly droppable?: boolean;
  /** Takes the place of one with the same key that still waits. */
  readonly key?: string;
  /** Does not wait for company. */
  readonly soon?: boolean;
}

export interface PutOptions<K extends WriteName> {
  /** Rejects after so many ms. */
  readonly withinMs: number;
  /** What sets the store right when the row went in although nobody waited any more. */
  late(value: ReturnType<Writes[K]>): Write;
}

/** Resolves when the row is on disk; rejects when it cannot be put there now. */
export type Put = <K extends WriteName>(
  name: K,
  argument: WriteOf<K>[1],
  options?: PutOptions<K>,
) => Promise<ReturnType<Writes[K]>>;

/** Goes to disk some time soon, and is tried again for as long as it takes. */
export type Keep = <K extends WriteName>(name: K, argument: WriteOf<K>[1], options?: KeepOptions) => void;

export interface GroupCommit {
  readonly state: StoreState;
  readonly counters: Counters;
  readonly put: Put;
  readonly keep: Keep;
  /** Writes what waits; takes nothing more. */
  close(): Promise<void>;
}

export interface Counters {
  /** Transactions since the start: the fsyncs. */
  readonly commits: number;
  readonly rows: number;
  /** Rows that were given up. */
  readonly lost: number;
  readonly waiting: number;
  /** How long the batch in flight has been under way, ms. */
  readonly lagMs: number;
}

export interface GroupCommitOptions {
  /** Rejects when no batch will ever be written again. */
  commit(batch: readonly Write[]): Promise<BatchResult>;
  readonly clock: Clock;
  onState(state: StoreState): void;
  onLost(rows: number, why: string): void;
}

/** Kept short, so that a broadcast does not wait behind a long backlog. */
const batchMost = 1000;
const companyMs = 100;
const retryMs = 1000;

export function groupCommit({ commit, clock, onState, onLost }: GroupCommitOptions): GroupCommit {
  const waiting = backlog();
  const counted = { commits: 0, rows: 0, lost: 0 };
  let state: StoreState = { is: 'ok' };
  let inFlight = false;
  let sentAt = 0;
  let scheduled = false;
  let company: Timer | undefined;
  let retry: Timer | undefined;
  let closed: (() => void) | undefined;
  let open = true;
  let gone = false;

  function enter(next: { is: 'ok' } | { is: 'failing'; reason: string }): void {
    if (
      next.is === state.is &&
      (next.is === 'ok' || (state.is === 'failing' && next.reason === state.reason))
    )
      return;
    if (next.is === 'ok') state = next;
    else state = { ...next, since: state.is === 'failing' ? state.since : clock.wall() };
    onState(state);
  }

  function lose(rows: number, why: string): void {
    if (rows === 0) return;
    counted.lost += rows;
    onLost(rows, why);
  }

  function add(entry: Entry): void {
    if (gone) lose(1, 'nothing is written any more');
    else lose(waiting.add(entry), 'too much waits for the disk');
  }

  /** At the end of this turn, so that rows asked for together go together. */
  function soon(): void {
    if (scheduled) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      pump();
    });
  }

  function pump(): void {
    if (inFlight || retry !== undefined || gone) return;
    company?.cancel();
    company = undefined;
    const batch = waiting.take(batchMost);
    // While failing, an empty batch finds out whether the disk takes rows again.
    if (batch.length === 0 && (state.is === 'ok' || !open)) {
      closed?.();
      return;
    }
    inFlight = true;
    sentAt = clock.now();
    commit(batch.map(entry => entry.write)).then(
      result => {
        inFlight = false;
        if ('failed' in result) failed(batch, result.failed);
        else committed(batch, result.results, result.commits);
      },
      (error: Error) => {
        inFlight = false;
        ended(batch, error.message);
      },
    );
  }

  function committed(batch: readonly Entry[], results: readonly Written[], commits: number): void {
    counted.commits = commits;
    for (const [index, entry] of batch.entries()) {
      const written = results[index] ?? { fault: 'the writer did not tell' };
      if ('fault' in written) {
        if (entry.waiter === undefined) lose(1, written.fault);
        else entry.waiter.reject(new Error(written.fault));
        continue;
      }
      counted.rows++;
      if (entry.waiter?.abandoned === undefined) entry.waiter?.resolve(written.value);
      else add({ write: entry.waiter.abandoned(written.value) });
    }
    enter({ is: 'ok' });
    pump();
  }

  function failed(batch: readonly Entry[], reason: string): void {
    enter({ is: 'failing', reason });
    for (const { waiter } of batch) waiter?.reject(cannotWrite(reason));
    waiting.putBack(batch.filter(({ waiter }) => waiter === undefined));
    if (open) {
      retry = clock.after(retryMs, () => {
        retry = undefined;
        pump();
      });
    } else giveUp(reason);
  }

  function ended(batch: readonly Entry[], reason: string): void {
    enter({ is: 'failing', reason });
    waiting.putBack(batch);
    giveUp(reason);
  }

  function giveUp(reason: string): void {
    gone = true;
    const rest = waiting.take(Number.POSITIVE_INFINITY);
    for (const { waiter } of rest) waiter?.reject(cannotWrite(reason));
    lose(rest.filter(({ waiter }) => waiter === undefined).length, reason);
    closed?.();
  }

  const put: Put = (name, argument, options) =>
    new Promise((resolve, reject) => {
      if (!open) throw cannotWrite('the store is closed');
      if (state.is === 'failing') throw cannotWrite(state.reason);
      let timer: Timer | undefined;
      const waiter: Waiter = {
        resolve(value) {
          timer?.cancel();
          // The writer answers each write with what its function of this name returns.
          resolve(value as ReturnType<Writes[typeof name]>);
        },
        reject(error) {
          timer?.cancel();
          reject(error);
        },
      };
      if (options !== undefined) {
        const { withinMs, late } = options;
        // A turn more: the word from the writer may have come while this thread was held up, and that is not the disk's fault.
        timer = clock.after(withinMs, () => {
          timer = clock.after(0, () => {
            waiter.abandoned = value => late(value as ReturnType<Writes[typeof name]>);
            const reason = `the disk did not confirm a row within ${withinMs} ms`;
            enter({ is: 'failing', reason });
            reject(cannotWrite(reason));
          });
        });
      }
      add({ write: writeOf(name, argument), waiter });
      soon();
    });

  return {
    get state() {
      return state;
    },
    get counters() {
      return { ...counted, waiting: waiting.size, lagMs: inFlight ? clock.now() - sentAt : 0 };
    },
    put,
    keep(name, argument, options = {}) {
      if (!open) return lose(1, 'the store is closed');
      add({ write: writeOf(name, argument), ...options });
      if (options.soon === true) soon();
      else company ??= clock.after(companyMs, pump);
    },
    close() {
      open = false;
      retry?.cancel();
      retry = undefined;
      return new Promise(resolve => {
        closed = resolve;
        if (gone) resolve();
        else pump();
      });
    },
  };
}

function writeOf<K extends WriteName>(name: K, argument: WriteOf<K>[1]): Write {
  // A generic pair is not seen to be one of the union it was made from.
  return [name, argument] as Write;
}

function cannotWrite(reason: string): OperatorError {
  return new OperatorError('store_unusable', `the state cannot be written: ${reason}`, {
    why: ['no broadcast is sent that cannot be recorded'],
  });
}
