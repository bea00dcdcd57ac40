import { Contract, JsonRpcProvider } from 'ethers';
import { createPublicClient, http, parseAbi } from 'viem';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { families } from '../../src/chains/index.ts';
import { stage } from '../kit/stage.ts';
import { result, type Upstream } from '../kit/upstream.ts';
import { refusedAs } from './refusals.ts';

/** The endpoint that made a filter is gone: what libraries that watch for logs do then. */

const abi = parseAbi(['event Poured(uint256 cups)']);
const to = `0x${'22'.repeat(20)}` as const;

/** Destroyed while it asks for logs, the library rejects a promise that nobody holds. */
class Answered extends JsonRpcProvider {
  #asking = 0;

  override async send(method: string, params: unknown[]): Promise<unknown> {
    this.#asking += 1;
    try {
      return await super.send(method, params);
    } finally {
      this.#asking -= 1;
    }
  }

  /** Nothing is asked for, nor about to be. */
  async answered(): Promise<void> {
    do await new Promise(resolve => setImmediate(resolve));
    while (this.#asking > 0);
  }
}

describe('when the gateway says that a filter is lost', () => {
  const on = stage();
  let node: Upstream;

  beforeEach(async () => {
    node = await on.upstream();
    node.on('eth_newFilter', result('0x1'));
    node.on('eth_getFilterChanges', {
      do: 'custom',
      answer: (response, { body }) => response.end(refusedAs(families.evm, body, 'filter_lost')),
    });
  });

  /** Blocks come until the node was asked for this so often. */
  async function until(method: string, times: number): Promise<void> {
    while (node.count(method) < times) {
      node.height += 1;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  }

  it('viem makes it anew by itself', async () => {
    const client = createPublicClient({ transport: http(node.url), pollingInterval: 20 });
    const stop = client.watchContractEvent({
      address: to,
      abi,
      onLogs: () => undefined,
      onError: () => undefined,
    });
    await until('eth_newFilter', 3);
    stop();
  });

  it('ethers goes on asking for the lost one, and hears of nothing more', async () => {
    vi.spyOn(console, 'log').mockReturnValue(undefined);
    const provider = new JsonRpcProvider(node.url, 31337, { staticNetwork: true, pollingInterval: 20 });
    await new Contract(to, abi, provider).on('Poured', () => undefined);
    await until('eth_getFilterChanges', 5);
    expect(node.count('eth_newFilter')).toBe(1);
    provider.destroy();
  });

  it('ethers that is told to poll makes no filter, and has none to lose', async () => {
    node.on('eth_getLogs', result([]));
    const options = { staticNetwork: true, polling: true, pollingInterval: 20 } as const;
    const provider = new Answered(node.url, 31337, options);
    await new Contract(to, abi, provider).on('Poured', () => undefined);
    await until('eth_getLogs', 3);
    expect(node.count('eth_newFilter')).toBe(0);
    await provider.removeAllListeners();
    await provider.answered();
    provider.destroy();
  });
});
