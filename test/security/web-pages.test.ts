import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../kit/gateway.ts';
import { exchangeRaw, parsed } from '../kit/raw.ts';
import { chainOf } from '../kit/stage.ts';
import { result, startUpstream, type Upstream } from '../kit/upstream.ts';
import { type Here, startHere } from './here.ts';

const body = '{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}';
const key = '0123456789abcdef0123';

/** As a browser sends it for a page; `fetch` of the runtime would not let these headers through. */
const sent = (lines: readonly string[], verb = 'POST', path = '/local'): string =>
  [
    `${verb} ${path} HTTP/1.1`,
    'connection: close',
    ...lines,
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n');

const served = (here: Here) =>
  until(async () => (await here.api.ask('status', {})).chains[0]?.endpoints[0]?.state === 'healthy');

describe('a web page that somebody on this machine looks at', () => {
  let upstream: Upstream;
  let here: Here;
  let port = 0;

  beforeAll(async () => {
    upstream = await startUpstream();
    upstream.on('eth_gasPrice', result('0x77'));
    here = await startHere({ chains: { local: chainOf({ upstream }) } });
    port = Number(new URL(here.url).port);
    await served(here);
  });
  afterAll(async () => {
    await here.remove();
    await upstream.close();
  });

  it.each([
    ['of another site', ['host: 127.0.0.1:8600', 'origin: https://evil.example', 'content-type: text/plain']],
    [
      'of a site whose name was turned to this machine',
      ['host: evil.example:8600', 'origin: http://evil.example:8600'],
    ],
    ['of another port of this machine', ['host: localhost:8600', 'origin: http://localhost:3000']],
    ['in a frame without an origin', ['host: 127.0.0.1:8600', 'origin: null']],
    ['with an origin in capitals', ['host: 127.0.0.1:8600', 'Origin: HTTPS://EVIL.EXAMPLE']],
    ['with two origins', ['host: a', 'origin: chrome-extension://abc', 'origin: https://evil.example']],
  ])('%s is refused, and nothing of it is forwarded', async (_name, lines) => {
    const answer = parsed(await exchangeRaw(port, sent(lines)));
    expect(answer.status).toBe(401);
    expect(answer.headers).not.toContain('access-control-');
    expect(answer.body).toContain('"reason":"unauthorized"');
    expect(upstream.count('eth_gasPrice')).toBe(0);
  });

  it.each(['/local', '/livez', '/metrics', '/'])('is never told that it may read %s', async path => {
    for (const verb of ['OPTIONS', 'GET']) {
      const lines = [
        'host: 127.0.0.1:8600',
        'origin: https://evil.example',
        'access-control-request-method: POST',
        'access-control-request-headers: content-type',
        'access-control-request-private-network: true',
      ];
      const answer = parsed(await exchangeRaw(port, sent(lines, verb, path)));
      expect(answer.headers).not.toContain('access-control-');
    }
    expect(upstream.count('eth_gasPrice')).toBe(0);
  });

  it('is not an extension of the browser, nor a program: those are served', async () => {
    for (const lines of [
      ['host: a'],
      ['host: a', 'origin: chrome-extension://abc'],
      ['host: a', 'origin: moz-extension://abc'],
    ])
      expect(parsed(await exchangeRaw(port, sent(lines))).status).toBe(200);
  });
});

describe('a web page at a gateway with clients', () => {
  it('needs a key of its own: its address is not enough', async () => {
    const upstream = await startUpstream();
    upstream.on('eth_gasPrice', result('0x77'));
    const here = await startHere({
      clients: { keys: [{ name: 'app', key }], cidrs: ['127.0.0.0/8'] },
      chains: { local: chainOf({ upstream }) },
    });
    const port = Number(new URL(here.url).port);
    await served(here);
    const page = ['host: a', 'origin: https://app.example'];
    expect(parsed(await exchangeRaw(port, sent(['host: a']))).status).toBe(200);
    expect(parsed(await exchangeRaw(port, sent(page))).status).toBe(401);
    expect(parsed(await exchangeRaw(port, sent([...page, `authorization: Bearer ${key}`]))).status).toBe(200);
    await here.remove();
    await upstream.close();
  });
});
