import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ApiClient, apiClient } from '../../src/api/client.ts';
import type { EndpointStatus, EventRow, Status } from '../../src/api/contract.ts';

/** The built program as a user runs it: `bin/rpcgw.js serve` in a folder of its own. */

const bin = fileURLToPath(new URL('../../bin/rpcgw.js', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  /** Runs as this user; only root can. */
  readonly uid?: number;
}

export function runCommand(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const { cwd, env, input = '', uid } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], {
      ...(cwd === undefined ? {} : { cwd }),
      ...(uid === undefined ? {} : { uid, gid: uid }),
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', chunk => (stdout += String(chunk)));
    child.stderr.on('data', chunk => (stderr += String(chunk)));
    child.once('error', reject);
    child.once('close', code => resolve({ code, stdout, stderr }));
    // A command that ends without reading its input is no fault of the test.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** A folder with a config in it; nothing runs there yet. */
export interface Place {
  readonly dir: string;
  readonly file: string;
  readonly dataDir: string;
  readonly socket: string;
  readonly env: NodeJS.ProcessEnv;
  /** One command that finds this config and this socket. */
  command(...args: readonly string[]): Promise<Finished>;
  remove(): Promise<void>;
}

/** A config as the file has it, without `listen`, `dataDir` and `socket` unless a test means those. */
export type ConfigFile = Readonly<Record<string, unknown>>;

export async function preparePlace(config: ConfigFile): Promise<Place> {
  const dir = await mkdtemp(join(tmpdir(), 'rpcgw-test-'));
  const file = join(dir, 'rpcgw.yaml');
  const dataDir = join(dir, 'data');
  const socket = join(dir, 's', 'rpcgw.sock');
  // JSON is YAML. Nothing asks for the delay that gives load balancers time to notice.
  const whole = { listen: '127.0.0.1:0', dataDir, socket, drain: { delay: '0s' }, ...config };
  await writeFile(file, JSON.stringify(whole, undefined, 2));
  // Signs as a terminal of today shows them, whatever the locale of whoever runs the tests.
  const env = { ...process.env, LC_ALL: 'C.UTF-8', RPCGW_CONFIG: file, RPCGW_SOCKET: socket };
  return {
    dir,
    file,
    dataDir,
    socket,
    env,
    command: (...args) => runCommand(args, { cwd: dir, env }),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}

export interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly [field: string]: unknown;
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

export interface Gateway {
  readonly place: Place;
  readonly url: string;
  readonly port: number;
  readonly dir: string;
  readonly pid: number;
  /** All that the daemon wrote since it was started last. */
  output(): string;
  log(): readonly LogLine[];
  get(path: string): Promise<{ readonly status: number; readonly text: string }>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  rpc(chain: string, method: string, params?: readonly unknown[], id?: unknown): Promise<RpcReply>;
  /** Runs one command against this daemon. */
  command(...args: readonly string[]): Promise<Finished>;
  json<T>(...args: readonly string[]): Promise<T>;
  /** The same socket that the commands use, without a process for each look. */
  readonly api: ApiClient;
  status(): Promise<Status>;
  endpoint(chain: string, name: string): Promise<EndpointStatus>;
  events(filter?: { kind?: string; endpoint?: string }): Promise<readonly EventRow[]>;
  /** Resolves with the exit code; null when a signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Resolves when the process is gone, however that comes about. */
  ended(): Promise<number | null>;
  /** Starts again on the same state, after `stop`. */
  restart(): Promise<void>;
  /** Ends the daemon if it runs, and removes its folder unless it was given one. */
  remove(): Promise<void>;
}

export interface GatewayOptions {
  /** Where to start it, with the config that is there. */
  readonly place?: Place;
  /** The log line that counts as started: the socket listens, or the first round of probes is over. */
  readonly until?: 'listening' | 'ready';
}

export async function startGateway(config: ConfigFile, options: GatewayOptions = {}): Promise<Gateway> {
  const place = options.place ?? (await preparePlace(config));
  const own = options.place === undefined;
  const until = options.until ?? 'ready';
  let running = await serve(place, until);
  const api = apiClient([place.socket]);

  const gateway: Gateway = {
    place,
    api,
    status: () => api.ask('status', {}),
    async endpoint(chain, name) {
      const { chains } = await api.ask('status', { chain });
      const found = chains[0]?.endpoints.find(endpoint => endpoint.name === name);
      if (found === undefined) throw new Error(`${chain} has no ${name}`);
      return found;
    },
    events: async filter => (await api.ask('events', { ...filter, limit: 1000 })).events,
    get url() {
      return running.url;
    },
    get port() {
      return Number(new URL(running.url).port);
    },
    dir: place.dir,
    get pid() {
      return running.child.pid ?? 0;
    },
    output: () => running.output(),
    log: () => logLines(running.output()),
    async get(path) {
      const response = await fetch(running.url + path);
      return { status: response.status, text: await response.text() };
    },
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
        // What a JSON-RPC server answers; the tests look at what they expect of it.
        body: JSON.parse(text) as RpcReply['body'],
        text,
      };
    },
    command: place.command,
    async json<T>(...args: readonly string[]): Promise<T> {
      const { stdout, stderr, code } = await place.command(...args, '--json');
      if (stdout === '') throw new Error(`rpcgw ${args.join(' ')} ended with ${code}: ${stderr}`);
      // The test names the shape it expects.
      return JSON.parse(stdout) as T;
    },
    stop(signal = 'SIGTERM') {
      running.child.kill(signal);
      return running.ended;
    },
    ended: () => running.ended,
    async restart() {
      running = await serve(place, until);
    },
    async remove() {
      await gateway.stop('SIGKILL');
      if (own) await place.remove();
    },
  };
  return gateway;
}

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  /** The exit code, once the process is gone and all it wrote has arrived; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  output(): string;
}

function serve({ dir, env }: Place, until: string): Promise<Running> {
  const child = spawn(process.execPath, [bin, 'serve'], { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const ended = new Promise<number | null>(resolve => child.once('close', code => resolve(code)));
  return new Promise((resolve, reject) => {
    const look = (chunk: unknown): void => {
      output += String(chunk);
      const line = logLines(output).find(({ msg }) => msg === until);
      if (typeof line?.url === 'string') resolve({ child, url: line.url, ended, output: () => output });
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    void ended.then(code => reject(new Error(`rpcgw serve ended with ${code}: ${output}`)));
  });
}

/** The log is one JSON object a line; the last line may still be on its way. */
function logLines(output: string): LogLine[] {
  return output
    .split('\n')
    .slice(0, -1)
    .filter(line => line.startsWith('{'))
    .map((line): LogLine => JSON.parse(line));
}

/** Asks until it is so; the test's own limit ends a wait for what never comes. */
export async function until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await ask();
    if (found !== undefined && found !== false) return found;
    await new Promise(resolve => setTimeout(resolve, 25));
  }
}
