import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, until } from '../kit/gateway.ts';
import { exchangeRaw, parsed } from '../kit/raw.ts';
import { chainOf, stage } from '../kit/stage.ts';
import { result, send, type Upstream } from '../kit/upstream.ts';

const mebibyte = 1024 * 1024;
const hex = (bytes: number): string =>
  createHash('sha256')
    .update('seed')
    .digest('hex')
    .repeat(bytes / 64);
const whole = (bytes: number): string => `{"jsonrpc":"2.0","id":1,"result":"0x${hex(bytes)}"}`;
const ask = (method: string, params: readonly unknown[] = []) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});
const request = (method: string): string => {
  const body = JSON.stringify(ask(method));
  const head = ['POST /local HTTP/1.1', 'host: a', 'connection: close', `content-length: ${body.length}`];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
};

describe('a large answer', () => {
  const on = stage();
  let upstream: Upstream;
  let gateway: Gateway;

  beforeAll(async () => {
    upstream = await on.upstream();
    gateway = await on.gateway({ chains: { local: chainOf({ upstream }) } });
  });

  it.each([
    ['just held', 64 * 1024 - 128],
    ['just streamed', 64 * 1024],
    ['5 MiB', 5 * mebibyte],
    ['12 MiB', 12 * mebibyte],
  ])('comes through byte for byte: %s', async (_name, bytes) => {
    const text = whole(bytes);
    upstream.on('eth_getCode', send(200, text));
    const response = await gateway.post('/local', ask('eth_getCode'));
    expect(response.status).toBe(200);
    expect(response.headers.get('rpcgw-endpoint')).toBe('upstream');
    expect(response.headers.get('rpcgw-verdict')).toBe('ok');
    const got = await response.text();
    expect(got.length).toBe(text.length);
    expect(got === text).toBe(true);
  });

  it('in chunks of its own comes through too', async () => {
    const text = whole(2 * mebibyte);
    upstream.on('eth_getCode', {
      do: 'custom',
      answer: response => {
        response.writeHead(200, { 'content-type': 'application/json' });
        for (let at = 0; at < text.length; at += 5000) response.write(text.slice(at, at + 5000));
        response.end();
      },
    });
    expect((await (await gateway.post('/local', ask('eth_getCode'))).text()) === text).toBe(true);
  });

  it('has one length when it came in one piece', async () => {
    upstream.on('eth_getCode', send(200, whole(64 * 1024)));
    const { headers } = parsed(await exchangeRaw(gateway.port, request('eth_getCode')));
    expect(headers.match(/content-length/g)).toHaveLength(1);
  });

  const random = `{"jsonrpc":"2.0","id":1,"result":"0x${randomBytes(2 * mebibyte).toString('hex')}"}`;
  it.each([
    ['large as it is sent', random],
    ['small as it is sent, large when undone', whole(4 * mebibyte)],
    ['hardly anything as it is sent', `{"jsonrpc":"2.0","id":1,"result":"0x${'0'.repeat(32 * mebibyte)}"}`],
  ])('that is compressed goes on as it is to a client that takes it: %s', async (_name, text) => {
    const packed = gzipSync(text);
    upstream.on('eth_getCode', send(200, packed, { 'content-encoding': 'gzip' }));
    const withGzip = request('eth_getCode').replace('connection:', 'accept-encoding: gzip\r\nconnection:');
    const { headers, body } = parsed(await exchangeRaw(gateway.port, withGzip));
    expect(headers).toContain('content-encoding: gzip');
    expect(Buffer.from(body, 'latin1').equals(packed)).toBe(true);
  });

  it('that comes compressed though nobody asked is undone for a client that takes it plain', async () => {
    const text = whole(512 * 1024);
    upstream.on('eth_getCode', send(200, gzipSync(text), { 'content-encoding': 'gzip' }));
    const { headers, body } = parsed(await exchangeRaw(gateway.port, request('eth_getCode')));
    expect(headers).not.toContain('content-encoding');
    expect(body === text).toBe(true);
  });

  it('waits for a slow client instead of piling up in memory', async () => {
    const text = whole(48 * mebibyte);
    let written = 0;
    upstream.on('eth_getCode', {
      do: 'custom',
      answer: response => {
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': text.length,
        });
        const step = 256 * 1024;
        const more = (): void => {
          while (written < text.length) {
            const piece = text.slice(written, written + step);
            written += piece.length;
            if (!response.write(piece)) {
              response.once('drain', more);
              return;
            }
          }
          response.end();
        };
        more();
      },
    });
    const socket = connect(gateway.port, '127.0.0.1');
    let got = 0;
    const ended = new Promise<void>(resolve => socket.once('close', () => resolve()));
    socket.write(request('eth_getCode'));
    // Reads a little, then nothing more.
    await new Promise<void>(resolve =>
      socket.once('data', chunk => {
        got += chunk.length;
        socket.pause();
        resolve();
      }),
    );
    // What the upstream could hand over comes to a stop far before the end: buffers of the kernel, and few of ours.
    let before = -1;
    let still = 0;
    await until(async () => {
      still = written === before ? still + 1 : 0;
      before = written;
      return still === 10;
    });
    expect(written).toBeLessThan(24 * mebibyte);
    const held = /\nrpcgw_held_bytes (\d+)/.exec((await gateway.get('/metrics')).text)?.[1];
    expect(Number(held)).toBeLessThan(mebibyte);

    socket.on('data', chunk => (got += chunk.length));
    socket.resume();
    await ended;
    expect(written).toBe(text.length);
    expect(got).toBeGreaterThan(text.length);
  });

  it('that breaks off upstream breaks off at the client, and is a failure of the endpoint', async () => {
    const text = whole(5 * mebibyte);
    upstream.on('eth_getCode', { do: 'half', body: text, bytes: 3 * mebibyte });
    const { verdicts } = await gateway.endpoint('local', 'upstream');
    await expect(
      gateway.post('/local', ask('eth_getCode')).then(response => response.text()),
    ).rejects.toThrow();
    const answer = parsed(await exchangeRaw(gateway.port, request('eth_getCode')));
    expect(answer.headers).toContain(`content-length: ${text.length}`);
    expect(answer.body.length).toBeLessThan(text.length);
    await until(async () => {
      const now = (await gateway.endpoint('local', 'upstream')).verdicts;
      return (now.node_failure ?? 0) === (verdicts.node_failure ?? 0) + 2;
    });
  });

  it('without an announced length that breaks off has no last chunk, so that it never looks whole', async () => {
    const text = whole(5 * mebibyte);
    upstream.on('eth_getCode', {
      do: 'custom',
      answer: response => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(text.slice(0, 3 * mebibyte), () => response.socket?.destroy());
      },
    });
    const { body } = parsed(await exchangeRaw(gateway.port, request('eth_getCode')));
    expect(body.length).toBeGreaterThan(mebibyte);
    expect(body.endsWith('0\r\n\r\n')).toBe(false);
  });

  it.each([
    [
      'that ends in an error after the result',
      (text: string) => `${text.slice(0, -1)},"error":{"code":-32000}}`,
    ],
    ['that ends in the middle of its text', (text: string) => text.slice(0, -2)],
    ["that carries another call's id at its end", (text: string) => `${text.slice(0, -1)},"id":2}`],
  ])('%s is cut before its last KiB', async (_name, spoil) => {
    const text = spoil(`{"jsonrpc":"2.0","result":"0x${hex(2 * mebibyte)}","x":1}`);
    upstream.on('eth_getCode', send(200, text));
    const answer = parsed(await exchangeRaw(gateway.port, request('eth_getCode')));
    expect(answer.status).toBe(200);
    expect(answer.body.length).toBeLessThanOrEqual(text.length - 1024);
  });

  it('leaves nothing held when it is over', async () => {
    upstream.on('eth_getCode', result('0x'));
    await gateway.rpc('local', 'eth_getCode');
    await until(async () => (await gateway.get('/metrics')).text.includes('\nrpcgw_held_bytes 0\n'));
  });
});
