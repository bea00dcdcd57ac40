/**
 * Records the dashboard for the README: `rpcgw demo` and `rpcgw top` as they are, on a real terminal, while the demo's
 * story runs. Needs a build and tmux.
 *
 *     node bench/record-top.ts [--seconds 40] [--out docs/top.svg]
 */

import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Shot, terminalSvg } from '../test/kit/terminal-svg.ts';
import { terminal } from '../test/kit/tmux.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '40' },
    out: { type: 'string', default: 'docs/top.svg' },
    bin: { type: 'string', default: 'bin/rpcgw.js' },
  },
});
const size = { columns: 120, rows: 34 } as const;
const everyMs = 1_500;
/** What a person would press, by the number of the screen before which it is. */
const keys: ReadonlyMap<number, string> = new Map([
  [13, 'Enter'],
  [18, 'Escape'],
]);

const demo = spawn(process.execPath, [values.bin, 'demo', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const screen = await terminal([process.execPath, values.bin, 'top', '--socket', await socketOf()], size, {
    LANG: 'C.UTF-8',
  });
  try {
    while (!(await screen.capture()).includes('REQ/S')) await pause(100);
    const shots: Shot[] = [];
    while (shots.length * everyMs < Number(values.seconds) * 1000) {
      const key = keys.get(shots.length);
      if (key !== undefined) await screen.keys(key);
      await pause(everyMs);
      shots.push({ at: shots.length * everyMs, screen: (await screen.capture(true)).replace(/\n$/, '') });
    }
    await writeFile(values.out, terminalSvg(shots, size.columns, poster(shots)));
    process.stdout.write(`${values.out}: ${shots.length} screens\n`);
  } finally {
    await screen.end();
  }
} finally {
  demo.kill('SIGINT');
}

/** The demo names its socket in the commands it proposes. */
async function socketOf(): Promise<string> {
  for await (const line of createInterface({ input: demo.stdout })) {
    const found = / --socket (\S+)/.exec(line)?.[1];
    // The rest of the story is not read, and must not stop for that.
    if (found !== undefined) {
      demo.stdout.resume();
      return found;
    }
  }
  throw new Error('the demo ended before it named its socket');
}

/** The first of the screens on which most is wrong: what a reader sees where nothing moves. */
function poster(shots: readonly Shot[]): number {
  const troubles = shots.map(({ screen }) => screen.split(/[✖▼◑▲◌◐]/).length);
  return troubles.indexOf(Math.max(...troubles));
}
