import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { EndpointSettings } from '../../src/core/chain.ts';
import type { TransportFault } from '../../src/core/transport-fault.ts';
import type { AnswerHeaders, Clock, Exchange, Line, Outgoing, Timer } from '../../src/gateway/ports.ts';
import type { Resolve } from '../../src/io/dial.ts';
import { type UpstreamOptions, upstreams } from '../../src/io/upstream.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');
export const ca = fixture('ca.pem');
/** Of `node.test`, `localhost` and the loopback addresses. */
export const identity = { cert: fixture('server.pem'), key: fixture('server.key') };

/** What one connection to a test server brought. */
export interface Heard {
  readonly socket: Socket;
  /** All bytes so far, TLS taken off. */
  text: string;
  readonly closed: Promise<unknown>;
}

export interface Loopback {
  readonly port: number;
  readonly connections: Heard[];
  /** Resolves with the nth connection, counted from 0. */
  connection(n: number): Promise<Heard>;
  /** Resolves when connection n has brought the text. */
  heard(n: number, text: string): Promise<void>;
  /** Nobody listens on the port from then on. */
  stop(): Promise<void>;
  /** All that all connections brought. */
  all(): string;
}

export interface LoopbackOptions {
  readonly host?: string;
  /** Any free one by default. */
  readonly port?: number;
  readonly tls?: TlsOptions;
  readonly onConnection?: (heard: Heard, n: number) => void;
  /** Called for each chunk, after it was added to `text`. */
  readonly onText?: (heard: Heard, n: number) => void;
}

/** A server on a port of its own that records every byte and does what the test says. */
export async function loopback(options: LoopbackOptions = {}): Promise<Loopback> {
  const connections: Heard[] = [];
  let news = Promise.withResolvers<void>();
  const tell = () => {
    news.resolve();
    news = Promise.withResolvers();
  };
  const take = (socket: Socket) => {
    const heard: Heard = { socket, text: '', closed: new Promise(resolve => socket.once('close', resolve)) };
    const n = connections.push(heard) - 1;
    // A peer that goes away in the middle is what many of these tests are about.
    socket.on('error', tell);
    socket.on('data', chunk => {
      heard.text += chunk.toString('latin1');
      options.onText?.(heard, n);
      tell();
    });
    options.onConnection?.(heard, n);
    tell();
  };
  const server: Server =
    options.tls === undefined ? createServer({ noDelay: true }, take) : createTlsServer(options.tls, take);
  server.on('tlsClientError', tell);
  server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const { socket } of connections) socket.destroy();
    server.close();
  });

  const until = async (seen: () => boolean) => {
    while (!seen()) await news.promise;
  };
  return {
    port: portOf(server),
    connections,
    async connection(n) {
      await until(() => connections.length > n);
      return connections[n]!;
    },
    heard: (n, text) => until(() => connections[n]?.text.includes(text) === true),
    stop: async () => {
      server.close();
      await once(server, 'close');
    },
    all: () => connections.map(({ text }) => text).join(''),
  };
}

export function portOf(server: Server): number {
  // A TCP server that listens has an address of this form.
  return (server.address() as AddressInfo).port;
}

/** A whole HTTP answer. */
export function answer(body: string, headers: readonly string[] = []): string {
  return ['HTTP/1.1 200 OK', `content-length: ${Buffer.byteLength(body)}`, ...headers, '', body].join('\r\n');
}

/** Complete requests in a text, by their bodies; what is not complete is left out. */
export function bodies(text: string): string[] {
  const found: string[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return found;
    const length = Number(/content-length: (\d+)/i.exec(rest.slice(0, end))?.[1] ?? 0);
    if (rest.length < end + 4 + length) return found;
    found.push(rest.slice(end + 4, end + 4 + length));
    rest = rest.slice(end + 4 + length);
  }
}

/** Answers each complete request with `ok <body>`. */
export function answering(): Pick<LoopbackOptions, 'onText'> {
  const answered = new WeakMap<Heard, number>();
  return {
    onText(heard) {
      const all = bodies(heard.text);
      for (const body of all.slice(answered.get(heard) ?? 0)) heard.socket.write(answer(`ok ${body}`));
      answered.set(heard, all.length);
    },
  };
}

/** A clock whose timers ring when the test says so. */
export function manualClock(): Clock & { ring(): void; pending(): number } {
  const waiting = new Set<() => void>();
  return {
    now: () => 0,
    wall: () => 0,
    after(_, run): Timer {
      waiting.add(run);
      return { cancel: () => waiting.delete(run) };
    },
    ring() {
      const due = [...waiting];
      waiting.clear();
      for (const run of due) run();
    },
    pending: () => waiting.size,
  };
}

function endpoint(url: string, more: Partial<EndpointSettings> = {}): EndpointSettings {
  return {
    name: 'one',
    url,
    headers: {},
    origin: 'file',
    weight: 50,
    history: 'auto',
    roles: ['read', 'broadcast', 'history'],
    broadcast: 'allow',
    labels: {},
    maxInFlight: 256,
    allowPrivate: true,
    disabled: false,
    ...more,
  };
}

const connectTimeoutMs = 2000;

/** A line to `url`; timers ring by hand, so that no test hangs on one or waits for one. */
export function open(
  url: string,
  more: Partial<EndpointSettings> = {},
  options: Partial<UpstreamOptions> = {},
): Line & { clock: ReturnType<typeof manualClock> } {
  const clock = manualClock();
  const line = upstreams({ clock, ...options }).open(endpoint(url, more), connectTimeoutMs);
  onTestFinished(() => line.close());
  return { clock, send: (request, handler) => line.send(request, handler), close: () => line.close() };
}

/** Names of the tests, all of which end on this machine. */
export function names(table: Readonly<Record<string, readonly string[]>>): Resolve {
  return (hostname, done) => {
    const addresses = table[hostname];
    process.nextTick(() => {
      if (addresses === undefined) done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
      else
        done(
          null,
          addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
    });
  };
}

export interface Outcome {
  readonly status: number | undefined;
  readonly headers: AnswerHeaders | undefined;
  readonly body: string;
  readonly fault: TransportFault | undefined;
}

export interface Asked extends Exchange {
  /** Resolves at the end or the fault. */
  readonly outcome: Promise<Outcome>;
  /** Resolves when the head came. */
  readonly head: Promise<void>;
  /** In order: `head 200`, `data`, `end`, `fault reset`. */
  readonly events: readonly string[];
  readonly bytes: () => number;
}

export interface AskOptions extends Partial<Outgoing> {
  readonly text?: string;
  /** Called for each chunk; its answer is `data`'s. */
  readonly onData?: (exchange: Exchange) => boolean;
}

/** Sends one request and records what comes back. */
export function ask(line: Line, options: AskOptions = {}): Asked {
  const { text = '{}', onData = () => true, ...outgoing } = options;
  const events: string[] = [];
  const chunks: Uint8Array[] = [];
  const over = Promise.withResolvers<Outcome>();
  const headCame = Promise.withResolvers<void>();
  let bytes = 0;
  let status: number | undefined;
  let headers: AnswerHeaders | undefined;
  const finish = (fault?: TransportFault) =>
    over.resolve({ status, headers, body: Buffer.concat(chunks).toString('latin1'), fault });

  const exchange = line.send(
    { verb: 'POST', path: '', body: Buffer.from(text), gzip: false, alone: false, ...outgoing },
    {
      head(...seen) {
        [status, headers] = seen;
        events.push(`head ${status}`);
        headCame.resolve();
      },
      data(chunk) {
        events.push('data');
        bytes += chunk.length;
        chunks.push(chunk);
        return onData(exchange);
      },
      end() {
        events.push('end');
        finish();
      },
      fault(fault) {
        events.push(`fault ${fault.kind}`);
        finish(fault);
      },
    },
  );
  return {
    get begun() {
      return exchange.begun;
    },
    resume: () => exchange.resume(),
    abort: () => exchange.abort(),
    outcome: over.promise,
    head: headCame.promise,
    events,
    bytes: () => bytes,
  };
}

/** Some turns of the event loop, for what would come if it came. Not a proof alone; used with a request behind it. */
export async function turns(count = 20): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise(resolve => setImmediate(resolve));
}
