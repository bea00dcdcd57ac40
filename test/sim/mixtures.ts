/** Lives in which anything may happen to anyone, and the rarer settings of a chain. */

import type { ChainSettings, EndpointSettings, Role } from '../../src/core/chain.ts';
import type { Wish } from './clients.ts';
import type { Dice } from './dice.ts';
import { type Act, hourMs, type Life, minuteMs } from './life.ts';
import { drawPool, type PoolPlan, trouble } from './plan.ts';
import { type NodeState, type Trouble, type TroubleKind, wellNode } from './truth.ts';

const everyWish: readonly Wish[] = [
  'latest',
  'latest',
  'latest',
  'head',
  'at head',
  'above head',
  'old',
  'receipt',
  'heavy',
  'rare',
  'odd',
  'revert',
  'poison',
  'large',
  'new filter',
  'use filter',
];

const kinds: readonly TroubleKind[] = [
  '500',
  'html',
  'refused',
  'reset',
  'hang',
  'throttle',
  'quota',
  'auth',
  'garbage',
];

function drawChain(dice: Dice): Partial<ChainSettings> {
  return {
    family: dice.pick(['evm', 'evm', 'tron'] as const),
    lastResort: dice.pick(['on', 'on', 'off', 'stale'] as const),
    attempts: dice.pick([1, 2, 3, 3, 3, 6, 10]),
    retryShare: dice.pick([0.2, 0.2, 0, 1]),
    probeIntervalMs: dice.pick([5_000, 5_000, 10_000, 30_000]),
    trickle: dice.pick([0, 0, 0, 0.05]),
    ...(dice.happens(0.3) ? { maxLatencyMs: 100 } : {}),
  };
}

function vary(dice: Dice, endpoints: EndpointSettings[], nodes: PoolPlan['nodes']): void {
  endpoints.forEach((each, at) => {
    const node = nodes.get(each.name);
    if (node !== undefined && dice.happens(0.2)) node.lacks = ['rare'];
    if (node !== undefined && dice.happens(0.3)) node.depth = dice.pick([128, 2_000]);
    const roles: readonly Role[] = dice.pick([
      ['read', 'broadcast', 'history'],
      ['read', 'broadcast', 'history'],
      ['read', 'broadcast', 'history'],
      ['read'],
      ['history', 'broadcast'],
      ['broadcast'],
    ]);
    endpoints[at] = {
      ...each,
      roles,
      history: dice.pick(['auto', 'auto', 'recent', 'full'] as const),
      maxInFlight: dice.pick([256, 256, 3]),
      ...(dice.happens(0.15) ? { rps: dice.pick([1, 5]) } : {}),
    };
  });
}

function drawTrouble(dice: Dice): Trouble {
  const asked = dice.pick([undefined, undefined, 2_000, 20_000, 700_000]);
  return trouble(dice.pick(kinds), {
    share: dice.pick([0.1, 0.5, 1]),
    befalls: dice.pick(['all', 'all', 'clients', 'probes', 'heavy', 'identity'] as const),
    ...(asked === undefined ? {} : { retryAfterMs: asked }),
  });
}

/** What a node may become for a while. */
function drawState(dice: Dice, now: number): Partial<NodeState> {
  switch (dice.whole(0, 8)) {
    case 0:
      return { behind: dice.pick([[0, 3], [40], [0, 0, 300]]) };
    case 1:
      return { frozenAt: now };
    case 2:
      return { ahead: dice.pick([100, 5_000, 10_000_000]) };
    case 3:
      return { network: '2' };
    case 4:
      return { builds: false };
    case 5:
      return { latencyMs: dice.pick([5, 90, 300, 4_900]) };
    default:
      return { troubles: Array.from({ length: dice.whole(1, 2) }, () => drawTrouble(dice)) };
  }
}

/** One thing that happens. */
function drawActs(dice: Dice, plan: PoolPlan, at: number): Act[] {
  const node = dice.pick([...plan.nodes.keys()]);
  const settings = plan.nodes.get(node);
  const after = at + dice.between(10_000, 15 * minuteMs);
  switch (dice.whole(0, 11)) {
    case 0:
      return [{ at, does: 'restart' }];
    case 1:
      return [
        { at, does: 'halt' },
        { at: after, does: 'resume' },
      ];
    case 2: {
      const wishes = Array.from({ length: dice.whole(5, 60) }, () => dice.pick(everyWish));
      return [{ at, does: 'burst', wishes, overMs: dice.pick([5, 500, 5_000]) }];
    }
    case 3: {
      const wishes = Array.from({ length: dice.whole(2, 6) }, () => dice.pick(batchable));
      return [{ at, does: 'batch', wishes }];
    }
    case 4: {
      const back = { disabled: false, draining: false, weight: 50 };
      const switches = dice.pick([{ disabled: true }, { draining: true }, { weight: 0 }, { weight: 100 }]);
      return [
        { at, does: 'switch', node, switches },
        { at: after, does: 'switch', node, switches: back },
      ];
    }
    case 5: {
      const kept = plan.endpoints.filter(() => dice.happens(0.7));
      const weighed = plan.endpoints.map(each => ({ ...each, weight: dice.whole(1, 100) }));
      return [
        { at, does: 'configure', endpoints: kept },
        { at: after, does: 'configure', endpoints: weighed },
      ];
    }
    default:
      return [
        { at, does: 'become', node, like: drawState(dice, at) },
        {
          at: after,
          does: 'become',
          node,
          like: { ...wellNode(plan.chain.identity, 50), ...shapeOf(settings) },
        },
      ];
  }
}

const batchable: readonly Wish[] = [
  'latest',
  'head',
  'at head',
  'old',
  'receipt',
  'heavy',
  'rare',
  'revert',
  'poison',
];

/** What a node is by nature, and stays. */
function shapeOf(node: NodeState | undefined): Partial<NodeState> {
  return { depth: node?.depth, lacks: node?.lacks ?? [] };
}

export function drawMixture(dice: Dice): Life {
  const plan = drawPool(dice, dice.whole(1, 6), drawChain(dice));
  vary(dice, plan.endpoints, plan.nodes);
  const endMs = 2 * hourMs;
  const acts: Act[] = [];
  for (
    let at = dice.between(10_000, 3 * minuteMs);
    at < endMs - 20 * minuteMs;
    at += dice.between(1_000, 6 * minuteMs)
  ) {
    acts.push(...drawActs(dice, plan, at));
  }
  const traffic = { everyMs: dice.pick([1_000, 3_000, 10_000]), wishes: everyWish, impatient: 0.05 };
  return { ...plan, acts, traffic, endMs };
}
