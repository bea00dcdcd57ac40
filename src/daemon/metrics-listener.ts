import { createServer } from 'node:http';
import type { Address } from '../config/hosts.ts';
import type { Page } from './ingress.ts';
import { listen } from './listen.ts';

export interface MetricsServer {
  readonly url: string;
  close(): void;
}

/** The metrics page at an address of its own; nothing else is served there. */
export async function serveMetrics(
  address: Address,
  page: () => Promise<Page | undefined>,
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    request.resume();
    const [path] = (request.url ?? '').split('?');
    const asked = request.method === 'GET' && path === '/metrics' ? page() : Promise.resolve(undefined);
    asked.then(
      found => {
        if (found === undefined) response.writeHead(404, { 'content-length': '0' });
        else response.writeHead(found.status, { 'content-type': found.contentType });
        response.end(found?.body);
      },
      (error: unknown) => {
        response.writeHead(500, { 'content-type': 'text/plain' });
        response.end(`the metrics cannot be read: ${String(error)}\n`);
      },
    );
  });
  const url = await listen(server, address);
  return {
    url,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
