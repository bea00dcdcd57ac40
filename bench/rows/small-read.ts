/**
 * Cost of a small read: CPU a request of the daemon, in short slices each between two of the floor, which runs twice (the
 * second one is the zero row); nginx and HAProxy for the distance to C, where they are installed.
 */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, median, type Program, pause } from '../kit/measure.ts';
import type { Finding, Row } from '../kit/report.ts';
import { addSamples, type Contender, compare, compareWithTwo, figures, smallRead } from '../kit/slices.ts';
import { startTrio, type Trio } from '../kit/trio.ts';

/** Two processes of one build differ by some percent for as long as they live: one pair alone would be judged by its luck. */
const starts = 5;
const roundsPerStart = 5;
const roundsOfProxies = 4;

export const smallReads: Row = async ({ rounds, seconds, quick, trio }) => {
  const shared = await trio();
  const samples = samplesOf(shared, quick ? rounds : roundsPerStart, seconds);
  for (let start = 1; start < (quick ? 1 : starts); start += 1) {
    const fresh = await startTrio();
    try {
      add(samples, samplesOf(fresh, roundsPerStart, seconds));
    } finally {
      fresh.stop();
    }
  }
  const { one, two, contender } = samples;
  const cpu = median(contender.cpuRatio);
  const rate = median(contender.rateRatio);
  const found: Finding[] = [
    { what: 'floor', measured: figures(one) },
    { what: 'zero row', measured: figures(two) },
    { what: 'rpcgw', measured: figures(contender) },
    { what: 'CPU a request', goal: '1.1 × the floor', measured: `${cpu.toFixed(3)} ×`, met: cpu <= 1.1 },
    { what: 'throughput', goal: '0.8 × the floor', measured: `${rate.toFixed(3)} ×`, met: rate >= 0.8 },
  ];
  return quick ? found : [...found, ...(await proxies(shared, seconds))];
};

type OfTrio = ReturnType<typeof compareWithTwo>;

/** The floor stands twice beside the gateway: what the two differ by is the run's own error. */
function samplesOf({ floor, zero, rpcgw }: Trio, rounds: number, seconds: number): OfTrio {
  return compareWithTwo([floor, zero], rpcgw, { rounds, seconds });
}

function add(to: OfTrio, more: OfTrio): void {
  for (const who of ['one', 'two', 'contender'] as const) addSamples(to[who], more[who]);
}

async function proxies({ upstream, floor }: Trio, seconds: number): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const start of [startNginx, startHaproxy]) {
    const proxy = await start(upstream);
    if (proxy === undefined) continue;
    try {
      const { name } = proxy.contender;
      const samples = compare([floor, proxy.contender], { rounds: roundsOfProxies, seconds }).get(name);
      if (samples !== undefined) found.push({ what: name, measured: figures(samples) });
    } finally {
      proxy.stop();
    }
  }
  return found;
}

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
