/** What the size of the roster costs a request: twenty chains of fifty endpoints beside one chain of three. */

import { chainOf, cpuNs, median, pause, startRpcgw } from '../kit/measure.ts';
import type { Row } from '../kit/report.ts';
import { addSamples, type Contender, compare, figures, noSamples } from '../kit/slices.ts';

/** Of both: two processes of one build differ by some percent for as long as they live. */
const starts = 3;
const roundsPerStart = 5;

const fewName = '1 × 3';
const manyName = '20 × 50';

export const manyEndpoints: Row = async ({ rounds, seconds, quick, trio }) => {
  const { upstream, rpcgw } = await trio();
  const [few, many] = [noSamples(), noSamples()];
  /** What each costs with nothing to do, µs a second: a thousand endpoints are probed two hundred times a second. */
  let idle: readonly number[] = [];
  for (let start = 0; start < (quick ? 1 : starts); start += 1) {
    // The first is there and warm already.
    const small = start === 0 ? sharedAs(fewName, rpcgw) : await startFew(upstream.url);
    const large = await startMany(upstream.url);
    try {
      const contenders = [small.contender, large.contender];
      const samples = compare(contenders, { rounds: quick ? rounds : roundsPerStart, seconds });
      addSamples(few, samples.get(fewName) ?? noSamples());
      addSamples(many, samples.get(manyName) ?? noSamples());
      if (start === 0) idle = await idleCost(contenders, quick ? 2000 : 5000);
    } finally {
      small.stop();
      large.stop();
    }
  }
  const ratio = median(many.cpuRatio);
  // From the ratio of neighbouring slices: figures of the whole run hold its drift as well.
  const [fewIdleUs = 0, manyIdleUs = 0] = [few, many].map((of, n) => (idle[n] ?? 0) / median(of.perSecond));
  const fewUs = median(few.cpuUs);
  const own = (ratio * fewUs - manyIdleUs) / (fewUs - fewIdleUs);
  return [
    { what: fewName, measured: figures(few) },
    { what: manyName, measured: figures(many) },
    {
      what: 'CPU with nothing to do',
      measured: `${idle.map(each => `${(each / 10_000).toFixed(1)} %`).join(' and ')} of a core`,
    },
    { what: 'CPU a request, the probes of 1,000 endpoints included', measured: `${ratio.toFixed(3)} ×` },
    {
      what: 'CPU a request',
      goal: `1.1 × that of ${fewName}`,
      measured: `${own.toFixed(3)} ×`,
      met: own <= 1.1,
    },
  ];
};

async function idleCost(contenders: readonly Contender[], forMs: number): Promise<readonly number[]> {
  const cpuOfAll = (): number[] =>
    contenders.map(({ pids }) => pids.reduce((sum, pid) => sum + cpuNs(pid), 0));
  const before = cpuOfAll();
  await pause(forMs);
  return cpuOfAll().map((after, n) => (after - (before[n] ?? 0)) / forMs);
}

interface Started {
  readonly contender: Contender;
  stop(): void;
}

function sharedAs(name: string, contender: Contender): Started {
  return { contender: { ...contender, name }, stop: () => undefined };
}

function endpointsAt(url: string, count: number, network: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`e${n}`, `${url}/net-${network}/e${n}`]),
  );
}

async function startFew(url: string): Promise<Started> {
  return started(fewName, chainOf('ethereum', endpointsAt(url, 3, 1)));
}

async function startMany(url: string): Promise<Started> {
  const chains = Array.from({ length: 20 }, (_, n) =>
    n === 0
      ? chainOf('ethereum', endpointsAt(url, 50, 1))
      : chainOf(`chain${n}`, endpointsAt(url, 50, 7000 + n), `    family: evm\n    chainId: ${7000 + n}\n`),
  );
  return started(manyName, chains.join(''));
}

async function started(name: string, chains: string): Promise<Started> {
  const { url, pid, stop } = await startRpcgw(chains);
  return { contender: { name, url, path: '/ethereum', pids: [pid] }, stop };
}
