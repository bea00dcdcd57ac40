import { execFile } from 'node:child_process';
import { Connection } from '@solana/web3.js';
import { FetchRequest, JsonRpcProvider } from 'ethers';
import { createPublicClient, fallback, type Hex, http } from 'viem';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Net, type Networks, networks } from '../broadcasts/networks.ts';
import { until } from '../kit/gateway.ts';
import { stage } from '../kit/stage.ts';
import { castFile } from './cast.ts';

/**
 * Libraries whose patience ends while the node still thinks: some send again by themselves, all tell their caller that it
 * failed. The gateway goes on with the one broadcast; what comes again joins it.
 */

interface Way {
  readonly named: string;
  readonly family: 'evm' | 'solana';
  /** HTTP requests that the library makes of it, all told; undefined: it does not say, and it is no matter. */
  readonly asks?: number;
  send(url: string, bytes: string): Promise<unknown>;
}

const ms = 400;
const viem = (url: string) => http(url, { timeout: ms, retryDelay: 1 });

const ways: readonly Way[] = [
  {
    named: 'viem sendRawTransaction',
    family: 'evm',
    asks: 1,
    send: (url, bytes) =>
      createPublicClient({ transport: viem(url) }).sendRawTransaction({ serializedTransaction: hex(bytes) }),
  },
  {
    // Three more times by itself.
    named: 'viem request',
    family: 'evm',
    asks: 4,
    send: (url, bytes) =>
      createPublicClient({ transport: viem(url) }).request({
        method: 'eth_sendRawTransaction',
        params: [hex(bytes)],
      }),
  },
  {
    // It asks the second transport whatever befell the first.
    named: 'viem fallback',
    family: 'evm',
    asks: 2,
    send: (url, bytes) =>
      createPublicClient({
        transport: fallback([viem(url), viem(url)], { retryCount: 0 }),
      }).request({ method: 'eth_sendRawTransaction', params: [hex(bytes)] }),
  },
  {
    named: 'ethers broadcastTransaction',
    family: 'evm',
    async send(url, bytes) {
      const request = new FetchRequest(url);
      request.timeout = ms;
      const provider = new JsonRpcProvider(request, undefined, { staticNetwork: true, batchMaxCount: 1 });
      try {
        return await provider.send('eth_sendRawTransaction', [bytes]);
      } finally {
        provider.destroy();
      }
    },
  },
  {
    named: 'cast publish',
    family: 'evm',
    send: (url, bytes) =>
      new Promise((resolve, reject) => {
        const args = ['publish', '--async', '--no-proxy', '--rpc-timeout', '1', '--rpc-url', url, bytes];
        execFile(castFile, args, error => (error === null ? resolve(undefined) : reject(error)));
      }),
  },
  {
    named: '@solana/web3.js sendEncodedTransaction',
    family: 'solana',
    asks: 1,
    send: (url, bytes) =>
      new Connection(url, {
        fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(ms) }),
      }).sendEncodedTransaction(bytes),
  },
];

// The test wrote it as hex.
const hex = (bytes: string) => bytes as Hex;

describe('a library that is out of patience', () => {
  const on = stage();
  let all: Networks;

  beforeAll(async () => {
    all = await networks(
      on,
      ways.map(({ family }, at) => ({ name: `w${at}`, family, config: { repeatWindow: '10m' } })),
    );
  });

  const bytesOf = ({ tx }: Net) =>
    String((JSON.parse(tx.body()) as { readonly params: readonly unknown[] }).params[0]);
  const requests = async (chain: string): Promise<number> => {
    const { text } = await all.gateway.get('/metrics');
    const lines = text.matchAll(/^rpcgw_requests_total\{([^}]*)\} (\d+)/gm);
    return [...lines]
      .filter(([, labels = '']) => labels.includes(`"${chain}"`) && labels.includes('"broadcast"'))
      .reduce((sum, [, , n]) => sum + Number(n), 0);
  };

  it.each(ways.map((way, at) => [way.named, at] as const))('%s', async (_, at) => {
    const { send, asks } = ways[at] as Way;
    const net = all.of(`w${at}`);
    const node = net.hold();
    await expect(send(`${all.gateway.url}/${net.name}`, bytesOf(net))).rejects.toThrow();
    await node.there;
    expect(net.reached).toHaveLength(1);
    node.letGo();
    const [row, ...others] = await until(async () => {
      const { broadcasts } = await all.gateway.api.ask('broadcasts', {
        chain: net.name,
        unknown: false,
        limit: 10,
      });
      return broadcasts.every(({ outcome }) => outcome !== 'pending') && broadcasts;
    });
    expect(row).toMatchObject({ outcome: 'accepted', txId: net.tx.txId });
    expect(others).toEqual([]);
    if (asks !== undefined) expect(await requests(net.name)).toBe(asks);
    // Whoever asks at last is told what became of it.
    expect((await net.send()).text).toContain(net.tx.txId);
    expect(net.reached).toHaveLength(1);
  });
});
