import { encode, Wallet } from 'xrpl';
import type { XrplStub } from '../../kit/xrpl-stub.ts';
import type { Client } from '../session.ts';
import { versionOf } from '../version.ts';

const wallet = Wallet.fromEntropy(new Uint8Array(16).fill(3));

/** Posts as the JSON-RPC clients of XRPL do (xrpl-py, xrpl4j); signs and encodes with the library. */
export const xrpl: Client<XrplStub> = {
  name: 'xrpl',
  version: versionOf('xrpl'),
  onPurpose: {
    'the same transaction again':
      'the server says tefALREADY; within the repeat window the gateway gives the recorded answer, and sends nothing',
  },
  async run({ url, call }) {
    const ask = async (method: string, params: Record<string, unknown> = {}): Promise<unknown> => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ method, params: [params] }),
      });
      if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
      return response.json();
    };
    const { address } = wallet;
    const payment = (sequence: number) =>
      wallet.sign({
        TransactionType: 'Payment',
        Account: address,
        Destination: 'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn',
        Amount: '1000000',
        Fee: '12',
        Sequence: sequence,
        LastLedgerSequence: 90_000_100,
      });
    await call('server_info', () => ask('server_info'));
    await call('fee', () => ask('fee'));
    await call('ping', () => ask('ping'));
    await call('random', () => ask('random'));
    await call('ledger, validated', () => ask('ledger', { ledger_index: 'validated' }));
    await call('ledger by number', () => ask('ledger', { ledger_index: 89_999_990 }));
    await call('ledger that is not kept', () => ask('ledger', { ledger_index: 1000 }));
    await call('ledger by a wrong name', () => ask('ledger', { ledger_index: 'zz' }));
    await call('ledger_current', () => ask('ledger_current'));
    await call('account_info', () => ask('account_info', { account: address, ledger_index: 'validated' }));
    await call('account_lines', () => ask('account_lines', { account: address }));
    await call('account_objects', () => ask('account_objects', { account: address, limit: 10 }));
    await call('an unknown method', () => ask('nonsense'));
    const { tx_blob, hash } = payment(7);
    await call('submit', () => ask('submit', { tx_blob }));
    await call('the same transaction again', () => ask('submit', { tx_blob }));
    await call('tx', () => ask('tx', { transaction: hash }));
    await call('tx that is not there', () => ask('tx', { transaction: 'AB'.repeat(32) }));
    await call('submit of bytes that are no transaction', () => ask('submit', { tx_blob: 'ABCD' }));
    const unsigned = encode({
      TransactionType: 'AccountSet',
      Account: address,
      Fee: '12',
      Sequence: 8,
      SigningPubKey: wallet.publicKey,
      TxnSignature: '00',
    });
    await call('submit with a wrong signature', () => ask('submit', { tx_blob: unsigned }));
  },
};
