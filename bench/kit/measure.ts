/** CPU of a process from the kernel's own counters, load in short slices, medians and spread. */

import { type ChildProcess, execFileSync, fork, spawn, spawnSync } from 'node:child_process';
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

/** One of the kit's own processes. */
export interface KitProgram extends Program {
  send(message: object): void;
  onMessage(read: (message: Record<string, unknown>) => void): void;
  /** The next message. */
  once(read: (message: Record<string, unknown>) => void): void;
}

/** Nanoseconds of CPU of all threads of the process. */
export function cpuNs(pid: number): number {
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

/** A row that throws leaves nobody behind. */
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Flags that keep a process that waits for its turn as warm as one that works (docs/performance.md). */
const steady = ['--min-semi-space-size=16', '--no-memory-reducer'];

export async function startProgram(file: string, args: readonly string[], port: number): Promise<KitProgram> {
  const child = fork(file, [...args], { execArgv: steady, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  children.add(child);
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', code => reject(new Error(`${file} ended with ${code}`)));
  });
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    stop: () => child.kill('SIGKILL'),
    send: message => child.send(message),
    onMessage: read => child.on('message', read),
    once: read => child.once('message', read),
  };
}

export async function startUpstream(): Promise<KitProgram> {
  const port = await freePort();
  return startProgram(kitFile('upstream.ts'), [String(port)], port);
}

/** One chain of the config: endpoints with their URLs. */
export function chainOf(name: string, endpoints: Readonly<Record<string, string>>, more = ''): string {
  const rows = Object.entries(endpoints).map(
    ([endpoint, url]) => `      - { name: ${endpoint}, url: "${url}", allowPrivate: true }\n`,
  );
  return `  ${name}:\n${more}    endpoints:\n${rows.join('')}`;
}

export interface Rpcgw extends Program {
  readonly dir: string;
  readonly config: string;
  /** From the start of the process to the first `/readyz` that says yes, ms. */
  readonly readyMs: number;
}

/** The built daemon on a config of its own; as it is shipped when `flags` are none. */
export async function startRpcgw(chains: string, flags: readonly string[] = steady): Promise<Rpcgw> {
  const dir = mkdtempSync(join(tmpdir(), 'rpcgw-bench-'));
  const port = await freePort();
  const file = join(dir, 'rpcgw.yaml');
  const head = `listen: 127.0.0.1:${port}\ndataDir: ${join(dir, 'data')}\nsocket: ${join(dir, 'rpcgw.sock')}\nlog: { level: error }\ndrain: { delay: 0s }\n`;
  writeFileSync(file, `${head}chains:\n${chains}`);
  const bin = fileURLToPath(new URL('../../bin/rpcgw.js', import.meta.url));
  const started = performance.now();
  const child = spawn(process.execPath, [...flags, bin, 'serve', '--config', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.add(child);
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`rpcgw ended with ${child.exitCode}`);
    const ready = await fetch(`${url}/readyz`).then(
      response => response.status === 200,
      () => false,
    );
    if (ready) break;
    await pause(10);
  }
  return {
    pid: child.pid ?? 0,
    url,
    dir,
    config: file,
    readyMs: performance.now() - started,
    stop() {
      child.kill('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export function pause(ms: number): Promise<void> {
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
  target: { url: string; path: string } & ({ pid: number } | { pids: readonly number[] }),
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
  const pids = 'pids' in target ? target.pids : [target.pid];
  const cpuOf = (): number => pids.reduce((sum, pid) => sum + cpuNs(pid), 0);
  const before = cpuOf();
  const text = run(`${seconds}s`);
  const cpu = cpuOf() - before;
  const requests = Number(/(\d+) requests in/.exec(text)?.[1] ?? 0);
  const took = Number(/requests in ([\d.]+)s/.exec(text)?.[1] ?? seconds);
  const bad = Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0);
  return { requests, bad, seconds: took, cpuUs: cpu / 1000 / Math.max(1, requests) };
}

/** Resident memory, MiB. */
export function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
