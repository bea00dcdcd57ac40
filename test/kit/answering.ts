import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Answering {
  readonly url: string;
  close(): Promise<void>;
}

/** An HTTP server on the loopback that answers every request with what this function makes of it. */
export async function answering(
  answer: (
    path: string,
    body: string,
  ) => { readonly status: number; readonly body: string; readonly headers?: Record<string, string> },
): Promise<Answering> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const reply = answer(request.url ?? '/', Buffer.concat(chunks).toString('utf8'));
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
      response.end(reply.body);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
