/** Transaction ids against a client library that makes transactions for a living. */

import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import {
  fromRlp,
  type Hex,
  hexToBytes,
  keccak256,
  serializeTransaction,
  type TransactionSerializable,
  toHex,
  toRlp,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { evm } from '../../../src/chains/evm/evm.ts';
import { readSigned } from '../../../src/chains/evm/signed.ts';
import { senderOf } from '../../../src/chains/evm/signer.ts';
import type { Call } from '../../../src/chains/family.ts';
import { keccakSlice } from '../../../src/chains/hashing.ts';
import { finished } from '../../kit/work.ts';
import { callOf } from './calls.ts';

const account = privateKeyToAccount(`0x${'46'.repeat(32)}`);
const to = `0x${'35'.repeat(20)}` as const;
const base = { nonce: 9, gas: 21_000n, to, value: 10n ** 18n, data: '0x1234' as const };

const plain: readonly (readonly [string, TransactionSerializable, string | undefined])[] = [
  ['legacy, protected', { ...base, type: 'legacy', gasPrice: 20_000_000_000n, chainId: 1 }, '1'],
  [
    'legacy, a large chain id',
    { ...base, type: 'legacy', gasPrice: 1n, chainId: 1_313_161_554 },
    '1313161554',
  ],
  ['legacy, unprotected', { ...base, type: 'legacy', gasPrice: 20_000_000_000n }, undefined],
  ['legacy, a contract', { ...base, to: null, type: 'legacy', gasPrice: 1n, chainId: 56 }, '56'],
  [
    'with an access list',
    {
      ...base,
      type: 'eip2930',
      gasPrice: 7n,
      chainId: 137,
      accessList: [{ address: to, storageKeys: [`0x${'01'.repeat(32)}`] }],
    },
    '137',
  ],
  [
    'with a tip',
    { ...base, type: 'eip1559', maxFeePerGas: 9n, maxPriorityFeePerGas: 1n, chainId: 43_114 },
    '43114',
  ],
  [
    'with long data',
    { ...base, type: 'eip1559', maxFeePerGas: 9n, chainId: 10, data: `0x${'ab'.repeat(70_000)}` },
    '10',
  ],
  [
    'with authorizations',
    {
      ...base,
      type: 'eip7702',
      maxFeePerGas: 9n,
      chainId: 8_453,
      authorizationList: [
        {
          address: to,
          chainId: 8_453,
          nonce: 1,
          r: `0x${'11'.repeat(32)}`,
          s: `0x${'22'.repeat(32)}`,
          yParity: 1,
        },
      ],
    },
    '8453',
  ],
];

const hashes: Hex[] = [`0x01${'33'.repeat(31)}`];
const blob: TransactionSerializable = {
  ...base,
  type: 'eip4844',
  maxFeePerGas: 9n,
  maxFeePerBlobGas: 3n,
  chainId: 1,
  blobVersionedHashes: hashes,
};
const piece: Hex = `0x${'44'.repeat(48)}`;
const blobBytes: Hex = `0x${'55'.repeat(131_072)}`;

function transaction(call: Call) {
  return finished(evm.transaction(call));
}

function sent(raw: string, more: readonly unknown[] = [], method = 'eth_sendRawTransaction') {
  return transaction(callOf(method, [raw, ...more]));
}

/** Whom the facts lead to. */
function signerIn(facts = ''): string | undefined {
  return senderOf(JSON.parse(facts));
}

function sha256(raw: Hex): string {
  return createHash('sha256').update(hexToBytes(raw)).digest('hex');
}

describe('ids', () => {
  test.each(plain)('%s', async (_, signable, chain) => {
    const raw = await account.signTransaction(signable);
    const { facts, ...read } = sent(raw);
    expect(read).toEqual({
      id: keccak256(raw),
      digest: sha256(raw),
      options: '[]',
      ...(chain === undefined ? {} : { signedFor: chain }),
    });
    expect(signerIn(facts)).toBe(account.address.toLowerCase());
  });

  test('is the same at every size around a slice, and so is what was signed', async () => {
    const of = (bytes: number): TransactionSerializable => ({
      ...base,
      type: 'eip1559',
      maxFeePerGas: 9n,
      chainId: 10,
      data: `0x${'ab'.repeat(bytes)}`,
    });
    for (const slices of [1, 2, 5]) {
      const around =
        (await account.signTransaction(of(slices * keccakSlice))).length / 2 - 1 - slices * keccakSlice;
      for (const more of [-1, 0, 1]) {
        const signable = of(slices * keccakSlice - around + more);
        const raw = await account.signTransaction(signable);
        expect(raw.length / 2 - 1).toBe(slices * keccakSlice + more);
        const { id, digest, facts = '' } = sent(raw);
        expect({ id, digest }).toEqual({ id: keccak256(raw), digest: sha256(raw) });
        expect(JSON.parse(facts).digest).toBe(keccak256(serializeTransaction(signable)));
      }
    }
  });

  test('a blob transaction has the id of its payload, in every form it is sent in', async () => {
    const bare = await account.signTransaction(blob);
    const payload = fromRlp(`0x${bare.slice(4)}`, 'hex');
    const network = toRlp([payload, [blobBytes], [piece], [piece]]);
    const cells = toRlp([payload, '0x01', [blobBytes], [piece], [piece, piece]]);
    const id = keccak256(bare);
    for (const raw of [bare, `0x03${network.slice(2)}`, `0x03${cells.slice(2)}`] as const) {
      const { facts, ...read } = sent(raw);
      expect(read).toEqual({ id, signedFor: '1', digest: sha256(raw), options: '[]' });
      expect(signerIn(facts)).toBe(account.address.toLowerCase());
    }
  });

  test('the sidecar as a library writes it', async () => {
    const sidecars = [{ blob: blobBytes, commitment: piece, proof: piece }];
    const bare = await account.signTransaction(blob);
    const signature = { r: `0x${'11'.repeat(32)}`, s: `0x${'22'.repeat(32)}`, yParity: 1 } as const;
    const raw = serializeTransaction({ ...blob, sidecars } as TransactionSerializable, signature);
    const without = serializeTransaction(blob, signature);
    expect(sent(raw).id).toBe(keccak256(without));
    expect(sent(bare).id).not.toBe(keccak256(without));
  });

  test('the case of the hex, its prefix, and escapes in it make no other transaction', async () => {
    const raw = await account.signTransaction(plain[5]![1]);
    const want = sent(raw);
    expect(sent(`0x${raw.slice(2).toUpperCase()}`)).toEqual(want);
    expect(sent(raw.slice(2))).toEqual(want);
    const call = callOf('eth_sendRawTransaction', [raw]);
    const spelled = new TextDecoder().decode(call.text).replace('0x02', '\\u0030x02');
    const read = evm.open(
      { verb: 'POST', target: '', body: new TextEncoder().encode(spelled) },
      { maxDepth: 10, maxBatch: 1, development: false },
    );
    expect(read.form === 'single' && transaction(read.call)).toEqual(want);
  });
});

describe('what is no transaction has no id', () => {
  const digest = (raw: Hex) => ({ digest: sha256(raw), options: '[]' });

  test.each<[string, Hex]>([
    ['nothing of the kind', '0x1234'],
    ['a type that hashes otherwise', '0x71c0'],
    ['an empty list', '0xc0'],
    ['a text', '0x83646f67'],
  ])('%s', (_, raw) => {
    expect(sent(raw)).toEqual(digest(raw));
  });

  test('unsigned, with text behind it, with a length that is not the shortest', async () => {
    const unsigned = serializeTransaction(plain[5]![1]);
    expect(sent(unsigned)).toEqual(digest(unsigned));
    const raw = await account.signTransaction(plain[0]![1]);
    expect(sent(`${raw}00`)).toEqual(digest(`${raw}00`));
    const long: Hex = `0xf900${raw.slice(4)}`;
    expect(sent(long)).toEqual(digest(long));
  });

  test('no hex: the parameters as a whole', () => {
    const same = sent('0xzz');
    expect(same.id).toBeUndefined();
    expect(same.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(sent('0xzz').digest).toBe(same.digest);
    expect(sent('0xzy').digest).not.toBe(same.digest);
    expect(transaction(callOf('eth_sendRawTransaction')).digest).not.toBe(same.digest);
    for (const params of [[], [7], [null], [{}], {}, { raw: '0x02' }])
      expect(transaction(callOf('eth_sendRawTransaction', params)).id).toBeUndefined();
  });

  test('never throws, on any bytes, and an id is only given to the whole of them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), bytes => {
        const { id } = sent(toHex(bytes));
        if (id !== undefined) expect(id).toBe(keccak256(toHex(bytes)));
      }),
    );
  });

  test('no cut or lengthened transaction is one', async () => {
    const raw = hexToBytes(await account.signTransaction(plain[4]![1]));
    for (let end = 0; end < raw.length; end++) expect(readSigned(raw.subarray(0, end))).toBeUndefined();
    expect(readSigned(new Uint8Array([...raw, 0x80]))).toBeUndefined();
  });
});

describe('what makes it another broadcast', () => {
  test('options of the method, in any order of their keys', async () => {
    const raw = await account.signTransaction(plain[5]![1]);
    expect(sent(raw, [2_000], 'eth_sendRawTransactionSync').options).toBe('[2000]');
    const options = [{ blockNumberMax: '0x10', knownAccounts: { '0xB': '0xAB' } }];
    const turned = [{ knownAccounts: { '0xB': '0xab' }, blockNumberMax: '0x10' }];
    const conditional = sent(raw, options, 'eth_sendRawTransactionConditional');
    expect(conditional.options).toBe('[{"blockNumberMax":"0x10","knownAccounts":{"0xB":"0xab"}}]');
    expect(sent(raw, turned, 'eth_sendRawTransactionConditional')).toEqual(conditional);
  });

  test('a private transaction is the bytes within, its preferences are options', async () => {
    const raw = await account.signTransaction(plain[5]![1]);
    const sentPrivately = transaction(
      callOf('eth_sendPrivateTransaction', [{ tx: raw, maxBlockNumber: '0x9', preferences: { fast: true } }]),
    );
    expect(sentPrivately).toEqual({
      ...sent(raw),
      id: keccak256(raw),
      signedFor: '43114',
      digest: sha256(raw),
      options: '[{"maxBlockNumber":"0x9","preferences":{"fast":true}}]',
    });
  });

  test('a bundle has no id; one transaction for another chain spoils it', async () => {
    const here = await account.signTransaction({ ...base, type: 'eip1559', maxFeePerGas: 9n, chainId: 1 });
    const there = await account.signTransaction({ ...base, type: 'eip1559', maxFeePerGas: 9n, chainId: 56 });
    const bundle = (txs: readonly string[]) =>
      transaction(callOf('eth_sendBundle', [{ txs, blockNumber: '0x10' }]));
    expect(bundle([here]).signedFor).toBe('1');
    expect(bundle([here]).id).toBeUndefined();
    expect(bundle([here, there]).signedFor).toBe('1 and 56');
    expect(bundle([here]).digest).not.toBe(bundle([there]).digest);
    expect(bundle([here.toUpperCase().replace('0X', '0x')])).toEqual(bundle([here]));
    const nested = callOf('mev_sendBundle', [
      { body: [{ hash: '0x1' }, { bundle: { body: [{ tx: there }] } }] },
    ]);
    expect(transaction(nested).signedFor).toBe('56');
  });

  test('a user operation is the same when its members are, in any order', () => {
    const one = transaction(callOf('eth_sendUserOperation', [{ sender: to, nonce: '0xA' }, to]));
    const turned = transaction(callOf('eth_sendUserOperation', [{ nonce: '0xa', sender: to }, to]));
    const other = transaction(callOf('eth_sendUserOperation', [{ nonce: '0xb', sender: to }, to]));
    expect(one).toEqual(turned);
    expect(one.digest).not.toBe(other.digest);
    expect(one.id).toBeUndefined();
  });
});
