/**
 * How large a store gets. A row of each kind with its indexes and the room that pages leave, as `test/store/size.test.ts`
 * measures it; docs/operations/production.md tells it to operators.
 */

export interface Kept {
  /** Attempts of signed transactions, as EVM chains answer them. */
  readonly broadcasts: number;
  /** Transactions that were looked up until they were settled: what that adds to their attempts. */
  readonly followed: number;
  /** Endpoints times minutes, and times hours. */
  readonly minutes: number;
  readonly hours: number;
  readonly events: number;
}

/** Bytes. */
export const bytesOf: Readonly<Record<keyof Kept, number>> = {
  broadcasts: 930,
  followed: 1150,
  minutes: 455,
  hours: 455,
  events: 210,
};

/** Each table and each index of a store in which nothing happened has a page. */
export const emptyBytes = 90_112;

/** SQLite brings the log into the store after 1,000 pages and begins it anew; between two hours it keeps that length. */
export const logBytes = 1000 * (4096 + 24) + 32;

/** Without the log beside it. */
export function predictedBytes(kept: Partial<Kept>): number {
  return (Object.keys(bytesOf) as (keyof Kept)[]).reduce(
    (sum, kind) => sum + bytesOf[kind] * (kept[kind] ?? 0),
    emptyBytes,
  );
}
