import {
  address,
  type Base64EncodedWireTransaction,
  blockhash,
  createSolanaRpc,
  lamports,
  signature,
} from '@solana/kit';
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import type { SolanaShim } from '../../kit/solana-shim.ts';
import type { Client } from '../session.ts';
import { versionOf } from '../version.ts';

export const solanaKit: Client<SolanaShim> = {
  name: '@solana/kit',
  version: versionOf('@solana/kit'),
  async run({ url, call }, { payer }) {
    const rpc = createSolanaRpc(url);
    const me = address(payer.publicKey.toBase58());
    const to = Keypair.fromSeed(new Uint8Array(32).fill(5)).publicKey;
    const poor = Keypair.fromSeed(new Uint8Array(32).fill(6));
    // So much code that an answer with it is streamed.
    const program = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
    const nobody = address(to.toBase58());
    const wire = async (from: Keypair, amount: number): Promise<Base64EncodedWireTransaction> => {
      const { value } = await rpc.getLatestBlockhash().send();
      const transaction = new Transaction({
        blockhash: value.blockhash,
        lastValidBlockHeight: Number(value.lastValidBlockHeight),
        feePayer: from.publicKey,
      });
      const move = { fromPubkey: from.publicKey, toPubkey: to, lamports: amount };
      transaction.add(SystemProgram.transfer(move));
      transaction.sign(from);
      // The library marks the text as what it is.
      return transaction.serialize().toString('base64') as Base64EncodedWireTransaction;
    };
    await call('getHealth', () => rpc.getHealth().send());
    await call('getSlot', () => rpc.getSlot().send());
    await call('getBlockHeight', () => rpc.getBlockHeight().send());
    await call('getVersion', () => rpc.getVersion().send());
    await call('getGenesisHash', () => rpc.getGenesisHash().send());
    await call('getEpochInfo', () => rpc.getEpochInfo().send());
    await call('getFirstAvailableBlock', () => rpc.getFirstAvailableBlock().send());
    await call('getBlockTime', () => rpc.getBlockTime(280_000_000n).send());
    await call('getBalance', () => rpc.getBalance(me).send());
    await call('getLatestBlockhash', () => rpc.getLatestBlockhash().send());
    await call('isBlockhashValid', () =>
      rpc.isBlockhashValid(blockhash('11111111111111111111111111111111')).send(),
    );
    await call('getAccountInfo', () => rpc.getAccountInfo(me, { encoding: 'base64' }).send());
    await call('getAccountInfo of nobody', () => rpc.getAccountInfo(nobody, { encoding: 'base64' }).send());
    await call('getAccountInfo, a large answer', async () => {
      const { value } = await rpc.getAccountInfo(program, { encoding: 'base64' }).send();
      return value?.data[0].length;
    });
    await call('getMultipleAccounts', () =>
      rpc.getMultipleAccounts([me, nobody], { encoding: 'base64' }).send(),
    );
    await call('getMinimumBalanceForRentExemption', () => rpc.getMinimumBalanceForRentExemption(165n).send());
    await call('an unknown method', () => rpc.getClusterNodes().send());
    const sent = await call('sendTransaction', async () =>
      rpc.sendTransaction(await wire(payer, 2_500_000), { encoding: 'base64' }).send(),
    );
    await call('getSignatureStatuses', () =>
      rpc.getSignatureStatuses([sent ?? signature('1'.repeat(64))]).send(),
    );
    await call('simulateTransaction', async () =>
      rpc.simulateTransaction(await wire(payer, 4), { encoding: 'base64' }).send(),
    );
    await call('sendTransaction without money', async () =>
      rpc.sendTransaction(await wire(poor, 3), { encoding: 'base64' }).send(),
    );
    await call('identical calls of one moment', () =>
      Promise.all([rpc.getSlot().send(), rpc.getSlot().send(), rpc.getBalance(me).send()]),
    );
    await call('requestAirdrop', () => rpc.requestAirdrop(nobody, lamports(1_500_000n)).send());
  },
};
