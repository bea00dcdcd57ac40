import { beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, until } from '../kit/gateway.ts';
import { exchangeRaw, parsed } from '../kit/raw.ts';
import { chainOf, stage } from '../kit/stage.ts';
import { result, send, type Upstream } from '../kit/upstream.ts';

const body = '{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}';
const length = `content-length: ${body.length}`;
const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

describe('HTTP that two readers could take for two requests', () => {
  const on = stage();
  let upstream: Upstream;
  let gateway: Gateway;

  beforeAll(async () => {
    upstream = await on.upstream();
    upstream.on('eth_gasPrice', result('0x77'));
    gateway = await on.gateway({ chains: { local: chainOf({ upstream }) } });
  });

  const lines = (...head: readonly string[]): string => `${head.join('\r\n')}\r\nconnection: close\r\n\r\n`;

  it('is served when there is only one reading', async () => {
    const plain = `${lines('POST /local HTTP/1.1', 'host: a', length)}${body}`;
    const streamed = `${lines('POST /local HTTP/1.1', 'host: a', 'transfer-encoding: chunked')}${chunked}`;
    for (const text of [plain, streamed]) {
      const answer = parsed(await exchangeRaw(gateway.port, text));
      expect(answer.status).toBe(200);
      expect(answer.body).toBe('{"jsonrpc":"2.0","id":1,"result":"0x77"}');
    }
    expect(upstream.count('eth_gasPrice')).toBe(2);
  });

  it.each([
    ['two Hosts', lines('POST /local HTTP/1.1', 'host: a', 'host: b', length) + body],
    ['two equal Hosts', lines('POST /local HTTP/1.1', 'host: a', 'Host: a', length) + body],
    ['no Host', lines('POST /local HTTP/1.1', length) + body],
    ['an absolute target', lines('POST http://a/local HTTP/1.1', 'host: a', length) + body],
    ['an asterisk', lines('POST * HTTP/1.1', 'host: a', length) + body],
    [
      'chunked beside a length',
      lines('POST /local HTTP/1.1', 'host: a', length, 'transfer-encoding: chunked') + chunked,
    ],
    [
      'chunked after another encoding',
      lines('POST /local HTTP/1.1', 'host: a', 'transfer-encoding: gzip, chunked') + chunked,
    ],
    [
      'chunked twice',
      lines('POST /local HTTP/1.1', 'host: a', 'transfer-encoding: chunked', 'transfer-encoding: chunked') +
        chunked,
    ],
    [
      'chunked in another case',
      lines('POST /local HTTP/1.1', 'host: a', 'transfer-encoding: CHUNKED') + chunked,
    ],
    [
      'an unknown encoding',
      lines('POST /local HTTP/1.1', 'host: a', 'transfer-encoding: xchunked') + chunked,
    ],
    ['chunked on HTTP/1.0', lines('POST /local HTTP/1.0', 'host: a', 'transfer-encoding: chunked') + chunked],
    ['two lengths', lines('POST /local HTTP/1.1', 'host: a', length, 'content-length: 5') + body],
    ['a length with a sign', lines('POST /local HTTP/1.1', 'host: a', 'content-length: +5') + body],
    ['a space before the colon', lines('POST /local HTTP/1.1', 'host: a', `content-length : 5`) + body],
    ['a folded header', lines('POST /local HTTP/1.1', 'host: a', 'x: a', ' b', length) + body],
    ['a bare line feed', `POST /local HTTP/1.1\nhost: a\n${length}\n\n${body}`],
  ])('is refused with 400: %s', async (_name, text) => {
    const before = upstream.count('eth_gasPrice');
    const answer = parsed(await exchangeRaw(gateway.port, text));
    expect(answer.status).toBe(400);
    expect(upstream.count('eth_gasPrice')).toBe(before);
  });

  it('and the connection of such a request carries no second one', async () => {
    const before = upstream.count('eth_gasPrice');
    const smuggled = `POST /local HTTP/1.1\r\nhost: a\r\nhost: b\r\n${length}\r\n\r\n${body}`;
    const second = `POST /local HTTP/1.1\r\nhost: a\r\n${length}\r\n\r\n${body}`;
    const answer = await exchangeRaw(gateway.port, smuggled + second);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(upstream.count('eth_gasPrice')).toBe(before);
  });
});

describe('headers', () => {
  const on = stage();
  let upstream: Upstream;
  let gateway: Gateway;

  beforeAll(async () => {
    upstream = await on.upstream();
    upstream.on(
      'eth_gasPrice',
      send(200, '{"jsonrpc":"2.0","id":1,"result":"0x77"}', {
        'content-type': 'application/json; charset=utf-8',
        'set-cookie': 'session=1',
        'x-upstream': 'nginx',
        server: 'node',
      }),
    );
    gateway = await on.gateway({
      chains: {
        local: chainOf(
          {},
          {
            endpoints: [
              { name: 'up', url: upstream.url, allowPrivate: true, headers: { 'x-api-key': 'of-the-node' } },
            ],
          },
        ),
      },
    });
    await until(async () => (await gateway.endpoint('local', 'up')).head === 100);
  });

  it('of an answer: who gave it, at which attempt, its verdict, its head, and the request’s id', async () => {
    const { headers } = await gateway.rpc('local', 'eth_gasPrice');
    expect(headers.get('rpcgw-endpoint')).toBe('up');
    expect(headers.get('rpcgw-attempts')).toBe('1');
    expect(headers.get('rpcgw-verdict')).toBe('ok');
    expect(headers.get('rpcgw-head')).toBe('100');
    expect(headers.get('rpcgw-request-id')).toMatch(/\S{6,}/);
    expect(headers.get('rpcgw-degraded')).toBeNull();
    const next = await gateway.rpc('local', 'eth_gasPrice');
    expect(next.headers.get('rpcgw-request-id')).not.toBe(headers.get('rpcgw-request-id'));
  });

  it('of the upstream stay behind, but for the content type', async () => {
    const { headers } = await gateway.rpc('local', 'eth_gasPrice');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    for (const name of ['set-cookie', 'x-upstream', 'server']) expect(headers.get(name)).toBeNull();
  });

  it('of the client do not reach the upstream, those of the endpoint do', async () => {
    await gateway.post('/local', body, {
      authorization: 'Bearer secret-of-the-client',
      cookie: 'a=1',
      'x-api-key': 'of-the-client',
      'x-forwarded-for': '10.0.0.1',
      'user-agent': 'client/1',
    });
    const [last] = upstream.seen('eth_gasPrice').slice(-1);
    expect(last?.headers).toEqual({
      host: `127.0.0.1:${upstream.port}`,
      connection: 'keep-alive',
      'content-type': 'application/json',
      'accept-encoding': 'gzip',
      'content-length': String(body.length),
      'x-api-key': 'of-the-node',
    });
    expect(last?.body).toBe(body);
  });
});

describe('the pages beside the chains', () => {
  const on = stage();

  it('on a loopback listener: is it alive, is it ready, what is measured', async () => {
    const upstream = await on.upstream();
    const gateway = await on.gateway({ chains: { local: chainOf({ upstream }) } });
    expect(await gateway.get('/livez')).toEqual({ status: 200, text: 'ok\n' });
    expect(await gateway.get('/readyz')).toEqual({ status: 200, text: '[+] local 1/1\n[+] store\n' });
    expect(await gateway.get('/readyz/local')).toEqual({ status: 200, text: '[+] local 1/1\n' });
    expect((await gateway.get('/readyz/other')).status).toBe(404);
    const metrics = await gateway.get('/metrics');
    expect(metrics.text).toContain('\nrpcgw_ready 1\n');
    expect(metrics.text).toContain('\nrpcgw_store_ok 1\n');
  });

  it('on another listener, measures are only on an address of their own, and clients need a key', async () => {
    const upstream = await on.upstream();
    upstream.on('eth_gasPrice', result('0x77'));
    const gateway = await on.gateway({
      listen: '0.0.0.0:0',
      metrics: '127.0.0.1:0',
      clients: { keys: ['0123456789abcdef0123'] },
      chains: { local: chainOf({ upstream }) },
    });
    const metricsUrl = String(gateway.log().find(({ msg }) => msg === 'listening')?.metrics);
    const at = (path: string): string => `http://127.0.0.1:${gateway.port}${path}`;
    expect((await fetch(at('/metrics'))).status).toBe(404);
    expect((await fetch(at('/readyz'))).status).toBe(200);
    const measured = await fetch(`${metricsUrl}/metrics`);
    expect(measured.status).toBe(200);
    expect(await measured.text()).toContain('\nrpcgw_ready 1\n');
    expect((await fetch(`${metricsUrl}/local`, { method: 'POST', body })).status).toBe(404);

    const without = await fetch(at('/local'), { method: 'POST', body });
    expect(without.status).toBe(401);
    const wrong = await fetch(at('/local'), {
      method: 'POST',
      body,
      headers: { authorization: 'Bearer 0123456789abcdef0124' },
    });
    expect(wrong.status).toBe(401);
    expect(upstream.count('eth_gasPrice')).toBe(0);
    const right = await fetch(at('/local'), {
      method: 'POST',
      body,
      headers: { authorization: 'Bearer 0123456789abcdef0123' },
    });
    expect(await right.json()).toMatchObject({ result: '0x77' });
  });
});
