import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, type RpcReply, until } from '../kit/gateway.ts';
import { largeEvm } from '../kit/signed.ts';
import { askedOften, chainOf, stage } from '../kit/stage.ts';
import { type Act, page, result, send, type Upstream } from '../kit/upstream.ts';

/** A transaction never goes the way of reads: whatever the endpoint does that got it, no second one gets it. */

/** Of a development account that everybody knows, signed for chain 31337: nonces 0 and 1. */
const signed = [
  '0x02f868827a69800184773594008252089411111111111111111111111111111111111111110180c001a0697570ba25900e37e5deff6172887247b170583a642af3d6b47a1e4d2dd70305a036eaae1ae3725168c872d05c5b5f43961aa55ba4af28647dc91c6311085ba5ca',
  '0x02f868827a69010184773594008252089411111111111111111111111111111111111111110180c080a042ecbb24927797c2edaed1c93b45f7578bce9501556106341c0b16774d7ea191a01edf021a5b6d766ac86346c495d37b218f80821a2abac582f07e496d683339f4',
] as const;

async function allKnown(gateway: Gateway): Promise<void> {
  await until(async () =>
    (await gateway.status()).chains.every(({ endpoints }) => endpoints.every(({ head }) => head !== null)),
  );
}

/** A row that a busy disk did not confirm within a second means `not_sent`: then the same bytes are sent again. */
function broadcast(gateway: Gateway, bytes: string, id: unknown): Promise<RpcReply> {
  return until(async () => {
    const reply = await gateway.rpc('local', 'eth_sendRawTransaction', [bytes], id);
    return reply.body.error?.data?.reason !== 'not_sent' && reply;
  });
}

describe('a transaction on a real node', () => {
  const on = stage();

  it('is handed to it, and the same again gets the same answer without being handed over', async () => {
    const node = await on.anvil();
    const gateway = await on.gateway({ chains: { local: chainOf({ node }) } });
    await allKnown(gateway);
    const first = await broadcast(gateway, signed[0], 'one');
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      jsonrpc: '2.0',
      id: 'one',
      result: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    const again = await broadcast(gateway, signed[0], 2);
    // The node itself would have said that it is there already.
    expect(again.body).toEqual({ jsonrpc: '2.0', id: 2, result: first.body.result });
    const pool = (await node.rpc('txpool_status')) as { pending: string };
    expect(pool.pending).toBe('0x1');
    const found = await gateway.rpc('local', 'eth_getTransactionByHash', [first.body.result]);
    expect(found.body.result).toMatchObject({ hash: first.body.result, nonce: '0x0' });
  });
});

const faults: readonly (readonly [string, Act])[] = [
  ['a connection that ends', { do: 'reset' }],
  ['a web page under 502', page(502)],
  ['an empty 500', send(500, '')],
  ['a 503 that asks to come again', send(503, '{"error":"busy"}')],
  [
    'half an answer',
    { do: 'half', body: `{"jsonrpc":"2.0","id":1,"result":"0x${'00'.repeat(32)}"}`, bytes: 20 },
  ],
  [
    'a quota that is used up, in a 200',
    send(200, '{"error":{"code":-32005,"message":"daily request count exceeded"}}'),
  ],
];

describe.each(faults)('a transaction that is answered by %s', (_name, act) => {
  const on = stage();
  let upstreams: readonly Upstream[];
  let gateway: Gateway;

  beforeAll(async () => {
    upstreams = await on.upstreams(3);
    const [a, b, c] = upstreams as [Upstream, Upstream, Upstream];
    for (const upstream of upstreams) upstream.on('eth_sendRawTransaction', act);
    gateway = await on.gateway({ chains: { local: chainOf({ a, b, c }, askedOften) } });
    await allKnown(gateway);
  });

  const reached = (): number =>
    upstreams.reduce((sum, upstream) => sum + upstream.count('eth_sendRawTransaction'), 0);

  it('reached one endpoint and no second one, and the client hears under 200 that it may be on its way', async () => {
    const reply = await broadcast(gateway, signed[0], 'mine');
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ id: 'mine', error: { code: -32000, data: { source: 'rpcgw' } } });
    expect(reached()).toBe(1);
    // Asked for again at once: looked up, not sent.
    const again = await broadcast(gateway, signed[0], 2);
    expect(again.body).toMatchObject({ id: 2, error: { code: -32000 } });
    expect(reached()).toBe(1);
  });

  it('nor in a batch, beside reads that are answered', async () => {
    const before = reached();
    const response = await gateway.post('/local', [
      { jsonrpc: '2.0', id: 'read', method: 'eth_chainId' },
      { jsonrpc: '2.0', id: 'tx', method: 'eth_sendRawTransaction', params: [signed[1]] },
    ]);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject([
      { id: 'read', result: '0x7a69' },
      { id: 'tx', error: { code: -32000, data: { source: 'rpcgw' } } },
    ]);
    expect(reached() - before).toBeLessThanOrEqual(1);
  });
});

describe('a transaction that is not for this chain, or for nobody', () => {
  const on = stage();

  it('reaches no endpoint', async () => {
    const upstream = await on.upstream({ chainId: 5 });
    const gateway = await on.gateway({ chains: { local: chainOf({ upstream }, { chainId: 5 }) } });
    await allKnown(gateway);
    const foreign = await gateway.rpc('local', 'eth_sendRawTransaction', [signed[0]]);
    expect(foreign.status).toBe(200);
    expect(foreign.body.error).toMatchObject({ code: -32000, data: { reason: 'wrong_chain' } });
    expect(foreign.body.error?.message).toMatch(/31337.*5|5.*31337/);
    expect(upstream.count('eth_sendRawTransaction')).toBe(0);
  });
});

describe('a transaction of a megabyte, which is read in slices', () => {
  const on = stage();
  const method = 'eth_sendRawTransaction';

  /** An endpoint that takes it, and the gateway before it. */
  async function taking(txId: string): Promise<{ upstream: Upstream; gateway: Gateway }> {
    const upstream = await on.upstream();
    upstream.on(method, result(txId));
    const gateway = await on.gateway({ chains: { local: chainOf({ upstream }) } });
    await allKnown(gateway);
    return { upstream, gateway };
  }

  it('goes out once when it comes twice at the same time, and is answered twice', async () => {
    const large = largeEvm(0, 500_000, 31337);
    const { upstream, gateway } = await taking(large.txId);
    const [raw] = JSON.parse(large.body()).params;
    const replies = await Promise.all([1, 2].map(id => broadcast(gateway, raw, id)));
    expect(replies.map(({ body }) => body)).toEqual([
      { jsonrpc: '2.0', id: 1, result: large.txId },
      { jsonrpc: '2.0', id: 2, result: large.txId },
    ]);
    expect(upstream.count(method)).toBe(1);
    expect(upstream.seen(method)[0]?.params).toEqual([raw]);
  });

  it('goes out although its client hung up behind the last byte', async () => {
    const large = largeEvm(1, 500_000, 31337);
    const { upstream, gateway } = await taking(large.txId);
    const body = large.body();
    const request = `POST /local HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    // Again where the disk took longer than a second for the row: the same bytes go out once in any case.
    let again = 0;
    await until(async () => {
      if (performance.now() > again) {
        again = performance.now() + 5_000;
        const socket = connect(gateway.port, '127.0.0.1');
        await new Promise<void>(written => socket.write(request, () => written()));
        socket.destroy();
      }
      return upstream.count(method) > 0;
    });
    const reply = await broadcast(gateway, JSON.parse(body).params[0], 2);
    expect(reply.body).toEqual({ jsonrpc: '2.0', id: 2, result: large.txId });
    expect(upstream.count(method)).toBe(1);
  });
});
