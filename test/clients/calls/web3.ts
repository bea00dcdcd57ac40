import { Web3 } from 'web3';
import type { EvmNode } from '../evm-node.ts';
import type { Client } from '../session.ts';
import { versionOf } from '../version.ts';

export const web3: Client<EvmNode> = {
  name: 'web3',
  version: versionOf('web3'),
  async run({ url, call }, node) {
    const web = new Web3(url);
    web.eth.transactionPollingInterval = 20;
    web.eth.transactionReceiptPollingInterval = 20;
    const account = web.eth.accounts.privateKeyToAccount(node.key);
    web.eth.accounts.wallet.add(account);
    const to = `0x${'22'.repeat(20)}`;
    const from = account.address;
    const fees = { gas: 21_000, maxFeePerGas: '3000000000', maxPriorityFeePerGas: '1000000000' };
    await call('getChainId', () => web.eth.getChainId());
    await call('net.getId', () => web.eth.net.getId());
    await call('getBlockNumber', () => web.eth.getBlockNumber());
    await call('getNodeInfo', () => web.eth.getNodeInfo());
    await call('getBlock with transactions', () => web.eth.getBlock(11, true));
    await call('getBlock that is not there yet', () => web.eth.getBlock(9_999));
    await call('getBalance', () => web.eth.getBalance(from));
    await call('getBalance in the past', () => web.eth.getBalance(from, 1));
    await call('getTransactionCount pending', () => web.eth.getTransactionCount(from, 'pending'));
    await call('getGasPrice', () => web.eth.getGasPrice());
    await call('getFeeHistory', () => web.eth.getFeeHistory(4, 'latest', [25, 75]));
    await call('estimateGas', () => web.eth.estimateGas({ from, to, value: 1 }));
    await call('estimateGas that reverts', () =>
      web.eth.estimateGas({ from, to: node.contract, data: '0x01' }),
    );
    await call('call that reverts', () => web.eth.call({ to: node.contract, data: '0x01' }));
    await call('getPastLogs', () =>
      web.eth.getPastLogs({ address: node.contract, fromBlock: 0, toBlock: 12 }),
    );
    await call('getCode, a large answer', async () => (await web.eth.getCode(node.large)).length);
    await call('getStorageAt', () => web.eth.getStorageAt(node.contract, 0));
    await call('an unknown method', () => web.requestManager.send({ method: 'eth_nonsense', params: [] }));
    const filter = await call('eth_newBlockFilter', () =>
      web.requestManager.send({ method: 'eth_newBlockFilter', params: [] }),
    );
    await node.mine();
    await call('eth_getFilterChanges', () =>
      web.requestManager.send({ method: 'eth_getFilterChanges', params: [filter] }),
    );
    await call('eth_uninstallFilter', () =>
      web.requestManager.send({ method: 'eth_uninstallFilter', params: [filter] }),
    );
    const signed = await account.signTransaction({ ...fees, chainId: 31337, to, value: 25, nonce: 2 });
    const used = await account.signTransaction({ ...fees, chainId: 31337, to, value: 25, nonce: 0 });
    await call('eth_sendRawTransaction', () =>
      web.requestManager.send({ method: 'eth_sendRawTransaction', params: [signed.rawTransaction] }),
    );
    await node.mine();
    await call('getTransactionReceipt', () => web.eth.getTransactionReceipt(signed.transactionHash));
    await call('getTransaction', () => web.eth.getTransaction(signed.transactionHash));
    await call('getTransaction that is not there', () => web.eth.getTransaction(`0x${'ab'.repeat(32)}`));
    // Not by `sendSignedTransaction`, which goes on polling by a clock of its own.
    await call('eth_sendRawTransaction with a used nonce', () =>
      web.requestManager.send({ method: 'eth_sendRawTransaction', params: [used.rawTransaction] }),
    );
    await call('a batch of reads', async () => {
      const batch = new web.BatchRequest();
      const asked = [
        batch.add({ method: 'eth_chainId', params: [] }),
        batch.add({ method: 'eth_getBalance', params: [to, 'latest'] }),
        batch.add({ method: 'eth_call', params: [{ to: node.contract, data: '0x01' }, 'latest'] }),
      ];
      for (const one of asked) one.catch(() => undefined);
      return batch.execute();
    });
  },
};
