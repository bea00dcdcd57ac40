/** What V8 would get wrong about a daemon. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * A thread gets a young generation as large as the main one's, and fills it once in hours, which looks like a leak. One of the
 * store's needs room for a batch of rows: 1 MiB. It is a flag and not the thread's own limit, since a flag in `NODE_OPTIONS`
 * outweighs that; the main heap has read it by now. To be said before the threads begin.
 */
export function keepThreadsSmall(): void {
  setFlagsFromString('--max-semi-space-size=1');
}

/**
 * To be said before the rules are tried and before the first exchange, and no sooner: with any other flag than at the build V8 takes no
 * code that comes compiled, Node's own modules included, and a thread then takes twice as long to begin.
 *
 * - Nearly all is young when it dies. But V8 watches where objects that live long are made, and then makes all that come from there in
 *   the old generation. At a start all endpoints are asked at once and each exchange lives for a while; with a thousand of them it
 *   took this for the rule: each exchange was old at birth from then on, kept what it held until the next full collection, and made
 *   every young one dearer.
 * - It doubles the young generation step by step, and gives it back after each full collection: at a moderate rate memory went up
 *   and down for many minutes. In one step it has its size at once, and again.
 * - Of a pattern's first use it makes code for an interpreter, of its second machine code. To improve the first one, which is used
 *   once, takes as long as all the rest. (Machine code at once, by `--no-regexp-tier-up`, ends a process that has used a pattern
 *   before it is told so.)
 * - What is called on the way of a request is taken into its callers up to a measure, and a request here crosses more functions than
 *   V8 has in mind: with room for four times as much it costs 7 % less (docs/performance.md). Ten times as much is worth less.
 */
export function tellEngine(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--semi-space-growth-factor=16');
  setFlagsFromString('--no-regexp-peephole-optimization');
  setFlagsFromString('--max-inlined-bytecode-size=900');
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=4000');
}

/** A collection of the young generation. V8 gives it to those who run under a flag, to a context that is made then. */
export function youngCollection(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof gc !== 'function') return () => undefined;
  return () => gc({ type: 'minor' });
}
