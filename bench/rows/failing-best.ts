/** Reads while the endpoint that was best refuses connections, hangs, or answers 500 to everything. */

import { at, openLoop } from '../kit/caller.ts';
import { chainOf, pause, startRpcgw, startUpstream } from '../kit/measure.ts';
import type { Finding, Row } from '../kit/report.ts';
import { smallRead } from '../kit/slices.ts';

const readTimeoutMs = 1000;
const load = { perSecond: 300, connections: 400 };

async function withBest(
  what: string,
  quick: boolean,
  fail: (best: Awaited<ReturnType<typeof startUpstream>>) => void,
): Promise<readonly Finding[]> {
  const best = await startUpstream();
  const other = await startUpstream();
  // The first has the double weight, so it is the best while it answers.
  const rows = chainOf(
    'ethereum',
    { best: best.url, b: `${other.url}/b`, c: `${other.url}/c` },
    `    timeouts: { read: ${readTimeoutMs}ms }\n`,
  ).replace('name: best,', 'name: best, weight: 100,');
  const rpcgw = await startRpcgw(rows);
  const target = { url: rpcgw.url, path: '/ethereum' };
  try {
    await openLoop(target, smallRead, { ...load, seconds: quick ? 1 : 2 });
    const healthy = await openLoop(target, smallRead, { ...load, seconds: quick ? 2 : 8 });
    const before = at(healthy.ms, 0.99);
    const running = openLoop(target, smallRead, { ...load, seconds: quick ? 5 : 20 });
    await pause(1000);
    fail(best);
    const calls = await running;
    // A circuit opens after five failures: with a timeout, at once after the first of those have come to it, and who waits then leaves.
    const openBy = 1000 + readTimeoutMs + 500;
    const first = calls.ms.filter((_, n) => (calls.endedAt[n] ?? 0) <= openBy);
    const later = calls.ms.filter((_, n) => (calls.endedAt[n] ?? 0) > openBy);
    const [until, after] = [at(first, 0.99), at(later, 0.99)];
    const most = readTimeoutMs + before;
    return [
      {
        what: `${what}: p99 until its circuit opens`,
        goal: `the attempt timeout (${readTimeoutMs} ms) and the healthy p99 (${before.toFixed(1)} ms)`,
        measured: `${until.toFixed(1)} ms`,
        met: until <= most + 5,
      },
      {
        what: `${what}: p99 after it`,
        goal: '2 × the healthy p99',
        measured: `${after.toFixed(1)} ms, ${(after / before).toFixed(2)} ×`,
        met: after <= 2 * before,
      },
      {
        what: `${what}: lost`,
        goal: 'none',
        measured: `${calls.lost} of ${calls.ms.length}`,
        met: calls.lost === 0,
      },
    ];
  } finally {
    for (const program of [best, other, rpcgw]) program.stop();
  }
}

/** One after the other; in a hurry all at once: three times 300 requests a second leave the machine room. */
export const failingBest: Row = async ({ quick }) => {
  const cases = [
    () => withBest('refusing', quick, best => best.stop()),
    () => withBest('hanging', quick, best => best.send({ path: '/', fault: 'hang' })),
    () => withBest('500 to all', quick, best => best.send({ path: '/', fault: 'error' })),
  ];
  if (quick) return (await Promise.all(cases.map(run => run()))).flat();
  const findings: Finding[] = [];
  for (const run of cases) findings.push(...(await run()));
  return findings;
};
