/** Large answers: how soon they begin, what ten at once hold in memory, and whom a slow client slows. */

import type { Socket } from 'node:net';
import { at, dial, requestBytes, type Target } from '../kit/caller.ts';
import { chainOf, median, pause, residentMiB, startRpcgw, startUpstream } from '../kit/measure.ts';
import type { Finding, Row } from '../kit/report.ts';

/** Megabytes, and how many answers of them. */
const fullTimes = [
  [1, 60],
  [10, 20],
  [100, 5],
] as const;
const quickTimes = [
  [1, 12],
  [10, 5],
  [100, 3],
] as const;

let asked = 1000;

function question(megabytes: number, pauseMs = 0): { readonly id: number; readonly body: string } {
  asked += 1;
  const params = [{ megabytes, pauseMs, fromBlock: '0x14c9c00', toBlock: '0x14c9c8a' }];
  return { id: asked, body: JSON.stringify({ jsonrpc: '2.0', id: asked, method: 'eth_getLogs', params }) };
}

/** Of the clock that all processes of the machine share, ms. */
const sharedMs = (): number => Number(process.hrtime.bigint()) / 1e6;

interface Fetched {
  readonly firstByteAt: number;
  readonly bytes: number;
}

/** Reads it all and keeps nothing. */
async function fetchAll(target: Target, body: string): Promise<Fetched> {
  const socket = await dial(target);
  return new Promise((resolve, reject) => {
    let firstByteAt = 0;
    let bytes = 0;
    let wanted = 0;
    socket.on('data', (chunk: Buffer) => {
      if (bytes === 0) {
        firstByteAt = sharedMs();
        const end = chunk.indexOf('\r\n\r\n') + 4;
        wanted = end + Number(/content-length: (\d+)/i.exec(chunk.toString('latin1', 0, end))?.[1] ?? 0);
      }
      bytes += chunk.length;
      if (bytes < wanted) return;
      socket.destroy();
      resolve({ firstByteAt, bytes });
    });
    socket.on('close', () => reject(new Error(`cut after ${bytes} bytes`)));
    socket.write(requestBytes(target, body));
  });
}

/** The most that was resident while something ran, MiB. */
async function most(pid: number, run: Promise<unknown>): Promise<number> {
  let high = 0;
  let over = false;
  const watch = (async () => {
    while (!over) {
      high = Math.max(high, residentMiB(pid));
      await pause(20);
    }
  })();
  await run;
  over = true;
  await watch;
  return high;
}

export const largeAnswers: Row = async ({ quick }) => {
  const upstream = await startUpstream();
  // As it is shipped: the flags that keep short slices alike also change how memory grows.
  const rpcgw = await startRpcgw(chainOf('ethereum', { a: `${upstream.url}/a` }), []);
  const target = { url: rpcgw.url, path: '/ethereum' };
  const began = new Map<number, number>();
  const sent = new Map<number, number>();
  upstream.onMessage(({ began: id, at: when, sent: of, bytes }) => {
    if (typeof id === 'number' && typeof when === 'number') began.set(id, when);
    if (typeof of === 'number' && typeof bytes === 'number') sent.set(of, bytes);
  });
  const findings: Finding[] = [];
  try {
    /**
     * From the upstream's first write to the first byte here, ms. It pauses after what the gateway must see: who holds back more has
     * the pause in its figure, and nobody's wait for a core is in it, of which upstream, daemon and client share two.
     */
    const firstByte = async (from: Target, megabytes: number): Promise<number> => {
      const { id, body } = question(megabytes, 20);
      const { firstByteAt } = await fetchAll(from, body);
      await pause(20);
      return firstByteAt - (began.get(id) ?? Number.NaN);
    };
    // The first ones are compiled on the way.
    for (let n = 0; n < 20; n += 1) await firstByte(target, 1);
    for (const [megabytes, times] of quick ? quickTimes : fullTimes) {
      const [through, direct]: [number[], number[]] = [[], []];
      for (let n = 0; n < times; n += 1) {
        direct.push(await firstByte({ url: upstream.url, path: '/a' }, megabytes));
        through.push(await firstByte(target, megabytes));
      }
      const added = median(through) - median(direct);
      findings.push({
        what: `${megabytes} MB: first byte after the upstream's`,
        goal: '2 ms',
        measured: `${added.toFixed(2)} ms (through ${median(through).toFixed(2)}, p90 ${at(through, 0.9).toFixed(2)}; direct ${median(direct).toFixed(2)}, p90 ${at(direct, 0.9).toFixed(2)})`,
        met: added <= 2,
      });
    }

    const tenAtOnce = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 10 }, () => fetchAll(target, question(quick ? 50 : 100).body)));
    await tenAtOnce();
    await pause(1000);
    const baseline = residentMiB(rpcgw.pid);
    const growths: number[] = [];
    for (let n = 0; n < (quick ? 1 : 3); n += 1)
      growths.push((await most(rpcgw.pid, tenAtOnce())) - baseline);
    const growth = Math.max(...growths);
    findings.push({
      what: `ten of ${quick ? 50 : 100} MB at once: resident memory over ${baseline.toFixed(0)} MiB, warm`,
      goal: 'under 64 MiB',
      measured: `+${growth.toFixed(0)} MiB`,
      met: growth < 64,
    });
    findings.push(await slowClient(target, rpcgw.pid, sent, quick));
    return findings;
  } finally {
    upstream.stop();
    rpcgw.stop();
  }
};

/** It takes one piece and then nothing: what the upstream could send stays what the sockets hold. */
async function slowClient(
  target: Target,
  pid: number,
  sent: ReadonlyMap<number, number>,
  quick: boolean,
): Promise<Finding> {
  const before = residentMiB(pid);
  const { id, body } = question(100);
  const socket: Socket = await dial(target);
  socket.once('data', () => socket.pause());
  socket.write(requestBytes(target, body));
  const high = await most(pid, pause(quick ? 2000 : 8000));
  socket.destroy();
  const passed = (sent.get(id) ?? 0) / 2 ** 20;
  const grown = high - before;
  return {
    what: 'a client that stops reading 100 MB',
    goal: 'slows the upstream, not the memory',
    measured: `upstream stopped after ${passed.toFixed(1)} MiB, memory +${grown.toFixed(0)} MiB`,
    met: passed < 32 && grown < 32,
  };
}
