/**
 * What the record of broadcasts costs: `node bench/broadcasts.ts` (the last two need wrk and strace)
 *
 * - one durable row alone, beside the disk's own fsync, each measured right after the other;
 * - sixty-four at a time;
 * - reads through the daemon with and without 2,000 rows a second beside them, in slices by turns;
 * - how many syncs the kernel counts for the batches of a second.
 *
 * Ratios are of one run; a busy machine makes both sides slower.
 */

import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clock } from '../src/io/clock.ts';
import { openStore } from '../src/store/open.ts';
import { freePort, haveWrk, kitFile, load, median, spread, startProgram } from './kit/measure.ts';
import { broadcastRow, rowEnd } from './kit/rows.ts';
import type { Counted } from './kit/rows-beside.ts';

const rowsPerSecond = 2_000;
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const ms = (value: number): string => `${value.toFixed(2)} ms`;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const at = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;

/** A page written over and synced, as a log in use does it: what the disk takes for its part. */
function rawSync(file: number, page: Buffer, n: number): number {
  const started = performance.now();
  writeSync(file, page, 0, page.length, (n % 200) * page.length);
  fsyncSync(file);
  return performance.now() - started;
}

async function alone(dir: string): Promise<void> {
  const store = await openStore({ dir: join(dir, 'alone'), clock });
  const file = openSync(join(dir, 'raw'), 'w');
  const page = Buffer.alloc(4096);
  for (let n = 0; n < 200; n += 1) writeSync(file, page);
  fsyncSync(file);
  const rows: number[] = [];
  const syncs: number[] = [];
  for (let n = 0; n < 1_100; n += 1) {
    // By turns, so that whatever else the disk does meets both.
    const sync = rawSync(file, page, n);
    const started = performance.now();
    await store.broadcasts.begin(broadcastRow(n));
    // The first ones warm the code up.
    if (n < 100) continue;
    rows.push(performance.now() - started);
    syncs.push(sync);
  }
  closeSync(file);
  await store.close();
  const added = rows.map((row, n) => row - (syncs[n] ?? 0));
  print(`one row alone, ${rows.length} times, each right after an fsync of the disk:`);
  print(`  fsync  p50 ${ms(at(syncs, 0.5))}  p95 ${ms(at(syncs, 0.95))}`);
  print(`  row    p50 ${ms(at(rows, 0.5))}  p95 ${ms(at(rows, 0.95))}`);
  print(`  added  p50 ${ms(at(added, 0.5))}  p95 ${ms(at(added, 0.95))}   to stay under 1 ms at p50`);
}

/** Each with its next row as soon as the last one is on disk. */
async function together(dir: string, width: number, rows: number): Promise<void> {
  const store = await openStore({ dir: join(dir, 'together'), clock });
  const waits: number[] = [];
  let next = 0;
  const before = store.counters.commits;
  const started = performance.now();
  const writer = async (): Promise<void> => {
    while (next < rows) {
      next += 1;
      const asked = performance.now();
      await store.broadcasts.begin(broadcastRow(next));
      waits.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: width }, writer));
  const seconds = (performance.now() - started) / 1000;
  const commits = store.counters.commits - before;
  await store.close();
  print(
    `${width} at a time: ${Math.round(rows / seconds)} rows a second, ${Math.round(rows / commits)} a commit,`,
  );
  print(`  row    p50 ${ms(at(waits, 0.5))}  p99 ${ms(at(waits, 0.99))}`);
}

interface Slice extends Omit<Counted, 'atMs'> {
  readonly readsPerSecond: number;
  readonly seconds: number;
}

async function beside(dir: string): Promise<void> {
  const upstreamPort = await freePort();
  const upstream = await startProgram(kitFile('upstream.ts'), [String(upstreamPort)], upstreamPort);
  const file = join(dir, 'rpcgw.yaml');
  const url = `http://127.0.0.1:${upstreamPort}`;
  const endpoints = ['a', 'b'].map(name => ({ name, url: `${url}/${name}`, allowPrivate: true }));
  const config = { listen: '127.0.0.1:0', drain: { delay: '0s' }, chains: { ethereum: { endpoints } } };
  writeFileSync(file, JSON.stringify(config));
  const child = fork(kitFile('rows-beside.ts'), [file, dir], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`it ended with ${code}`);
  });
  const told = async (): Promise<unknown> => (await Promise.race([once(child, 'message'), died]))[0];
  try {
    // What it sends is written in its file.
    const daemon = (await told()) as { readonly url: string };
    const target = { url: daemon.url, path: '/ethereum', pid: child.pid ?? 0 };
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}';
    const pace = async (rate: number): Promise<Counted> => {
      const answer = told();
      child.send(rate);
      return (await answer) as Counted;
    };
    const slice = async (rate: number): Promise<Slice> => {
      const before = await pace(rate);
      const { requests, seconds, bad } = load(target, body, 32, 2);
      if (bad > 0) throw new Error(`${bad} answers were none`);
      const after = await pace(0);
      return {
        readsPerSecond: requests / seconds,
        written: after.written - before.written,
        late: after.late - before.late,
        commits: after.commits - before.commits,
        seconds: (after.atMs - before.atMs) / 1000,
      };
    };
    await slice(0);
    await slice(rowsPerSecond);
    const rounds = 10;
    const ratios: number[] = [];
    const noise: number[] = [];
    const busy: Slice[] = [];
    let without = await slice(0);
    for (let round = 0; round < rounds; round += 1) {
      const rows = await slice(rowsPerSecond);
      const after = await slice(0);
      ratios.push((2 * rows.readsPerSecond) / (without.readsPerSecond + after.readsPerSecond));
      noise.push(after.readsPerSecond / without.readsPerSecond);
      busy.push(rows);
      without = after;
    }
    const sum = (of: (slice: Slice) => number): number => busy.reduce((all, one) => all + of(one), 0);
    const written = sum(one => one.written);
    print(
      `reads with ${rowsPerSecond} rows a second beside them, against without, ${rounds} slices of 2 s each:`,
    );
    print(
      `  ${percent(median(ratios))} of the reads (spread ${percent(spread(ratios))})   to stay above 90 %`,
    );
    print(
      `  slices without rows against each other: ${percent(median(noise))} (spread ${percent(spread(noise))})`,
    );
    print(`  reads a second: ${Math.round(median(busy.map(one => one.readsPerSecond)))} with rows`);
    print(
      `  rows: ${Math.round(written / sum(one => one.seconds))} a second on disk, ` +
        `${(written / sum(one => one.commits)).toFixed(1)} a commit, ${sum(one => one.late)} not within a second`,
    );
  } finally {
    died.catch(() => undefined);
    child.kill('SIGKILL');
    upstream.stop();
  }
}

/** Rows and ends of one second at the rate, then how many transactions that was. */
async function oneSecond(dir: string): Promise<void> {
  const store = await openStore({ dir: join(dir, 'counted'), clock });
  const waiting: Promise<unknown>[] = [];
  const started = performance.now();
  for (let n = 0; n < rowsPerSecond; n += 1) {
    const due = started + (1000 * n) / rowsPerSecond;
    while (performance.now() < due) await new Promise(resolve => setTimeout(resolve, 1));
    waiting.push(store.broadcasts.begin(broadcastRow(n)).then(row => store.broadcasts.finish(row, rowEnd)));
  }
  await Promise.all(waiting);
  await store.close();
  print(String(store.counters.commits));
}

function syncs(): void {
  const self = fileURLToPath(import.meta.url);
  const kinds = ['-f', '-c', '-e', 'trace=fsync,fdatasync'];
  const traced = spawnSync('strace', [...kinds, process.execPath, self, '--one-second'], {
    encoding: 'utf8',
  });
  if (traced.error !== undefined || traced.status !== 0) {
    print('the syncs could not be counted: that needs strace');
    return;
  }
  // `% time  seconds  usecs/call  calls  [errors]  syscall`
  const counted = [...traced.stderr.matchAll(/^ *[\d.]+ +[\d.]+ +\d+ +(\d+)(?: +\d+)? +f(?:data)?sync$/gm)];
  const calls = counted.reduce((sum, [, n]) => sum + Number(n), 0);
  print(
    `syncs that the kernel counted for ${rowsPerSecond} rows and their ends within a second: ${calls}, ` +
      `for ${traced.stdout.trim()} commits`,
  );
}

const dir = mkdtempSync(join(tmpdir(), 'rpcgw-bench-'));
try {
  if (process.argv.includes('--one-second')) await oneSecond(dir);
  else {
    print(
      `Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'an unknown CPU'}\n`,
    );
    await alone(dir);
    await together(dir, 64, 20_000);
    if (haveWrk()) await beside(dir);
    else print('the reads beside rows need wrk (Debian package wrk)');
    syncs();
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
