/** What the size of the roster costs a request: twenty chains of fifty endpoints beside one chain of three. */

import { chainOf, cpuNs, median, pause, startRpcgw } from '../kit/measure.ts';
import type { Row } from '../kit/report.ts';
import { compare, figures } from '../kit/slices.ts';

export const manyEndpoints: Row = async ({ rounds, seconds, quick, trio }) => {
  const { upstream, rpcgw } = await trio();
  const endpoints = (count: number, network: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`e${n}`, `${upstream.url}/net-${network}/e${n}`]),
    );
  const chains = Array.from({ length: 20 }, (_, n) =>
    n === 0
      ? chainOf('ethereum', endpoints(50, 1))
      : chainOf(`chain${n}`, endpoints(50, 7000 + n), `    family: evm\n    chainId: ${7000 + n}\n`),
  );
  const many = await startRpcgw(chains.join(''));
  try {
    const contenders = [
      { ...rpcgw, name: '1 × 3' },
      { name: '20 × 50', url: many.url, path: '/ethereum', pids: [many.pid] },
    ];
    const samples = compare(contenders, { rounds, seconds });
    const ratio = median(samples.get('20 × 50')?.cpuRatio ?? []);
    // What each costs with nothing to do, µs a second: a thousand endpoints are probed two hundred times a second.
    const cpuOfBoth = (): number[] =>
      contenders.map(({ pids }) => pids.reduce((sum, pid) => sum + cpuNs(pid), 0));
    const before = cpuOfBoth();
    const idleMs = quick ? 2000 : 5000;
    await pause(idleMs);
    const idle = cpuOfBoth().map((after, n) => (after - (before[n] ?? 0)) / idleMs);
    // From the ratio of neighbouring slices: figures of the whole run hold its drift as well.
    const [one, other] = contenders.map(({ name }) => samples.get(name));
    const idleUs = idle.map((perSecond, n) => perSecond / median((n === 0 ? one : other)?.perSecond ?? []));
    const fewUs = median(one?.cpuUs ?? []);
    const own = (ratio * fewUs - (idleUs[1] ?? 0)) / (fewUs - (idleUs[0] ?? 0));
    return [
      ...contenders.map(({ name }) => {
        const of = samples.get(name);
        return { what: name, measured: of === undefined ? '' : figures(of) };
      }),
      {
        what: 'CPU with nothing to do',
        measured: `${idle.map(each => `${(each / 10_000).toFixed(1)} %`).join(' and ')} of a core`,
      },
      { what: 'CPU a request, the probes of 1,000 endpoints included', measured: `${ratio.toFixed(3)} ×` },
      {
        what: 'CPU a request',
        goal: '1.1 × that of 1 × 3',
        measured: `${own.toFixed(3)} ×`,
        met: own <= 1.1,
      },
    ];
  } finally {
    many.stop();
  }
};
