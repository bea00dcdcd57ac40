/** Waiting for a state of the daemon, within a time; Ctrl-C ends the waiting, never the work. */

import { OperatorError } from '../core/errors.ts';

const lookEveryMs = 200;

/** True once `look` says so; false when the time is over. An answer that comes late still counts. */
export async function waitFor(look: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    if (await look()) return true;
    const left = until - performance.now();
    if (left <= 0) return false;
    await sleep(Math.min(lookEveryMs, left));
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}

/** What to say when somebody stops waiting. */
export function onInterrupt(text: string): void {
  process.once('SIGINT', () => {
    process.stderr.write(`${text}\n`);
    process.exit(130);
  });
}

/** A daemon that is not there yet may come; everything else is an answer. */
export function isAway(error: unknown): boolean {
  return error instanceof OperatorError && error.code === 'daemon_unreachable';
}
