/** CPU of a process from the kernel's own counters, load in short slices, medians and spread. */

import { execFileSync, fork, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Program {
  readonly pid: number;
  readonly url: string;
  stop(): void;
}

/** Nanoseconds of CPU of all threads of the process. */
function cpuNs(pid: number): number {
  let sum = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    sum += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
  }
  return sum;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** Half the distance of the quartiles, as a share of the median: how far to trust it. */
export function spread(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return (at(0.75) - at(0.25)) / 2 / (median(values) || 1);
}

export function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

export function kitFile(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Flags that keep a process that waits for its turn as warm as one that works (docs/performance.md). */
const steady = ['--min-semi-space-size=16', '--no-memory-reducer'];

export async function startProgram(file: string, args: readonly string[], port: number): Promise<Program> {
  const child = fork(file, [...args], { execArgv: steady, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', code => reject(new Error(`${file} ended with ${code}`)));
  });
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${port}`, stop: () => child.kill('SIGKILL') };
}

/** The built daemon on a config of its own. */
export async function startRpcgw(chains: string): Promise<Program & { readonly dir: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'rpcgw-bench-'));
  const port = await freePort();
  const file = join(dir, 'rpcgw.yaml');
  const head = `listen: 127.0.0.1:${port}\ndataDir: ${join(dir, 'data')}\nsocket: ${join(dir, 'rpcgw.sock')}\nlog: { level: warn }\ndrain: { delay: 0s }\n`;
  writeFileSync(file, `${head}${chains}`);
  const bin = fileURLToPath(new URL('../../bin/rpcgw.js', import.meta.url));
  const child = spawn(process.execPath, [...steady, bin, 'serve', '--config', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`rpcgw ended with ${child.exitCode}`);
    const ready = await fetch(`${url}/readyz`).then(
      response => response.status === 200,
      () => false,
    );
    if (ready) break;
    await pause(50);
  }
  return {
    pid: child.pid ?? 0,
    url,
    dir,
    stop() {
      child.kill('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}

export interface Slice {
  readonly requests: number;
  readonly bad: number;
  readonly seconds: number;
  readonly cpuUs: number;
}

const script = (body: string): string =>
  `wrk.method = "POST"\nwrk.body = [[${body}]]\nwrk.headers["Content-Type"] = "application/json"\n`;

export function haveWrk(): boolean {
  return spawnSync('wrk', ['--version']).error === undefined;
}

/** Closed loop of `connections` for some seconds; CPU of `pid` over the slice, µs a request. */
export function load(
  target: { url: string; path: string; pid: number },
  body: string,
  connections: number,
  seconds: number,
): Slice {
  const file = join(tmpdir(), `rpcgw-bench-${process.pid}.lua`);
  writeFileSync(file, script(body));
  const run = (span: string): string =>
    execFileSync(
      'wrk',
      ['-t', '1', '-c', String(connections), '-d', span, '-s', file, target.url + target.path],
      { encoding: 'utf8' },
    );
  const before = cpuNs(target.pid);
  const text = run(`${seconds}s`);
  const cpu = cpuNs(target.pid) - before;
  const requests = Number(/(\d+) requests in/.exec(text)?.[1] ?? 0);
  const took = Number(/requests in ([\d.]+)s/.exec(text)?.[1] ?? seconds);
  const bad = Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0);
  return { requests, bad, seconds: took, cpuUs: cpu / 1000 / Math.max(1, requests) };
}
