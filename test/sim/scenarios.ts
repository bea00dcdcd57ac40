/** Lives by name: each draws its own numbers, so that one name and a thousand seeds are a thousand lives. */

import type { Wish } from './clients.ts';
import type { Dice } from './dice.ts';
import { type Act, endpoint, hourMs, type Life, minuteMs } from './life.ts';
import { drawMixture } from './mixtures.ts';
import { drawPool, drawTraffic, failing, plainReads, trouble, withRestart } from './plan.ts';
import { type NodeState, wellNode } from './truth.ts';

export interface Scenario {
  readonly says: string;
  /** It is long, so only one seed in ten plays it. */
  readonly seldom?: true;
  readonly draw: (dice: Dice) => Life;
}

export const scenarios = {
  'provider brown-out': {
    says: 'the nodes of one provider fail a share of what they are asked, for minutes, with many requests at once',
    draw(dice) {
      const { chain, endpoints, nodes } = drawPool(dice, dice.whole(1, 5));
      const from = dice.between(5 * minuteMs, 20 * minuteMs);
      const to = from + dice.between(2 * minuteMs, 20 * minuteMs);
      const kind = dice.pick(failing);
      const share = dice.pick([0.3, 0.6, 1, 1]);
      const all = dice.happens(0.4);
      const sick = [...nodes.keys()].slice(0, all ? nodes.size : dice.whole(1, nodes.size));
      const acts: Act[] = sick.flatMap(node => [
        { at: from, does: 'become', node, like: { troubles: [trouble(kind, { share })] } },
        { at: to, does: 'become', node, like: { troubles: [] } },
      ]);
      for (let n = 0; n < 4; n += 1) {
        const wishes = Array.from({ length: dice.whole(5, 40) }, () => dice.pick(plainReads));
        acts.push({ at: dice.between(from, to), does: 'burst', wishes, overMs: dice.pick([10, 2_000]) });
      }
      const restarted = withRestart(dice, acts, from, to);
      return { chain, endpoints, nodes, acts: restarted, traffic: drawTraffic(dice), endMs: hourMs };
    },
  },
  'flapping node': {
    says: 'a node that fails and recovers every few seconds',
    draw(dice) {
      const { chain, endpoints, nodes } = drawPool(dice, dice.whole(2, 4));
      const acts: Act[] = [];
      const calmAt = dice.between(20 * minuteMs, 40 * minuteMs);
      for (let at = 2 * minuteMs; at < calmAt; at += dice.between(1_000, 60_000)) {
        const troubles = dice.happens(0.6)
          ? [trouble(dice.pick(failing), { share: dice.pick([0.5, 1]) })]
          : [];
        acts.push({ at, does: 'become', node: 'a', like: { troubles } });
      }
      acts.push({ at: calmAt, does: 'become', node: 'a', like: { troubles: [] } });
      const restarted = withRestart(dice, acts, 2 * minuteMs, calmAt);
      return { chain, endpoints, nodes, acts: restarted, traffic: drawTraffic(dice), endMs: hourMs };
    },
  },
  'lagging node behind one hosted URL': {
    says: 'several nodes behind one URL, some of them behind: heights that jump back between two calls',
    draw(dice) {
      const { chain, endpoints, nodes } = drawPool(dice, dice.whole(2, 5));
      const from = dice.between(5 * minuteMs, 10 * minuteMs);
      const to = dice.between(30 * minuteMs, 50 * minuteMs);
      const behind = dice.pick([[0, 40], [0, 0, 3], [0, 2, 500], [100], [0, 1]]);
      const acts: Act[] = [
        { at: from, does: 'become', node: 'a', like: { behind } },
        { at: to, does: 'become', node: 'a', like: { behind: [0] } },
      ];
      if (dice.happens(0.3)) acts.push({ at: from, does: 'become', node: 'b', like: { frozenAt: from } });
      const wishes: readonly Wish[] = [...plainReads, 'at head', 'above head', 'receipt', 'head'];
      const restarted = withRestart(dice, acts, from, to);
      return { chain, endpoints, nodes, acts: restarted, traffic: drawTraffic(dice, wishes), endMs: hourMs };
    },
  },
  'all rate-limited': {
    says: 'every endpoint asks to slow down, some name a time, some say that the quota is used up',
    draw(dice) {
      const { chain, endpoints, nodes } = drawPool(dice, dice.whole(1, 4));
      const from = dice.between(2 * minuteMs, 10 * minuteMs);
      const to = from + dice.between(minuteMs, 20 * minuteMs);
      const acts: Act[] = [];
      for (const node of nodes.keys()) {
        const kind = dice.happens(0.7) ? 'throttle' : 'quota';
        const asked = dice.pick([undefined, undefined, 1_000, 8_000, 90_000, 900_000]);
        const share = dice.pick([0.2, 1, 1]);
        const befalls = dice.pick(['all', 'clients'] as const);
        const one = trouble(kind, {
          share,
          befalls,
          ...(asked === undefined ? {} : { retryAfterMs: asked }),
        });
        acts.push(
          { at: from + dice.between(0, 10_000), does: 'become', node, like: { troubles: [one] } },
          { at: to + dice.between(0, 10_000), does: 'become', node, like: { troubles: [] } },
        );
      }
      acts.push({ at: from + 30_000, does: 'burst', wishes: Array(30).fill('latest'), overMs: 5_000 });
      const restarted = withRestart(dice, acts, from, to);
      return {
        chain,
        endpoints,
        nodes,
        acts: restarted,
        traffic: { ...drawTraffic(dice), everyMs: 3_000 },
        endMs: hourMs,
      };
    },
  },
  'chain halt': {
    says: 'the whole chain stands still for a while',
    draw(dice) {
      const { chain, endpoints, nodes } = drawPool(dice, dice.whole(1, 5));
      const from = dice.between(5 * minuteMs, 15 * minuteMs);
      const to = from + dice.between(30_000, 30 * minuteMs);
      const acts: Act[] = [
        { at: from, does: 'halt' },
        { at: to, does: 'resume' },
      ];
      const restarted = withRestart(dice, acts, from, to);
      return { chain, endpoints, nodes, acts: restarted, traffic: drawTraffic(dice), endMs: hourMs };
    },
  },
  'liar with a high head': {
    says: 'one endpoint claims a head far above the chain, from some moment on or from the start',
    draw(dice) {
      const { chain, endpoints, nodes } = drawPool(dice, dice.whole(2, 5));
      const from = dice.pick([0, dice.between(3 * minuteMs, 10 * minuteMs)]);
      const to = dice.between(20 * minuteMs, 50 * minuteMs);
      const ahead = dice.pick([2_000, 50_000, 1_000_000_000]);
      const liar = dice.pick([...nodes.keys()]);
      const acts: Act[] = [
        { at: from, does: 'become', node: liar, like: { ahead } },
        { at: to, does: 'become', node: liar, like: { ahead: 0 } },
      ];
      if (dice.happens(0.5)) {
        // With fewer voices the liar's would weigh more.
        const node = dice.pick([...nodes.keys()].filter(name => name !== liar));
        const at = dice.between(from + minuteMs, to - 5 * minuteMs);
        acts.push(
          { at, does: 'switch', node, switches: { disabled: true } },
          {
            at: at + dice.between(minuteMs, 5 * minuteMs),
            does: 'switch',
            node,
            switches: { disabled: false },
          },
        );
      }
      const restarted = withRestart(dice, acts, 5 * minuteMs, to);
      const wishes: readonly Wish[] = [...plainReads, 'head', 'receipt', 'at head'];
      return { chain, endpoints, nodes, acts: restarted, traffic: drawTraffic(dice, wishes), endMs: hourMs };
    },
  },
  'wrong network after a DNS change': {
    says: 'the name of one endpoint leads to another network for a while, whose head is far away',
    draw(dice) {
      const { chain, endpoints, nodes } = drawPool(dice, dice.whole(2, 4));
      const from = dice.between(3 * minuteMs, 10 * minuteMs);
      const to = from + dice.between(minuteMs, 30 * minuteMs);
      const node = dice.pick([...nodes.keys()]);
      const ahead = dice.pick([0, -5_000_000, 5_000_000]);
      const hangs: Act = {
        at: to - 20_000,
        does: 'become',
        node,
        like: { troubles: [trouble('hang', { befalls: 'identity' })] },
      };
      const acts: Act[] = [
        { at: from, does: 'become', node, like: { network: '2', ahead } },
        ...(dice.happens(0.3) ? [hangs] : []),
        { at: to, does: 'become', node, like: { network: chain.identity, ahead: 0, troubles: [] } },
      ];
      const restarted = withRestart(dice, acts, from, to + 90_000);
      return {
        chain,
        endpoints,
        nodes,
        acts: restarted,
        traffic: drawTraffic(dice),
        endMs: hourMs + 30 * minuteMs,
      };
    },
  },
  'runtime endpoint in quarantine': {
    says: 'endpoints are added at runtime and in the file, are sound or not, and earn their place',
    draw(dice) {
      const { chain, endpoints, nodes } = drawPool(dice, dice.whole(1, 3), {
        family: dice.pick(['evm', 'tron'] as const),
      });
      const added = endpoint('x', { origin: dice.pick(['runtime', 'file'] as const), weight: 10 });
      const moved = endpoints.map((each, at) =>
        at === 0 ? { ...each, url: 'https://moved.example/' } : each,
      );
      nodes.set('x', wellNode(chain.identity, 40));
      const from = dice.between(minuteMs, 5 * minuteMs);
      const sickUntil = from + dice.between(0, 10 * minuteMs);
      const sick: Partial<NodeState> = dice.pick([
        { behind: [0, 0, 0, 0, 0, 0, 0, 0, 0, 30] },
        { troubles: [trouble('500', { share: 0.1 })] },
        { troubles: [trouble('500', { share: 0.06, befalls: 'height' })] },
        { troubles: [trouble('throttle', { share: 0.1, befalls: 'height' })] },
        { troubles: [trouble('throttle', { share: 0.2 })] },
        { troubles: [trouble('auth')] },
        { network: '2' },
        { builds: false },
        {},
      ]);
      const acts: Act[] = [
        { at: from, does: 'become', node: 'x', like: sick },
        { at: from, does: 'configure', endpoints: [...endpoints, added] },
        { at: sickUntil, does: 'become', node: 'x', like: wellNode(chain.identity, 40) },
      ];
      if (dice.happens(0.5)) {
        acts.push({ at: sickUntil + 5 * minuteMs, does: 'configure', endpoints: [...moved, added] });
      }
      const restarted = withRestart(dice, acts, from, sickUntil + 60_000);
      return { chain, endpoints, nodes, acts: restarted, traffic: drawTraffic(dice), endMs: hourMs };
    },
  },
  'history routing with one archive node': {
    says: 'old blocks are kept by one endpoint only, which is known by its config or found out',
    draw(dice) {
      const { chain, endpoints, nodes } = drawPool(dice, dice.whole(2, 4));
      const known = dice.happens(0.5);
      const archive = dice.whole(0, endpoints.length - 1);
      endpoints.forEach((each, at) => {
        const node = nodes.get(each.name);
        if (node === undefined || at === archive) return;
        node.depth = dice.pick([128, 1_000, 10_000]);
        if (known) endpoints[at] = { ...each, history: 'recent' };
      });
      const full = endpoints[archive];
      if (known && full !== undefined) endpoints[archive] = { ...full, history: 'full' };
      const from = dice.between(10 * minuteMs, 20 * minuteMs);
      const to = from + dice.between(minuteMs, 10 * minuteMs);
      const node = full?.name ?? 'a';
      const acts: Act[] = [
        { at: from, does: 'become', node, like: { troubles: [trouble(dice.pick(failing))] } },
        { at: to, does: 'become', node, like: { troubles: [] } },
      ];
      const restarted = withRestart(dice, acts, 5 * minuteMs, to);
      const wishes: readonly Wish[] = ['latest', 'old', 'old', 'old', 'receipt', 'at head'];
      return { chain, endpoints, nodes, acts: restarted, traffic: drawTraffic(dice, wishes), endMs: hourMs };
    },
  },
  'heavy calls that hang': {
    says: 'heavy calls time out or fail while everything else is answered at once',
    draw(dice) {
      const { chain, endpoints, nodes } = drawPool(dice, dice.whole(1, 3));
      const from = dice.between(3 * minuteMs, 10 * minuteMs);
      const to = from + dice.between(5 * minuteMs, 20 * minuteMs);
      const acts: Act[] = [...nodes.keys()].flatMap(node => {
        const share = dice.pick([0.5, 0.9, 1]);
        const kind = dice.pick(['hang', 'hang', '500'] as const);
        return [
          {
            at: from,
            does: 'become',
            node,
            like: { troubles: [trouble(kind, { share, befalls: 'heavy' })] },
          },
          { at: to, does: 'become', node, like: { troubles: [] } },
        ] as const;
      });
      const restarted = withRestart(dice, acts, from, to);
      const wishes = ['heavy', 'heavy', 'latest', 'at head', 'head'] as const;
      const traffic = { everyMs: 2_000, wishes, impatient: 0.02 };
      return { chain, endpoints, nodes, acts: restarted, traffic, endMs: hourMs };
    },
  },
  'one endpoint only': {
    says: 'nobody can stand in, and traffic shows the height all the time',
    draw(dice) {
      const { chain, endpoints, nodes } = drawPool(dice, 1);
      const from = dice.between(3 * minuteMs, 10 * minuteMs);
      const to = from + dice.between(10_000, 5 * minuteMs);
      const kind = dice.pick([...failing, 'auth'] as const);
      const share = dice.pick([0.7, 1]);
      const acts: Act[] = [
        { at: from, does: 'become', node: 'a', like: { troubles: [trouble(kind, { share })] } },
        { at: to, does: 'become', node: 'a', like: { troubles: [] } },
      ];
      const restarted = withRestart(dice, acts, from, to);
      const traffic = {
        everyMs: dice.pick([700, 1_500]),
        wishes: ['head', 'head', 'latest'],
        impatient: 0.02,
      } as const;
      return { chain, endpoints, nodes, acts: restarted, traffic, endMs: 30 * minuteMs };
    },
  },
  'methods that are not offered': {
    says: 'some endpoints, or all of them, do not offer a method, and one offers it after a while',
    draw(dice) {
      const { chain, endpoints, nodes } = drawPool(dice, dice.whole(1, 4));
      const lacking = [...nodes.keys()].filter(() => dice.happens(0.7));
      for (const node of lacking) Object.assign(nodes.get(node) ?? {}, { lacks: ['rare'] });
      const at = dice.between(10 * minuteMs, 50 * minuteMs);
      const acts: Act[] = lacking
        .slice(0, 1)
        .map(node => ({ at, does: 'become', node, like: { lacks: [] } }));
      const restarted = withRestart(dice, acts, 5 * minuteMs, hourMs);
      const traffic = drawTraffic(dice, ['rare', 'latest', 'odd', 'at head']);
      return { chain, endpoints, nodes, acts: restarted, traffic, endMs: 1.5 * hourMs };
    },
  },
  'refused credentials': {
    says: 'a provider refuses the key, now and then or for good, under many requests at once',
    draw(dice) {
      const { chain, endpoints, nodes } = drawPool(dice, dice.whole(1, 4));
      const from = dice.between(3 * minuteMs, 10 * minuteMs);
      const to = from + dice.between(minuteMs, 30 * minuteMs);
      const share = dice.pick([0.05, 0.2, 1]);
      const sick = [...nodes.keys()].slice(0, dice.whole(1, nodes.size));
      const acts: Act[] = sick.flatMap(node => [
        { at: from, does: 'become', node, like: { troubles: [trouble('auth', { share })] } },
        { at: to, does: 'become', node, like: { troubles: [] } },
      ]);
      for (let n = 0; n < 6; n += 1) {
        const wishes = Array.from({ length: dice.whole(5, 30) }, () => dice.pick(plainReads));
        acts.push({ at: dice.between(from, to), does: 'burst', wishes, overMs: 50 });
      }
      const restarted = withRestart(dice, acts, from, to);
      return { chain, endpoints, nodes, acts: restarted, traffic: drawTraffic(dice), endMs: hourMs };
    },
  },
  'steady pool': {
    says: 'nothing happens, and what a strategy does shows only in numbers',
    draw(dice) {
      const { chain, endpoints, nodes } = drawPool(
        dice,
        3,
        dice.pick([{ strategy: 'weighted' }, { strategy: 'best', trickle: 0.1 }]),
      );
      const weights = [60, 30, 10];
      endpoints.forEach((each, at) => {
        endpoints[at] = { ...each, weight: weights[at] ?? 1 };
        nodes.set(each.name, wellNode(chain.identity, 30));
      });
      const shares =
        chain.strategy === 'weighted'
          ? new Map([
              ['a', { least: 0.55, most: 0.65 }],
              ['b', { least: 0.25, most: 0.35 }],
              ['c', { least: 0.07, most: 0.13 }],
            ])
          : new Map([
              ['a', { least: 0.87, most: 0.93 }],
              ['b', { least: 0.03, most: 0.07 }],
              ['c', { least: 0.03, most: 0.07 }],
            ]);
      const traffic = { everyMs: 600, wishes: ['latest'], impatient: 0 } as const;
      return { chain, endpoints, nodes, acts: [], traffic, endMs: hourMs, shares };
    },
  },
  'capped probes': {
    says: 'days with a cap on the own requests of a day, and some trouble on the way',
    seldom: true,
    draw(dice) {
      const { chain, endpoints, nodes } = drawPool(dice, dice.whole(1, 3), {
        probesMaxPerDay: dice.pick([500, 2_000]),
      });
      const from = dice.between(hourMs, 40 * hourMs);
      const acts: Act[] = [
        { at: from, does: 'become', node: 'a', like: { troubles: [trouble(dice.pick(failing))] } },
        { at: from + dice.between(minuteMs, 5 * hourMs), does: 'become', node: 'a', like: { troubles: [] } },
      ];
      const traffic = { ...drawTraffic(dice), everyMs: dice.pick([undefined, 300_000]) };
      return { chain, endpoints, nodes, acts, traffic, endMs: 50 * hourMs };
    },
  },
  'random mixture': {
    says: 'anything happens to anyone, in any order, under any settings',
    draw: drawMixture,
  },
} as const satisfies Record<string, Scenario>;
