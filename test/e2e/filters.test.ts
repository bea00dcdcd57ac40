import { beforeAll, describe, expect, it } from 'vitest';
import { type Anvil, minedAtWill } from '../kit/anvil.ts';
import { type Gateway, type RpcReply, until } from '../kit/gateway.ts';
import { askedOften, chainOf, stage } from '../kit/stage.ts';
import { page, result, type Upstream } from '../kit/upstream.ts';

/** The code and the words of a node that does not know a filter: libraries then make it anew by themselves. */
const lost = { code: -32000, data: { source: 'rpcgw', reason: 'filter_lost', chain: 'local' } };

describe('a filter on real nodes', () => {
  const on = stage();
  let nodes: readonly Anvil[];
  let gateway: Gateway;

  beforeAll(async () => {
    nodes = await Promise.all([1, 2, 3].map(() => on.anvil()));
    const [a, b, c] = nodes as [Anvil, Anvil, Anvil];
    // Reads go round, so that a filter would be asked for at the wrong node if it did not stick.
    gateway = await on.gateway({
      chains: { local: chainOf({ a, b, c }, { strategy: 'weighted', ...minedAtWill }) },
    });
  });

  it('sticks to the node that made it, and is lost with it', async () => {
    const made = await gateway.rpc('local', 'eth_newBlockFilter');
    const id = made.body.result;
    const maker = made.endpoint;
    for (let n = 1; n <= 8; n += 1) {
      await Promise.all(nodes.map(node => node.mineTo(n)));
      const changes = await gateway.rpc('local', 'eth_getFilterChanges', [id]);
      expect(changes.endpoint).toBe(maker);
      expect(changes.body.result).toHaveLength(1);
    }
    const batch = await gateway.post('/local', [
      { jsonrpc: '2.0', id: 1, method: 'eth_getFilterChanges', params: [id] },
      { jsonrpc: '2.0', id: 2, method: 'eth_chainId' },
    ]);
    expect(await batch.json()).toMatchObject([
      { id: 1, result: [] },
      { id: 2, result: '0x7a69' },
    ]);

    await nodes[['a', 'b', 'c'].indexOf(maker ?? '')]?.kill();
    const after = await gateway.rpc('local', 'eth_getFilterChanges', [id], 'x');
    expect(after.status).toBe(200);
    expect(after.body).toMatchObject({ id: 'x', error: lost });
    expect(after.body.error?.message).toMatch(/changes may be lost, make the filter anew/);
    expect(after.attempts).toBe(1);
    // Everything else goes on.
    expect((await gateway.rpc('local', 'eth_chainId')).status).toBe(200);
    const anew = await gateway.rpc('local', 'eth_newBlockFilter');
    expect(anew.endpoint).not.toBe(maker);
    expect((await gateway.rpc('local', 'eth_getFilterChanges', [anew.body.result])).endpoint).toBe(
      anew.endpoint,
    );
  });
});

describe('a filter', () => {
  const on = stage();
  let upstreams: readonly Upstream[];
  let gateway: Gateway;
  const make = (): Promise<RpcReply> => gateway.rpc('local', 'eth_newFilter', [{}]);

  beforeAll(async () => {
    upstreams = await on.upstreams(2);
    const [a, b] = upstreams as [Upstream, Upstream];
    gateway = await on.gateway({ chains: { local: chainOf({ a, b }, askedOften) } });
  });

  it('that nobody made here is asked of nobody', async () => {
    const reply = await gateway.rpc('local', 'eth_getFilterChanges', ['0xdead']);
    expect(reply.body.error).toMatchObject(lost);
    expect(upstreams.map(upstream => upstream.count('eth_getFilterChanges'))).toEqual([0, 0]);
  });

  it('whose answer got lost is not asked a second time: its changes are gone with the answer', async () => {
    upstreams[0]?.on('eth_newFilter', result('0x1'));
    expect((await make()).endpoint).toBe('a');
    upstreams[0]?.on('eth_getFilterChanges', { do: 'reset' });
    const reply = await gateway.rpc('local', 'eth_getFilterChanges', ['0x1']);
    expect(reply.body.error).toMatchObject(lost);
    expect(upstreams.map(upstream => upstream.count('eth_getFilterChanges'))).toEqual([1, 0]);
  });

  it('is made elsewhere when one endpoint cannot make it, and sticks there', async () => {
    upstreams[0]?.on('eth_newFilter', page(502));
    upstreams[1]?.on('eth_newFilter', result('0x2'));
    upstreams[1]?.on('eth_getFilterChanges', result(['0xaa']));
    expect((await make()).endpoint).toBe('b');
    const reply = await gateway.rpc('local', 'eth_getFilterChanges', ['0x2']);
    expect(reply).toMatchObject({ endpoint: 'b', attempts: 1, body: { result: ['0xaa'] } });
  });

  it('with an id that another endpoint’s filter has is refused: one client would get another’s changes', async () => {
    upstreams[0]?.on('eth_newFilter', result('0x2'));
    const reply = await make();
    expect(reply.body.error).toMatchObject(lost);
    expect((await gateway.rpc('local', 'eth_getFilterChanges', ['0x2'])).endpoint).toBe('b');
  });

  it('outlives a circuit that opens, which is no reason to lose it', async () => {
    upstreams[1]?.always(page(502));
    await until(async () => (await gateway.endpoint('local', 'b')).state === 'down');
    expect((await gateway.rpc('local', 'eth_getFilterChanges', ['0x2'])).body.result).toEqual(['0xaa']);
  });
});
