import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Call } from '../../../src/chains/family.ts';
import { readBlob } from '../../../src/chains/xrpl/blob.ts';
import { transaction as workOf } from '../../../src/chains/xrpl/tx.ts';
import { finished } from '../../kit/work.ts';
import { call } from './calls.ts';

/** The documentation's sample of `submit`, with the hash that a server gave it. */
const sample =
  '1200002280000000240000016861D4838D7EA4C6800000000000000000000000000055534400000000004B4E9C06F24296074F7BC48F92A97916C6DC5EA9684000000000002710732103AB40A0490F9B7ED8DF29D246BF2D6269820A0EE7742ACDD457BEA7C7D0931EDB7446304402200E5C2DD81FDF0BE9AB2A8D797885ED49E804DBF28E806604D878756410CA98B102203349581946B0DDA06B36B35DBC20EDA27552C1F167BCF5C6ECFF49C6A46F858081144B4E9C06F24296074F7BC48F92A97916C6DC5EA983143E9D4A2B8AA0780F682D136F7A56D6724EF53754';
const sampleId = '4D5D90890F8D49519E4151938601EF3D0B30B16CD6A519D9C99102C9FA77F7E0';

const transaction = (own: Call) => finished(workOf(own));
const submit = (tx_blob: unknown, more: object = {}) => transaction(call('submit', { tx_blob, ...more }));

describe('the id', () => {
  test('is the hash that the server gave', () => {
    expect(submit(sample)).toEqual({
      id: sampleId,
      digest: bytesToHex(sha256(hexToBytes(sample))),
      options: '{}',
    });
  });

  test('does not hang on the case of the hex', () => {
    expect(submit(sample.toLowerCase())).toEqual(submit(sample));
  });

  const swapped = `2280000000120000${sample.slice(16)}`;
  const disordered = sample.replace('22800000002400000168', '24000001682280000000');
  const repeated = sample.replace('2400000168', '24000001682400000168');
  test.each([
    ['another field than the type comes first', swapped],
    ['the fields stand in another order than the node hashes them', disordered],
    ['a field repeats', repeated],
    ['the bytes end within a field', sample.slice(0, -2)],
    ['there is one byte', '12'],
    ['the header of a field is cut', `${sample.slice(0, 6)}20`],
    ['an object never ends', `${sample}EA7D0461`],
    ['an end of nothing', `${sample}E1`],
    ['an array holds no objects', `${sample}F92400000001F1`],
  ])('is missing: %s', (_, blob) => {
    const read = submit(blob);
    expect(read.id).toBeUndefined();
    expect(read.digest).toBe(bytesToHex(sha256(hexToBytes(blob))));
  });

  test('memos, which nest, and paths, whose length is not known, are read past', () => {
    const memo = 'F9EA7C0474657374 7D0461626364E1F1'.replaceAll(' ', '');
    expect(submit(`${sample}${memo}`).id).toMatch(/^[0-9A-F]{64}$/);
    expect(submit(`${sample}0112${'01'.repeat(9)}00`).id).toMatch(/^[0-9A-F]{64}$/);
    const disorder = 'F9EA7D04616263647C0474657374E1F1';
    expect(submit(`${sample}${disorder}`).id).toBeUndefined();
  });

  test.each(['', 'XY', 'ABC', 5, null, {}])('is missing where the blob is no hex: %j', blob => {
    const read = submit(blob);
    expect(read.id).toBeUndefined();
    expect(read.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  test('any bytes are read', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), rest => {
        const read = finished(readBlob(Uint8Array.of(0x12, 0, 0, ...rest)));
        expect(read.id === undefined || /^[0-9A-F]{64}$/.test(read.id)).toBe(true);
      }),
    );
  });

  test('a deep nest ends the reading, not us', () => {
    const deep = `120000${'EA'.repeat(5000)}`;
    expect(submit(deep).id).toBeUndefined();
  });
});

describe('the network it is signed for', () => {
  const withNetwork = (id: number) =>
    sample.replace('2280000000', `21${id.toString(16).padStart(8, '0')}2280000000`);

  test('is told above 1024, and by no other transaction', () => {
    expect(submit(withNetwork(21337)).signedFor).toBe('21337');
    expect(submit(withNetwork(1025)).signedFor).toBe('1025');
    expect(submit(withNetwork(1024)).signedFor).toBeUndefined();
    expect(submit(sample).signedFor).toBeUndefined();
  });

  test('is found out of order too, where a node would find it', () => {
    const late = sample.replace('2400000168', '240000016821000053592400000168');
    expect(submit(late)).toMatchObject({ signedFor: '21337' });
    expect(submit(late).id).toBeUndefined();
  });

  test('is not taken from what is nested', () => {
    expect(submit(`${sample}EA2100005359E1`).signedFor).toBeUndefined();
  });

  test('of a multi-signed one is read from its JSON', () => {
    const signed = (NetworkID: unknown) =>
      transaction(call('submit_multisigned', { tx_json: { NetworkID } })).signedFor;
    expect(signed(21337)).toBe('21337');
    expect(signed(0)).toBeUndefined();
    expect(signed('21337')).toBeUndefined();
  });
});

test('the last ledger that may hold it is read', () => {
  const blob = sample.replace('2400000168', '2400000168201B04B39088');
  expect(finished(readBlob(hexToBytes(blob))).lastLedger).toBe(78_876_808);
  expect(finished(readBlob(hexToBytes(sample))).lastLedger).toBeUndefined();
});

describe('the same again', () => {
  test('fail_hard makes another broadcast, the envelope does not', () => {
    const plain = submit(sample);
    expect(submit(sample, { id: 5, api_version: 2 })).toEqual(plain);
    expect(submit(sample, { fail_hard: true }).options).toBe('{"fail_hard":true}');
  });

  test('multi-signed: the order of members and blanks do not count, values do', () => {
    const one = transaction(
      call('submit_multisigned', { tx_json: { Account: 'r', Signers: [{ a: 1, b: 2 }] } }),
    );
    const other = transaction(
      call('submit_multisigned', { tx_json: { Signers: [{ b: 2, a: 1 }], Account: 'r' } }),
    );
    const third = transaction(
      call('submit_multisigned', { tx_json: { Account: 'r', Signers: [{ a: 1, b: 3 }] } }),
    );
    expect(one).toEqual(other);
    expect(third.digest).not.toBe(one.digest);
    expect(one.id).toBeUndefined();
  });
});
