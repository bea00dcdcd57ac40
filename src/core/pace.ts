/** `rps`: at most that many starts in any window, not on average; providers count seconds, not tokens. */

export interface Pace {
  /** The last starts, as a ring; empty: unlimited. */
  readonly starts: Float64Array;
  readonly windowMs: number;
  next: number;
  /** Another start has room from here on. */
  roomAt: number;
}

export function newPace(rps: number | undefined): Pace {
  const starts = rps === undefined ? 0 : Math.max(1, Math.floor(rps));
  return {
    starts: new Float64Array(starts).fill(Number.NEGATIVE_INFINITY),
    windowMs: rps === undefined ? 0 : (starts * 1000) / rps,
    next: 0,
    roomAt: Number.NEGATIVE_INFINITY,
  };
}

export function start(pace: Pace, now: number): void {
  const { starts } = pace;
  if (starts.length === 0) return;
  starts[pace.next] = now;
  pace.next = (pace.next + 1) % starts.length;
  pace.roomAt = (starts[pace.next] ?? now) + pace.windowMs;
}
