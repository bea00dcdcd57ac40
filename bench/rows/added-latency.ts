/**
 * What the way through the gateway adds at a moderate rate: open loop, slices of the four by turns, medians over them. Ratios are to
 * the mean of both floors: the hundredth slowest of a second is ten requests, and two floors differ there by some percent as well.
 */

import { at, openLoop } from '../kit/caller.ts';
import { median, spread } from '../kit/measure.ts';
import type { Row } from '../kit/report.ts';
import { smallRead, warmUp } from '../kit/slices.ts';

const load = { perSecond: 1000, connections: 64 };
/** Of all four; the ends of a tail need more than medians do. */
const roundsInFull = 20;

export const addedLatency: Row = async ({ rounds, seconds, quick, trio }) => {
  const { upstream, floor, zero, rpcgw } = await trio();
  const targets = [upstream, floor, zero, rpcgw];
  const seen = new Map(targets.map(({ name }) => [name, { p50: noNumbers(), p99: noNumbers() }]));
  for (const target of targets) warmUp(target);
  // And the caller.
  for (const target of quick ? [rpcgw] : targets) {
    await openLoop(target, smallRead, { ...load, seconds: quick ? 1 : 10 });
  }
  for (let round = 0; round < (quick ? rounds : roundsInFull); round += 1) {
    for (const target of round % 2 === 0 ? targets : [...targets].reverse()) {
      const { ms, lost } = await openLoop(target, smallRead, { ...load, seconds });
      if (lost > 0) throw new Error(`${target.name}: ${lost} answers were none`);
      seen.get(target.name)?.p50.push(at(ms, 0.5));
      seen.get(target.name)?.p99.push(at(ms, 0.99));
    }
  }
  const of = (name: string, which: 'p50' | 'p99'): readonly number[] => seen.get(name)?.[which] ?? [];
  const ratios = (name: string, which: 'p50' | 'p99'): readonly number[] => {
    const [one, two] = [of(floor.name, which), of(zero.name, which)];
    return of(name, which).map((own, round) => (2 * own) / ((one[round] ?? 0) + (two[round] ?? 0)));
  };
  const shown = (name: string): string =>
    `p50 ${median(of(name, 'p50')).toFixed(2)} ms, p99 ${median(of(name, 'p99')).toFixed(2)} ms`;
  const verdict = (values: readonly number[]) => ({
    goal: '1.1 × the floor',
    measured: `${median(values).toFixed(2)} × (±${(spread(values) * 100).toFixed(0)} %)`,
    met: median(values) <= 1.1,
  });
  return [
    ...targets.map(({ name }) => ({ what: name, measured: shown(name) })),
    { what: 'p50', ...verdict(ratios(rpcgw.name, 'p50')) },
    { what: 'p99', ...verdict(ratios(rpcgw.name, 'p99')) },
  ];
};

function noNumbers(): number[] {
  return [];
}
