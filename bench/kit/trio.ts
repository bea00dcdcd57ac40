/** The floor, a second one that shows the run's own error, and the gateway with three endpoints, all before one upstream. */

import { chainOf, freePort, kitFile, startProgram, startRpcgw, startUpstream } from './measure.ts';
import type { Contender } from './slices.ts';

export interface Trio {
  readonly upstream: Contender;
  readonly floor: Contender;
  readonly zero: Contender;
  readonly rpcgw: Contender;
  stop(): void;
}

export async function startTrio(): Promise<Trio> {
  const upstream = await startUpstream();
  const floorProgram = async () => {
    const port = await freePort();
    return startProgram(kitFile('floor.ts'), [String(port), new URL(upstream.url).port], port);
  };
  const [floor, zero] = [await floorProgram(), await floorProgram()];
  const rpcgw = await startRpcgw(
    chainOf('ethereum', { a: `${upstream.url}/a`, b: `${upstream.url}/b`, c: `${upstream.url}/c` }),
  );
  const contender = (name: string, path: string, { url, pid }: { url: string; pid: number }): Contender => ({
    name,
    url,
    path,
    pids: [pid],
  });
  return {
    upstream: contender('direct', '/', upstream),
    floor: contender('floor', '/', floor),
    zero: contender('zero row', '/', zero),
    rpcgw: contender('rpcgw', '/ethereum', rpcgw),
    stop() {
      for (const program of [upstream, floor, zero, rpcgw]) program.stop();
    },
  };
}
