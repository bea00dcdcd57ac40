import { describe, expect, it } from 'vitest';
import { chainOf, stage } from '../kit/stage.ts';
import { type Act, page, send, type Upstream } from '../kit/upstream.ts';

/** A transaction never goes the way of reads: whatever the first endpoint does, no second one gets it. */

const methods = [
  'eth_sendRawTransaction',
  'eth_sendRawTransactionSync',
  'eth_sendPrivateTransaction',
  'eth_sendBundle',
  'eth_sendUserOperation',
];
// Signed for chain 31337 by a key of this test, nonce 0.
const signed =
  '0x02f86c827a6980843b9aca00843b9aca008252089411111111111111111111111111111111111111110180c001a0' +
  'ffffffffffffffffffffffffffffffff0000000000000000000000000000000000'.slice(0, 64) +
  'a0' +
  '7f'.repeat(32);

const faults: readonly (readonly [string, Act])[] = [
  ['a reset', { do: 'reset' }],
  ['a web page', page(502)],
  ['an empty 500', send(500, '')],
  [
    'half an answer',
    { do: 'half', body: `{"jsonrpc":"2.0","id":1,"result":"0x${'00'.repeat(32)}"}`, bytes: 20 },
  ],
];

describe.each(faults)('a broadcast whose endpoint answers with %s', (_name, act) => {
  const on = stage();

  it('reaches at most one endpoint, and the client hears of it under 200', async () => {
    const upstreams = await on.upstreams(3);
    const [a, b, c] = upstreams as [Upstream, Upstream, Upstream];
    for (const upstream of upstreams) for (const method of methods) upstream.on(method, act);
    const gateway = await on.gateway({ chains: { local: chainOf({ a, b, c }) } });
    for (const [at, method] of methods.entries()) {
      const reply = await gateway.rpc('local', method, [signed], at);
      expect(reply.status).toBe(200);
      expect(reply.body).toMatchObject({ id: at, error: { code: -32000, data: { source: 'rpcgw' } } });
      expect(upstreams.reduce((sum, upstream) => sum + upstream.count(method), 0)).toBeLessThanOrEqual(1);
    }
  });

  it('and in a batch too, beside reads that are answered', async () => {
    const upstreams = await on.upstreams(3);
    const [a, b, c] = upstreams as [Upstream, Upstream, Upstream];
    for (const upstream of upstreams) for (const method of methods) upstream.on(method, act);
    const gateway = await on.gateway({ chains: { local: chainOf({ a, b, c }) } });
    const response = await gateway.post('/local', [
      { jsonrpc: '2.0', id: 'read', method: 'eth_chainId' },
      { jsonrpc: '2.0', id: 'tx', method: 'eth_sendRawTransaction', params: [signed] },
    ]);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject([
      { id: 'read', result: '0x7a69' },
      { id: 'tx', error: { code: -32000, data: { source: 'rpcgw' } } },
    ]);
    const reached = upstreams.map(upstream => upstream.count('eth_sendRawTransaction'));
    expect(reached.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(1);
  });
});
