/** Clients at their worst, one misdeed a call. Each resolves when it is over, by whichever side, and never throws. */

import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type Client = (port: number, path: string) => Promise<void>;

/** How long one that gets no answer stays. */
const patienceMs = 15_000;

function over(socket: Socket): Promise<void> {
  socket.on('error', () => undefined);
  const timer = setTimeout(() => socket.destroy(), patienceMs);
  return new Promise(resolve =>
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    }),
  );
}

/** Sends all of it, takes whatever comes. */
function sends(text: (path: string) => string | Uint8Array): Client {
  return (port, path) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text(path)));
    socket.resume();
    return over(socket);
  };
}

/** One piece after the other, for as long as the other side is there. */
function drips(everyMs: number, begin: (path: string) => string, piece: string): Client {
  return async (port, path) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(begin(path)));
    socket.resume();
    const timer = setInterval(() => socket.write(piece), everyMs);
    await over(socket);
    clearInterval(timer);
  };
}

const call = '{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}';
const head = (path: string, ...lines: readonly string[]): string =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\n${lines.map(line => `${line}\r\n`).join('')}\r\n`;
const whole = (path: string, body: string, ...lines: readonly string[]): string =>
  head(path, `content-length: ${Buffer.byteLength(body)}`, ...lines) + body;
const random = (bytes: number): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes));
const batch = JSON.stringify(
  Array.from({ length: 1000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_gasPrice' })),
);

export const clients: Readonly<Record<string, Client>> = {
  'slow head': drips(500, path => `POST ${path} HTTP/1.1\r\nhost: a\r\n`, 'x: a\r\n'),
  'slow body': drips(500, path => head(path, 'content-length: 1000000'), ' '),
  'slow chunks': drips(500, path => head(path, 'transfer-encoding: chunked'), '1\r\n \r\n'),
  silence: sends(() => ''),
  'head of 100 KiB': sends(path => head(path, `x: ${'a'.repeat(100_000)}`)),
  '3,000 headers': sends(path => head(path, ...Array.from({ length: 3000 }, () => 'x: a'))),
  'bytes of chance': sends(() => random(4096)),
  'requests in a row, then bytes of chance': sends(path =>
    Buffer.concat([Buffer.from(whole(path, call).repeat(50)), random(512)]),
  ),
  'requests in a row without end': sends(path => whole(path, call).repeat(2000)),
  'two lengths': sends(path => whole(path, call, 'content-length: 5')),
  'oversized, announced': sends(path => head(path, 'content-length: 1000000000') + 'a'.repeat(65_536)),
  'oversized, not announced': async (port, path) => {
    const socket = connect(port, '127.0.0.1');
    socket.resume();
    socket.write(head(path, 'transfer-encoding: chunked'));
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    let sent = 0;
    const more = (): void => {
      while (!socket.destroyed && sent < 400) {
        sent += 1;
        if (!socket.write(chunk)) return;
      }
    };
    socket.on('drain', more);
    more();
    await over(socket);
  },
  'deep JSON': sends(path => whole(path, `{"params":${'['.repeat(100_000)}`, 'connection: close')),
  'a batch of 1,000': sends(path => whole(path, batch, 'connection: close')),
  'gone at once': async (port, path) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(whole(path, call));
      socket.destroy();
    });
    await over(socket);
  },
  'gone in the middle of the body': async (port, path) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${head(path, 'content-length: 1000')}{`));
    socket.resume();
    await pause(50);
    socket.destroy();
  },
  'gone in the middle of the answer': async (port, path) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(whole(path, call)));
    socket.once('data', () => socket.resetAndDestroy());
    await over(socket);
  },
  'reads nothing': async (port, path) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(whole(path, call.replace('eth_gasPrice', 'eth_call')).repeat(4)),
    );
    socket.on('error', () => undefined);
    socket.pause();
    await pause(5000);
    socket.destroy();
  },
};
