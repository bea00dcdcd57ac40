import { describe, expect, test } from 'vitest';
import { evm } from '../../../src/chains/evm/evm.ts';
import { bytes } from '../cases.ts';
import { callOf } from './calls.ts';

const hash = `0x${'ab'.repeat(32)}`;
const body = (result: unknown) => bytes(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));

describe('head', () => {
  test.each<[string, unknown, unknown, number | undefined]>([
    ['eth_blockNumber', [], '0x1312d00', 20_000_000],
    ['eth_blockNumber', [], '0x', undefined],
    ['eth_blockNumber', [], null, undefined],
    ['eth_getBlockByNumber', ['latest', false], { number: '0x10', timestamp: '0x1' }, 16],
    ['eth_getBlockByNumber', ['0x10', false], { number: '0x10' }, undefined],
    ['eth_getBlockByNumber', ['finalized', false], { number: '0x10' }, undefined],
    ['eth_getBlockByNumber', ['latest', false], null, undefined],
    ['eth_chainId', [], '0x1', undefined],
  ])('%s %j %j', (method, params, result, height) => {
    expect(evm.headOf(callOf(method, params), body(result))).toBe(height);
  });
});

describe('absent', () => {
  test.each([
    'eth_getBlockByNumber',
    'eth_getBlockByHash',
    'eth_getBlockReceipts',
    'eth_getTransactionByHash',
    'eth_getTransactionReceipt',
    'eth_getTransactionByBlockNumberAndIndex',
    'eth_getUncleByBlockHashAndIndex',
    'eth_getBlockTransactionCountByNumber',
  ])('%s', method => {
    const call = callOf(method, [hash]);
    expect(evm.absent(call, body(null))).toBe(true);
    expect(evm.absent(call, body({}))).toBe(false);
    expect(evm.absent(call, bytes('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"null"}}'))).toBe(
      false,
    );
  });

  test('null elsewhere is an answer', () => {
    expect(evm.absent(callOf('eth_call', [{}]), body(null))).toBe(false);
  });
});

describe('probes', () => {
  const ask = evm.probes;

  test('are calls that may be forwarded', () => {
    const calls = [ask.head.call, ask.identity[0]!.call, ask.client!.call, ask.history('state', 5).call];
    for (const { spec, text, paramsAt, paramsEnd } of calls) {
      expect(['read', 'heavy']).toContain(spec.kind);
      const parsed: unknown = JSON.parse(new TextDecoder().decode(text));
      expect(parsed).toMatchObject({
        params: JSON.parse(new TextDecoder().decode(text.subarray(paramsAt, paramsEnd))),
      });
    }
  });

  test('head with its time', () => {
    expect(ask.head.read(body({ number: '0x10', timestamp: '0x65' }))).toEqual({
      height: 16,
      blockTimeMs: 101_000,
    });
    expect(ask.head.read(body({ number: '0x10' }))).toEqual({ height: 16 });
    expect(ask.head.read(body(null))).toBeUndefined();
    expect(ask.head.read(bytes('{}'))).toBeUndefined();
  });

  test('identity in decimal', () => {
    const { read } = ask.identity[0]!;
    expect(read(body('0x38'))).toBe('56');
    expect(read(body('0x4e454152'))).toBe('1313161554');
    expect(read(body('56'))).toBeUndefined();
    expect(read(body(56))).toBeUndefined();
  });

  test('client', () => {
    expect(ask.client!.read(body('Geth/v1.15'))).toBe('Geth/v1.15');
    expect(ask.client!.read(body(''))).toBeUndefined();
  });

  test('state is kept where a balance can be told', () => {
    expect(ask.history('state', 5).read(body('0x0'))).toBe(true);
    expect(ask.history('state', 5).read(body(null))).toBeUndefined();
  });

  test('a body that was dropped shows as an empty list under a root that is not the empty one', () => {
    const { read } = ask.history('blocks', 5);
    const empty = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
    expect(read(body({ transactions: [hash], transactionsRoot: hash }))).toBe(true);
    expect(read(body({ transactions: [], transactionsRoot: empty }))).toBe(true);
    expect(read(body({ transactions: [], transactionsRoot: hash }))).toBe(false);
    expect(read(body(null))).toBe(false);
    expect(read(body({ number: '0x5' }))).toBeUndefined();
  });

  test('receipts that are there show that transactions are kept; none show nothing', () => {
    const { read } = ask.history('transactions', 5);
    expect(read(body([{ transactionHash: hash }]))).toBe(true);
    expect(read(body(null))).toBe(false);
    expect(read(body([]))).toBeUndefined();
  });
});

describe('batches', () => {
  const calls = [1, 2, 3].map(id => ({ ...callOf('eth_chainId', []), id: String(id) }));
  const taken = (text: string) =>
    evm.split(calls, bytes(text))?.map(slice => slice && new TextDecoder().decode(slice));

  test('one error without an id, in an array, is every call’s', () => {
    const refusal = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large"}}';
    expect(taken(` [ ${refusal} ]`)).toEqual([refusal, refusal, refusal]);
    expect(taken(`[${refusal},${refusal}]`)).toEqual([refusal, refusal, refusal]);
    const other = refusal.replace('batch too large', 'header not found');
    expect(taken(`[${refusal},${other}]`)).toEqual([undefined, undefined, undefined]);
  });

  test('it is only theirs who got no other', () => {
    const one = '{"id":2,"result":"0x1"}';
    const rest = '{"error":{"code":429,"message":"too many requests"}}';
    expect(taken(`[${rest},${one}]`)).toEqual([rest, one, rest]);
  });

  test('a refusal of the batch under the id of its first call is every call’s, each under its own id', () => {
    const refusal = (id: number) =>
      `{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,"message":"batch too large"}}`;
    expect(taken(`[${refusal(1)}]`)).toEqual([refusal(1), refusal(2), refusal(3)]);
    expect(taken(`[${refusal(1)},{"id":2,"result":1}]`)).toEqual([
      refusal(1),
      '{"id":2,"result":1}',
      undefined,
    ]);
  });

  test('a lone answer is its own call’s only', () => {
    const one = '{"id":2,"error":{"code":-32005,"message":"limit exceeded"}}';
    expect(taken(`[${one}]`)).toEqual([undefined, one, undefined]);
    expect(taken('[{"id":null,"result":1}]')).toEqual([undefined, undefined, undefined]);
    expect(taken('[]')).toEqual([undefined, undefined, undefined]);
    expect(taken('{"id":null,"error":{}}')).toBeUndefined();
  });
});
