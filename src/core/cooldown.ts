/** How long a rate-limited endpoint is left alone. One record an endpoint; its end is a moment, nothing opens it early. */

export interface Cooldown {
  since: number;
  /** -Infinity: never cooled. */
  until: number;
  /** Length of the next one, ms. */
  nextMs: number;
}

const firstMs = 5_000;
const longestMs = 60_000;
const longestAskedMs = 600_000;
const jitter = 0.2;

export function noCooldown(): Cooldown {
  return { since: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY, nextMs: firstMs };
}

/**
 * An attempt that began before the cooldown ended is a parallel answer to the same burst: it doubles nothing, and only a
 * longer time that the endpoint names moves the end. Jitter only lengthens: nobody is asked earlier than he said.
 */
export function cool(
  cooldown: Cooldown,
  startedAt: number,
  askedMs: number | undefined,
  now: number,
  chance: number,
): void {
  const asked = Math.min(longestAskedMs, Math.max(0, askedMs ?? 0));
  if (startedAt < cooldown.until) {
    if (asked > 0) cooldown.until = Math.max(cooldown.until, now + jittered(asked, chance));
    return;
  }
  cooldown.since = now;
  cooldown.until = now + jittered(Math.max(cooldown.nextMs, asked), chance);
  cooldown.nextMs = Math.min(longestMs, cooldown.nextMs * 2);
}

/** A success of an attempt that began after the cooldown's end resets the doubling. */
export function warm(cooldown: Cooldown, startedAt: number): void {
  if (startedAt >= cooldown.until) cooldown.nextMs = firstMs;
}

function jittered(ms: number, chance: number): number {
  return ms * (1 + jitter * chance);
}
