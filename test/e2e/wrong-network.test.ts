import { beforeAll, describe, expect, it } from 'vitest';
import type { Anvil } from '../kit/anvil.ts';
import { type Gateway, until } from '../kit/gateway.ts';
import { askedOften, chainOf, stage } from '../kit/stage.ts';
import type { Upstream } from '../kit/upstream.ts';

describe('a node of another chain id', () => {
  const on = stage();
  let right: Anvil;
  let wrong: Anvil;
  let gateway: Gateway;

  beforeAll(async () => {
    [right, wrong] = await Promise.all([on.anvil(), on.anvil({ chainId: 56 })]);
    gateway = await on.gateway({
      chains: { local: chainOf({ wrong, right }, { probes: { interval: '1s' } }) },
    });
  });

  it('gets no traffic, and is shown as such with an alarm', async () => {
    for (let n = 0; n < 5; n += 1)
      expect((await gateway.rpc('local', 'eth_chainId')).body.result).toBe('0x7a69');
    const { chains } = await gateway.json<Awaited<ReturnType<Gateway['status']>>>('status');
    expect(chains[0]?.endpoints[0]).toMatchObject({
      name: 'wrong',
      state: 'wrong_network',
      stateText: 'wrong network',
      reason: 'it says it is on 56, local is 31337',
    });
    const events = await until(async () => {
      const found = await gateway.events({ kind: 'wrong_network' });
      return found.length > 0 && found;
    });
    expect(events).toMatchObject([{ level: 'alarm', chain: 'local', endpoint: 'wrong' }]);
    const metrics = await gateway.get('/metrics');
    expect(metrics.text).toContain(
      'rpcgw_endpoint_state{chain="local",endpoint="wrong",state="wrong_network"} 1',
    );
  });

  it('gets no traffic even when it is the last one standing', async () => {
    await right.kill();
    // While its circuit is all that holds the right one it is a last resort; soon its silence holds it too.
    const reply = await until(async () => {
      const got = await gateway.rpc('local', 'eth_chainId');
      return got.status === 503 && got;
    });
    expect(reply.body.error).toMatchObject({
      code: -32004,
      data: { source: 'rpcgw', reason: 'no_endpoint', chain: 'local', attempts: [] },
    });
    expect(reply.body.error?.message).toContain('wrong (it says it is on 56, local is 31337)');
    expect(reply.attempts).toBe(0);
    expect((await gateway.get('/readyz')).status).toBe(503);
    expect((await gateway.get('/readyz/local')).status).toBe(503);
    expect((await gateway.command('status')).code).toBe(1);
    const batch = await gateway.post('/local', [
      { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
      { jsonrpc: '2.0', id: 2, method: 'eth_blockNumber' },
    ]);
    expect(await batch.json()).toMatchObject([
      { id: 1, error: { code: -32004 } },
      { id: 2, error: { code: -32004 } },
    ]);
  });
});

describe('an endpoint that turns to another network while it is used', () => {
  const on = stage();
  let upstreams: readonly Upstream[];
  let gateway: Gateway;

  beforeAll(async () => {
    upstreams = await on.upstreams(2);
    const [a, b] = upstreams as [Upstream, Upstream];
    gateway = await on.gateway({ chains: { local: chainOf({ a, b }, askedOften) } });
    await until(async () => (await gateway.endpoint('local', 'a')).head === 100);
  });

  it('is asked at once when its height jumps, and loses its traffic', async () => {
    const [a, b] = upstreams as [Upstream, Upstream];
    expect((await gateway.rpc('local', 'eth_gasPrice')).endpoint).toBe('a');
    a.chainId = 1;
    a.height = 20_000_000;
    await until(async () => (await gateway.endpoint('local', 'a')).state === 'wrong_network');
    const before = a.count('eth_gasPrice');
    expect((await gateway.rpc('local', 'eth_gasPrice')).endpoint).toBe('b');
    expect(a.count('eth_gasPrice')).toBe(before);
    expect(b.count('eth_gasPrice')).toBe(1);
  });
});
