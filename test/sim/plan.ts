/** What lives are drawn from: chains, pools of sound nodes, and what can befall them. */

import type { ChainSettings, EndpointSettings, Strategy } from '../../src/core/chain.ts';
import type { Wish } from './clients.ts';
import type { Dice } from './dice.ts';
import { type Act, chainDefaults, endpoint, type Traffic } from './life.ts';
import { type NodeState, type Trouble, type TroubleKind, wellNode } from './truth.ts';

type Rhythm = Pick<ChainSettings, 'blockTimeMs'> & { readonly staleBlocks?: number };

const rhythms: readonly Rhythm[] = [
  { blockTimeMs: 12_000, staleBlocks: 2 },
  { blockTimeMs: 750, staleBlocks: 20 },
  { blockTimeMs: 3_000, staleBlocks: 10 },
  { blockTimeMs: 4_000, staleBlocks: 5 },
  { blockTimeMs: 2_000 },
];

const strategies: readonly Strategy[] = [
  'best',
  'best',
  'best',
  'priority',
  'weighted',
  'least-outstanding',
  'latency',
];

export const plainReads: readonly Wish[] = ['latest', 'latest', 'at head', 'head', 'receipt', 'revert'];

export const failing: readonly TroubleKind[] = ['500', 'html', 'refused', 'reset', 'hang', 'garbage'];

export interface PoolPlan {
  readonly chain: ChainSettings;
  readonly endpoints: EndpointSettings[];
  readonly nodes: Map<string, NodeState>;
}

export function drawPool(dice: Dice, size: number, changed: Partial<ChainSettings> = {}): PoolPlan {
  const { staleBlocks, ...rest } = chainDefaults;
  const chain = { ...rest, ...dice.pick(rhythms), strategy: dice.pick(strategies), ...changed };
  const endpoints: EndpointSettings[] = [];
  const nodes = new Map<string, NodeState>();
  const evenly = dice.happens(0.5);
  for (let at = 0; at < size; at += 1) {
    const name = String.fromCharCode(97 + at);
    endpoints.push(endpoint(name, { weight: evenly ? 50 : dice.whole(10, 100) }));
    nodes.set(name, wellNode(chain.identity, dice.pick([20, 30, 60, 150])));
  }
  return { chain, endpoints, nodes };
}

export function drawTraffic(dice: Dice, wishes: readonly Wish[] = plainReads): Traffic {
  return { everyMs: dice.pick([2_000, 5_000, 20_000]), wishes, impatient: 0.02 };
}

/** A restart somewhere in the middle, in half of the lives. */
export function withRestart(dice: Dice, acts: readonly Act[], fromMs: number, toMs: number): readonly Act[] {
  return dice.happens(0.5) ? [...acts, { at: dice.between(fromMs, toMs), does: 'restart' }] : acts;
}

export function trouble(kind: TroubleKind, more: Partial<Trouble> = {}): Trouble {
  return { kind, share: 1, befalls: 'all', ...more };
}
