/**
 * Heights: how far each endpoint is, how far the pool is, and who is not believed.
 * The pool's head is the upper median of its voices: endpoints verified, out of quarantine, enabled, heard of lately, and
 * not ahead of all reason. Lag is against the median of the moment a height was seen, so a slow probe is no slow node.
 */

import type { EndpointRecord } from './endpoint.ts';
import { bits, fold } from './held.ts';
import type { Pool } from './pool.ts';
import { silenceMs } from './probing.ts';

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

/** A head may run this many times faster than the block time before it is doubted. */
const doubtFactor = 3;
const leastThreshold = 2;
const thresholdMs = 10_000;
const measureOverMs = 60_000;
/** One voice alone is no agreement, unless it went on steadily for this long. */
const steadyMs = 60_000;
const newestBlockTimeShare = 0.3;

const noVoice =
  bits.wrong_network | bits.not_verified | bits.quarantine | bits.disabled | bits.implausible_head;

export function newHead(freshUntil: number): Head {
  return {
    height: -1,
    at: Number.NEGATIVE_INFINITY,
    since: Number.NEGATIVE_INFINITY,
    bornAt: Number.NEGATIVE_INFINITY,
    lag: 0,
    lagLimit: leastThreshold,
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

/** Lag, in blocks, past which an endpoint is stale. */
export function staleThreshold(pool: Pool): number {
  const set = pool.chain.staleBlocks;
  if (set !== undefined) return set;
  return Math.max(leastThreshold, Math.ceil(thresholdMs / pool.head.blockTimeMs));
}

/** A head block older than this, in the whole pool, is a chain that stands still. */
export function standstillMs(pool: Pool): number {
  return Math.max(10 * pool.head.blockTimeMs, 60_000);
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
  const fell = head.height >= 0 && head.height - height > slack(pool, now - head.at);
  const leapt = isAhead(pool, height, now);
  const doubted = leapt && isAgreed(pool, now);
  if (ageMs !== undefined) head.bornAt = now - ageMs;
  else if (height > head.height) head.bornAt = now;
  if (height !== head.height) head.since = now;
  head.height = height;
  head.at = now;
  head.voiceUntil = now + silenceMs(record.chain);
  head.freshUntil = head.voiceUntil;
  excuseSilence(record, now);
  const wasDoubted = head.suspectSince !== undefined;
  if (fell || (leapt && !wasDoubted)) record.identity.dueAt = now;
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
 * Whoever asked to be left alone is not asked, so his silence says nothing: it counts from the end of that time on. What
 * was stale before stays stale.
 */
export function excuseSilence(record: EndpointRecord, now: number): void {
  const { head, cooldown, auth } = record;
  const quietUntil = Math.max(cooldown.until, auth.until);
  if (quietUntil <= now || head.freshUntil <= now) return;
  head.freshUntil = Math.max(head.freshUntil, quietUntil + silenceMs(record.chain));
}

/** A voice in the pool's median. */
export function hasVoice(record: EndpointRecord, now: number): boolean {
  return (record.closed & noVoice) === 0 && record.head.voiceUntil > now;
}

/** Counts the voices anew: median, highest, and what that says of the heads that ran ahead. */
export function recount(pool: Pool, now: number): void {
  const { head } = pool;
  head.median = upperMedian(pool.records, now);
  if (head.median < 0) {
    head.highest = -1;
    return;
  }
  agree(pool, now);
  const agreed = isAgreed(pool, now);
  let doubted = false;
  head.highest = -1;
  for (const record of pool.records) {
    if (!hasVoice(record, now)) continue;
    const { height, at } = record.head;
    if (agreed && isAhead(pool, height, at) && !isSeconded(pool, record, now)) {
      record.head.suspectSince = now;
      record.identity.dueAt = now;
      fold(record);
      doubted = true;
    } else if (height > head.highest) {
      head.highest = height;
    }
  }
  if (doubted) head.median = upperMedian(pool.records, now);
}

/**
 * A doubted endpoint that is the only one left to ask cannot wait for a second one: there it is enough that it proves its
 * identity once more.
 */
export function forgiveTheOnly(pool: Pool, now: number): void {
  if (pool.head.median >= 0) return;
  for (const record of pool.records) {
    const { suspectSince } = record.head;
    if (suspectSince === undefined || record.identity.provenAt < suspectSince) continue;
    record.head.suspectSince = undefined;
    fold(record);
    pool.head.agreed = -1;
    pool.head.near = 0;
    recount(pool, now);
    return;
  }
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

/** Position n/2 of n, counted from the lowest. Most heads are equal, so the first candidates nearly always settle it. */
function upperMedian(records: readonly EndpointRecord[], now: number): number {
  let voices = 0;
  for (const record of records) if (hasVoice(record, now)) voices += 1;
  const middle = voices >> 1;
  for (const candidate of records) {
    if (!hasVoice(candidate, now)) continue;
    const { height } = candidate.head;
    let below = 0;
    let same = 0;
    for (const other of records) {
      if (!hasVoice(other, now)) continue;
      if (other.head.height < height) below += 1;
      else if (other.head.height === height) same += 1;
    }
    if (below <= middle && middle < below + same) return height;
  }
  return -1;
}

/** Moves what is agreed on: upwards with the median, downwards only away from what was never agreed. */
function agree(pool: Pool, now: number): void {
  const { head } = pool;
  const { median } = head;
  const wasAgreed = isAgreed(pool, now);
  let since = now;
  let near = 0;
  for (const record of pool.records) {
    if (!hasVoice(record, now)) continue;
    if (record.head.height === median) since = Math.min(since, record.head.since);
    if (Math.abs(record.head.height - median) <= slack(pool, 0)) near += 1;
  }
  const corrected = !wasAgreed && near >= 2 && median < head.agreed;
  head.near = near;
  if (median <= head.agreed && !corrected) return;
  const leapt = corrected || head.agreed < 0 || isAhead(pool, median, since);
  if (leapt) head.steadySince = now;
  measureBlockTime(pool, median, since, leapt);
  head.agreed = median;
  head.agreedAt = since;
}

function isAgreed(pool: Pool, now: number): boolean {
  return pool.head.near >= 2 || now - pool.head.steadySince >= steadyMs;
}

/** From how far the agreed head moved in a minute or more; a leap or a standstill says nothing and begins anew. */
function measureBlockTime(pool: Pool, height: number, at: number, leapt: boolean): void {
  const { head } = pool;
  if (leapt || at - head.agreedAt > standstillMs(pool)) {
    head.anchor = height;
    head.anchorAt = at;
    return;
  }
  const elapsed = at - head.anchorAt;
  if (elapsed < measureOverMs) return;
  const sample = elapsed / (height - head.anchor);
  head.blockTimeMs = head.measured
    ? head.blockTimeMs + newestBlockTimeShare * (sample - head.blockTimeMs)
    : sample;
  head.measured = true;
  head.anchor = height;
  head.anchorAt = at;
}

/** How many blocks two sights of the same chain may differ, `ms` apart: three times the block time, and the threshold. */
function slack(pool: Pool, ms: number): number {
  return staleThreshold(pool) + (doubtFactor * Math.max(0, ms)) / pool.head.blockTimeMs;
}

function isAhead(pool: Pool, height: number, at: number): boolean {
  const { agreed, agreedAt } = pool.head;
  return agreed >= 0 && height - agreed > slack(pool, at - agreedAt);
}

/** Two that are near each other confirm each other: neither is doubted any more. True when one had been. */
function second(pool: Pool, record: EndpointRecord, now: number): boolean {
  if (!mayConfirm(record, now)) return false;
  let cleared = false;
  for (const other of pool.records) {
    if (record.head.suspectSince === undefined && other.head.suspectSince === undefined) continue;
    if (other === record || !mayConfirm(other, now) || !isNear(pool, record, other)) continue;
    record.head.suspectSince = undefined;
    other.head.suspectSince = undefined;
    fold(record);
    fold(other);
    cleared = true;
  }
  return cleared;
}

function isSeconded(pool: Pool, record: EndpointRecord, now: number): boolean {
  for (const other of pool.records) {
    if (other !== record && mayConfirm(other, now) && isNear(pool, record, other)) return true;
  }
  return false;
}

/** A voice but for being doubted itself. */
function mayConfirm(record: EndpointRecord, now: number): boolean {
  return (record.closed & noVoice & ~bits.implausible_head) === 0 && record.head.voiceUntil > now;
}

function isNear(pool: Pool, a: EndpointRecord, b: EndpointRecord): boolean {
  return Math.abs(a.head.height - b.head.height) <= slack(pool, Math.abs(a.head.at - b.head.at));
}
