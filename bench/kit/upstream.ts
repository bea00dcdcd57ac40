/**
 * An upstream that is not the bottleneck: bare sockets, one fixed answer for the question of the bench, logs of as many
 * megabytes as asked for, and honest answers for the gateway's own questions. Its parent can make a path of it fail.
 *
 *   node bench/kit/upstream.ts PORT     messages in: { path, fault }; out: what it began to send, and how much went out
 */

import { createServer, type Socket } from 'node:net';

const port = Number(process.argv[2]);
const headEnd = Buffer.from('\r\n\r\n');
const question = Buffer.from('eth_blockNumber');
const height = '0x14c9c8a';

/** Path to what is wrong with it. */
const faults = new Map<string, 'hang' | 'error'>();
process.on('message', ({ path, fault }: { path: string; fault: 'hang' | 'error' | 'none' }) => {
  if (fault === 'none') faults.delete(path);
  else faults.set(path, fault);
});

function response(body: string, status = '200 OK'): Buffer {
  return Buffer.from(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

const fixed = response(`{"jsonrpc":"2.0","id":1,"result":"${height}"}`);
const broken = response('{"error":"internal"}', '500 Internal Server Error');

interface Question {
  readonly method: string;
  readonly id: number;
  readonly params: readonly unknown[];
}

/** `/net-7/…` is a node of the network 7. */
function chainIdAt(path: string): string {
  return `0x${Number(/^\/net-(\d+)\//.exec(path)?.[1] ?? 1).toString(16)}`;
}

function resultOf({ method }: Question, path: string): unknown {
  switch (method) {
    case 'eth_chainId':
      return chainIdAt(path);
    case 'eth_getBlockByNumber': {
      const timestamp = `0x${Math.floor(Date.now() / 1000).toString(16)}`;
      return { number: height, timestamp, transactions: [], transactionsRoot: '0x0' };
    }
    case 'web3_clientVersion':
      return 'Geth/v1.16.4';
    case 'eth_blockNumber':
      return height;
    default:
      return '0x0';
  }
}

function textOf(asked: Question, path: string): string {
  if (asked.method === 'eth_sendRawTransaction') {
    const error = { code: -32000, message: 'insufficient funds for gas * price + value' };
    return JSON.stringify({ jsonrpc: '2.0', id: asked.id, error });
  }
  return JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: resultOf(asked, path) });
}

/** With the words that a careless reader would take for an error. */
const log = JSON.stringify({
  address: `0x${'a1'.repeat(20)}`,
  topics: [`0x${'b2'.repeat(32)}`, `0x${'c3'.repeat(32)}`],
  data: `0x${'d4'.repeat(192)}`,
  error: null,
  note: '{"error":{"code":-32005}}',
  blockNumber: height,
  transactionHash: `0x${'e5'.repeat(32)}`,
});
const block = Buffer.from(`,${log}`.repeat(100));

/**
 * So many megabytes of logs, no faster than they are taken. `pauseMs`: after the first 75 KiB, so that whoever has those can go on
 * before the rest takes a core of the machine.
 */
function sendLogs(socket: Socket, asked: Question, megabytes: number, pauseMs: number): void {
  const first = Buffer.from(`{"jsonrpc":"2.0","id":${asked.id},"result":[${log}`);
  const last = Buffer.from(']}');
  const blocks = Math.ceil((megabytes * 2 ** 20 - first.length) / block.length);
  const length = first.length + blocks * block.length + last.length;
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  process.send?.({ began: asked.id, at: Number(process.hrtime.bigint()) / 1e6 });
  socket.write(Buffer.concat([Buffer.from(head), first, block]));
  let left = blocks - 1;
  const more = (): void => {
    while (left > 0 && !socket.destroyed) {
      left -= 1;
      if (!socket.write(block) && left > 0) {
        socket.once('drain', more);
        process.send?.({ sent: asked.id, bytes: (blocks - left) * block.length });
        return;
      }
    }
    socket.write(last);
  };
  if (pauseMs > 0) setTimeout(more, pauseMs);
  else more();
}

function serveOne(socket: Socket, path: string, body: Buffer): void {
  const fault = faults.get(path);
  if (fault === 'hang') return;
  if (fault === 'error') {
    socket.write(broken);
    return;
  }
  if (body.includes(question) && body[0] !== 0x5b) {
    socket.write(fixed);
    return;
  }
  const asked = JSON.parse(body.toString('utf8')) as Question | Question[];
  if (Array.isArray(asked)) {
    socket.write(response(`[${asked.map(each => textOf(each, path)).join(',')}]`));
    return;
  }
  const [wanted] = asked.params;
  if (typeof wanted === 'object' && wanted !== null && 'megabytes' in wanted)
    sendLogs(socket, asked, Number(wanted.megabytes), 'pauseMs' in wanted ? Number(wanted.pauseMs) : 0);
  else socket.write(response(textOf(asked, path)));
}

function serve(socket: Socket): void {
  let pieces: Buffer[] = [];
  let held = 0;
  let wanted = 0;
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    pieces.push(chunk);
    held += chunk.length;
    while (held > 0 && held >= wanted) {
      const all = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
      pieces = [all];
      const at = all.indexOf(headEnd);
      if (at < 0) return;
      const head = all.toString('latin1', 0, at);
      wanted = at + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (held < wanted) return;
      serveOne(socket, head.split(' ', 2)[1] ?? '/', all.subarray(at + 4, wanted));
      pieces = held > wanted ? [all.subarray(wanted)] : [];
      held -= wanted;
      wanted = 0;
    }
  });
}

createServer(serve).listen(port, '127.0.0.1', () => process.send?.('listening'));
