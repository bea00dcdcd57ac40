/** What the way through the gateway adds at a moderate rate: open loop, slices of the three by turns, medians over them. */

import { at, openLoop } from '../kit/caller.ts';
import { median, spread } from '../kit/measure.ts';
import type { Row } from '../kit/report.ts';
import { smallRead, warmUp } from '../kit/slices.ts';

const load = { perSecond: 1000, connections: 64 };

export const addedLatency: Row = async ({ rounds, seconds, quick, trio }) => {
  const { upstream, floor, rpcgw } = await trio();
  const targets = [upstream, floor, rpcgw];
  const p50 = new Map<string, number[]>(targets.map(({ name }) => [name, []]));
  const p99 = new Map<string, number[]>(targets.map(({ name }) => [name, []]));
  const ratio50: number[] = [];
  const ratio99: number[] = [];
  for (const target of targets) warmUp(target);
  // And the caller.
  for (const target of quick ? [rpcgw] : targets) {
    await openLoop(target, smallRead, { ...load, seconds: quick ? 1 : 10 });
  }
  for (let round = 0; round < rounds; round += 1) {
    const here = new Map<string, readonly [number, number]>();
    for (const target of round % 2 === 0 ? targets : [...targets].reverse()) {
      const { ms, lost } = await openLoop(target, smallRead, { ...load, seconds });
      if (lost > 0) throw new Error(`${target.name}: ${lost} answers were none`);
      const both = [at(ms, 0.5), at(ms, 0.99)] as const;
      here.set(target.name, both);
      p50.get(target.name)?.push(both[0]);
      p99.get(target.name)?.push(both[1]);
    }
    const [own, yardstick] = [here.get('rpcgw'), here.get('floor')];
    if (own === undefined || yardstick === undefined) continue;
    ratio50.push(own[0] / yardstick[0]);
    ratio99.push(own[1] / yardstick[1]);
  }
  const shown = (name: string): string =>
    `p50 ${median(p50.get(name) ?? []).toFixed(2)} ms, p99 ${median(p99.get(name) ?? []).toFixed(2)} ms`;
  const verdict = (values: readonly number[]) => ({
    goal: '1.1 × the floor',
    measured: `${median(values).toFixed(2)} × (±${(spread(values) * 100).toFixed(0)} %)`,
    met: median(values) <= 1.1,
  });
  return [
    ...targets.map(({ name }) => ({ what: name, measured: shown(name) })),
    { what: 'p50', ...verdict(ratio50) },
    { what: 'p99', ...verdict(ratio99) },
  ];
};
