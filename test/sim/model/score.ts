/** "score = (100 × success − latencyPenalty) × weight"; of the penalty only what is sure of it. */

import type { WorkClass } from '../../../src/core/chain.ts';
import type { Shadow } from './endpoint.ts';
import { noticeMs, type ShadowPool } from './pool.ts';

export interface Bounds {
  readonly least: number;
  readonly most: number;
}

const unknown: Bounds = { least: 0, most: 20 };

export function scoreBounds(pool: ShadowPool, shadow: Shadow, workClass: WorkClass, now: number): Bounds {
  const { success, isUnclear } = shadow.circuit(workClass);
  if (isUnclear) return { least: 0, most: 100 * shadow.weight };
  const penalty = penaltyBounds(pool, shadow, now);
  return {
    least: (100 * success - penalty.most) * shadow.weight,
    most: (100 * success - penalty.least) * shadow.weight,
  };
}

/**
 * "0 at or under the pool's median latency of reads, rising linearly to 20 at twice the median and staying there …
 * unknown latency (none for 5 min) costs nothing." Whoever is never slower than any other pays nothing; whoever is always
 * more than twice as slow as every other pays it all.
 */
function penaltyBounds(pool: ShadowPool, shadow: Shadow, now: number): Bounds {
  const mine = span(shadow, now);
  if (mine === undefined) return { least: 0, most: wasHeardOf(shadow, now) ? 20 : 0 };
  let slowestOther = 0;
  let fastestOther = Number.POSITIVE_INFINITY;
  let compared = 0;
  for (const other of pool.shadows) {
    if (other === shadow || other.identity !== 'verified' || other.disabled) continue;
    if (other.quarantine !== undefined || now - other.voiceChangedAt < noticeMs) return unknown;
    const theirs = span(other, now);
    if (theirs === undefined) {
      if (wasHeardOf(other, now)) return unknown;
      continue;
    }
    slowestOther = Math.max(slowestOther, theirs.most);
    fastestOther = Math.min(fastestOther, theirs.least);
    compared += 1;
  }
  if (compared === 0) return { least: 0, most: mine.least === mine.most ? 0 : 20 };
  // The median is taken twice a second, and the fastest may be the median: it is then held against itself of a moment ago.
  if (mine.most <= fastestOther && mine.most < 1.3 * mine.least) return { least: 0, most: 1 };
  if (mine.least > 2 * slowestOther && compared >= 2) return { least: 20, most: 20 };
  return unknown;
}

function span({ heightMs }: Shadow, now: number): Bounds | undefined {
  return now - heightMs.at < 290_000 ? heightMs : undefined;
}

function wasHeardOf({ heightMs }: Shadow, now: number): boolean {
  return now - heightMs.at < 301_000;
}
