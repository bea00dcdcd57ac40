import { base58, base64 } from '@scure/base';
import { describe, expect, test } from 'vitest';
import type { Call } from '../../../src/chains/family.ts';
import { blockhashOf } from '../../../src/chains/solana/follow-up.ts';
import { solana } from '../../../src/chains/solana/index.ts';
import { type SolanaParts, signed, solanaBytes } from '../../kit/signed.ts';
import { finished } from '../../kit/work.ts';
import { bytes } from '../cases.ts';
import { lookWith } from '../looks.ts';
import { call } from './calls.ts';

const { txId: id } = signed.solana(0);
const blockhash = base58.encode(new Uint8Array(32).fill(9));
const send = (parts: SolanaParts = {}) =>
  call('sendTransaction', [base64.encode(solanaBytes(0, parts)), { encoding: 'base64' }]);
const factsOf = (own: Call) => finished(solana.transaction(own)).facts;
const facts = factsOf(send());
const value = (inner: unknown, slot = 1_000) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, result: { context: { slot }, value: inner } });
const status = (more: object) => value([{ slot: 990, confirmations: 3, err: null, ...more }]);

describe('the blockhash in the bytes', () => {
  test.each<[string, SolanaParts, string | undefined]>([
    ['of a legacy message', {}, blockhash],
    ['of a version 0 message', { version: 0 }, blockhash],
    ['of a durable nonce is none: it never expires', { data: [4, 0, 0, 0] }, undefined],
    ['of another instruction of the system program', { data: [2, 0, 0, 0, 1, 1] }, blockhash],
    ['of number 4 in a program of one’s own', { program: 1, data: [4, 0, 0, 0] }, blockhash],
  ])('%s', (_, parts, expected) => {
    expect(blockhashOf(solanaBytes(0, parts))).toBe(expected);
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['a message of a version that is not known', Uint8Array.from([1, ...new Uint8Array(64), 0x81, 1, 0, 1])],
    ['a cut message', solanaBytes(0).subarray(0, 150)],
  ])('in %s there is none', (_, raw) => {
    expect(blockhashOf(raw)).toBeUndefined();
  });
});

describe('a look', () => {
  test.each<[string, string | undefined, unknown]>([
    ['confirmed', status({ confirmationStatus: 'confirmed' }), { found: 'block', height: 990, block: '990' }],
    [
      'finalized',
      status({ confirmationStatus: 'finalized', confirmations: null }),
      { found: 'block', height: 990, block: '990' },
    ],
    [
      'failed in a block: it has landed',
      status({ confirmationStatus: 'confirmed', err: { InstructionError: [0, 'x'] } }),
      { found: 'block', height: 990, block: '990' },
    ],
    ['processed: it may be dropped yet', status({ confirmationStatus: 'processed' }), { found: 'pool' }],
    [
      'rooted, on a node that tells no level',
      status({ confirmations: null }),
      { found: 'block', height: 990, block: '990' },
    ],
    ['not rooted, on such a node', status({}), { found: 'pool' }],
    ['not seen', value([null]), { found: 'not_seen' }],
    [
      'a node without history',
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32011, message: 'Transaction history is not available from this node' },
      }),
      undefined,
    ],
    ['no answer', undefined, undefined],
  ])('%s', (_, body, finding) => {
    expect(lookWith(solana, { id }, () => body)).toEqual({ finding, asked: ['getSignatureStatuses'] });
  });

  test('asks for the whole history', () => {
    lookWith(solana, { id }, (_, request) => {
      expect(JSON.parse(request).params).toEqual([[id], { searchTransactionHistory: true }]);
      return undefined;
    });
  });
});

describe('impossible', () => {
  const look = (valid: string | undefined, to = 1_000) =>
    lookWith(solana, { id, facts, sent: { from: 900, to } }, method =>
      method === 'isBlockhashValid' ? valid : value([null]),
    );

  test('when the blockhash has expired at a finalized slot past all that was there when it was sent', () => {
    const { finding, asked } = look(value(false, 1_065));
    expect(finding).toMatchObject({
      found: 'impossible',
      keeps: 'since',
      why: expect.stringContaining(blockhash),
    });
    expect(asked).toEqual(['getSignatureStatuses', 'isBlockhashValid', 'getSignatureStatuses']);
  });

  test('not when that slot may not know the blockhash yet: a fresh one is not valid there either', () => {
    expect(look(value(false, 1_064)).finding).toEqual({ found: 'not_seen' });
  });

  test('not while it is valid, and not when nobody tells', () => {
    expect(look(value(true, 2_000)).finding).toEqual({ found: 'not_seen' });
    expect(look(undefined).finding).toEqual({ found: 'not_seen' });
  });

  test('not when it landed meanwhile', () => {
    let asks = 0;
    const { finding } = lookWith(solana, { id, facts }, method => {
      if (method === 'isBlockhashValid') return value(false, 2_000);
      return ++asks === 2 ? status({ confirmationStatus: 'confirmed' }) : value([null]);
    });
    expect(finding).toMatchObject({ found: 'block' });
  });

  test('never with a durable nonce', () => {
    expect(factsOf(send({ data: [4, 0, 0, 0] }))).toBeUndefined();
  });
});

describe('what is kept, named and answered', () => {
  test('the blockhash, in either encoding', () => {
    expect(JSON.parse(facts ?? '')).toEqual({ blockhash });
    expect(factsOf(call('sendTransaction', [base58.encode(solanaBytes(0))]))).toBe(facts);
  });

  test.each<[string, unknown[]]>([
    ['sendTransaction', []],
    ['sendTransaction', ['not base58 !']],
    ['sendBundle', [[base58.encode(solanaBytes(0))]]],
    ['requestAirdrop', ['somebody', 1]],
  ])('nothing of %s with %j', (method, params) => {
    expect(factsOf(call(method, params))).toBeUndefined();
  });

  test('no rejection speaks of a used nonce', () => {
    expect(solana.followUp.spent('solana.tx_rejected', bytes(''))).toBe(false);
  });

  test('the signature is the id; a bundle has another kind', () => {
    const body = bytes(`{"jsonrpc":"2.0","id":1,"result":"${id}"}`);
    expect(solana.answeredId(send(), body)).toBe(id);
    expect(solana.answeredId(call('sendBundle', [[]]), body)).toBeUndefined();
  });

  test('known is answered with the signature', () => {
    expect(JSON.parse(solana.knownReply(send(), id))).toEqual({ jsonrpc: '2.0', id: 1, result: id });
  });
});
