import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeMessage, encodeMessage, isHex } from '../../../src/chains/tron/message.ts';

test.each([
  [
    '4163636f756e74207265736f7572636520696e73756666696369656e74206572726f722e',
    'Account resource insufficient error.',
  ],
  ['dGhpcyBub2RlIGRvZXMgbm90IHN1cHBvcnQgY29uc3RhbnQ=', 'this node does not support constant'],
  ['Dup transaction.', 'Dup transaction.'],
  ['5032502062726f616463617374206661696c65642e', 'P2P broadcast failed.'],
  ['', ''],
  ['null', 'null'],
  ['Forbidden', 'Forbidden'],
  ['NotFound', 'NotFound'],
  ['0x41', '0x41'],
  ['ff', 'ff'],
  ['deadbeef', 'deadbeef'],
  ['e4bda0e5a5bd', '你好'],
])('%s', (message, text) => {
  expect(decodeMessage(message)).toBe(text);
});

test('a text comes back from its hex', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abc XYZ:.,äß你 '), minLength: 1 });
  fc.assert(
    fc.property(letters, text => {
      expect(decodeMessage(encodeMessage(text))).toBe(text);
    }),
  );
});

test('hex is whole bytes, without a prefix', () => {
  expect(['', '0a', '0A', 'zz', '0', '0x0a', ' 0a'].map(isHex)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
