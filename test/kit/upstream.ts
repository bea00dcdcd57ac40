import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * An EVM endpoint on the loopback that does what a test says, method by method, and remembers what reached it. What the
 * script does not name it answers like a healthy node of chain 31337 at `height`, so that the gateway's own probes find
 * nothing wrong with it unless the test wants that.
 */

/** What one call of a request brought; the calls of a batch come one by one. */
export interface Seen {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly id: unknown;
  /** Of the whole request. */
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** A reply for one call, or how the whole HTTP answer goes wrong. */
export type Act =
  | { readonly do: 'result'; readonly result: unknown; readonly id?: unknown; readonly delayMs?: number }
  | { readonly do: 'error'; readonly error: { code: number; message: string; data?: unknown } }
  /** These bytes as the answer, whatever was asked. */
  | {
      readonly do: 'send';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: string | Uint8Array;
    }
  /** Takes the request and never answers. */
  | { readonly do: 'hang' }
  /** Ends the connection without an answer. */
  | { readonly do: 'reset' }
  /** Announces all of the body, sends `bytes` of it, and ends the connection. */
  | { readonly do: 'half'; readonly body: string; readonly bytes: number }
  /** Writes the answer itself. */
  | { readonly do: 'custom'; readonly answer: (response: ServerResponse, seen: Seen) => void };

export interface Upstream {
  readonly url: string;
  readonly port: number;
  /** Of the pool it pretends to be in; probes are answered with it. */
  height: number;
  chainId: number;
  /** What it does with a method from now on. */
  on(method: string, act: Act): void;
  /** What it does with everything that is not named, probes included; undefined: answers like a healthy node. */
  always(act: Act | undefined): void;
  /** Calls of this method so far; of all methods without one. */
  count(method?: string): number;
  seen(method: string): readonly Seen[];
  /** Every call so far, in the order they came. */
  all(): readonly Seen[];
  close(): Promise<void>;
}

export const result = (value: unknown): Act => ({ do: 'result', result: value });
export const send = (status: number, body: string | Uint8Array, headers?: Record<string, string>): Act => ({
  do: 'send',
  status,
  body,
  ...(headers === undefined ? {} : { headers }),
});
export const page = (status: number): Act =>
  send(status, `<html><head><title>${status}</title></head><body>nginx</body></html>`, {
    'content-type': 'text/html',
  });

export interface UpstreamOptions {
  readonly height?: number;
  readonly chainId?: number;
  readonly port?: number;
}

export async function startUpstream(options: UpstreamOptions = {}): Promise<Upstream> {
  const acts = new Map<string, Act>();
  const seen: Seen[] = [];
  let everything: Act | undefined;

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => receive(request, response, Buffer.concat(chunks).toString('utf8')));
    // A gateway that gives up cuts the connection; what then cannot be written is of no interest.
    response.on('error', () => undefined);
  });

  function receive(request: IncomingMessage, response: ServerResponse, body: string): void {
    const read: unknown = JSON.parse(body);
    const calls = (Array.isArray(read) ? read : [read]).map((call): Seen => {
      const { method, params = [], id } = call;
      return { method, params, id, body, headers: request.headers };
    });
    seen.push(...calls);
    const plays = calls.map(call => ({ call, act: acts.get(call.method) ?? everything ?? healthy(call) }));
    const whole = plays.find(({ act }) => act.do !== 'result' && act.do !== 'error');
    if (whole !== undefined) {
      perform(whole.act, whole.call, response);
      return;
    }
    const replies = plays.map(({ call, act }) => replyTo(call, act));
    const text = JSON.stringify(Array.isArray(read) ? replies : replies[0]);
    const delayMs = Math.max(0, ...plays.map(({ act }) => (act.do === 'result' ? (act.delayMs ?? 0) : 0)));
    const answer = (): void => write(response, 200, { 'content-type': 'application/json' }, text);
    if (delayMs === 0) answer();
    else setTimeout(answer, delayMs);
  }

  function healthy({ method, params }: Seen): Act {
    const hex = `0x${upstream.height.toString(16)}`;
    switch (method) {
      case 'eth_chainId':
        return result(`0x${upstream.chainId.toString(16)}`);
      case 'eth_blockNumber':
        return result(hex);
      case 'eth_getBlockByNumber':
        return result({
          number: params[0] === 'latest' ? hex : params[0],
          timestamp: `0x${Math.floor(Date.now() / 1000).toString(16)}`,
          transactions: [],
        });
      case 'web3_clientVersion':
        return result('Scripted/v1');
      case 'eth_getBlockReceipts':
        return result([]);
      default:
        return result('0x0');
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  // A TCP server that listens has an address of this form.
  const { port } = server.address() as AddressInfo;
  const upstream: Upstream = {
    url: `http://127.0.0.1:${port}`,
    port,
    height: options.height ?? 100,
    chainId: options.chainId ?? 31337,
    on: (method, act) => void acts.set(method, act),
    always: act => {
      everything = act;
    },
    count: method => seen.filter(call => method === undefined || call.method === method).length,
    seen: method => seen.filter(call => call.method === method),
    all: () => seen,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return upstream;
}

function replyTo(call: Seen, act: Act): unknown {
  const { id } = call;
  if (act.do === 'error') return { jsonrpc: '2.0', id, error: act.error };
  if (act.do === 'result') return { jsonrpc: '2.0', id: 'id' in act ? act.id : id, result: act.result };
  throw new Error(`no reply is made by ${act.do}`);
}

function perform(act: Act, call: Seen, response: ServerResponse): void {
  switch (act.do) {
    case 'send':
      write(response, act.status, act.headers ?? { 'content-type': 'application/json' }, act.body);
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'half':
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(act.body),
      });
      response.write(act.body.slice(0, act.bytes), () => response.socket?.destroy());
      return;
    case 'custom':
      act.answer(response, call);
      return;
    default:
    // `hang`: nothing comes.
  }
}

function write(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
