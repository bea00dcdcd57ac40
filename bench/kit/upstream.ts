/**
 * An upstream that is not the bottleneck: bare sockets, one fixed answer for the question of the bench, and honest ones
 * for the gateway's own. `node bench/kit/upstream.ts PORT`
 */

import { createServer, type Socket } from 'node:net';

const port = Number(process.argv[2]);
const headEnd = Buffer.from('\r\n\r\n');
const question = Buffer.from('eth_blockNumber');

function response(body: string): Buffer {
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

const fixed = response('{"jsonrpc":"2.0","id":1,"result":"0x14c9c8a"}');

function answer(body: Buffer): Buffer {
  if (body.includes(question)) return fixed;
  const { method, id } = JSON.parse(body.toString('utf8')) as { method: string; id: number };
  const timestamp = `0x${Math.floor(Date.now() / 1000).toString(16)}`;
  const results: Record<string, unknown> = {
    eth_chainId: '0x1',
    eth_getBlockByNumber: { number: '0x14c9c8a', timestamp, transactions: [], transactionsRoot: '0x0' },
    web3_clientVersion: 'Geth/v1.16.4',
    eth_getBalance: '0x0',
  };
  return response(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? null }));
}

function serve(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const at = rest.indexOf(headEnd);
      if (at < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(rest.toString('latin1', 0, at))?.[1] ?? 0);
      const end = at + 4 + length;
      if (rest.length < end) return;
      socket.write(answer(rest.subarray(at + 4, end)));
      rest = rest.subarray(end);
    }
  });
}

createServer(serve).listen(port, '127.0.0.1', () => process.send?.('listening'));
