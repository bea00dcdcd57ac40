import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Anvil, genesisFor } from '../kit/anvil.ts';
import { type Gateway, until } from '../kit/gateway.ts';
import { askedOften, chainOf, stage } from '../kit/stage.ts';

/** What the gateway owes one client between its requests, on real nodes that stand at different heights. */

/** The first key of the mnemonic that the tools of Ethereum share; it is no secret. */
const signer = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const transfer = (nonce: number) =>
  signer.signTransaction({
    chainId: 31337,
    to: `0x${'22'.repeat(20)}`,
    value: 1n,
    gas: 21_000n,
    nonce,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  });

/** Two nodes of one chain; both count as healthy all the time, however far the lower one lags. */
function twoNodes(heights: { readonly low: number; readonly high: number }, more: Record<string, unknown>) {
  const on = stage();
  const there = {} as { low: Anvil; high: Anvil; gateway: Gateway };
  beforeAll(async () => {
    const genesis = genesisFor(heights.high);
    there.low = await on.anvil({ genesis });
    there.high = await on.anvil({ genesis });
    await there.low.mineTo(heights.low);
    await there.high.mineTo(heights.high);
    // The lower node comes first, so that what is asked of the other one is asked there for a reason.
    const { low, high } = there;
    there.gateway = await on.gateway({
      chains: { local: chainOf({ low, high }, { ...askedOften, staleBlocks: 50, ...more }) },
    });
    // The lower one's lag shows when it is asked after the higher one's first answer.
    await until(async () => (await there.gateway.endpoint('local', 'high')).head === heights.high);
    await until(
      async () => (await there.gateway.endpoint('local', 'low')).lag === heights.high - heights.low,
    );
  });
  const ask = async (method: string, params: readonly unknown[], headers: Record<string, string> = {}) => {
    const response = await there.gateway.post('/local', { jsonrpc: '2.0', id: 1, method, params }, headers);
    const body = (await response.json()) as { result?: unknown; error?: { code: number; data: unknown } };
    const [endpoint, attempts] = ['rpcgw-endpoint', 'rpcgw-attempts'].map(name => response.headers.get(name));
    return { status: response.status, endpoint, attempts, body };
  };
  return { there, ask };
}

describe('after a broadcast', () => {
  // Broadcasts go to the endpoints at or above the median alone: to the higher node.
  const { there, ask } = twoNodes({ low: 10, high: 12 }, {});
  const nonce = (headers: Record<string, string> = {}) =>
    ask('eth_getTransactionCount', [signer.address, 'pending'], headers);
  const mine = { 'rpcgw-session': 'payments' };

  it('the same session reads its nonce from the endpoint that took it, and nobody else is touched', async () => {
    expect(await nonce(mine)).toMatchObject({ endpoint: 'low', body: { result: '0x0' } });
    const sent = await ask('eth_sendRawTransaction', [await transfer(0)], mine);
    expect(sent).toMatchObject({ status: 200, endpoint: 'high', body: { result: expect.any(String) } });
    expect(await nonce(mine)).toMatchObject({ endpoint: 'high', body: { result: '0x1' } });
    // The transaction waits at one node: the next nonce is right only there.
    expect(await nonce({ 'rpcgw-session': 'another' })).toMatchObject({
      endpoint: 'low',
      body: { result: '0x0' },
    });
    expect(await nonce()).toMatchObject({ endpoint: 'low', body: { result: '0x0' } });
  });

  it('what stands in no block yet is asked of that endpoint first', async () => {
    const hash = keccak256(await transfer(0));
    for (const [method, params] of [
      ['eth_getTransactionByHash', [hash]],
      ['eth_getTransactionCount', [signer.address, 'pending']],
      ['eth_getBalance', [signer.address, 'pending']],
    ] as const) {
      expect(await ask(method, params, mine), method).toMatchObject({ endpoint: 'high', attempts: '1' });
      expect(await ask(method, params, { 'rpcgw-session': 'another' }), method).not.toMatchObject({
        endpoint: 'high',
        attempts: '1',
      });
    }
    expect(await ask('eth_getTransactionByHash', [hash], mine)).toMatchObject({ body: { result: { hash } } });
  });

  it('its other reads of the tip are answered from no lower than that endpoint was', async () => {
    const balance = ['0x0000000000000000000000000000000000000001', 'latest'];
    expect(await ask('eth_getBalance', balance, mine)).toMatchObject({ endpoint: 'high' });
    expect(await ask('eth_getBalance', balance)).toMatchObject({ endpoint: 'low' });
    // What is long past is the same everywhere.
    expect(await ask('eth_getBalance', [balance[0], '0x1'], mine)).toMatchObject({ endpoint: 'low' });
  });

  it('a batch of the session reads its nonce there too', async () => {
    const call = { jsonrpc: '2.0', method: 'eth_getTransactionCount', params: [signer.address, 'pending'] };
    const response = await there.gateway.post(
      '/local',
      [
        { ...call, id: 'a' },
        { ...call, id: 2 },
      ],
      mine,
    );
    expect(await response.json()).toMatchObject([
      { id: 'a', result: '0x1' },
      { id: 2, result: '0x1' },
    ]);
  });

  it('of a session that sends one transaction after another no nonce is given out twice', async () => {
    for (let expected = 1; expected <= 5; expected += 1) {
      const { body } = await nonce(mine);
      expect(body.result).toBe(`0x${expected.toString(16)}`);
      await ask('eth_sendRawTransaction', [await transfer(expected)], mine);
    }
  });
});

describe('without pinning', () => {
  const { ask } = twoNodes({ low: 10, high: 12 }, { pinning: false });

  it('nothing is owed to a session', async () => {
    const headers = { 'rpcgw-session': 'payments' };
    const params = [signer.address, 'pending'];
    await ask('eth_sendRawTransaction', [await transfer(0)], headers);
    expect(await ask('eth_getTransactionCount', params, headers)).toMatchObject({ endpoint: 'low' });
  });
});

describe('strict freshness', () => {
  const { there, ask } = twoNodes({ low: 10, high: 10 }, { freshness: 'strict' });
  const client = { 'rpcgw-session': 'viewer' };
  const height = (headers: Record<string, string>) => ask('eth_blockNumber', [], headers);

  it('never shows one client a height below one it was shown, and says so when none is as high', async () => {
    expect(await height(client)).toMatchObject({ body: { result: '0xa' } });
    await Promise.all([there.low, there.high].map(node => node.mineTo(11)));
    await until(async () => Number((await height(client)).body.result) === 11);
    // The node that comes first has gone back: nobody who was shown 11 may be shown 9.
    await there.low.rpc('anvil_rollback', [2]);
    await until(async () => (await there.gateway.endpoint('local', 'low')).head === 9);
    for (let n = 0; n < 5; n += 1) {
      expect(await height(client)).toMatchObject({ status: 200, endpoint: 'high', body: { result: '0xb' } });
    }
    await there.high.rpc('anvil_rollback', [2]);
    await until(async () => (await there.gateway.endpoint('local', 'high')).head === 9);
    const refused = await height(client);
    expect(refused).toMatchObject({
      status: 503,
      body: { error: { code: -32004, data: { source: 'rpcgw', reason: 'not_fresh', chain: 'local' } } },
    });
    // Of the past there is no doubt, nor of what is about no block.
    expect(await ask('eth_chainId', [], client)).toMatchObject({ status: 200, body: { result: '0x7a69' } });
    expect(await ask('net_version', [], client)).toMatchObject({ status: 200, body: { result: '31337' } });
    expect(await ask('eth_getBalance', [signer.address, '0x1'], client)).toMatchObject({ status: 200 });
  });

  it('waits for the node that comes up to the mark', async () => {
    const waiting = height(client);
    await there.high.mineTo(12);
    expect(await waiting).toMatchObject({ status: 200, endpoint: 'high', body: { result: '0xc' } });
  });
});

describe('freshness asked for by header', () => {
  const { there, ask } = twoNodes({ low: 12, high: 12 }, {});

  it('holds for the request that asks for it', async () => {
    const strict = { 'rpcgw-freshness': 'strict', 'rpcgw-session': 'viewer' };
    expect(await ask('eth_blockNumber', [], strict)).toMatchObject({ endpoint: 'low' });
    await there.low.rpc('anvil_rollback', [3]);
    await until(async () => (await there.gateway.endpoint('local', 'low')).head === 9);
    expect(await ask('eth_blockNumber', [], strict)).toMatchObject({
      endpoint: 'high',
      body: { result: '0xc' },
    });
    expect(await ask('eth_blockNumber', [])).toMatchObject({ endpoint: 'low', body: { result: '0x9' } });
  });
});
