/**
 * Cost of a small read: CPU a request of the daemon against the floor's, in short slices beside each other, with a zero
 * row (the floor a second time under another name); nginx and HAProxy for the distance to C, where they are installed.
 */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  chainOf,
  freePort,
  kitFile,
  load,
  median,
  type Program,
  pause,
  spread,
  startProgram,
  startRpcgw,
  startUpstream,
} from '../kit/measure.ts';
import type { Finding, Row } from '../kit/report.ts';

export const smallRead = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}';
const connections = 32;

export interface Contender {
  readonly name: string;
  readonly url: string;
  readonly path: string;
  /** The processes that do the work. */
  readonly pids: readonly number[];
}

interface Samples {
  readonly cpuUs: number[];
  readonly perSecond: number[];
  readonly cpuRatio: number[];
  readonly rateRatio: number[];
}

/** Code is compiled after so many requests, however long they take: until then the larger program costs more than it does. */
const warmRequests = 30_000;

/** For so many seconds at least, and for as many requests as it needs. */
export function warmUp(contender: Contender, seconds: number): void {
  let made = 0;
  for (let second = 0; second < seconds || made < warmRequests; second += 1)
    made += slice(contender, 1).requests;
}

function slice(contender: Contender, seconds: number) {
  const got = load(contender, smallRead, connections, seconds);
  if (got.bad > 0) throw new Error(`${contender.name}: ${got.bad} answers were none`);
  return { requests: got.requests, cpuUs: got.cpuUs, perSecond: got.requests / got.seconds };
}

/** Each in a slice between two of the first one, which is the yardstick. */
export function compare(
  contenders: readonly Contender[],
  { rounds, seconds, warmSeconds }: { rounds: number; seconds: number; warmSeconds: number },
): ReadonlyMap<string, Samples> {
  const samples = new Map<string, Samples>();
  for (const contender of contenders) {
    samples.set(contender.name, { cpuUs: [], perSecond: [], cpuRatio: [], rateRatio: [] });
    warmUp(contender, warmSeconds);
  }
  const [yardstick, ...others] = contenders;
  if (yardstick === undefined) return samples;
  for (let round = 0; round < rounds; round += 1) {
    let before = slice(yardstick, seconds);
    // Turned round each time, so that nobody always comes after the same one.
    const order = round % 2 === 0 ? others : [...others].reverse();
    for (const contender of order) {
      const here = slice(contender, seconds);
      const after = slice(yardstick, seconds);
      const into = samples.get(contender.name);
      into?.cpuUs.push(here.cpuUs);
      into?.perSecond.push(here.perSecond);
      into?.cpuRatio.push((2 * here.cpuUs) / (before.cpuUs + after.cpuUs));
      into?.rateRatio.push((2 * here.perSecond) / (before.perSecond + after.perSecond));
      samples.get(yardstick.name)?.cpuUs.push(after.cpuUs);
      samples.get(yardstick.name)?.perSecond.push(after.perSecond);
      before = after;
    }
  }
  return samples;
}

export function figures(of: Samples): string {
  const own = `${median(of.cpuUs).toFixed(1)} µs, ${Math.round(median(of.perSecond))}/s`;
  if (of.cpuRatio.length === 0) return own;
  const share = (spread(of.cpuRatio) * 100).toFixed(0);
  return `${own}; CPU ${median(of.cpuRatio).toFixed(2)} × (±${share} %), throughput ${median(of.rateRatio).toFixed(2)} ×`;
}

export const smallReads: Row = async ({ rounds, seconds, quick }) => {
  const upstream = await startUpstream();
  const stops: (() => void)[] = [upstream.stop];
  try {
    const floorOf = async (name: string): Promise<Contender> => {
      const port = await freePort();
      const upstreamPort = new URL(upstream.url).port;
      const program = await startProgram(kitFile('floor.ts'), [String(port), upstreamPort], port);
      stops.push(program.stop);
      return { name, url: program.url, path: '/', pids: [program.pid] };
    };
    const floor = await floorOf('floor');
    const zero = await floorOf('zero row');
    const rpcgw = await startRpcgw(
      chainOf('ethereum', { a: `${upstream.url}/a`, b: `${upstream.url}/b`, c: `${upstream.url}/c` }),
    );
    stops.push(rpcgw.stop);
    const contenders = [floor, zero, { name: 'rpcgw', url: rpcgw.url, path: '/ethereum', pids: [rpcgw.pid] }];
    if (!quick) {
      for (const start of [startNginx, startHaproxy]) {
        const proxy = await start(upstream);
        if (proxy === undefined) continue;
        contenders.push(proxy.contender);
        stops.push(proxy.stop);
      }
    }
    const samples = compare(contenders, { rounds, seconds, warmSeconds: quick ? 2 : 6 });
    // The two floors are the same program: what they differ by is the run's own error, and is taken out of what is judged.
    const error = samples.get(zero.name);
    const [cpuError, rateError] = [median(error?.cpuRatio ?? []), median(error?.rateRatio ?? [])];
    return contenders.flatMap(({ name }): Finding[] => {
      const of = samples.get(name);
      if (of === undefined) return [];
      if (name !== 'rpcgw') return [{ what: name, measured: figures(of) }];
      const [cpu, rate] = [median(of.cpuRatio) / cpuError, median(of.rateRatio) / rateError];
      return [
        { what: 'rpcgw', measured: figures(of) },
        {
          what: 'CPU a request, zero row taken out',
          goal: '1.1 × the floor',
          measured: `${cpu.toFixed(3)} ×`,
          met: cpu <= 1.1,
        },
        {
          what: 'throughput, zero row taken out',
          goal: '0.8 × the floor',
          measured: `${rate.toFixed(3)} ×`,
          met: rate >= 0.8,
        },
      ];
    });
  } finally {
    for (const stop of stops) stop();
  }
};

interface Proxy {
  readonly contender: Contender;
  stop(): void;
}

function have(program: string): boolean {
  return spawnSync(program, ['-v']).error === undefined;
}

/** Plain round robin over three that are one, with connections kept. */
async function startProxy(
  name: string,
  config: (port: number, dir: string) => string,
  command: (file: string, dir: string) => readonly [string, ...string[]],
): Promise<Proxy | undefined> {
  if (!have(name)) return undefined;
  const dir = mkdtempSync(join(tmpdir(), 'rpcgw-bench-'));
  const port = await freePort();
  const file = join(dir, `${name}.conf`);
  writeFileSync(file, config(port, dir));
  const [program, ...args] = command(file, dir);
  const child = spawn(program, args, { stdio: 'ignore' });
  for (let look = 0; look < 200; look += 1) {
    if (await answers(port)) break;
    await pause(20);
  }
  const pid = child.pid ?? 0;
  return {
    contender: { name, url: `http://127.0.0.1:${port}`, path: '/', pids: [pid, ...childrenOf(pid)] },
    stop() {
      child.kill('SIGTERM');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: smallRead }).then(
    response => response.status === 200,
    () => false,
  );
}

function childrenOf(pid: number): number[] {
  const text = execFileSync('cat', [`/proc/${pid}/task/${pid}/children`], { encoding: 'utf8' });
  return text.split(' ').filter(Boolean).map(Number);
}

function startNginx(upstream: Program): Promise<Proxy | undefined> {
  const { host } = new URL(upstream.url);
  return startProxy(
    'nginx',
    (port, dir) => `daemon off; pid ${dir}/pid; error_log /dev/null; worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 1000000000;
  client_body_temp_path ${dir}/b; proxy_temp_path ${dir}/p; fastcgi_temp_path ${dir}/f; uwsgi_temp_path ${dir}/u; scgi_temp_path ${dir}/s;
  upstream pool { server ${host}; server ${host}; server ${host}; keepalive 64; keepalive_requests 1000000000; }
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://pool; proxy_http_version 1.1; proxy_set_header Connection ""; } }
}
`,
    (file, dir) => ['nginx', '-e', '/dev/null', '-p', dir, '-c', file],
  );
}

function startHaproxy(upstream: Program): Promise<Proxy | undefined> {
  const { host } = new URL(upstream.url);
  return startProxy(
    'haproxy',
    port => `global
  nbthread 1
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
frontend in
  bind 127.0.0.1:${port}
  default_backend pool
backend pool
  balance roundrobin
  http-reuse always
  server a ${host}
  server b ${host}
  server c ${host}
`,
    file => ['haproxy', '-f', file],
  );
}
