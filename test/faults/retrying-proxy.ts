/**
 * What many gateways do with a POST: it goes to the first upstream, and on any failure to the next. Here only so that the
 * bench can show that it sees a transaction that is sent twice.
 *
 *   node test/faults/retrying-proxy.ts CONFIG
 */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';

const timeoutMs = 2_000;

type Chains = Readonly<Record<string, readonly { readonly url: string }[]>>;
const chains = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Chains; // The bench wrote it.
const dispatcher = new Agent({ connect: { timeout: timeoutMs } });

async function forward(
  chain: string,
  target: string,
  body: Buffer,
): Promise<{ status: number; text: string }> {
  let last = { status: 502, text: '{"error":"no upstream answered"}' };
  for (const { url } of chains[chain] ?? []) {
    try {
      const { statusCode, body: answer } = await request(url + target, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        dispatcher,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await answer.text();
      last = { status: statusCode, text };
      const failed = /"error"|<html/i.test(text);
      if (statusCode === 200 && !failed) return last;
    } catch {
      // That is the point: whatever went wrong, the next one may do better.
    }
  }
  return last;
}

const server = createServer((incoming, response) => {
  const chunks: Buffer[] = [];
  incoming.on('data', chunk => chunks.push(chunk));
  incoming.on('end', async () => {
    const [, chain = '', target = ''] = /^\/([^/]+)(.*)$/.exec(incoming.url ?? '') ?? [];
    const { status, text } = await forward(chain, target, Buffer.concat(chunks));
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(text);
  });
  // A client that is gone is of no interest to it.
  response.on('error', () => undefined);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.(`http://127.0.0.1:${port}`);
});
