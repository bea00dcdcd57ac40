import { beforeAll, describe, expect, it } from 'vitest';
import { type Anvil, genesisFor } from '../kit/anvil.ts';
import { type Gateway, until } from '../kit/gateway.ts';
import { askedOften, chainOf, stage } from '../kit/stage.ts';

/** Three real nodes with the same genesis and so the same blocks, behind the built program. */

const height = 12;
/** Reverts with a custom error: selector c0ffee42 and the number 42. */
const runtime = `7f${'00'.repeat(28)}c0ffee42600052602a6020526024601cfd`;
const length = (runtime.length / 2).toString(16).padStart(2, '0');
const creation = `0x60${length}600c60003960${length}6000f3${runtime}`;
const revertData = `0xc0ffee42${'2a'.padStart(64, '0')}`;

describe('three real nodes of one genesis', () => {
  const on = stage();
  let nodes: readonly Anvil[];
  let gateway: Gateway;
  let contract: string;
  const ports: number[] = [];
  const genesis = genesisFor(height);

  beforeAll(async () => {
    nodes = await Promise.all([1, 2, 3].map(() => on.anvil({ genesis })));
    ports.push(...nodes.map(node => node.port));
    contract = '';
    for (const node of nodes) {
      await node.mineTo(height - 1);
      const [from] = (await node.rpc('eth_accounts')) as string[];
      const deploy = { from, data: creation, gas: '0x100000', gasPrice: '0x77359400' };
      const hash = await node.rpc('eth_sendTransaction', [deploy]);
      await node.mineTo(height);
      const receipt = await node.rpc('eth_getTransactionReceipt', [hash]);
      ({ contractAddress: contract } = receipt as { contractAddress: string });
    }
    const [a, b, c] = nodes as [Anvil, Anvil, Anvil];
    gateway = await on.gateway({
      chains: { local: chainOf({ a, b, c }, { ...askedOften, strategy: 'best', aliases: ['evm/31337'] }) },
    });
    await until(async () => (await heads()).every(head => head === height));
  });

  const heads = async () =>
    (await gateway.status()).chains.flatMap(({ endpoints }) => endpoints.map(({ head }) => head));

  async function direct(node: Anvil | undefined, body: unknown): Promise<{ status: number; text: string }> {
    const response = await fetch(node?.url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  }
  const ask = async (body: unknown, path = '/local'): Promise<{ status: number; text: string }> => {
    const response = await gateway.post(path, body);
    return { status: response.status, text: await response.text() };
  };
  const call = (method: string, params: readonly unknown[], id: unknown = 1) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  });

  it('hold the same blocks, and the gateway says so of all of them', async () => {
    const hashes = await Promise.all(
      nodes.map(
        async node => (await node.rpc('eth_getBlockByNumber', ['latest', false])) as { hash: string },
      ),
    );
    expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(1);
    const { ready, chains } = await gateway.status();
    expect(ready).toBe(true);
    expect(chains[0]?.endpoints.map(({ name, state, head }) => ({ name, state, head }))).toEqual([
      { name: 'a', state: 'healthy', head: height },
      { name: 'b', state: 'healthy', head: height },
      { name: 'c', state: 'healthy', head: height },
    ]);
  });

  it.each([
    ['a height', call('eth_blockNumber', [])],
    [
      'a block with its transactions',
      call('eth_getBlockByNumber', [`0x${height.toString(16)}`, true], 'x"y'),
    ],
    ['a balance in the past', call('eth_getBalance', [`0x${'11'.repeat(20)}`, '0x1'], 0)],
    ['an error of the caller', call('eth_getBalance', ['0x1', 'latest'], -7)],
    ['a method the node does not have', call('eth_nonsense', [], 'n')],
  ])('answer %s byte for byte', async (_, body) => {
    expect(await ask(body)).toEqual(await direct(nodes[0], body));
    expect(await ask(body, '/evm/31337')).toEqual(await direct(nodes[0], body));
  });

  it('a contract call that reverts comes back as the node gave it, once, and is nobody’s failure', async () => {
    const body = call('eth_call', [{ to: contract, data: '0x' }, 'latest'], 'revert');
    const reply = await gateway.rpc('local', 'eth_call', [{ to: contract, data: '0x' }, 'latest'], 'revert');
    expect(reply.text).toBe((await direct(nodes[0], body)).text);
    expect(reply.body.error).toMatchObject({ code: 3, data: revertData });
    expect(reply.status).toBe(200);
    expect(reply.attempts).toBe(1);
    expect(reply.headers.get('rpcgw-verdict')).toBe('app_error');
  });

  it('a batch keeps every id of its type, answers in one array, and leaves notifications out', async () => {
    const ids = [7, '7', 0, -1, '', 'ü', null];
    const batch = [
      ...ids.map(id => call('eth_chainId', [], id)),
      { jsonrpc: '2.0', method: 'eth_blockNumber', params: [] },
    ];
    const reply = await ask(batch);
    expect(reply.status).toBe(200);
    const answers = JSON.parse(reply.text) as { id: unknown; result: unknown }[];
    expect(answers.map(({ id }) => id)).toEqual(ids);
    expect(answers.map(({ result }) => result)).toEqual(ids.map(() => '0x7a69'));
  });

  it('a batch mixes reads with what the gateway answers itself and what it refuses', async () => {
    const batch = [
      call('eth_blockNumber', [], 1),
      call('eth_accounts', [], 2),
      call('eth_sign', ['0x00', '0x00'], 3),
      call('eth_call', [{ to: contract, data: '0x' }, 'latest'], 4),
      call('personal_unlockAccount', ['0x00', 'secret'], 5),
    ];
    const answers = JSON.parse((await ask(batch)).text) as {
      id: number;
      result?: unknown;
      error?: { code: number; data?: { source?: string; reason?: string } };
    }[];
    expect(answers).toMatchObject([
      { id: 1, result: `0x${height.toString(16)}` },
      { id: 2, result: [] },
      { id: 3, error: { code: -32601, data: { source: 'rpcgw', reason: 'method_refused' } } },
      { id: 4, error: { code: 3, data: revertData } },
      { id: 5, error: { code: -32601, data: { source: 'rpcgw', reason: 'method_refused' } } },
    ]);
  });

  it('a notification gets no answer', async () => {
    expect(await ask({ jsonrpc: '2.0', method: 'eth_blockNumber', params: [] })).toEqual({
      status: 204,
      text: '',
    });
  });

  it('one is killed and the very next request is answered by another; brought back, it is used again', async () => {
    const first = await gateway.rpc('local', 'eth_gasPrice');
    const at = ['a', 'b', 'c'].indexOf(first.endpoint ?? '');
    const [name, victim] = [first.endpoint, nodes[at]];
    await victim?.kill('SIGKILL');
    const next = await gateway.rpc('local', 'eth_gasPrice');
    expect(next.body.result).toBe(first.body.result);
    expect(next.endpoint).not.toBe(name);
    expect(next.attempts).toBeLessThanOrEqual(2);

    const state = async () => (await gateway.endpoint('local', name ?? '')).state;
    await until(async () => (await state()) === 'down');
    const during = await gateway.rpc('local', 'eth_gasPrice');
    expect(during.attempts).toBe(1);

    // The same port and the same blocks; its circuit asks it three times before it gets traffic.
    const back = await on.anvil({ genesis, port: ports[at] ?? 0 });
    await back.mineTo(height);
    await until(async () => (await state()) === 'healthy');
    const others = nodes.filter((_, index) => index !== at);
    await Promise.all(others.map(node => node.kill('SIGKILL')));
    const again = await gateway.rpc('local', 'eth_gasPrice');
    expect(again.endpoint).toBe(name);
    expect(again.status).toBe(200);
  });
});
