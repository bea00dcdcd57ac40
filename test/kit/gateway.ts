import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built program as a user runs it: `bin/rpcgw.js serve` in a folder of its own. */

const bin = fileURLToPath(new URL('../../bin/rpcgw.js', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Gateway {
  readonly url: string;
  readonly dir: string;
  readonly pid: number;
  /** All that the daemon wrote so far. */
  output(): string;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  rpc(chain: string, method: string, params?: readonly unknown[], id?: unknown): Promise<RpcReply>;
  /** Runs one command against this daemon. */
  command(...args: string[]): Promise<Finished>;
  json(...args: string[]): Promise<unknown>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Starts again on the same state, after `stop`. */
  restart(): Promise<void>;
  /** Ends the daemon if it runs and removes its folder. */
  remove(): Promise<void>;
}

export interface RpcReply {
  readonly status: number;
  readonly endpoint: string | null;
  readonly attempts: number;
  readonly headers: Headers;
  readonly body: {
    readonly id?: unknown;
    readonly result?: unknown;
    readonly error?: {
      readonly code: number;
      readonly message: string;
      readonly data?: Record<string, unknown>;
    };
  };
  readonly text: string;
}

export function runCommand(
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: options.cwd,
      env: { ...process.env, NO_COLOR: '1', ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', chunk => (stdout += String(chunk)));
    child.stderr.on('data', chunk => (stderr += String(chunk)));
    child.once('error', reject);
    child.once('close', code => resolve({ code, stdout, stderr }));
    child.stdin.end(options.input ?? '');
  });
}

/** `config` is YAML without `listen`, `dataDir` and `socket`, which the kit sets. */
export async function startGateway(
  config: string,
  options: { env?: NodeJS.ProcessEnv } = {},
): Promise<Gateway> {
  const dir = await mkdtemp(join(tmpdir(), 'rpcgw-test-'));
  const file = join(dir, 'rpcgw.yaml');
  const socket = join(dir, 's', 'rpcgw.sock');
  await writeFile(file, `listen: 127.0.0.1:0\ndataDir: ${join(dir, 'data')}\nsocket: ${socket}\n${config}`);
  const env = { ...process.env, ...options.env, RPCGW_CONFIG: file, RPCGW_SOCKET: socket };
  let running = await serve(env, dir);

  const gateway: Gateway = {
    get url() {
      return running.url;
    },
    dir,
    get pid() {
      return running.child.pid ?? 0;
    },
    output: () => running.output(),
    post: (path, body, headers = {}) =>
      fetch(running.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async rpc(chain, method, params = [], id = 1) {
      const response = await gateway.post(`/${chain}`, { jsonrpc: '2.0', id, method, params });
      const text = await response.text();
      return {
        status: response.status,
        endpoint: response.headers.get('rpcgw-endpoint'),
        attempts: Number(response.headers.get('rpcgw-attempts')),
        headers: response.headers,
        body: JSON.parse(text) as RpcReply['body'],
        text,
      };
    },
    command: (...args) => runCommand(args, { cwd: dir, env }),
    async json(...args) {
      const { stdout, stderr, code } = await gateway.command(...args, '--json');
      if (stdout === '') throw new Error(`rpcgw ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    stop: (signal = 'SIGTERM') => ended(running.child, signal),
    async restart() {
      running = await serve(env, dir);
    },
    async remove() {
      await ended(running.child, 'SIGKILL');
      await rm(dir, { recursive: true, force: true });
    },
  };
  return gateway;
}

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  output(): string;
}

/** Resolves at the ready line. */
function serve(env: NodeJS.ProcessEnv, cwd: string): Promise<Running> {
  const child = spawn(process.execPath, [bin, 'serve'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  return new Promise((resolve, reject) => {
    const look = (chunk: unknown): void => {
      output += String(chunk);
      const url = /"url":"(http:[^"]+)"/.exec(output)?.[1];
      if (url !== undefined) resolve({ child, url, output: () => output });
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('exit', code => reject(new Error(`rpcgw serve ended with ${code}: ${output}`)));
  });
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise(resolve => {
    child.once('exit', code => resolve(code));
    child.kill(signal);
  });
}

/** Asks until it is so; the test's own limit ends a wait for what never comes. */
export async function until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await ask();
    if (found !== undefined && found !== false) return found;
    await new Promise(resolve => setTimeout(resolve, 25));
  }
}
