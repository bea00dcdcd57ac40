/**
 * What a pool agrees on, and who is not believed. Its head is the upper median of its voices: endpoints verified, out of
 * quarantine, enabled, heard of lately, and not ahead of all reason.
 */

import type { EndpointRecord } from './endpoint.ts';
import { bits, fold } from './held.ts';
import { doubt } from './identity.ts';
import type { Pool } from './pool.ts';
import { slack, standstillMs } from './rhythm.ts';

const measureOverMs = 60_000;
/** One voice alone is no agreement, unless it went on steadily for this long. */
const steadyMs = 60_000;
const newestBlockTimeShare = 0.3;

const noVoice =
  bits.wrong_network | bits.not_verified | bits.quarantine | bits.disabled | bits.implausible_head;

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
      doubt(record.identity, now);
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

export function isAgreed(pool: Pool, now: number): boolean {
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

export function isAhead(pool: Pool, height: number, at: number): boolean {
  const { agreed, agreedAt } = pool.head;
  return agreed >= 0 && height - agreed > slack(pool, at - agreedAt);
}

/** Two that are near each other confirm each other: neither is doubted any more. True when one had been. */
export function second(pool: Pool, record: EndpointRecord, now: number): boolean {
  if (!mayConfirm(record, now)) return false;
  let cleared = false;
  for (const other of pool.records) {
    // By the folded bit: every height that comes in looks through the whole pool here.
    if (((record.closed | other.closed) & bits.implausible_head) === 0) continue;
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
