/** How it stands with the daemon, on its own clock, ms. */
export type Link =
  | { readonly is: 'live'; readonly back?: Back }
  | { readonly is: 'lost'; readonly since: number; readonly why: string };

/** After a loss. */
export interface Back {
  readonly at: number;
  readonly afterMs: number;
  /** Another process than before: its counters began anew. */
  readonly restarted: boolean;
}

/** How long it is said that the daemon is back. */
const saidForMs = 20_000;

/** The stamp at the right of the first line; `seenAt` is when the last value came. */
export function linkText(
  link: Link,
  now: number,
  seenAt: number,
  intervalMs: number,
): { readonly text: string; readonly lost: boolean } | undefined {
  if (link.is === 'lost') return { text: `lost for ${seconds(now - link.since)}, reconnecting`, lost: true };
  // The connection stands and nothing comes: stopped, or too busy to answer.
  if (now - seenAt > 2 * intervalMs + 1_000)
    return { text: `silent for ${seconds(now - seenAt)}`, lost: true };
  const { back } = link;
  if (back === undefined || now - back.at > saidForMs) return undefined;
  const how = back.restarted ? 'daemon restarted, back' : 'back';
  return { text: `${how} after ${seconds(back.afterMs)}`, lost: false };
}

function seconds(ms: number): string {
  return `${Math.max(0, Math.round(ms / 1000))}s`;
}
