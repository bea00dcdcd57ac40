import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, until } from '../kit/gateway.ts';
import { chainOf, stage } from '../kit/stage.ts';
import type { Upstream } from '../kit/upstream.ts';

describe('all bodies in memory together', () => {
  const on = stage();
  let upstream: Upstream;
  let gateway: Gateway;

  beforeAll(async () => {
    upstream = await on.upstream();
    gateway = await on.gateway({
      limits: { body: '1MiB', memory: '1MiB' },
      chains: { local: chainOf({ upstream }) },
    });
  });

  it('past the limit a request gets 503 with a Retry-After that no library reads as milliseconds', async () => {
    // A body that never ends holds most of the room.
    const part = 900 * 1024;
    const holder = connect(gateway.port, '127.0.0.1');
    holder.on('error', () => undefined);
    holder.write(`POST /local HTTP/1.1\r\nhost: a\r\ncontent-length: ${part + 1}\r\n\r\n${' '.repeat(part)}`);
    await until(async () => {
      const held = /\nrpcgw_held_bytes (\d+)/.exec((await gateway.get('/metrics')).text)?.[1];
      return Number(held) >= part;
    });
    const large = await gateway.post('/local', {
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_call',
      params: ['a'.repeat(200 * 1024)],
    });
    expect(large.status).toBe(503);
    expect(large.headers.get('retry-after')).toBe('01');
    expect(await large.json()).toMatchObject({
      id: null,
      error: { code: -32005, data: { source: 'rpcgw', reason: 'overloaded', chain: 'local' } },
    });
    expect(upstream.count('eth_call')).toBe(0);
    // What still fits is served.
    expect((await gateway.rpc('local', 'eth_gasPrice')).status).toBe(200);

    holder.destroy();
    await until(async () => (await gateway.get('/metrics')).text.includes('\nrpcgw_held_bytes 0\n'));
    const after = await gateway.post('/local', {
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_call',
      params: ['a'.repeat(200 * 1024)],
    });
    expect(after.status).toBe(200);
  });

  it('an answer that finds no room is a failed attempt, and the gateway goes on', async () => {
    upstream.on('eth_getCode', {
      do: 'custom',
      answer: response => {
        // Neither a result nor an error for a long while, so that it would have to be held.
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(`{"jsonrpc":"2.0",${' '.repeat(2 * 1024 * 1024)}"id":1,"result":"0x"}`);
      },
    });
    const reply = await gateway.rpc('local', 'eth_getCode');
    expect(reply.status).toBe(502);
    expect(reply.body.error).toMatchObject({ code: -32005, data: { reason: 'all_failed' } });
    await until(async () => (await gateway.get('/metrics')).text.includes('\nrpcgw_held_bytes 0\n'));
    expect((await gateway.rpc('local', 'eth_gasPrice')).status).toBe(200);
  });
});
