/** How soon the daemon is ready and a command answers. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chainOf, median, pause, startRpcgw, startUpstream } from '../kit/measure.ts';
import type { Finding, Row } from '../kit/report.ts';

const bin = fileURLToPath(new URL('../../bin/rpcgw.js', import.meta.url));

export const starts: Row = async ({ quick }) => {
  const upstream = await startUpstream();
  const chain = chainOf(
    'ethereum',
    Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`e${n}`, `${upstream.url}/e${n}`])),
  );
  const findings: Finding[] = [];
  try {
    // The last one stays, to be asked.
    let rpcgw = await startRpcgw(chain, []);
    const ready = [rpcgw.readyMs];
    for (let n = 1; n < (quick ? 3 : 7); n += 1) {
      rpcgw.stop();
      rpcgw = await startRpcgw(chain, []);
      ready.push(rpcgw.readyMs);
    }
    findings.push({
      what: 'ready with 100 endpoints',
      goal: '1 s',
      measured: `${median(ready).toFixed(0)} ms`,
      met: median(ready) <= 1000,
    });
    // Its code is still being compiled for the first probes.
    await pause(1000);
    const empty = median(times(quick, () => answers(['-e', '0'])));
    findings.push({ what: 'an empty script', measured: `${empty.toFixed(0)} ms` });
    const socket = ['--socket', `${rpcgw.dir}/rpcgw.sock`];
    const commands: readonly (readonly string[])[] = [
      ['--version'],
      ['--help'],
      ['check', '--config', rpcgw.config],
      ['status', ...socket],
      ['scores', 'ethereum', ...socket],
      ['status', '--json', ...socket],
    ];
    for (const command of commands) {
      const took = times(quick, () => answers([bin, ...command]));
      const shown = command.filter(each => !each.startsWith('/') && each !== '--socket').join(' ');
      findings.push({
        what: `rpcgw ${shown}`,
        goal: '150 ms',
        measured: `${median(took).toFixed(0)} ms`,
        met: median(took) <= 150,
      });
    }
    rpcgw.stop();
    return findings;
  } finally {
    upstream.stop();
  }
};

function times(quick: boolean, run: () => number): readonly number[] {
  return Array.from({ length: quick ? 3 : 10 }, run);
}

/** How long a command of Node.js takes, ms. */
function answers(command: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command.join(' ')}: ${status} ${stderr}`);
  return performance.now() - started;
}
