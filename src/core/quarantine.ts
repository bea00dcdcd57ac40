/** How an endpoint that is new, or was wrong, earns its place: twenty good probes in a row, one a second. */

export interface Quarantine {
  /** Good probes in a row; -1: not in quarantine. */
  good: number;
  since: number;
  /** Why it is there, for people. */
  reason: string;
}

export const goodProbesNeeded = 20;
export const quarantineProbeMs = 1_000;

export function noQuarantine(): Quarantine {
  return { good: -1, since: Number.NEGATIVE_INFINITY, reason: '' };
}

export function enterQuarantine(quarantine: Quarantine, reason: string, now: number): void {
  quarantine.good = 0;
  quarantine.since = now;
  quarantine.reason = reason;
}

/** A bad probe starts over. The one that completes the row releases. */
export function countProbe(quarantine: Quarantine, good: boolean): void {
  if (quarantine.good < 0) return;
  quarantine.good = good ? quarantine.good + 1 : 0;
  if (quarantine.good >= goodProbesNeeded) quarantine.good = -1;
}
