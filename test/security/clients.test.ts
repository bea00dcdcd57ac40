import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clients } from '../../src/daemon/clients.ts';
import { exchangeRaw, parsed } from '../kit/raw.ts';
import { chainOf } from '../kit/stage.ts';
import { result, startUpstream, type Upstream } from '../kit/upstream.ts';
import { type Here, startHere } from './here.ts';

const key = '0123456789abcdef0123';
const other = 'fedcba9876543210fedc';

describe('who may come in', () => {
  const { admit } = clients({
    keys: [
      { name: 'one', key },
      { name: 'two', key: other },
    ],
    cidrs: ['10.0.0.0/8', '192.168.1.7/32', '2001:db8::/32'],
  });
  const far = '203.0.113.9';

  it.each([
    ['the first key', `Bearer ${key}`, far, 'one'],
    ['the second key', `Bearer ${other}`, far, 'two'],
    ['a key in small letters of the scheme', `bearer ${key}`, far, 'one'],
    ['an address of a range', undefined, '10.1.2.3', '10.1.2.3'],
    ['an address of a range as a mapped one', undefined, '::ffff:10.1.2.3', '10.1.2.3'],
    ['the only address of a range', undefined, '192.168.1.7', '192.168.1.7'],
    ['an IPv6 address of a range', undefined, '2001:db8::1', '2001:db8::1'],
    ['a wrong key from a range', 'Bearer wrong', '10.1.2.3', '10.1.2.3'],
  ])('%s', (_name, authorization, address, client) => {
    expect(admit(authorization, address)).toBe(client);
  });

  it.each([
    ['nobody', undefined, undefined],
    ['an address of no range', undefined, far],
    ['the next address', undefined, '192.168.1.8'],
    ['the address before a range', undefined, '9.255.255.255'],
    ['the address after a range', undefined, '11.0.0.0'],
    ['an IPv6 address of no range', undefined, '2001:db9::1'],
    ['an IPv6 address that ends like one of a range', undefined, '64:ff9b::10.1.2.3'],
    ['no address but text', undefined, '10.1.2.3, 203.0.113.9'],
    ['no key', 'Bearer ', far],
    ['a key without its end', `Bearer ${key.slice(0, -1)}`, far],
    ['a key and more', `Bearer ${key}0`, far],
    ['a key in other letters', `Bearer ${key.toUpperCase()}`, far],
    ['two keys', `Bearer ${key} ${other}`, far],
    ['two keys with a comma', `Bearer ${key}, Bearer ${other}`, far],
    ['a key without its scheme', key, far],
    ['a key with another scheme', `Basic ${key}`, far],
    ['a key as a name', `Bearer one`, far],
    ['a key in quotes', `Bearer "${key}"`, far],
  ])('not %s', (_name, authorization, address) => {
    expect(admit(authorization, address)).toBeUndefined();
  });
});

describe('a listener with keys', () => {
  let upstream: Upstream;
  let here: Here;

  beforeAll(async () => {
    upstream = await startUpstream();
    upstream.on('eth_gasPrice', result('0x77'));
    here = await startHere({
      clients: {
        keys: [
          { name: 'one', key },
          { name: 'two', key: other },
        ],
        cidrs: ['10.0.0.0/8'],
        rps: 5,
      },
      chains: { local: chainOf({ upstream }) },
    });
  });
  afterAll(async () => {
    await here.remove();
    await upstream.close();
  });

  const call = { jsonrpc: '2.0', id: 1, method: 'eth_gasPrice' };
  const post = (headers: Record<string, string>, body: unknown = call): Promise<Response> =>
    fetch(`${here.url}/local`, { method: 'POST', headers, body: JSON.stringify(body) });

  it.each([
    ['none', {}],
    ['a wrong one', { authorization: 'Bearer wrong-wrong-wrong-wrong' }],
    [
      'an address that a header claims',
      { 'x-forwarded-for': '10.0.0.1', forwarded: 'for=10.0.0.1', 'x-real-ip': '10.0.0.1' },
    ],
    ['a key in another header', { 'x-api-key': key }],
    ['a key in a cookie', { cookie: `authorization=Bearer ${key}` }],
  ])('answers 401 to %s, before it looks for the chain, and forwards nothing', async (_name, headers) => {
    const before = upstream.count('eth_gasPrice');
    for (const path of ['/local', '/no-such-chain', '/']) {
      const answer = await fetch(here.url + path, { method: 'POST', headers, body: JSON.stringify(call) });
      expect(answer.status).toBe(401);
      expect(await answer.text()).not.toContain('local');
    }
    expect(upstream.count('eth_gasPrice')).toBe(before);
  });

  it('reads nothing that follows a request without a key', async () => {
    const body = JSON.stringify(call);
    const length = `content-length: ${body.length}`;
    const without = `POST /local HTTP/1.1\r\nhost: a\r\n${length}\r\n\r\n${body}`;
    const withKey = `POST /local HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n${length}\r\n\r\n${body}`;
    const answer = await exchangeRaw(Number(new URL(here.url).port), without + withKey);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(parsed(answer).status).toBe(401);
  });

  it('does not take a key from the target', async () => {
    for (const path of [`/local?key=${key}`, `/local?authorization=Bearer%20${key}`, `/local/${key}`])
      expect((await fetch(here.url + path, { method: 'POST', body: JSON.stringify(call) })).status).toBe(401);
  });

  it('lets each client ask so often and no oftener: 429 with a Retry-After in seconds, and nothing forwarded', async () => {
    const headers = { authorization: `Bearer ${key}` };
    const before = upstream.count('eth_gasPrice');
    const all = await Promise.all(Array.from({ length: 40 }, () => post(headers)));
    const served = all.filter(({ status }) => status === 200).length;
    const refused = all.filter(({ status }) => status === 429);
    expect(served + refused.length).toBe(40);
    expect(refused.length).toBeGreaterThan(0);
    expect(upstream.count('eth_gasPrice') - before).toBe(served);
    for (const answer of refused) {
      expect(answer.headers.get('retry-after')).toMatch(/^0\d+$/);
      expect(await answer.json()).toMatchObject({ error: { code: -32005, data: { reason: 'client_rate' } } });
    }
    // The other one is not held up by it.
    expect((await post({ authorization: `Bearer ${other}` })).status).toBe(200);
  });

  it('counts a batch call by call', async () => {
    const headers = { authorization: `Bearer ${other}` };
    const batch = Array.from({ length: 100 }, (_, id) => ({ ...call, id }));
    const answers = [await post(headers, batch), await post(headers)];
    const last = answers.at(-1);
    expect(last?.status).toBe(429);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(5);
  });
});
