import { beforeAll, describe, expect, it } from 'vitest';
import type { Gateway } from '../kit/gateway.ts';
import { exchangeRaw, parsed } from '../kit/raw.ts';
import { chainOf, stage } from '../kit/stage.ts';
import { result, type Upstream } from '../kit/upstream.ts';

/** What the client gets wrong: the contract's code and status, and nothing of it reaches an upstream. */

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const call = '"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"';
const many = (count: number): string =>
  JSON.stringify(
    Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_gasPrice', params: [] })),
  );

const refusals: readonly (readonly [
  name: string,
  body: string,
  status: number,
  code: number,
  id?: unknown,
])[] = [
  ['not JSON', 'nonsense', 400, -32700],
  ['nothing at all', '', 400, -32700],
  ['JSON cut short', '{"jsonrpc":"2.0","id":1,"method":"eth_gas', 400, -32700],
  ['text after the request', `{${call}} {}`, 400, -32600],
  ['a byte order mark', `\ufeff{${call}}`, 400, -32600],
  ['a number', '5', 400, -32600],
  ['no method', '{"jsonrpc":"2.0","id":7}', 400, -32600, 7],
  ['a method that is no string', '{"jsonrpc":"2.0","id":"a","method":5}', 400, -32600, 'a'],
  [
    'a method written with an escape',
    '{"jsonrpc":"2.0","id":1,"method":"eth\\u005fgasPrice"}',
    400,
    -32600,
    1,
  ],
  ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"eth_gasPrice"}', 400, -32600],
  ['params that are a string', `{${call},"params":"x"}`, 400, -32600, 1],
  ['the same key twice', `{${call},"method":"eth_chainId"}`, 400, -32600, 1],
  ['another key twice', `{${call},"x":1,"x":2}`, 400, -32600],
  ['a key in another case', `{${call},"Method":"eth_chainId"}`, 400, -32600],
  ['a key that folds to a known one', `{${call},"param\u017f":[]}`, 400, -32600],
  ['a key written with an escape', `{${call},"\\u0069d":2}`, 400, -32600],
  ['nesting over the limit', `{${call},"params":${nested(10)}}`, 413, -32600],
  ['an empty batch', '[]', 400, -32600],
  ['a batch with something else in it', `[{${call}},5]`, 400, -32600],
  ['a batch with one id twice', `[{${call}},{${call}}]`, 400, -32600],
  ['a batch over the limit', many(1001), 413, -32600],
  [
    'a broadcast without an id',
    '{"jsonrpc":"2.0","method":"eth_sendRawTransaction","params":["0x00"]}',
    400,
    -32600,
  ],
];

describe('a request that is refused', () => {
  const on = stage();
  let upstream: Upstream;
  let gateway: Gateway;

  beforeAll(async () => {
    upstream = await on.upstream();
    upstream.on('eth_gasPrice', result('0x77'));
    gateway = await on.gateway({ limits: { body: '1MiB' }, chains: { local: chainOf({ upstream }) } });
  });

  it.each(refusals)('%s', async (_name, body, status, code, id = null) => {
    const before = upstream.count('eth_gasPrice');
    const response = await gateway.post('/local', body);
    // The test says what is expected of it.
    const answer = (await response.json()) as { error: { data: { requestId: string } } };
    expect(response.status).toBe(status);
    expect(answer).toMatchObject({
      jsonrpc: '2.0',
      id,
      error: { code, data: { source: 'rpcgw', chain: 'local', attempts: [] } },
    });
    expect(Object.keys(answer)).toEqual(['jsonrpc', 'id', 'error']);
    expect(response.headers.get('rpcgw-request-id')).toBe(answer.error.data.requestId);
    expect(upstream.count('eth_gasPrice')).toBe(before);
    expect(upstream.count('eth_sendRawTransaction')).toBe(0);
  });

  it('a body over the limit, announced or not', async () => {
    const large = `{${call},"params":["${'a'.repeat(1024 * 1024)}"]}`;
    const announced = await gateway.post('/local', large);
    expect(announced.status).toBe(413);
    expect(await announced.json()).toMatchObject({
      error: { code: -32600, data: { reason: 'too_large' } },
    });
    const piece = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    const head = 'POST /local HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n';
    const streamed = parsed(await exchangeRaw(gateway.port, head + piece.repeat(17)));
    expect(streamed.status).toBe(413);
    expect(streamed.headers).toContain('connection: close');
    expect(upstream.count('eth_gasPrice')).toBe(0);
  });

  it.each([
    '/nowhere',
    '/',
    '/local/',
    '/Local',
    '/local/x',
    '/local?x=1',
    '//local',
    '/local/../local',
    '/local/.',
    '/%6cocal',
    '/local;x=1',
    '/local\\x',
  ])('an unknown path, %s', async path => {
    const head = `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: ${call.length + 2}`;
    // As it stands: a client library would tidy it up first.
    const answer = parsed(await exchangeRaw(gateway.port, `${head}\r\n\r\n{${call}}`));
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toMatchObject({
      id: null,
      error: { code: -32601, data: { source: 'rpcgw', reason: 'not_found' } },
    });
    expect(upstream.count('eth_gasPrice')).toBe(0);
  });

  it('a GET where JSON-RPC is sent by POST', async () => {
    const response = await fetch(`${gateway.url}/local`);
    expect(response.status).toBeGreaterThanOrEqual(404);
    expect(await response.json()).toMatchObject({ error: { data: { source: 'rpcgw' } } });
  });

  it.each([
    ['eth_sign', ['0x00', '0x00']],
    ['eth_sendTransaction', [{}]],
    ['personal_importRawKey', ['aa', 'b']],
    ['admin_addPeer', ['enode://']],
    ['anvil_mine', []],
    ['evm_mine', []],
    ['ETH_gasPrice', []],
  ])('a method that is never forwarded, %s', async (method, params) => {
    const reply = await gateway.rpc('local', method, params, 'mine');
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      id: 'mine',
      error: { code: -32601, data: { source: 'rpcgw', reason: 'method_refused', attempts: [] } },
    });
    expect(upstream.count(method)).toBe(0);
  });

  it('and what is at a limit is not refused', async () => {
    const deep = await gateway.post('/local', `{${call},"params":${nested(9)}}`);
    expect(deep.status).toBe(200);
    const batch = await gateway.post('/local', many(1000));
    expect(batch.status).toBe(200);
    expect(await batch.json()).toHaveLength(1000);
    expect(upstream.count('eth_gasPrice')).toBe(1001);
  });
});
