/** A wire between a client and what it talks to: passes everything on as it is, and writes down what went by. */

import { randomUUID } from 'node:crypto';
import { Agent, createServer, type IncomingHttpHeaders, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface Exchange {
  /** The call of the client that was under way. */
  readonly during: string;
  readonly asked: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly answer: string;
}

export interface Tap {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  /** What the client is about to do. */
  during: string;
  close(): Promise<void>;
}

export async function startTap(target: string): Promise<Tap> {
  const base = new URL(target);
  const agent = new Agent({ keepAlive: true });
  const exchanges: Exchange[] = [];
  // Ports are used again, and whoever asked the last owner of this one goes on asking: only what has the word is ours.
  const word = `/${randomUUID()}`;
  const server = createServer((request, response) => {
    const { during } = tap;
    const { url = '' } = request;
    if (!url.startsWith(word)) {
      response.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const { connection: _, 'transfer-encoding': __, ...kept } = request.headers;
      const rest = url.slice(word.length).replace(/^\//, '');
      const path = rest === '' ? base.pathname : `${base.pathname.replace(/\/$/, '')}/${rest}`;
      const headers = { ...kept, host: base.host, 'content-length': body.length };
      const onward = send({
        agent,
        host: base.hostname,
        port: base.port,
        method: request.method,
        path,
        headers,
      });
      onward.on('response', reply => {
        const got: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => got.push(chunk));
        reply.on('end', () => {
          const bytes = Buffer.concat(got);
          const answer = plain(bytes, reply.headers['content-encoding']);
          const status = reply.statusCode ?? 0;
          exchanges.push({ during, asked: body.toString('utf8'), status, headers: reply.headers, answer });
          const { connection: _c, 'transfer-encoding': _t, 'keep-alive': _k, ...shown } = reply.headers;
          response.writeHead(status, shown);
          response.end(bytes);
        });
        reply.on('error', () => response.destroy());
      });
      onward.on('error', () => response.destroy());
      onward.end(body);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an address of this form.
  const { port } = server.address() as AddressInfo;
  const tap: Tap = {
    url: `http://127.0.0.1:${port}${word}`,
    exchanges,
    during: '',
    close: () =>
      new Promise(resolve => {
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return tap;
}

function plain(bytes: Buffer, encoding: string | undefined): string {
  if (encoding === 'gzip') return gunzipSync(bytes).toString('utf8');
  if (encoding === 'br') return brotliDecompressSync(bytes).toString('utf8');
  return bytes.toString('utf8');
}
