/**
 * Heights: how far each endpoint is, how far the pool is (`agreement.ts` says how that comes about), and who is behind.
 * Lag is against the median of the moment a height was seen, so that a slow probe is no slow node.
 */

import { hasVoice, isAgreed, isAhead, recount, second } from './agreement.ts';
import type { EndpointRecord } from './endpoint.ts';
import { fold } from './held.ts';
import { doubt } from './identity.ts';
import type { Pool } from './pool.ts';
import { silenceMs } from './probing.ts';
import { slack, staleThreshold, standstillMs } from './rhythm.ts';

/** What is known of one endpoint's height. */
export interface Head {
  /** -1: none seen yet. */
  height: number;
  /** When it was last shown, and since when it is this one. */
  at: number;
  since: number;
  /** When the head block was made, on the monotonic clock; when first seen if the block did not tell. */
  bornAt: number;
  lag: number;
  /** The threshold its lag was held against. */
  lagLimit: number;
  /** Behind by more than that since; undefined: it is not. */
  staleSince: number | undefined;
  /** Without another height it has no voice from here on, and is stale a little later if it could not be asked. */
  voiceUntil: number;
  freshUntil: number;
  /** Its height is not believed since; undefined: it is. */
  suspectSince: number | undefined;
  /** The last height probe, or the traffic that made one needless, brought a height. */
  probeGood: boolean;
}

/** What the pool agrees on. */
export interface PoolHead {
  /** Upper median of the voices now; -1: no voice. */
  median: number;
  /** Highest head among the voices; -1: no voice. */
  highest: number;
  /** Highest median so far, and since when: what a jump is measured from. -1: none yet. */
  agreed: number;
  agreedAt: number;
  /** Voices near the median, the one that holds it included. */
  near: number;
  /** Since when the agreed head only moved as the block time allows. */
  steadySince: number;
  blockTimeMs: number;
  measured: boolean;
  /** Where the running measurement of the block time began. */
  anchor: number;
  anchorAt: number;
  /** The whole chain stands still since; undefined: it moves. */
  oldSince: number | undefined;
}

export function newHead(freshUntil: number): Head {
  return {
    height: -1,
    at: Number.NEGATIVE_INFINITY,
    since: Number.NEGATIVE_INFINITY,
    bornAt: Number.NEGATIVE_INFINITY,
    lag: 0,
    lagLimit: 0,
    staleSince: undefined,
    voiceUntil: Number.NEGATIVE_INFINITY,
    freshUntil,
    suspectSince: undefined,
    probeGood: false,
  };
}

export function newPoolHead(blockTimeMs: number): PoolHead {
  return {
    median: -1,
    highest: -1,
    agreed: -1,
    agreedAt: Number.NEGATIVE_INFINITY,
    near: 0,
    steadySince: Number.POSITIVE_INFINITY,
    blockTimeMs,
    measured: false,
    anchor: -1,
    anchorAt: Number.NEGATIVE_INFINITY,
    oldSince: undefined,
  };
}

/** One height an endpoint showed. `ageMs`: how old its head block is, when the answer tells. */
export function noteHead(
  pool: Pool,
  record: EndpointRecord,
  height: number,
  ageMs: number | undefined,
  now: number,
): void {
  const { head } = record;
  const moved = height !== head.height || !hasVoice(record, now);
  const jumped = head.height >= 0 && Math.abs(height - head.height) > slack(pool, now - head.at);
  const leapt = isAhead(pool, height, now);
  const doubted = leapt && isAgreed(pool, now);
  if (ageMs !== undefined) head.bornAt = now - ageMs;
  else if (height > head.height) head.bornAt = birthOf(pool, head, height, now);
  if (height !== head.height) head.since = now;
  head.height = height;
  head.at = now;
  head.voiceUntil = now + silenceMs(record.chain);
  head.freshUntil = head.voiceUntil;
  excuseSilence(record, now);
  const wasDoubted = head.suspectSince !== undefined;
  if (jumped || (leapt && !wasDoubted)) doubt(record.identity, now);
  if (doubted) head.suspectSince ??= now;
  else head.suspectSince = undefined;
  fold(record);
  const seconded = second(pool, record, now);
  if (moved || wasDoubted || doubted || seconded) recount(pool, now);
  const { median } = pool.head;
  head.lag = median < 0 ? 0 : Math.max(0, median - height);
  head.lagLimit = staleThreshold(pool);
  if (head.lag <= head.lagLimit) head.staleSince = undefined;
  else head.staleSince ??= now;
  fold(record);
}

/**
 * Once everybody of a new pool has shown a height: the first to do so was held against nobody. Whoever is further behind
 * than the time since then explains was stale from the start, and does not take requests until it is asked again.
 */
export function noteBehindAtStart(pool: Pool, now: number): void {
  const { median } = pool.head;
  for (const record of pool.records) {
    const { head } = record;
    const lag = median - head.height;
    if (head.height < 0 || head.staleSince !== undefined || lag <= slack(pool, now - head.at)) continue;
    head.lag = lag;
    head.lagLimit = staleThreshold(pool);
    head.staleSince = now;
    fold(record);
  }
}

/**
 * When a higher block was made whose age the answer does not tell: as much later than the last one as it is ahead of it,
 * and no older than the last one was when first seen. A node that lags goes on lagging, and a slow chain does not add up.
 */
function birthOf(pool: Pool, head: Head, height: number, now: number): number {
  if (head.height < 0) return now;
  const inStep = head.bornAt + (height - head.height) * pool.head.blockTimeMs;
  return Math.min(now, Math.max(inStep, now - Math.max(0, head.since - head.bornAt)));
}

/**
 * Whoever asked to be left alone is not asked, so his silence says nothing: it counts from the end of that time on. What
 * was stale before stays stale.
 */
export function excuseSilence(record: EndpointRecord, now: number): void {
  const { head, cooldown, auth } = record;
  const quietUntil = Math.max(cooldown.until, auth.until);
  if (quietUntil <= now || head.freshUntil <= now) return;
  head.freshUntil = Math.max(head.freshUntil, quietUntil + silenceMs(record.chain));
}

/** The newest head block of the whole pool is too old: the chain stands still, not the endpoints. */
export function noteStandstill(pool: Pool, now: number): void {
  let newest = Number.NEGATIVE_INFINITY;
  for (const record of pool.records) {
    if (hasVoice(record, now) && record.head.bornAt > newest) newest = record.head.bornAt;
  }
  if (newest === Number.NEGATIVE_INFINITY) return;
  if (now - newest <= standstillMs(pool)) pool.head.oldSince = undefined;
  else pool.head.oldSince ??= now;
}
