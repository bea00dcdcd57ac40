import type { ReadStream, WriteStream } from 'node:tty';
import { render, renderToString } from 'ink';
import type { ApiClient } from '../api/client.ts';
import { OperatorError } from '../core/errors.ts';
import { App } from './app.tsx';
import type { Timers } from './feed.ts';
import { Plain } from './plain.tsx';
import { type Display, sceneOf } from './scene.ts';
import { startSession } from './session.ts';
import { noTrail } from './trail.ts';
import { firstView } from './view.ts';

export interface TopOptions {
  readonly api: ApiClient;
  readonly chain: string | undefined;
  readonly intervalMs: number;
  /** For the audit, as stated. */
  readonly who: string;
  readonly look: Pick<Display, 'colour' | 'ascii'>;
}

/** Both ends of a terminal. */
export interface Terminal {
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
}

const timers: Timers = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** The dashboard until somebody ends it; resolves to the exit code. */
export async function watchOnTerminal(options: TopOptions, { stdin, stdout }: Terminal): Promise<number> {
  const { api, chain, intervalMs, who, look } = options;
  // Before the screen is taken: an error that is left on it would be gone with it.
  const first = await firstStatus(api, chain);
  const view = firstView(chain ?? first.chains[0]?.name, intervalMs);
  const session = startSession(api, timers, first, view, who);
  // What was typed meanwhile was echoed: the first frame must not begin behind it, nor find more of it on its way.
  stdin.setRawMode(true);
  stdout.write('\r');
  try {
    const screen = render(<App session={session} look={look} />, {
      stdin,
      stdout,
      alternateScreen: true,
      incrementalRendering: true,
      maxFps: 10,
      exitOnCtrlC: false,
      // Nothing here writes to the console.
      patchConsole: false,
      // Decided by the caller; a terminal inside a CI job is a terminal.
      interactive: true,
    });
    const exit = await screen.waitUntilExit();
    return typeof exit === 'number' ? exit : 0;
  } finally {
    session.end();
    stdin.setRawMode(false);
  }
}

/** One full frame as text. `width` undefined: nothing is cut. */
export async function frameOnce(
  { api, chain, intervalMs, look }: TopOptions,
  width: number | undefined,
): Promise<string> {
  const status = await firstStatus(api, chain);
  const [{ events }, { broadcasts }] = await Promise.all([
    api.ask('events', { limit: 10 }),
    api.ask('broadcasts', { unknown: true }),
  ]);
  const tick = timers.now();
  const feed = {
    status,
    trail: noTrail,
    events,
    broadcasts,
    problem: undefined,
    link: { is: 'live' },
    seenAt: tick,
  } as const;
  const display = { ...look, columns: width ?? Infinity, rows: Infinity };
  const scene = sceneOf(feed, firstView(chain, intervalMs), display, tick);
  return renderToString(<Plain scene={scene} />, { columns: width ?? 1000 });
}

async function firstStatus(api: ApiClient, chain: string | undefined) {
  const status = await api.ask('status', {});
  const names = status.chains.map(each => each.name);
  if (chain !== undefined && !names.includes(chain)) {
    throw new OperatorError('no_such_chain', `there is no chain ${chain}`, {
      why: [`the config has ${names.join(', ')}`],
    });
  }
  return status;
}
