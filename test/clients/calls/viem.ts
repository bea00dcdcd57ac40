import { createPublicClient, createWalletClient, http, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import type { EvmNode } from '../evm-node.ts';
import type { Client } from '../session.ts';
import { versionOf } from '../version.ts';

const abi = parseAbi(['error Coffee(uint256)', 'function pour(uint256)']);

export const viem: Client<EvmNode> = {
  name: 'viem',
  version: versionOf('viem'),
  onPurpose: {
    'sendTransaction that the node fills':
      'the library asks the node to fill the transaction (`eth_fillTransaction`), is refused, and fills it itself',
  },
  async run({ url, call }, node) {
    const account = privateKeyToAccount(node.key);
    const common = { chain: foundry, pollingInterval: 20, cacheTime: 0 };
    const client = createPublicClient({ ...common, transport: http(url) });
    const wallet = createWalletClient({ ...common, account, transport: http(url) });
    const batched = createPublicClient({ ...common, transport: http(url, { batch: true }) });
    // The library wants hex strings to be known as such.
    const contract = node.contract as `0x${string}`;
    const large = node.large as `0x${string}`;
    const to = `0x${'22'.repeat(20)}` as const;

    await call('getChainId', () => client.getChainId());
    await call('getBlockNumber', () => client.getBlockNumber());
    await call('getBlock with transactions', () =>
      client.getBlock({ blockNumber: 11n, includeTransactions: true }),
    );
    await call('getBlock that is not there yet', () => client.getBlock({ blockNumber: 9_999n }));
    await call('getBalance', () => client.getBalance({ address: account.address }));
    await call('getBalance in the past', () =>
      client.getBalance({ address: account.address, blockNumber: 1n }),
    );
    await call('getTransactionCount pending', () =>
      client.getTransactionCount({ address: account.address, blockTag: 'pending' }),
    );
    await call('getGasPrice', () => client.getGasPrice());
    await call('getFeeHistory', () => client.getFeeHistory({ blockCount: 4, rewardPercentiles: [25, 75] }));
    await call('estimateGas', () => client.estimateGas({ account, to, value: 1n, prepare: false }));
    await call('estimateGas that reverts', () =>
      client.estimateGas({ account, to: contract, data: '0x01', prepare: false }),
    );
    await call('call that reverts', () => client.call({ to: contract, data: '0x01' }));
    await call('simulateContract that reverts', () =>
      client.simulateContract({ account, address: contract, abi, functionName: 'pour', args: [1n] }),
    );
    await call('getLogs', () => client.getLogs({ address: contract, fromBlock: 0n, toBlock: 12n }));
    await call('getCode, a large answer', async () => (await client.getCode({ address: large }))?.length);
    await call('getStorageAt', () => client.getStorageAt({ address: contract, slot: '0x0' }));
    await call('getProof', () =>
      client.getProof({ address: account.address, storageKeys: [], blockNumber: 12n }),
    );
    await call('an unknown method', () => wallet.request({ method: 'eth_nonsense' as 'eth_chainId' }));
    const filter = await call('createBlockFilter', async () => {
      const made = await client.createBlockFilter();
      return { ...made, type: 'block' as const };
    });
    await node.mine();
    await call('getFilterChanges', async () =>
      filter === undefined ? 'no filter' : (await client.getFilterChanges({ filter })).length,
    );
    await call('uninstallFilter', async () =>
      filter === undefined ? 'no filter' : client.uninstallFilter({ filter }),
    );
    const fees = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
    const fields = { chainId: foundry.id, to, value: 5n, gas: 21_000n, ...fees };
    const raw = await account.signTransaction({ ...fields, nonce: 2 });
    const hash = await call('sendRawTransaction', () =>
      wallet.sendRawTransaction({ serializedTransaction: raw }),
    );
    await node.mine();
    await call('waitForTransactionReceipt', async () =>
      hash === undefined ? 'not sent' : client.waitForTransactionReceipt({ hash }),
    );
    await call('getTransaction', async () =>
      hash === undefined ? 'not sent' : client.getTransaction({ hash }),
    );
    await call('getTransaction that is not there', () =>
      client.getTransaction({ hash: `0x${'ab'.repeat(32)}` }),
    );
    const used = await account.signTransaction({ ...fields, nonce: 0 });
    await call('sendRawTransaction with a used nonce', () =>
      wallet.sendRawTransaction({ serializedTransaction: used }),
    );
    await call('a batch of reads', () =>
      Promise.all([
        batched.getBlockNumber(),
        batched.getBalance({ address: to }),
        batched.getChainId(),
        batched.call({ to: contract, data: '0x01' }).catch(({ shortMessage }) => shortMessage),
      ]),
    );
    await call('sendTransaction that the node fills', () => wallet.sendTransaction({ to, value: 8n }));
  },
};
