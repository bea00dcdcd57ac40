import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import type { SolanaShim } from '../../kit/solana-shim.ts';
import type { Client } from '../session.ts';
import { versionOf } from '../version.ts';

export const solanaWeb3: Client<SolanaShim> = {
  name: '@solana/web3.js',
  version: versionOf('@solana/web3.js'),
  async run({ url, call }, { payer }) {
    const connection = new Connection(url, 'confirmed');
    const to = Keypair.fromSeed(new Uint8Array(32).fill(9)).publicKey;
    // So much code that an answer with it is streamed.
    const program = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
    const poor = Keypair.fromSeed(new Uint8Array(32).fill(8));
    const transfer = async (from: Keypair, lamports: number): Promise<Transaction> => {
      const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
      const transaction = new Transaction({ blockhash, lastValidBlockHeight, feePayer: from.publicKey });
      transaction.add(SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports }));
      transaction.sign(from);
      return transaction;
    };
    await call('getSlot', () => connection.getSlot());
    await call('getBlockHeight', () => connection.getBlockHeight());
    await call('getVersion', () => connection.getVersion());
    await call('getGenesisHash', () => connection.getGenesisHash());
    await call('getEpochInfo', () => connection.getEpochInfo());
    await call('getFirstAvailableBlock', () => connection.getFirstAvailableBlock());
    await call('getBlockTime', () => connection.getBlockTime(280_000_000));
    await call('getBalance', () => connection.getBalance(payer.publicKey));
    await call('getLatestBlockhash', () => connection.getLatestBlockhash());
    await call('isBlockhashValid', () => connection.isBlockhashValid('11111111111111111111111111111111'));
    await call('getAccountInfo', () => connection.getAccountInfo(payer.publicKey));
    await call('getAccountInfo of nobody', () => connection.getAccountInfo(to));
    await call(
      'getAccountInfo, a large answer',
      async () => (await connection.getAccountInfo(program))?.data.length,
    );
    await call('getMultipleAccountsInfo', () => connection.getMultipleAccountsInfo([payer.publicKey, to]));
    await call('getMinimumBalanceForRentExemption', () => connection.getMinimumBalanceForRentExemption(165));
    await call('getFeeForMessage', async () =>
      connection.getFeeForMessage((await transfer(payer, 1)).compileMessage()),
    );
    await call('an unknown method', () => connection.getClusterNodes());
    await call('a wrong key', () =>
      connection.getAccountInfo({ toBase58: () => 'zz' } as unknown as PublicKey),
    );
    const sent = await call('sendRawTransaction', async () =>
      connection.sendRawTransaction((await transfer(payer, 2_000_000)).serialize()),
    );
    await call('getSignatureStatuses', () => connection.getSignatureStatuses([sent ?? '']));
    await call('getSignatureStatuses of none', () => connection.getSignatureStatuses(['1'.repeat(64)]));
    await call('getBalance of the receiver', () => connection.getBalance(to));
    await call('sendRawTransaction without money', async () =>
      connection.sendRawTransaction((await transfer(poor, 3)).serialize()),
    );
    await call('requestAirdrop', () => connection.requestAirdrop(poor.publicKey, 1_000_000));
  },
};
