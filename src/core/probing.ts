/** When the gateway asks for itself, and what. It leaves alone whoever asked to be left alone, and counts its requests. */

import type { ChainSettings } from './chain.ts';
import type { EndpointRecord } from './endpoint.ts';
import { quarantineProbeMs } from './quarantine.ts';

export type Question = 'identity' | 'builds' | 'height';

const dayMs = 86_400_000;
const silentIntervals = 4;
/** Neighbours drift apart instead of asking in step. */
const spread = 0.1;

/** How often an endpoint's height is asked: a daily cap spreads over the day, so that it never runs dry. */
function probeEveryMs(chain: ChainSettings): number {
  if (chain.probesMaxPerDay === undefined) return chain.probeIntervalMs;
  return Math.max(chain.probeIntervalMs, dayMs / Math.max(1, chain.probesMaxPerDay));
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
  if (record.identity.dueAt <= now) return 'identity';
  if (record.builds.dueAt <= now) return 'builds';
  if (record.probing.heightDueAt <= now) return 'height';
  return undefined;
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

function isSpent(record: EndpointRecord, now: number): boolean {
  const most = record.chain.probesMaxPerDay;
  if (most === undefined) return false;
  return record.probing.today >= most && now - record.probing.dayStart < dayMs;
}
