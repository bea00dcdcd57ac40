import { Contract, JsonRpcProvider, Network, toQuantity, Wallet } from 'ethers';
import type { EvmNode } from '../evm-node.ts';
import type { Client } from '../session.ts';
import { versionOf } from '../version.ts';

export const ethers: Client<EvmNode> = {
  name: 'ethers',
  version: versionOf('ethers'),
  async run({ url, call }, node) {
    // As the library is used: it asks for the network itself, and puts the calls of one moment into a batch.
    const provider = new JsonRpcProvider(url, undefined, {
      polling: true,
      pollingInterval: 20,
      cacheTimeout: -1,
    });
    const single = new JsonRpcProvider(url, Network.from(31337), {
      staticNetwork: true,
      batchMaxCount: 1,
      cacheTimeout: -1,
    });
    const wallet = new Wallet(node.key, provider);
    const to = `0x${'22'.repeat(20)}`;
    try {
      await call('getNetwork', () => provider.getNetwork());
      await call('getBlockNumber', () => provider.getBlockNumber());
      await call('getBlock with transactions', async () => (await provider.getBlock(11, true))?.toJSON());
      await call('getBlock that is not there yet', () => provider.getBlock(9_999));
      await call('getBalance', () => provider.getBalance(wallet.address));
      await call('getBalance in the past', () => provider.getBalance(wallet.address, 1));
      await call('getTransactionCount pending', () =>
        provider.getTransactionCount(wallet.address, 'pending'),
      );
      await call('getFeeData', () => provider.getFeeData());
      await call('estimateGas', () => provider.estimateGas({ from: wallet.address, to, value: 1 }));
      await call('estimateGas that reverts', () => provider.estimateGas({ to: node.contract, data: '0x01' }));
      await call('call that reverts', () => provider.call({ to: node.contract, data: '0x01' }));
      await call('a contract call that reverts with a custom error', () => {
        const abi = ['error Coffee(uint256)', 'function pour(uint256) view returns (uint256)'];
        return new Contract(node.contract, abi, single).getFunction('pour')(1);
      });
      await call('getLogs', () => provider.getLogs({ address: node.contract, fromBlock: 0, toBlock: 12 }));
      await call('getCode, a large answer', async () => (await provider.getCode(node.large)).length);
      await call('getStorage', () => provider.getStorage(node.contract, 0));
      await call('an unknown method', () => provider.send('eth_nonsense', []));
      await call('an unknown method, alone', () => single.send('eth_nonsense', []));
      const filter = await call('eth_newBlockFilter', () => single.send('eth_newBlockFilter', []));
      await node.mine();
      await call(
        'eth_getFilterChanges',
        async () => (await single.send('eth_getFilterChanges', [filter])).length,
      );
      await call('eth_uninstallFilter', () => single.send('eth_uninstallFilter', [filter]));
      const raw = await wallet.signTransaction({
        chainId: 31337,
        to,
        value: 15,
        gasLimit: 21_000,
        nonce: 2,
        maxFeePerGas: 3_000_000_000,
        maxPriorityFeePerGas: 1_000_000_000,
      });
      // The library puts the broadcast into a batch with reads.
      const sent = await call('broadcastTransaction', () => provider.broadcastTransaction(raw));
      await node.mine();
      await call('waitForTransaction', async () =>
        (await provider.waitForTransaction(sent?.hash ?? ''))?.toJSON(),
      );
      await call('getTransaction', async () => (await provider.getTransaction(sent?.hash ?? ''))?.toJSON());
      await call('getTransaction that is not there', () => provider.getTransaction(`0x${'ab'.repeat(32)}`));
      await call('sendTransaction of a wallet', () => wallet.sendTransaction({ to, value: 6 }));
      await node.mine();
      await call('sendTransaction with a used nonce', () =>
        wallet.sendTransaction({ to, value: 7, nonce: 0, gasLimit: 21_000 }),
      );
      await call('a batch of reads', () =>
        Promise.all([
          provider.getBlockNumber(),
          provider.getBalance(to),
          provider.send('eth_getBlockByNumber', [toQuantity(3), false]),
          provider.call({ to: node.contract, data: '0x01' }).catch(({ code }) => code),
        ]),
      );
    } finally {
      provider.destroy();
      single.destroy();
    }
  },
};
