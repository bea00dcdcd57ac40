import { TronWeb } from 'tronweb';
import type { TronStub } from '../../kit/tron-stub.ts';
import type { Client } from '../session.ts';
import { versionOf } from '../version.ts';

const key = '11'.repeat(32);
const to = 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy';
const token = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

export const tronweb: Client<TronStub> = {
  name: 'tronweb',
  version: versionOf('tronweb'),
  onPurpose: {
    isConnected:
      'asks an event server’s `/healthcheck` too, which is no path of a node: 404 from either, with the gateway’s own text',
    'the same transaction again':
      'the node says DUP_TRANSACTION_ERROR; within the repeat window the gateway gives the recorded answer, and sends nothing',
  },
  async run({ url, call }) {
    const tron = new TronWeb({ fullHost: url, privateKey: key });
    const me = tron.defaultAddress.base58 || '';
    await call('getCurrentBlock', () => tron.trx.getCurrentBlock());
    await call('getConfirmedCurrentBlock', () => tron.trx.getConfirmedCurrentBlock());
    await call('getBlock of the newest', () => tron.trx.getBlock('latest'));
    await call(
      'getCurrentRefBlockParams',
      async () => (await tron.trx.getCurrentRefBlockParams()).ref_block_bytes,
    );
    await call('getAccount', () => tron.trx.getAccount(me));
    await call('getUnconfirmedAccount', () => tron.trx.getUnconfirmedAccount(me));
    await call('getBalance', () => tron.trx.getBalance(me));
    await call('getAccountResources', () => tron.trx.getAccountResources(me));
    await call('getChainParameters', () => tron.trx.getChainParameters());
    await call('getNodeInfo', () => tron.trx.getNodeInfo());
    await call('listSuperRepresentatives', () => tron.trx.listSuperRepresentatives());
    await call('getReward', () => tron.trx.getReward(me));
    await call('getContract that is not there', () => tron.trx.getContract(token));
    await call('getTransaction', () => tron.trx.getTransaction('ab'.repeat(32)));
    await call('getTransactionInfo', () => tron.trx.getTransactionInfo('ab'.repeat(32)));
    await call('triggerConstantContract', () =>
      tron.transactionBuilder.triggerConstantContract(token, 'balanceOf(address)', {}, [
        { type: 'address', value: me },
      ]),
    );
    await call('estimateEnergy', () =>
      tron.transactionBuilder.estimateEnergy(token, 'totalSupply()', {}, []),
    );
    await call('a path the node does not have', () => tron.fullNode.request('wallet/getnextmaintenancetime'));
    // Built with times of its own, so that both runs send the same bytes.
    const build = async (sun: number) => {
      const block = await tron.trx.getCurrentRefBlockParams();
      return tron.transactionBuilder.sendTrx(to, sun, me, { blockHeader: block });
    };
    const built = await call('sendTrx, unsigned', () => build(5));
    if (built === undefined) return;
    const signed = await tron.trx.sign(built);
    await call('sendRawTransaction', () => tron.trx.sendRawTransaction(signed));
    await call('the same transaction again', () => tron.trx.sendRawTransaction(signed));
    const other = await build(6);
    await call('a signature of other bytes', () =>
      tron.trx.sendRawTransaction({ ...other, signature: signed.signature }),
    );
    await call('isConnected', () => tron.isConnected());
  },
};
