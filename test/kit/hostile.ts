import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server of bytes: what it sends is not HTTP unless the test says so. */

export interface HostileServer {
  readonly url: string;
  readonly port: number;
  /** Connections so far. */
  readonly connections: number;
  /** Bytes it got rid of. */
  readonly sent: number;
  close(): Promise<void>;
}

/** What it does with a request whose head and body have arrived. */
export type Misdeed = (socket: Socket, request: { readonly method: string; readonly id: string }) => void;

/**
 * Reads requests one after the other, as the gateway sends them, and lets `answer` do its worst. Answers probes of an EVM
 * node of chain `chainId` (31337) by itself, so that the endpoint is in the pool and gets the calls the test makes.
 */
export async function startHostile(
  answer: Misdeed,
  options: { readonly probesToo?: boolean; readonly chainId?: number } = {},
): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let sent = 0;
  const server = createServer(socket => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sent += socket.bytesWritten;
      sockets.delete(socket);
    });
    let text = '';
    socket.on('data', chunk => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (end < 0 || text.length < end + 4 + length) return;
      const body = text.slice(end + 4, end + 4 + length);
      text = text.slice(end + 4 + length);
      const method = /"method":"(\w+)"/.exec(body)?.[1] ?? '';
      const id = /"id":("[^"]*"|\d+)/.exec(body)?.[1] ?? 'null';
      const healthy = options.probesToo ? undefined : probeAnswer(method, id, options.chainId ?? 31337);
      if (healthy === undefined) answer(socket, { method, id });
      else socket.write(http(healthy));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    get connections() {
      return connections;
    },
    get sent() {
      return [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, sent);
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A whole answer. */
export function http(body: string, head: readonly string[] = ['content-type: application/json']): string {
  return `HTTP/1.1 200 OK\r\n${head.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Writes as fast as the other side takes it, until that goes away or `next` has no more. */
export function pour(socket: Socket, next: () => string | Uint8Array | undefined): void {
  for (;;) {
    if (socket.destroyed) return;
    const chunk = next();
    if (chunk === undefined) return;
    if (!socket.write(chunk)) {
      socket.once('drain', () => pour(socket, next));
      return;
    }
  }
}

function probeAnswer(method: string, id: string, chainId: number): string | undefined {
  const result: Readonly<Record<string, string>> = {
    eth_chainId: `"0x${chainId.toString(16)}"`,
    eth_blockNumber: '"0x64"',
    eth_getBlockByNumber: `{"number":"0x64","timestamp":"0x${Math.floor(Date.now() / 1000).toString(16)}","transactions":[]}`,
    web3_clientVersion: '"Hostile/v1"',
  };
  const found = result[method];
  return found === undefined ? undefined : `{"jsonrpc":"2.0","id":${id},"result":${found}}`;
}
