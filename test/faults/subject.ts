/** What is put to the test: the built gateway, or a proxy that sends again whenever something fails. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Gateway, preparePlace, startGateway } from '../kit/gateway.ts';
import type { Names } from './resolver.ts';
import { caFile } from './upstream.ts';
import { waitFor } from './wait.ts';

export interface Subject {
  readonly url: string;
  readonly pid: number;
  /** Undefined: it keeps no record. */
  readonly gateway: Gateway | undefined;
  /** How names fare from now on. */
  names(fates: Names): void;
  kill(): Promise<void>;
  restart(): Promise<void>;
  remove(): Promise<void>;
}

export interface ChainConfig {
  readonly name: string;
  readonly family: string;
  readonly identity: Readonly<Record<string, string | number>>;
  readonly endpoints: readonly { readonly name: string; readonly url: string }[];
}

export type SubjectName = 'gateway' | 'proxy';

/** As the config file has it. */
export function chainConfig({ family, identity, endpoints }: ChainConfig) {
  return {
    family,
    ...identity,
    // No head grows old, and no probe disturbs what was arranged.
    blockTime: '10m',
    probes: { interval: '1h' },
    endpoints: endpoints.map(({ name, url }, at) => ({
      name,
      url,
      allowPrivate: true,
      history: 'full',
      // Broadcasts go by score: these weights leave no doubt about the order, however slow a busy machine is.
      weight: [100, 50, 20][at],
    })),
  };
}

export interface SubjectOptions {
  /** How long a connection may take to come about, ms. */
  readonly connectMs: number;
  /** As the config has it; undefined: what the family brings. */
  readonly repeatWindow?: string;
}

export function startSubject(
  which: SubjectName,
  chains: readonly ChainConfig[],
  options: SubjectOptions,
): Promise<Subject> {
  return which === 'gateway' ? startBuilt(chains, options) : startProxy(chains);
}

/** Until every endpoint has long been probed, ms. */
const probedMs = 20_000;

const resolver = new URL('resolver.ts', import.meta.url);

async function startBuilt(
  chains: readonly ChainConfig[],
  { connectMs, repeatWindow }: SubjectOptions,
): Promise<Subject> {
  const place = await preparePlace({
    chains: Object.fromEntries(
      chains.map(chain => [
        chain.name,
        {
          ...chainConfig(chain),
          ...(repeatWindow === undefined ? {} : { repeatWindow }),
          timeouts: { connect: `${connectMs}ms` },
        },
      ]),
    ),
  });
  const namesFile = join(place.dir, 'names.json');
  writeFileSync(namesFile, '{}');
  const env = {
    ...place.env,
    NODE_OPTIONS: `--import=${resolver.href}`,
    NODE_EXTRA_CA_CERTS: fileURLToPath(caFile),
    FAULTS_NAMES: namesFile,
  };
  const gateway = await startGateway({}, { place: { ...place, env } });
  const endpoints = chains.reduce((sum, chain) => sum + chain.endpoints.length, 0);
  await usable(gateway, endpoints);
  return {
    get url() {
      return gateway.url;
    },
    get pid() {
      return gateway.pid;
    },
    gateway,
    names: fates => writeFileSync(namesFile, JSON.stringify(fates)),
    kill: async () => void (await gateway.stop('SIGKILL')),
    async restart() {
      await gateway.restart();
      await usable(gateway, endpoints);
    },
    remove: gateway.remove,
  };
}

/** Every endpoint may take reads, and has shown the height without which it gets no broadcast. */
export async function usable(gateway: Gateway, endpoints: number): Promise<void> {
  const shown = async (): Promise<boolean> => {
    const { text: ready } = await gateway.get('/readyz');
    const open = [...ready.matchAll(/ (\d+)\/\d+/g)].reduce((sum, [, n]) => sum + Number(n), 0);
    if (open !== endpoints) return false;
    const { text } = await gateway.get('/metrics');
    return text.match(/^rpcgw_endpoint_head_height\{/gm)?.length === endpoints;
  };
  // A probe that was lost on a busy machine would come again in an hour; after a start it comes at once.
  while (!(await waitFor(probedMs, shown))) {
    await gateway.stop('SIGKILL');
    await gateway.restart();
  }
}

const proxy = fileURLToPath(new URL('retrying-proxy.ts', import.meta.url));

async function startProxy(chains: readonly ChainConfig[]): Promise<Subject> {
  const dir = mkdtempSync(join(tmpdir(), 'rpcgw-proxy-'));
  const namesFile = join(dir, 'names.json');
  const configFile = join(dir, 'config.json');
  writeFileSync(namesFile, '{}');
  writeFileSync(
    configFile,
    JSON.stringify(Object.fromEntries(chains.map(chain => [chain.name, chain.endpoints]))),
  );
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: fileURLToPath(caFile), FAULTS_NAMES: namesFile };
  const start = (): Promise<{ child: ChildProcess; url: string }> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [`--import=${resolver.href}`, proxy, configFile], {
        env,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      child.once('message', url => resolve({ child, url: String(url) }));
      child.once('exit', code => reject(new Error(`the proxy ended with ${code}`)));
    });
  let running = await start();
  const kill = (): Promise<void> =>
    new Promise(resolve => {
      const { child } = running;
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  return {
    get url() {
      return running.url;
    },
    get pid() {
      return running.child.pid ?? 0;
    },
    gateway: undefined,
    names: fates => writeFileSync(namesFile, JSON.stringify(fates)),
    kill,
    async restart() {
      running = await start();
    },
    async remove() {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
