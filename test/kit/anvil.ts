import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { freePort } from './ports.ts';

/**
 * A real Ethereum node. The binary is spawned itself: killing the package's wrapper script would leave it running.
 * With the same genesis and block times, several nodes hold identical blocks.
 */

export interface Anvil {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Mines up to this height, each block 12 s after the one before, so that nodes of one genesis agree on hashes. */
  mineTo(height: number): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

const blockS = 12;

/**
 * For a chain on which a test mines while the gateway looks: one endpoint's new blocks, seen before the others', are
 * otherwise further ahead than a chain of 12 s can have moved, and it is not believed until a second one is there too.
 */
export const minedAtWill = { blockTime: '100ms' };

function binary(): string {
  const platform = process.platform === 'darwin' ? 'darwin' : 'linux';
  const arch = process.arch === 'arm64' ? 'arm64' : 'amd64';
  return createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${platform}-${arch}/bin/anvil`);
}

export interface AnvilOptions {
  readonly chainId?: number;
  readonly port?: number;
  /** Unix seconds of the first block; nodes that are to agree get the same. */
  readonly genesis?: number;
  readonly args?: readonly string[];
}

/** A genesis whose block at `height` is made about now, so that the chain does not look as if it stood still. */
export function genesisFor(height: number): number {
  return Math.floor(Date.now() / 1000) - blockS * height;
}

export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  const port = options.port ?? (await freePort());
  const genesis = options.genesis ?? 1_700_000_000;
  const child = spawn(
    binary(),
    [
      '--port',
      String(port),
      '--chain-id',
      String(options.chainId ?? 31337),
      '--timestamp',
      String(genesis),
      '--no-mining',
      '--silent',
      ...(options.args ?? []),
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const url = `http://127.0.0.1:${port}`;
  await answering(url, child);

  async function rpc(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return result;
  }

  return {
    url,
    port,
    pid: child.pid ?? 0,
    rpc,
    async mineTo(height) {
      for (let next = Number(await rpc('eth_blockNumber')) + 1; next <= height; next += 1) {
        await rpc('evm_setNextBlockTimestamp', [genesis + blockS * next]);
        await rpc('evm_mine');
      }
    },
    kill: (signal = 'SIGKILL') => ended(child, signal),
  };
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise(resolve => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`anvil ended with ${child.exitCode}`);
    try {
      await fetch(url, { method: 'POST', body: '{}' });
      return;
    } catch {
      // Not listening yet.
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  }
}
