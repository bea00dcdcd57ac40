import type { BroadcastLog } from '../gateway/ports.ts';
import type { AnsweredBroadcast, BroadcastFilter, BroadcastStory, SameBroadcast } from './broadcast-reads.ts';
import type { BroadcastRecord, FollowReason, Settled } from './broadcast-record.ts';
import type { Look, SettleResult } from './broadcast-writes.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Ask } from './reads.ts';

/** A broadcast has no longer for its row than this (contract 6.5). */
const rowWithinMs = 1000;

export interface BroadcastStore extends BroadcastLog {
  /** Follows up a transaction whose outcome is known; an unknown one is followed by itself. */
  follow(row: number, reason: Exclude<FollowReason, 'unknown'>): void;
  /** What one look for the transaction brought. */
  look(row: number, look: Look): void;
  /** Something that happened to the transaction: joined, repeated, another id answered, … No URL beyond a host. */
  mark(row: number, kind: string, text: string): void;
  /** Resolves when it is on disk. */
  settle(row: number, settled: Omit<Settled, 'at'>): Promise<SettleResult>;
  /** Newest first, without the nodes' bodies. */
  list(filter?: BroadcastFilter): Promise<readonly BroadcastRecord[]>;
  /** The transaction that this row belongs to. */
  show(row: number): Promise<BroadcastStory | undefined>;
  /** The newest row of the same broadcast, for the answer to a repeat. */
  same(wanted: SameBroadcast): Promise<AnsweredBroadcast | undefined>;
  /** The newest row of each transaction that is still to be looked up. */
  followed(): Promise<readonly BroadcastRecord[]>;
  /** Unsettled transactions, a count a chain; a chain without any is left out. */
  unsettled(): Promise<Readonly<Record<string, number>>>;
}

export function broadcastStore(queue: GroupCommit, ask: Ask, wall: () => number): BroadcastStore {
  return {
    get writable() {
      return queue.state.is === 'ok';
    },
    begin: row =>
      queue.put(
        'begin',
        { row, at: wall() },
        {
          withinMs: rowWithinMs,
          // Nobody waited for it any more, so nothing was sent: the row says so instead of staying open.
          late: number => ['finish', { row: number, at: wall(), end: rowTooLate }],
        },
      ),
    finish(row, end) {
      queue.keep('finish', { row, at: wall(), end }, { soon: true });
    },
    follow(row, reason) {
      queue.keep('follow', { row, at: wall(), reason });
    },
    look(row, look) {
      queue.keep('look', { row, at: wall(), look });
    },
    mark(row, kind, text) {
      queue.keep('mark', { row, at: wall(), kind, text });
    },
    settle: (row, settled) => queue.put('settle', { row, settled: { ...settled, at: wall() } }),
    list: (filter = {}) => ask('broadcasts', filter),
    show: row => ask('broadcast', { row }),
    same: wanted => ask('sameBroadcast', wanted),
    followed: () => ask('followedBroadcasts', undefined),
    unsettled: () => ask('unsettledBroadcasts', undefined),
  };
}

const rowTooLate = {
  outcome: 'refused',
  reached: 'not_connected',
  ms: rowWithinMs,
  answer: undefined,
  rule: 'store.row_late',
} as const;
