/** "Strategy per chain": among endpoints that nothing holds back, the chosen one is the one the strategy names. */

import type { Asked } from './model/asked.ts';
import type { Shadow } from './model/endpoint.ts';
import { noticeMs } from './model/pool.ts';
import { scoreBounds } from './model/score.ts';
import { rank, standingFor } from './model/standing.ts';
import type { Referee } from './referee.ts';

/** A lead of a tenth moves the traffic at once; the 2 % are for equals. */
const clearLead = 0.1;

export function checkStrategy(
  referee: Referee,
  shadow: Shadow,
  asked: Asked,
  now: number,
  to: () => string,
): void {
  const { pool } = referee;
  const { strategy, trickle } = pool.chain;
  if (trickle > 0) return;
  for (const other of pool.shadows) {
    if (other === shadow || asked.tries.some(tried => tried.try.shadow === other)) continue;
    if (rank(pool, other, asked, standingFor(pool, other, asked, now).may, true) !== 0) continue;
    const better = isBetter(referee, other, shadow, asked, strategy, now);
    referee.expect(
      'strategy',
      better === undefined,
      now,
      () => `${to()} (${strategy}), ${other.name} ${better}`,
    );
  }
}

function isBetter(
  referee: Referee,
  other: Shadow,
  chosen: Shadow,
  asked: Asked,
  strategy: string,
  now: number,
): string | undefined {
  switch (strategy) {
    case 'priority':
      return place(other) < place(chosen) ? 'comes first' : undefined;
    case 'least-outstanding': {
      if (asked.batched) return undefined;
      const theirs = other.inFlight / other.weight;
      const mine = chosen.inFlight / chosen.weight;
      return theirs < mine ? `has fewer in flight: ${theirs} against ${mine}` : undefined;
    }
    case 'latency': {
      const theirs = other.heightMs;
      const mine = chosen.heightMs;
      const bothKnown = theirs.isFull && mine.isFull && now - Math.min(theirs.at, mine.at) < 290_000;
      return bothKnown && 1.2 * theirs.most < mine.least ? 'is faster' : undefined;
    }
    case 'best': {
      if (now - Math.max(other.weighedAt, chosen.weighedAt) < noticeMs) return undefined;
      const workClass = asked.call.need.class;
      const { least } = scoreBounds(referee.pool, other, workClass, now);
      const { most } = scoreBounds(referee.pool, chosen, workClass, now);
      return least * (1 - clearLead) > most + 1e-6
        ? `scores ${least} at least, it ${most} at most`
        : undefined;
    }
    default:
      return undefined;
  }
}

/** "config order, runtime endpoints last" */
function place({ settings, order }: Shadow): number {
  return (settings.origin === 'file' ? 0 : 1_000) + order;
}
