import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { until } from '../kit/gateway.ts';
import { chainOf, stage } from '../kit/stage.ts';
import { type Seen, send } from '../kit/upstream.ts';

const body = '{"jsonrpc":"2.0","id":1,"method":"eth_getCode"}';

describe('SIGTERM', () => {
  const on = stage();

  it('lets a read in flight end, refuses new connections, and ends with 0', async () => {
    const upstream = await on.upstream();
    const held: (() => void)[] = [];
    upstream.on('eth_getCode', {
      do: 'custom',
      answer: (response, { id }: Seen) =>
        void held.push(() => response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x60' }))),
    });
    const gateway = await on.gateway({ chains: { local: chainOf({ upstream }) } });
    const reading = gateway.rpc('local', 'eth_getCode');
    await until(async () => held.length === 1);
    const stopped = gateway.stop();
    await until(async () =>
      fetch(`${gateway.url}/livez`).then(
        () => false,
        () => true,
      ),
    );
    held[0]?.();
    const reply = await reading;
    expect(reply.body).toEqual({ jsonrpc: '2.0', id: 1, result: '0x60' });
    expect(reply.headers.get('connection')).toBe('close');
    expect(await stopped).toBe(0);
    expect(gateway.log().map(({ msg }) => msg)).toEqual(expect.arrayContaining(['draining', 'stopped']));
  });

  it('lets a large answer out to its last byte, however slowly it is read', async () => {
    const upstream = await on.upstream();
    const text = `{"jsonrpc":"2.0","id":1,"result":"0x${'ab'.repeat(8 * 1024 * 1024)}"}`;
    upstream.on('eth_getCode', send(200, text));
    const gateway = await on.gateway({ chains: { local: chainOf({ upstream }) } });
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(`POST /local HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    let got = '';
    const ended = new Promise<void>(resolve => socket.once('close', () => resolve()));
    await new Promise<void>(resolve =>
      socket.once('data', chunk => {
        got += chunk.toString('latin1');
        socket.pause();
        resolve();
      }),
    );
    const stopped = gateway.stop();
    await until(async () => gateway.log().some(({ msg }) => msg === 'draining'));
    socket.on('data', chunk => (got += chunk.toString('latin1')));
    socket.resume();
    await ended;
    expect(got.endsWith(text)).toBe(true);
    expect(await stopped).toBe(0);
  });

  it('says so on /readyz for the delay, and serves meanwhile', async () => {
    const upstream = await on.upstream();
    const gateway = await on.gateway({ drain: { delay: '10m' }, chains: { local: chainOf({ upstream }) } });
    const stopped = gateway.stop();
    await until(async () => gateway.log().some(({ msg }) => msg === 'draining'));
    const ready = await gateway.get('/readyz');
    expect(ready.status).toBe(503);
    expect(ready.text).toContain('[-] draining');
    expect((await gateway.get('/readyz/local')).status).toBe(503);
    expect((await gateway.get('/livez')).status).toBe(200);
    expect((await gateway.status()).draining).toBe(true);
    const reply = await gateway.rpc('local', 'eth_gasPrice');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('connection')).toBe('close');
    await gateway.stop('SIGKILL');
    expect(await stopped).toBeNull();
  });

  it('goes on to the end after the delay', async () => {
    const upstream = await on.upstream();
    const gateway = await on.gateway({ drain: { delay: '500ms' }, chains: { local: chainOf({ upstream }) } });
    expect(await gateway.stop()).toBe(0);
    expect(gateway.log().at(-1)?.msg).toBe('stopped');
  });

  it('does not wait longer than the timeout, nor for connections that ask nothing', async () => {
    const upstream = await on.upstream();
    upstream.on('eth_getCode', { do: 'hang' });
    const gateway = await on.gateway({
      drain: { delay: '0s', timeout: '300ms' },
      chains: { local: chainOf({ upstream }) },
    });
    const silent = connect(gateway.port, '127.0.0.1');
    silent.on('error', () => undefined);
    const reading = gateway.rpc('local', 'eth_getCode').then(
      () => 'answered',
      () => 'cut',
    );
    await until(async () => upstream.count('eth_getCode') === 1);
    expect(await gateway.stop()).toBe(0);
    expect(await reading).toBe('cut');
    silent.destroy();
  });

  it('a second one does not wait, and ends with 143; SIGINT ends with 130', async () => {
    const upstream = await on.upstream();
    upstream.on('eth_getCode', { do: 'hang' });
    const config = { chains: { local: chainOf({ upstream }) } };
    const [first, second] = await Promise.all([
      on.gateway({ ...config, drain: { delay: '10m' } }),
      on.gateway(config),
    ]);
    const stopped = first.stop();
    await until(async () => first.log().some(({ msg }) => msg === 'draining'));
    process.kill(first.pid, 'SIGTERM');
    expect(await stopped).toBe(143);
    expect(await second.stop('SIGINT')).toBe(130);
  });

  it('that comes as soon as it listens ends it in order too', async () => {
    const upstream = await on.upstream();
    const gateway = await on.gateway({ chains: { local: chainOf({ upstream }) } }, { until: 'listening' });
    expect(await gateway.stop()).toBe(0);
    expect(gateway.log().at(-1)?.msg).toBe('stopped');
  });

  it('SIGHUP does not end it', async () => {
    const upstream = await on.upstream();
    const gateway = await on.gateway({ chains: { local: chainOf({ upstream }) } });
    process.kill(gateway.pid, 'SIGHUP');
    expect((await gateway.rpc('local', 'eth_gasPrice')).status).toBe(200);
    expect(await gateway.stop()).toBe(0);
  });
});
