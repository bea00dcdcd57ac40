/**
 * Cost of a small read: CPU a request of the daemon against the floor's, in short slices beside each other, with a zero
 * row (the floor a second time under another name); nginx and HAProxy for the distance to C, where they are installed.
 */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, median, type Program, pause } from '../kit/measure.ts';
import type { Finding, Row } from '../kit/report.ts';
import { type Contender, compare, figures, smallRead } from '../kit/slices.ts';

export const smallReads: Row = async ({ rounds, seconds, quick, trio }) => {
  const { upstream, floor, zero, rpcgw } = await trio();
  const stops: (() => void)[] = [];
  try {
    const contenders = [floor, zero, rpcgw];
    if (!quick) {
      for (const start of [startNginx, startHaproxy]) {
        const proxy = await start(upstream);
        if (proxy === undefined) continue;
        contenders.push(proxy.contender);
        stops.push(proxy.stop);
      }
    }
    const samples = compare(contenders, { rounds, seconds });
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

function startNginx(upstream: Pick<Program, 'url'>): Promise<Proxy | undefined> {
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

function startHaproxy(upstream: Pick<Program, 'url'>): Promise<Proxy | undefined> {
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
