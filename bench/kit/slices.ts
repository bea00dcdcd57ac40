/** Small reads in short slices: each contender between two slices of the first one, the yardstick. */

import { load, median, spread } from './measure.ts';

export const smallRead = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}';
const connections = 32;

export interface Contender {
  readonly name: string;
  readonly url: string;
  readonly path: string;
  /** The processes that do the work. */
  readonly pids: readonly number[];
}

export interface Samples {
  readonly cpuUs: number[];
  readonly perSecond: number[];
  readonly cpuRatio: number[];
  readonly rateRatio: number[];
}

/** Code is compiled after so many requests, however long they take: until then the larger program costs more than it does. */
const warmRequests = 30_000;

/** What each has answered, by its address: rows share contenders, and who is warm needs no more. */
const answered = new Map<string, number>();

export function warmUp(contender: Contender): void {
  const made = (): number => answered.get(contender.url) ?? 0;
  while (made() < warmRequests) slice(contender, 1);
}

function slice(contender: Contender, seconds: number) {
  const got = load(contender, smallRead, connections, seconds);
  if (got.bad > 0) throw new Error(`${contender.name}: ${got.bad} answers were none`);
  answered.set(contender.url, (answered.get(contender.url) ?? 0) + got.requests);
  return { requests: got.requests, cpuUs: got.cpuUs, perSecond: got.requests / got.seconds };
}

/** Each in a slice between two of the first one, which is the yardstick. */
export function compare(
  contenders: readonly Contender[],
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): ReadonlyMap<string, Samples> {
  const samples = new Map<string, Samples>();
  for (const contender of contenders) {
    samples.set(contender.name, noSamples());
    warmUp(contender);
  }
  const [yardstick, ...others] = contenders;
  if (yardstick === undefined) return samples;
  for (let round = 0; round < rounds; round += 1) {
    let before = slice(yardstick, seconds);
    // Turned round each time, so that nobody always comes after the same one.
    const order = round % 2 === 0 ? others : [...others].reverse();
    for (const contender of order) {
      const here = slice(contender, seconds);
      const after = slice(yardstick, seconds);
      const [into, yardsticks] = [samples.get(contender.name), samples.get(yardstick.name)];
      if (into !== undefined) note(into, here, before, after);
      if (yardsticks !== undefined) note(yardsticks, after);
      before = after;
    }
  }
  return samples;
}

/** Each slice of the contender between one of either yardstick, which are the same program twice; ratios are to both. */
export function compareWithTwo(
  [one, two]: readonly [Contender, Contender],
  contender: Contender,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Record<'one' | 'two' | 'contender', Samples> {
  const samples = { one: noSamples(), two: noSamples(), contender: noSamples() };
  for (const each of [one, two, contender]) warmUp(each);
  let before = slice(one, seconds);
  for (let round = 0; round < rounds; round += 1) {
    const first = slice(contender, seconds);
    const between = slice(two, seconds);
    const second = slice(contender, seconds);
    const after = slice(one, seconds);
    note(samples.contender, first, before, between);
    note(samples.two, between, before, after);
    note(samples.contender, second, between, after);
    note(samples.one, after);
    before = after;
  }
  return samples;
}

type Figures = ReturnType<typeof slice>;

export function noSamples(): Samples {
  return { cpuUs: [], perSecond: [], cpuRatio: [], rateRatio: [] };
}

/** More of the same, from another start. */
export function addSamples(to: Samples, more: Samples): void {
  for (const figure of ['cpuUs', 'perSecond', 'cpuRatio', 'rateRatio'] as const)
    to[figure].push(...more[figure]);
}

/** `around`: what it is held against. */
function note(into: Samples, here: Figures, ...around: readonly [] | readonly [Figures, Figures]): void {
  into.cpuUs.push(here.cpuUs);
  into.perSecond.push(here.perSecond);
  const [before, after] = around;
  if (before === undefined || after === undefined) return;
  into.cpuRatio.push((2 * here.cpuUs) / (before.cpuUs + after.cpuUs));
  into.rateRatio.push((2 * here.perSecond) / (before.perSecond + after.perSecond));
}

export function figures(of: Samples): string {
  const own = `${median(of.cpuUs).toFixed(1)} µs, ${Math.round(median(of.perSecond))}/s`;
  if (of.cpuRatio.length === 0) return own;
  const share = (spread(of.cpuRatio) * 100).toFixed(0);
  return `${own}; CPU ${median(of.cpuRatio).toFixed(2)} × (±${share} %), throughput ${median(of.rateRatio).toFixed(2)} ×`;
}
