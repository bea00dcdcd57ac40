/** What a chain's rhythm allows, from the thresholds it was given and the block time as measured. */

import type { Pool } from './pool.ts';

/** A head may run this many times faster than the block time before it is doubted. */
const doubtFactor = 3;
const leastThreshold = 2;
const thresholdMs = 10_000;
const standstillBlocks = 10;
const leastStandstillMs = 60_000;

/** Lag, in blocks, past which an endpoint is stale. */
export function staleThreshold(pool: Pool): number {
  const set = pool.chain.staleBlocks;
  if (set !== undefined) return set;
  return Math.max(leastThreshold, Math.ceil(thresholdMs / pool.head.blockTimeMs));
}

/** A head block older than this, in the whole pool, is a chain that stands still. */
export function standstillMs(pool: Pool): number {
  return Math.max(standstillBlocks * pool.head.blockTimeMs, leastStandstillMs);
}

/**
 * How many blocks two sights of the same chain may differ, `ms` apart: three times the block time, and the threshold. A
 * block time measured over a standstill is too long, so that the next honest head would be doubted: the shorter counts.
 */
export function slack(pool: Pool, ms: number): number {
  const blockTimeMs = Math.min(pool.head.blockTimeMs, pool.chain.blockTimeMs);
  return staleThreshold(pool) + (doubtFactor * Math.max(0, ms)) / blockTimeMs;
}
