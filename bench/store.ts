/**
 * What the durable row costs: `node bench/store.ts`. With `--fsyncs` the kernel's own count of syncs is printed too
 * (needs strace, which makes everything slower).
 */

import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BroadcastRow } from '../src/gateway/ports.ts';
import { openStore, type Store } from '../src/store/open.ts';

const row: BroadcastRow = {
  chain: 'ethereum',
  method: 'eth_sendRawTransaction',
  txId: undefined,
  digest: '',
  options: '{}',
  endpoint: 'infura',
  identityKey: 'ethereum/1/9f86d081884c7d65',
  requestId: '0198c1de-1f7c-7000-8000-000000000000',
  attempt: 1,
  earlier: undefined,
};

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

function quantile(sorted: readonly number[], q: number): string {
  return (sorted[Math.floor(sorted.length * q)] ?? 0).toFixed(2);
}

/** `width` writers, each with its next row as soon as the last one is on disk. */
async function measure(store: Store, name: string, width: number, rows: number): Promise<void> {
  const waits: number[] = [];
  let next = 0;
  const before = store.counters.commits;
  const started = performance.now();
  const writer = async (): Promise<void> => {
    while (next < rows) {
      const txId = `0x${width}-${next++}`;
      const asked = performance.now();
      await store.broadcasts.begin({ ...row, txId, digest: txId });
      waits.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: width }, writer));
  const seconds = (performance.now() - started) / 1000;
  waits.sort((a, b) => a - b);
  print(
    `${name}: ${Math.round(rows / seconds)} rows/s, p50 ${quantile(waits, 0.5)} ms, p99 ${quantile(waits, 0.99)} ms, ` +
      `${rows} rows in ${store.counters.commits - before} transactions`,
  );
}

/** What the disk itself needs for 4 KiB in a file that does not grow, as a log in use does not. */
function rawSync(dir: string): void {
  const file = openSync(join(dir, 'raw'), 'w');
  const page = Buffer.alloc(4096);
  for (let n = 0; n < 200; n++) writeSync(file, page);
  fsyncSync(file);
  const spans: number[] = [];
  for (let n = 0; n < 200; n++) {
    const started = performance.now();
    writeSync(file, page, 0, page.length, n * page.length);
    fsyncSync(file);
    spans.push(performance.now() - started);
  }
  closeSync(file);
  spans.sort((a, b) => a - b);
  print(`fsync of the disk: p50 ${quantile(spans, 0.5)} ms, p99 ${quantile(spans, 0.99)} ms`);
}

function countSyncs(): void {
  const traced = spawnSync(
    'strace',
    ['-f', '-c', '-e', 'trace=fsync,fdatasync', process.execPath, fileURLToPath(import.meta.url)],
    { encoding: 'utf8' },
  );
  if (traced.error !== undefined) throw traced.error;
  print(traced.stdout + traced.stderr);
}

async function run(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'rpcgw-bench-'));
  try {
    const store = await openStore({
      dir: join(dir, 'state'),
      clock: {
        now: () => performance.now(),
        wall: () => Date.now(),
        after(ms, run) {
          const timer = setTimeout(run, ms);
          return { cancel: () => clearTimeout(timer) };
        },
      },
    });
    rawSync(dir);
    await measure(store, 'alone', 1, 500);
    await measure(store, '64 at once', 64, 20_000);
    await store.close();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

if (process.argv.includes('--fsyncs')) countSyncs();
else await run();
