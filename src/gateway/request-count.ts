import type { WorkClass } from '../core/chain.ts';
import { count } from '../core/stats.ts';
import { verdicts } from '../core/verdict.ts';
import type { RequestSeen } from './ports.ts';
import type { Chain } from './roster.ts';

/** One finished client request in the chain's numbers. The gateway's own errors count as failures of the pool. */
export function countRequest(
  chain: Chain,
  workClass: WorkClass,
  outcome: RequestSeen['outcome'],
  ms: number,
  wallMs: number,
): void {
  // A client that went away says nothing about the pool.
  if (outcome === 'gone') return;
  const verdict = outcome in verdicts ? (outcome as keyof typeof verdicts) : 'node_failure';
  count(chain.stats, { class: workClass, verdict, ms, probe: false }, wallMs);
}
