import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type ApiClient, apiClient } from '../../src/api/client.ts';
import { loadConfig } from '../../src/config/load.ts';
import { type Daemon, startDaemon } from '../../src/daemon/daemon.ts';
import { openLogger } from '../../src/io/logger.ts';
import type { ConfigFile } from '../kit/gateway.ts';

/** The daemon in this process, on a folder of its own: quick enough to be started hundreds of times. */

export interface Here {
  readonly dir: string;
  readonly dataDir: string;
  readonly socket: string;
  readonly api: ApiClient;
  /** Where clients connect. */
  readonly url: string;
  /** All log lines since the first start. */
  lines(): readonly string[];
  /** Replaces the file; the daemon sees it at the next reload or start. */
  write(config: ConfigFile): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Every row of a table, as it is on disk. */
  rows(table: string): readonly Record<string, unknown>[];
  remove(): Promise<void>;
}

/** With one endpoint that nobody answers at, and that is left alone: for tests of the admin side. */
export function startAlone(): Promise<Here> {
  const own = { name: 'own', url: 'http://127.0.0.1:9/own', allowPrivate: true };
  return startHere({
    chains: { local: { family: 'evm', chainId: 31337, probes: { interval: '1h' }, endpoints: [own] } },
  });
}

export async function startHere(config: ConfigFile): Promise<Here> {
  const dir = await mkdtemp(join(tmpdir(), 'rpcgw-here-'));
  const file = join(dir, 'rpcgw.yaml');
  const dataDir = join(dir, 'data');
  const socket = join(dir, 's', 'rpcgw.sock');
  const written: string[] = [];
  let daemon: Daemon | undefined;

  const write = (next: ConfigFile): Promise<void> =>
    writeFile(
      file,
      JSON.stringify({ listen: '127.0.0.1:0', drain: { delay: '0s', timeout: '0s' }, ...next }),
    );
  async function start(): Promise<void> {
    const loaded = loadConfig(file, process.env);
    if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join('\n'));
    daemon = await startDaemon({
      config: loaded.config,
      configPath: file,
      dataDir,
      socket,
      version: 'test',
      logger: openLogger({
        level: 'debug',
        form: 'json',
        colour: false,
        write: line => written.push(line) > 0,
      }),
    });
  }
  async function stop(): Promise<void> {
    await daemon?.stop();
    daemon = undefined;
  }

  await write(config);
  await start();
  const here: Here = {
    dir,
    dataDir,
    socket,
    api: apiClient([socket]),
    get url() {
      return daemon?.url ?? '';
    },
    lines: () => written,
    write,
    stop,
    start,
    rows(table) {
      const db = new Database(join(dataDir, 'rpcgw.db'), { readonly: true });
      try {
        // Tables are named by the test; a row is what its columns make it.
        return db.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[];
      } finally {
        db.close();
      }
    },
    async remove() {
      await stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
  return here;
}
