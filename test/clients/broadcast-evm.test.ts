import { execFile } from 'node:child_process';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { FallbackProvider, JsonRpcProvider, Wallet } from 'ethers';
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  fallback,
  type Hex,
  http,
  keccak256,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { Web3 } from 'web3';
import { broadcastTests, nodeSays, type Pool, type Trouble, troubles, type Way } from './broadcast-pools.ts';
import { castFile } from './cast.ts';

/** Real libraries, real signatures: whatever happens to the transaction, it reaches the upstreams once. */

const key: Hex = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const to: Hex = '0x1111111111111111111111111111111111111111';
const account = privateKeyToAccount(key);
const fees = { gas: 21_000n, maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

const all: readonly Trouble[] = [
  ...troubles,
  nodeSays('nonce too low', { code: -32000, message: 'nonce too low' }),
  nodeSays('already known', { code: -32000, message: 'already known' }),
  nodeSays('header not found', { code: -32000, message: 'header not found' }),
];

const chainOf = ({ number, url }: Pool) =>
  defineChain({
    id: number,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
const raw = ({ number }: Pool): Promise<Hex> =>
  account.signTransaction({ to, value: 1n, nonce: 0, chainId: number, type: 'eip1559', ...fees });

const idOf = async (pool: Pool): Promise<string> => keccak256(await raw(pool));

const ways: readonly Way[] = [
  {
    named: 'viem sendRawTransaction',
    id: idOf,
    send: async pool =>
      createPublicClient({ transport: http(pool.url) }).sendRawTransaction({
        serializedTransaction: await raw(pool),
      }),
  },
  {
    named: 'viem request',
    id: idOf,
    send: async pool =>
      createPublicClient({ transport: http(pool.url) }).request({
        method: 'eth_sendRawTransaction',
        params: [await raw(pool)],
      }),
  },
  {
    named: 'viem wallet sendTransaction',
    send: pool =>
      createWalletClient({ account, chain: chainOf(pool), transport: http(pool.url) }).sendTransaction({
        to,
        value: 1n,
        nonce: 0,
        ...fees,
      }),
  },
  {
    named: 'viem sendRawTransactionSync',
    id: idOf,
    send: async pool => {
      const receipt = await createWalletClient({ transport: http(pool.url) }).sendRawTransactionSync({
        serializedTransaction: await raw(pool),
      });
      return receipt.transactionHash;
    },
  },
  {
    // Its second transport is the gateway again: the record answers it.
    named: 'viem fallback',
    id: idOf,
    send: async pool =>
      createPublicClient({
        transport: fallback([http(pool.url), http(pool.url)]),
      }).sendRawTransaction({
        serializedTransaction: await raw(pool),
      }),
  },
  {
    named: 'viem fallback request',
    id: idOf,
    send: async pool =>
      createPublicClient({ transport: fallback([http(pool.url), http(pool.url)]) }).request({
        method: 'eth_sendRawTransaction',
        params: [await raw(pool)],
      }),
  },
  {
    // In a batch with reads of its own.
    named: 'ethers broadcastTransaction',
    id: idOf,
    send: async pool => {
      const provider = new JsonRpcProvider(pool.url);
      try {
        return (await provider.broadcastTransaction(await raw(pool))).hash;
      } finally {
        provider.destroy();
      }
    },
  },
  {
    named: 'ethers wallet sendTransaction',
    send: async pool => {
      const provider = new JsonRpcProvider(pool.url);
      try {
        return (await new Wallet(key, provider).sendTransaction({ to, value: 1n })).hash;
      } finally {
        provider.destroy();
      }
    },
  },
  {
    // It hands it to each of its providers.
    named: 'ethers FallbackProvider',
    id: idOf,
    send: async pool => {
      const both = [1, 2].map(() => new JsonRpcProvider(pool.url, pool.number, { staticNetwork: true }));
      const provider = new FallbackProvider(both, pool.number, { quorum: 1 });
      try {
        return (await provider.broadcastTransaction(await raw(pool))).hash;
      } finally {
        provider.destroy();
      }
    },
  },
  {
    named: 'web3 sendSignedTransaction',
    id: idOf,
    send: async pool => {
      const web3 = new Web3(pool.url);
      web3.eth.transactionPollingInterval = 50;
      const receipt = await web3.eth.sendSignedTransaction(await raw(pool));
      return String(receipt.transactionHash);
    },
  },
  {
    named: 'cast publish',
    id: idOf,
    send: async pool => cast('publish', '--async', '--no-proxy', '--rpc-url', pool.url, await raw(pool)),
  },
  {
    named: 'cast send',
    send: pool =>
      cast(
        ...['send', '--async', '--no-proxy', '--rpc-url', pool.url, '--private-key', key, '--nonce', '0'],
        ...['--gas-limit', '21000', '--legacy', '--gas-price', '2000000000', to, '--value', '1'],
      ),
  },
];

function cast(...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(castFile, args, (error, stdout) => (error === null ? resolve(stdout.trim()) : reject(error)));
  });
}

/** What libraries ask besides, as a node of this height answers it. */
function reads(method: string, [param]: readonly unknown[]): unknown {
  const hash = `0x${'be'.repeat(32)}`;
  switch (method) {
    case 'eth_estimateGas':
      return '0x5208';
    case 'eth_maxPriorityFeePerGas':
      return '0x3b9aca00';
    case 'eth_getTransactionCount':
      return '0x0';
    case 'eth_getBlockByNumber':
      return {
        number: '0x3e8',
        hash,
        parentHash: hash,
        timestamp: `0x${Math.floor(Date.now() / 1000).toString(16)}`,
        nonce: '0x0000000000000000',
        difficulty: '0x0',
        gasLimit: '0x1c9c380',
        gasUsed: '0x0',
        baseFeePerGas: '0x3b9aca00',
        miner: to,
        extraData: '0x',
        transactions: [],
      };
    case 'eth_getTransactionReceipt':
      return {
        transactionHash: param,
        blockHash: hash,
        blockNumber: '0x3e8',
        transactionIndex: '0x0',
        from: account.address,
        to,
        status: '0x1',
        gasUsed: '0x5208',
        cumulativeGasUsed: '0x5208',
        effectiveGasPrice: '0x3b9aca00',
        logs: [],
        logsBloom: `0x${'00'.repeat(256)}`,
        type: '0x2',
        contractAddress: null,
      };
    default:
      return undefined;
  }
}

function takes(_target: string, body: string): string {
  const { id, method, params } = JSON.parse(body) as {
    id: unknown;
    method: string;
    params: readonly string[];
  };
  const hash = `0x${Buffer.from(keccak_256(Buffer.from(params[0]?.slice(2) ?? '', 'hex'))).toString('hex')}`;
  const result = method.endsWith('Sync') ? reads('eth_getTransactionReceipt', [hash]) : hash;
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

broadcastTests(ways, {
  family: 'evm',
  troubles: all,
  reads,
  takes,
  carries: (_, body) => body.includes('eth_sendRawTransaction'),
});
