import { beforeAll, describe, expect, it } from 'vitest';
import { type Anvil, genesisFor } from '../kit/anvil.ts';
import { type Gateway, until } from '../kit/gateway.ts';
import { chainOf, stage } from '../kit/stage.ts';
import { page, result, type Upstream } from '../kit/upstream.ts';

describe('a real node that stops producing blocks', () => {
  const on = stage();
  const genesis = genesisFor(30);
  let nodes: readonly Anvil[];
  let gateway: Gateway;

  beforeAll(async () => {
    nodes = await Promise.all([1, 2, 3].map(() => on.anvil({ genesis })));
    await Promise.all(nodes.map(node => node.mineTo(10)));
    const [a, b, c] = nodes as [Anvil, Anvil, Anvil];
    // The first of the list would get every read, were it not stale.
    const more = { staleBlocks: 2, blockTime: '200ms', probes: { interval: '1s' } };
    gateway = await on.gateway({ chains: { local: chainOf({ a, b, c }, more) } });
  });

  it('goes stale, gets no reads, and is used again when it has caught up', async () => {
    expect((await gateway.rpc('local', 'eth_gasPrice')).endpoint).toBe('a');
    const [stalled, ...others] = nodes;
    await Promise.all(others.map(node => node.mineTo(13)));
    const stale = await until(async () => {
      const endpoint = await gateway.endpoint('local', 'a');
      return endpoint.state === 'stale' && endpoint;
    });
    expect(stale).toMatchObject({ head: 10, lag: 3, gates: [{ name: 'stale', hard: false }] });
    expect(stale.reason).toMatch(/3 blocks behind the pool, 2 are allowed/);

    for (let n = 0; n < 5; n += 1) {
      const reply = await gateway.rpc('local', 'eth_blockNumber');
      expect(reply.endpoint).not.toBe('a');
      expect(reply.body.result).toBe('0xd');
      expect(reply.attempts).toBe(1);
    }
    const told = (count: number) =>
      until(async () => {
        const events = await gateway.events({ endpoint: 'a', kind: 'stale' });
        return events.length >= count && events;
      });
    expect(await told(1)).toMatchObject([{ level: 'warn', detail: { gate: 'stale', shut: true } }]);

    await stalled?.mineTo(13);
    await until(async () => (await gateway.endpoint('local', 'a')).state === 'healthy');
    expect((await gateway.rpc('local', 'eth_gasPrice')).endpoint).toBe('a');
    expect((await told(2))[1]).toMatchObject({ level: 'info', detail: { gate: 'stale', shut: false } });
  });
});

describe('a stale endpoint, when the others fail', () => {
  const on = stage();
  let behind: Upstream;
  let ahead: Upstream;
  let gateway: Gateway;

  beforeAll(async () => {
    [behind, ahead] = [await on.upstream({ height: 100 }), await on.upstream({ height: 110 })];
    gateway = await on.gateway({
      chains: { local: chainOf({ behind, ahead }, { staleBlocks: 2, probes: { interval: '1s' } }) },
    });
    await until(async () => (await gateway.endpoint('local', 'behind')).state === 'stale');
    for (const method of ['eth_gasPrice', 'eth_getBalance']) {
      behind.on(method, result('0x1'));
      ahead.on(method, page(502));
    }
  });

  it('is no last resort for a read of the tip', async () => {
    const reply = await gateway.rpc('local', 'eth_gasPrice');
    expect(reply.status).toBe(502);
    expect(reply.body.error?.data?.attempts).toMatchObject([
      { endpoint: 'ahead' },
      { endpoint: 'ahead' },
      { endpoint: 'ahead' },
    ]);
    expect(behind.count('eth_gasPrice')).toBe(0);
  });

  it('serves a read that names a height it has, and says that it is stale', async () => {
    const reply = await gateway.rpc('local', 'eth_getBalance', [`0x${'11'.repeat(20)}`, '0x64']);
    expect(reply).toMatchObject({ status: 200, endpoint: 'behind', attempts: 2 });
    expect(reply.headers.get('rpcgw-degraded')).toBe('stale');
  });
});
