import { describe, expect, it } from 'vitest';
import { until } from '../kit/gateway.ts';
import { stage } from '../kit/stage.ts';

/** Known names bring family, identity and thresholds: the config names only endpoints. */

const chains = {
  ethereum: 1,
  bnb: 56,
  avalanche: 43114,
  polygon: 137,
  arbitrum: 42161,
  optimism: 10,
  base: 8453,
} as const;

describe('the EVM chains that are known by name', () => {
  const on = stage();

  it('are served with nothing but an endpoint in the config', async () => {
    const entries = await Promise.all(
      Object.entries(chains).map(async ([name, chainId]) => {
        const { url } = await on.upstream({ chainId });
        return [name, { endpoints: [{ name: 'one', url, allowPrivate: true }] }] as const;
      }),
    );
    const gateway = await on.gateway({ chains: Object.fromEntries(entries) });
    await until(async () => (await gateway.status()).chains.every(({ usable }) => usable === 1));
    for (const [name, chainId] of Object.entries(chains)) {
      const reply = await gateway.rpc(name, 'eth_chainId');
      expect([name, reply.body.result]).toEqual([name, `0x${chainId.toString(16)}`]);
    }
    expect((await gateway.get('/readyz')).text.trim().split('\n')).toEqual([
      ...Object.keys(chains).map(name => `[+] ${name} 1/1`),
      '[+] store',
    ]);
  });
});
