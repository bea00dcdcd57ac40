/**
 * The floor: a bare pass-through on the same Node and undici with no decision at all, written as fast as it can be. Body
 * collected, one JSON.parse of the request, `Pool.dispatch` with a plain handler, answer collected, one flat head.
 * `node bench/kit/floor.ts PORT UPSTREAM_PORT`
 */

import { createServer, type ServerResponse } from 'node:http';
import { type Dispatcher, Pool } from 'undici';

const [port, upstream] = process.argv.slice(2).map(Number);
const pool = new Pool(`http://127.0.0.1:${upstream}`, {
  connections: 256,
  headersTimeout: 0,
  bodyTimeout: 0,
});
const headers = ['content-type', 'application/json'];

class Collect implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;
  #status = 0;
  #type = '';
  #chunks: Uint8Array[] = [];

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  onRequestStart(): void {
    return;
  }

  onResponseStart(
    _: unknown,
    status: number,
    upstreamHeaders: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    this.#type = String(upstreamHeaders['content-type'] ?? '');
  }

  onResponseData(_: unknown, chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [only] = this.#chunks;
    const body = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
    this.#response.writeHead(this.#status, [
      'content-type',
      this.#type,
      'content-length',
      String(body.length),
    ]);
    this.#response.end(body);
  }

  onResponseError(): void {
    this.#response.writeHead(502);
    this.#response.end();
  }
}

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    JSON.parse(body.toString('utf8'));
    pool.dispatch({ method: 'POST', path: '/', headers, body }, new Collect(response));
  });
});
server.listen(port, '127.0.0.1', () => process.send?.('listening'));
