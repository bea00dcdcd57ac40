/** When the gateway asks for itself, and what. It leaves alone whoever asked to be left alone, and counts its requests. */

import type { ChainSettings } from './chain.ts';
import type { EndpointRecord } from './endpoint.ts';
import { quarantineProbeMs } from './quarantine.ts';

export type Question = 'identity' | 'builds' | 'height';

const dayMs = 86_400_000;
const silentIntervals = 4;
/** Of a daily cap: what heights use, so that there is room for the other questions; and what may be used at once. */
const heightShare = 0.8;
const atOnceShare = 0.1;
/** Neighbours drift apart instead of asking in step. */
const spread = 0.1;

/** How often an endpoint's height is asked: a daily cap is spread over the day. */
function probeEveryMs(chain: ChainSettings): number {
  if (chain.probesMaxPerDay === undefined) return chain.probeIntervalMs;
  return Math.max(chain.probeIntervalMs, dayMs / (heightShare * chain.probesMaxPerDay));
}

/** An endpoint that showed no height for this long is stale. */
export function silenceMs(chain: ChainSettings): number {
  return silentIntervals * probeEveryMs(chain);
}

/** Whether it may be asked anything. Whoever asks several things in a row looks again before each. */
export function mayAsk(record: EndpointRecord, now: number): boolean {
  return (
    !record.disabled && record.cooldown.until <= now && record.auth.until <= now && !isSpent(record, now)
  );
}

/** The one question that is due, the most important first; undefined: nothing is. */
export function questionDue(record: EndpointRecord, now: number): Question | undefined {
  if (!mayAsk(record, now)) return undefined;
  const { identity, builds, probing } = record;
  const heightIsDue = probing.heightDueAt <= now;
  // What was proven can wait for a height that is due longer, so that under a cap the one does not starve the other.
  const canWait = identity.state === 'verified' && !identity.again && heightIsDue;
  if (identity.dueAt <= now && !(canWait && probing.heightDueAt < identity.dueAt)) return 'identity';
  if (builds.dueAt <= now) return 'builds';
  return heightIsDue ? 'height' : undefined;
}

/** Plans the height probe after the one that began at `startedAt`. The second lands anywhere in its interval. */
export function planHeight(record: EndpointRecord, startedAt: number, chance: number): void {
  const { probing } = record;
  const share = probing.spread ? 1 + spread * (2 * chance - 1) : chance;
  probing.spread = true;
  const every = record.quarantine.good >= 0 ? quarantineProbeMs : probeEveryMs(record.chain) * share;
  probing.heightDueAt = startedAt + every;
}

/** Traffic has just shown the height, so a probe may wait; not where a probe is to prove something else. */
export function putOffHeight(record: EndpointRecord, now: number): void {
  const { probing, read, heavy, auth, quarantine } = record;
  if (probing.heightDueAt === Number.POSITIVE_INFINITY) return;
  if (quarantine.good >= 0 || auth.holdMs > 0) return;
  if (read.circuit.state !== 'closed' || heavy.circuit.state !== 'closed') return;
  probing.heightDueAt = Math.max(probing.heightDueAt, now + probeEveryMs(record.chain));
}

/** A probe at once, but no more than one a second: something has to be found out. */
export function hurryHeight(record: EndpointRecord, now: number): void {
  const { probing } = record;
  if (probing.heightDueAt === Number.POSITIVE_INFINITY) return;
  probing.heightDueAt = Math.min(probing.heightDueAt, Math.max(now, probing.lastAt + quarantineProbeMs));
}

export function countOwnRequest(record: EndpointRecord, now: number): void {
  const { probing } = record;
  if (now - probing.dayStart >= dayMs) {
    probing.dayStart += Math.floor((now - probing.dayStart) / dayMs) * dayMs;
    probing.today = 0;
  }
  probing.today += 1;
  probing.lastAt = now;
}

/** No more than the cap, and at no time much more than the day so far allows: it never runs dry before its end. */
function isSpent(record: EndpointRecord, now: number): boolean {
  const most = record.chain.probesMaxPerDay;
  const { today, dayStart } = record.probing;
  const passedMs = now - dayStart;
  if (most === undefined || passedMs >= dayMs) return false;
  const atOnce = Math.max(1, Math.ceil(atOnceShare * most));
  return today >= atOnce + ((most - atOnce) * passedMs) / dayMs;
}
