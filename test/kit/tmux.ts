/** A program on a real terminal: tmux is the terminal, and what it shows can be read. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Terminal {
  /** Of the program itself. */
  readonly pid: number;
  /** What is on the screen; with colours as escape sequences. */
  capture(colours?: boolean): Promise<string>;
  /** As tmux names them: `Down`, `Enter`, `C-c`, `q`. */
  keys(...names: readonly string[]): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  end(): Promise<void>;
}

/** On a tmux server of its own, so that nobody's sessions are met. */
export async function terminal(
  command: readonly string[],
  size: { readonly columns: number; readonly rows: number },
  env: Readonly<Record<string, string>> = {},
): Promise<Terminal> {
  const dir = await mkdtemp(join(tmpdir(), 'rpcgw-tmux-'));
  const tmux = async (...args: readonly string[]): Promise<string> =>
    (await run('tmux', ['-S', join(dir, 'server'), '-f', '/dev/null', ...args])).stdout;
  const settings = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const place = ['-x', String(size.columns), '-y', String(size.rows)];
  // A screen of its own stays after the program has ended, so that what it left there can be looked at.
  await tmux('new-session', '-d', ...place, ...settings, ...command, ';', 'set', 'remain-on-exit', 'on');
  const pid = Number(await tmux('display-message', '-p', '#{pane_pid}'));
  return {
    pid,
    capture: (colours = false) => tmux('capture-pane', '-p', ...(colours ? ['-e'] : [])),
    async keys(...names) {
      await tmux('send-keys', ...names);
    },
    async resize(columns, rows) {
      await tmux('resize-window', '-x', String(columns), '-y', String(rows));
    },
    async end() {
      await tmux('kill-server');
      await rm(dir, { recursive: true, force: true });
    },
  };
}
