/** An endpoint that refuses our credential: left alone, then asked by a probe, and released only by a good one. */

export interface AuthHold {
  since: number;
  /** No probe asks before this; -Infinity when it does not hold. */
  until: number;
  /** Length of the hold, ms; 0: it does not hold. */
  holdMs: number;
}

const firstMs = 60_000;
const longestMs = 3_600_000;

export function noAuthHold(): AuthHold {
  return { since: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY, holdMs: 0 };
}

/** Doubles once a hold: an attempt that began before the hold's end tells nothing new. */
export function refuse(hold: AuthHold, startedAt: number, now: number): void {
  if (startedAt < hold.until) return;
  if (hold.holdMs === 0) hold.since = now;
  hold.holdMs = hold.holdMs === 0 ? firstMs : Math.min(longestMs, hold.holdMs * 2);
  hold.until = now + hold.holdMs;
}

/** A good probe releases, if it was asked after the hold's time. */
export function accept(hold: AuthHold, startedAt: number): void {
  if (hold.holdMs !== 0 && startedAt >= hold.until) Object.assign(hold, noAuthHold());
}
