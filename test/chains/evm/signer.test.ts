import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { publicKeyOf } from '../../../src/chains/evm/secp256k1.ts';
import { readSigned } from '../../../src/chains/evm/signed.ts';
import { senderOf, signerFacts } from '../../../src/chains/evm/signer.ts';
import { evmRaw } from '../../kit/signed.ts';
import { finished } from '../../kit/work.ts';

const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex.replace(/^0x/, ''), 'hex'));
const factsIn = (bytes: Uint8Array) => {
  const signed = readSigned(bytes);
  return signed && finished(signerFacts(bytes, signed));
};
const factsOf = (hex: string) => factsIn(bytesOf(hex)) ?? expect.fail('no signed transaction');

/** A key, and what a signature by it over random bytes looks like. */
function signedBy(data: Uint8Array) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const signature = sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('hex');
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const key = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('hex');
  return { r: BigInt(`0x${signature.slice(0, 64)}`), s: BigInt(`0x${signature.slice(64)}`), key };
}

describe('the public key out of a signature', () => {
  test('is that of the key that signed, by one of the two parities', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), data => {
        const { r, s, key } = signedBy(data);
        const digest = BigInt(`0x${createHash('sha256').update(data).digest('hex')}`);
        const found = [false, true].map(odd => publicKeyOf(digest, { r, s, odd }));
        expect(found.map(one => one && Buffer.from(one).toString('hex'))).toContain(key);
      }),
      { numRuns: 20 },
    );
  });

  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  test.each([
    ['r of zero', 0n, 1n],
    ['s of zero', 1n, 0n],
    ['r past the order', order, 1n],
    ['s past the order', 1n, order],
    // 5³ + 7 has no square root: no point has this x.
    ['an r that is no point', 5n, 1n],
  ])('of %s there is none', (_, r, s) => {
    expect(publicKeyOf(1n, { r, s, odd: false })).toBeUndefined();
  });

  test('of a digest that cancels out is none: the sum is at infinity', () => {
    // With the base point as R, s = digest gives s·R − digest·G = 0.
    const r = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n;
    expect(publicKeyOf(7n, { r, s: 7n, odd: false })).toBeUndefined();
  });
});

describe('who signed', () => {
  // The example of EIP-155.
  const example =
    '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83';

  test('a legacy transaction with a chain id', () => {
    const facts = factsOf(example);
    expect(facts).toMatchObject({
      nonce: '0x9',
      digest: '0xdaf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53',
      odd: false,
    });
    expect(senderOf(facts)).toBe('0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f');
  });

  test('a legacy transaction without one: only six fields are signed', () => {
    const unprotected = example.replace(/8025(a028ef)/, '801b$1');
    const facts = factsOf(unprotected);
    const fields = `e9${example.slice(6, example.indexOf('8025a028ef') + 2)}`;
    const expected = Buffer.from(
      keccak_256(bytesOf(fields.replace(/^e9/, listHeader(fields.length / 2 - 1)))),
    ).toString('hex');
    expect(facts).toMatchObject({ nonce: '0x9', digest: `0x${expected}`, odd: false });
    expect(factsOf(unprotected.replace('801ba0', '801ca0')).odd).toBe(true);
  });

  test('a typed transaction: its fields without the signature, behind its type', () => {
    const raw = evmRaw(300);
    const facts = factsOf(raw);
    // Type, list header of two bytes, then all fields up to the parity, which is 01.
    const inner = raw.slice(8, raw.length - 2 * (1 + 33 + 33));
    const digest = keccak_256(bytesOf(`02${listHeader(inner.length / 2)}${inner}`));
    expect(facts).toMatchObject({
      nonce: '0x12c',
      digest: `0x${Buffer.from(digest).toString('hex')}`,
      odd: true,
    });
    expect(senderOf(facts)).toMatch(/^0x[0-9a-f]{40}$/);
  });

  test.each([
    ['nothing', ''],
    ['rubbish', 'dead'],
    ['a cut transaction', example.slice(2, -2)],
  ])('of %s nobody is told', (_, hex) => {
    expect(factsIn(bytesOf(hex))).toBeUndefined();
  });
});

function listHeader(length: number): string {
  return length < 56 ? (0xc0 + length).toString(16) : `f8${length.toString(16).padStart(2, '0')}`;
}
