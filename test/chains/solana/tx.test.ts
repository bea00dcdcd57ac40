import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { base58, base64 } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Call } from '../../../src/chains/family.ts';
import { transaction as workOf } from '../../../src/chains/solana/tx.ts';
import { finished } from '../../kit/work.ts';
import { casesOf } from '../cases.ts';
import { call } from './calls.ts';

/** The corpus holds a real transaction and the answer that names its id. */
const accepted = casesOf('solana').find(({ id }) => id === 'solana-send-accepted');
if (accepted === undefined) throw new Error('the corpus lost solana-send-accepted');
const { params } = accepted.request as { params: [string, object] };
const real = base64.decode(params[0]);
const realId: string = JSON.parse(accepted.response.body).result;

const transaction = (own: Call) => finished(workOf(own));
const send = (text: unknown, options?: object) =>
  transaction(call('sendTransaction', options === undefined ? [text] : [text, options]));

describe('the id', () => {
  test('is the one that the node answered', () => {
    // One signature, three counts, then the keys, whose number stands before them.
    const keysAt = 1 + 64 + 4;
    const blockhashAt = keysAt + 32 * real[keysAt - 1]!;
    const blockhash = base58.encode(real.subarray(blockhashAt, blockhashAt + 32));
    expect(send(params[0], { encoding: 'base64' })).toEqual({
      id: realId,
      digest: bytesToHex(sha256(real)),
      options: '{}',
      facts: JSON.stringify({ blockhash }),
    });
  });

  test('is the same in base58, which is what no encoding means', () => {
    const text = base58.encode(real);
    expect(send(text)).toEqual(send(params[0], { encoding: 'base64' }));
    expect(send(text, { encoding: 'base58' })).toEqual(send(text));
  });

  test('of several signatures is the first, behind a count of one byte or two', () => {
    const filled = (n: number, head: readonly number[]) => {
      const bytes = new Uint8Array(head.length + n * 64 + 40).fill(9);
      bytes.set(head);
      bytes.set(new Uint8Array(64).fill(7), head.length);
      return base64.encode(bytes);
    };
    const id = base58.encode(new Uint8Array(64).fill(7));
    expect(send(filled(2, [2]), { encoding: 'base64' }).id).toBe(id);
    expect(send(filled(20, [20]), { encoding: 'base64' }).id).toBe(id);
  });

  test('of a version 1 transaction stands at its end', () => {
    const bytes = new Uint8Array(300).fill(1);
    bytes.set([129, 2, 0, 1]);
    bytes.set(new Uint8Array(64).fill(5), 300 - 128);
    bytes.set(new Uint8Array(64).fill(6), 300 - 64);
    expect(send(base64.encode(bytes), { encoding: 'base64' }).id).toBe(
      base58.encode(new Uint8Array(64).fill(5)),
    );
  });

  test.each<[string, string, object]>([
    ['no bytes', '', { encoding: 'base64' }],
    ['a count of none', base64.encode(new Uint8Array(200)), { encoding: 'base64' }],
    ['fewer bytes than signatures', base64.encode(new Uint8Array(100).fill(3)), { encoding: 'base64' }],
    [
      'a signature that nobody made',
      base64.encode(Uint8Array.of(1, ...new Uint8Array(100))),
      { encoding: 'base64' },
    ],
    ['base64 called base58', params[0], {}],
    ['base58 called base64', base58.encode(real), { encoding: 'base64' }],
    ['an encoding that there is not', params[0], { encoding: 'hex' }],
    ['text that is longer than any transaction', '1'.repeat(20_000), {}],
    [
      'a version 1 transaction without signatures',
      base64.encode(Uint8Array.of(129, 0, 0, 0, 5)),
      { encoding: 'base64' },
    ],
  ])('is missing: %s', (_, text, options) => {
    const read = send(text, options);
    expect(read.id).toBeUndefined();
    expect(read.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is missing where the parameter is no text', () => {
    for (const value of [5, null, { a: 1 }, []]) expect(send(value).id).toBeUndefined();
    expect(transaction(call('sendTransaction')).id).toBeUndefined();
  });

  test('any bytes are read', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1500 }), bytes => {
        expect(send(base64.encode(bytes), { encoding: 'base64' }).digest).toBe(bytesToHex(sha256(bytes)));
      }),
    );
  });
});

describe('the same again', () => {
  test('the order of options, blanks and encoding make no other broadcast; their values do', () => {
    const one = send(params[0], { encoding: 'base64', skipPreflight: true, maxRetries: 3 });
    const other = send(base58.encode(real), { maxRetries: 3, skipPreflight: true });
    expect(one).toEqual(other);
    expect(one.options).toBe('{"maxRetries":3,"skipPreflight":true}');
    expect(send(params[0], { encoding: 'base64', skipPreflight: false }).options).not.toBe(one.options);
  });

  test('a number beyond doubles is kept as it is written', () => {
    const text =
      '{"jsonrpc":"2.0","id":1,"method":"sendTransaction","params":["AAAA",{"minContextSlot":9007199254740993}]}';
    const one = call('sendTransaction');
    const bytes = new TextEncoder().encode(text);
    const at = text.indexOf('[');
    expect(transaction({ ...one, text: bytes, paramsAt: at, paramsEnd: bytes.length - 1 }).options).toBe(
      '{"minContextSlot":9007199254740993}',
    );
  });
});

describe('a bundle', () => {
  const bundle = (texts: readonly string[]) =>
    transaction(call('sendBundle', [texts, { encoding: 'base64' }]));

  test('is one by all its transactions in order, and has no id of the network', () => {
    const other = base64.encode(Uint8Array.of(1, ...new Uint8Array(100).fill(4)));
    expect(bundle([params[0], other]).id).toBeUndefined();
    expect(bundle([params[0]]).id).toBeUndefined();
    expect(bundle([params[0], other])).toEqual(bundle([params[0], other]));
    expect(bundle([params[0], other]).digest).not.toBe(bundle([other, params[0]]).digest);
  });

  test('cut elsewhere is another one', () => {
    const whole = new Uint8Array(100).fill(1);
    const cut = (at: number) =>
      bundle([base64.encode(whole.subarray(0, at)), base64.encode(whole.subarray(at))]);
    expect(cut(30).digest).not.toBe(cut(31).digest);
  });
});

test('two airdrops for the same key are told apart by nothing, and so are the same broadcast', () => {
  const drop = (lamports: number) => transaction(call('requestAirdrop', ['K', lamports]));
  expect(drop(5)).toEqual(drop(5));
  expect(drop(5).id).toBeUndefined();
  expect(drop(5).digest).not.toBe(drop(6).digest);
});
