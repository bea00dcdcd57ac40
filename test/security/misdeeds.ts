import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { http, type Misdeed, pour } from '../kit/hostile.ts';

/** What an endpoint may do instead of answering. Each goes on for as long as the other side takes it. */

const head = (...lines: readonly string[]): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${lines.map(line => `${line}\r\n`).join('')}\r\n`;
const chunked = head('transfer-encoding: chunked');
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const kib64 = 'a'.repeat(64 * 1024);

/** `first` once, then `text` again and again. */
const forever = (socket: Socket, first: string, text: string): void => {
  socket.write(first);
  pour(socket, () => text);
};
const slowly = (socket: Socket, first: string, text: string): void => {
  socket.write(first);
  const timer = setInterval(() => socket.write(text), 25);
  socket.once('close', () => clearInterval(timer));
};

/** So many bytes of nothing, in a thousandth of the room. */
const nothing = Buffer.alloc(64 * 1024 * 1024, 32);
const bombs = { gzip: gzipSync(nothing), deflate: deflateSync(nothing), br: brotliCompressSync(nothing) };
const doubled = gzipSync(gzipSync(nothing));
const encoded = (encoding: string, body: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(head(`content-encoding: ${encoding}`, `content-length: ${body.length}`)), body]);

const after = (socket: Socket, text: string): void => void socket.write(text);

export const misdeeds: readonly (readonly [name: string, does: Misdeed])[] = [
  ['a body of spaces without end', s => forever(s, chunked, chunk(' '.repeat(64 * 1024)))],
  ['a body without length and without end', s => forever(s, head('connection: close'), kib64)],
  [
    'an error without end',
    (s, { id }) => {
      after(s, chunked + chunk(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"`));
      forever(s, '', chunk(kib64));
    },
  ],
  [
    'an error of a gigabyte, announced',
    (s, { id }) => {
      after(s, `${head('content-length: 1000000000')}{"jsonrpc":"2.0","id":${id},"error":{"message":"`);
      forever(s, '', kib64);
    },
  ],
  [
    'a web page of a gigabyte',
    s => {
      after(s, 'HTTP/1.1 500 Oops\r\ncontent-type: text/html\r\ncontent-length: 1000000000\r\n\r\n<html>');
      forever(s, '', kib64);
    },
  ],
  ['headers without end', s => forever(s, 'HTTP/1.1 200 OK\r\n', `x: ${'a'.repeat(1000)}\r\n`)],
  ['one header without end', s => forever(s, 'HTTP/1.1 200 OK\r\nx: ', kib64)],
  ['a status line without end', s => forever(s, 'HTTP/1.1 200 ', kib64)],
  ['informational answers without end', s => forever(s, '', 'HTTP/1.1 103 Early Hints\r\nx: a\r\n\r\n')],
  ['trailers without end', s => forever(s, `${chunked}2\r\n{}\r\n0\r\n`, `x: ${'a'.repeat(1000)}\r\n`)],
  ['a chunk extension without end', s => forever(s, `${chunked}2;a=`, kib64)],
  [
    'chunks of one byte behind extensions of many',
    s => forever(s, chunked, `1;${'a'.repeat(8000)}\r\n \r\n`),
  ],
  ['chunks of one byte without end', s => forever(s, chunked, '1\r\n \r\n'.repeat(1000))],
  ['a gzip bomb', s => void s.write(encoded('gzip', bombs.gzip))],
  ['a deflate bomb', s => void s.write(encoded('deflate', bombs.deflate))],
  ['a brotli bomb', s => void s.write(encoded('br', bombs.br))],
  ['a gzip bomb in a gzip bomb', s => void s.write(encoded('gzip, gzip', doubled))],
  [
    'gzip without end',
    s => {
      after(s, head('content-encoding: gzip', 'transfer-encoding: chunked'));
      const part = bombs.gzip.toString('latin1');
      pour(s, () => Buffer.from(`${part.length.toString(16)}\r\n${part}\r\n`, 'latin1'));
    },
  ],
  ['one byte of the body after the other', s => slowly(s, chunked, chunk(' '))],
  ['one byte of the head after the other', s => slowly(s, 'HTTP/1.1 200 OK\r\nx: ', 'a')],
  ['nothing', () => undefined],
  [
    'JSON 500,000 levels deep',
    (s, { id }) =>
      after(s, http(`{"jsonrpc":"2.0","id":${id},"error":${'['.repeat(250_000)}${']'.repeat(250_000)}}`)),
  ],
  ['brackets that never close', s => after(s, http('['.repeat(900_000)))],
  ['braces that never close', s => after(s, http('{"a":'.repeat(180_000)))],
  [
    '100,000 keys',
    s => after(s, http(`{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join(',')}}`)),
  ],
  ['quotation marks without end', s => after(s, http(`{"error":"${'\\"'.repeat(400_000)}"}`))],
  ['a text of less-than signs', s => after(s, http('<'.repeat(900_000), ['content-type: text/html']))],
  ['NULs', s => after(s, http('\0'.repeat(900_000)))],
  ['no HTTP', s => after(s, 'SSH-2.0-OpenSSH_9.6\r\n')],
  [
    'another protocol',
    s => after(s, 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  ],
  ['a status past all', s => after(s, 'HTTP/1.1 999 Nope\r\ncontent-length: 2\r\n\r\n{}')],
  ['two lengths', s => after(s, 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}')],
  [
    'a length and chunks',
    s =>
      after(
        s,
        'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      ),
  ],
  ['less than announced, and the end', s => s.end(`${head('content-length: 100')}{`)],
  ['a bare line feed', s => after(s, 'HTTP/1.1 200 OK\ncontent-length: 2\n\n{}')],
];
