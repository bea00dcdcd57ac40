/**
 * What the dashboard costs: `rpcgw top` on a real terminal, watching a daemon that tells a new status of 50 endpoints
 * each second. Prints the processor time it took. Goal: under 3 % of a core. Needs a build and tmux.
 *
 *     node bench/top.ts [--seconds 20] [--bin bin/rpcgw.js]
 */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fakeDaemon } from '../test/kit/fake-daemon.ts';
import { livelyStatus } from '../test/kit/lively-status.ts';
import { terminal } from '../test/kit/tmux.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    bin: { type: 'string', default: 'bin/rpcgw.js' },
    columns: { type: 'string', default: '120' },
    rows: { type: 'string', default: '60' },
  },
});
const seconds = Number(values.seconds);
const dir = await mkdtemp(join(tmpdir(), 'rpcgw-bench-top-'));
const socket = join(dir, 'rpcgw.sock');
let second = 0;
const daemon = await fakeDaemon(socket, {
  status: () => livelyStatus(50, second, Date.now()),
  events: () => ({ events: [] }),
  broadcasts: () => ({ now: new Date().toISOString(), broadcasts: [] }),
});
const heart = setInterval(() => {
  second += 1;
  daemon.send(livelyStatus(50, second, Date.now()));
}, 1000);
const screen = await terminal(
  [process.execPath, values.bin, 'top', '--socket', socket],
  { columns: Number(values.columns), rows: Number(values.rows) },
  { LANG: 'C.UTF-8' },
);
try {
  await Promise.race([daemon.watched(), pause(20_000)]);
  for (const [what, key] of [
    ['one chain shown', undefined],
    ['all endpoints shown', 'a'],
  ] as const) {
    if (key !== undefined) await screen.keys(key);
    // Loading, first frames and their compilation are no part of what it costs to look at it.
    await pause(5_000);
    const before = await cpuMs(screen.pid);
    const from = performance.now();
    await pause(seconds * 1000);
    const spent = (await cpuMs(screen.pid)) - before;
    const share = (100 * spent) / (performance.now() - from);
    const memory = /VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${screen.pid}/status`, 'utf8'))?.[1] ?? '0';
    process.stdout.write(
      `50 endpoints, ${what}, ${values.columns}x${values.rows}, 1 Hz, ${seconds} s: ${spent.toFixed(0)} ms of processor ` +
        `time, ${share.toFixed(2)} % of a core, ${Math.round(Number(memory) / 1024)} MB\n`,
    );
  }
} finally {
  clearInterval(heart);
  await screen.end();
  await daemon.close();
  await rm(dir, { recursive: true, force: true });
}

/** Of all threads of a process: garbage collection and compilation have their own. */
async function cpuMs(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const times = await Promise.all(
    threads.map(async id =>
      Number((await readFile(`/proc/${pid}/task/${id}/schedstat`, 'utf8')).split(' ')[0]),
    ),
  );
  return times.reduce((sum, each) => sum + each, 0) / 1e6;
}
