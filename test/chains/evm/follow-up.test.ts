import { describe, expect, test } from 'vitest';
import { evm } from '../../../src/chains/evm/evm.ts';
import type { Call } from '../../../src/chains/family.ts';
import { evmRaw, signed } from '../../kit/signed.ts';
import { finished } from '../../kit/work.ts';
import { bytes } from '../cases.ts';
import { lookWith } from '../looks.ts';
import { callOf } from './calls.ts';

const { txId: id } = signed.evm(5);
const call = callOf('eth_sendRawTransaction', [evmRaw(5)]);
const factsOf = (own: Call) => finished(evm.transaction(own)).facts;
const facts = factsOf(call);
const result = (value: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, result: value });
const error = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } });
const seen = { hash: id, blockNumber: '0x64', blockHash: `0x${'AB'.repeat(32)}` };

describe('a look', () => {
  test.each<[string, string | undefined, unknown]>([
    ['in a block', result(seen), { found: 'block', height: 100, block: `0x${'ab'.repeat(32)}` }],
    ['in the pool', result({ ...seen, blockNumber: null, blockHash: null }), { found: 'pool' }],
    [
      'in the pool of a node that leaves these out',
      result({ hash: id.toUpperCase().replace('0X', '0x') }),
      { found: 'pool' },
    ],
    ['not seen', result(null), { found: 'not_seen' }],
    ['about another transaction', result({ ...seen, hash: `0x${'0'.repeat(64)}` }), undefined],
    ['an error', error(-32603, 'internal error'), undefined],
    ['a page', '<html></html>', undefined],
    ['no answer', undefined, undefined],
    ['something else', result('0x1'), undefined],
  ])('%s', (_, body, finding) => {
    const looked = lookWith(evm, { id }, () => body);
    expect(looked).toEqual({ finding, asked: ['eth_getTransactionByHash'] });
  });
});

describe('impossible', () => {
  const look = (
    final: string | undefined,
    answers: Partial<Record<string, string>> = {},
    more: object = {},
  ) =>
    lookWith(evm, { id, facts, ...more }, method =>
      method === 'eth_getTransactionCount' ? final : (answers[method] ?? result(null)),
    );

  test('when another transaction has the nonce at a finalized block', () => {
    const { finding, asked } = look(result('0x6'));
    expect(finding).toMatchObject({
      found: 'impossible',
      keeps: 'since',
      why: expect.stringContaining('nonce 5'),
    });
    expect(asked).toEqual([
      'eth_getTransactionByHash',
      'eth_getTransactionCount',
      'eth_getTransactionByHash',
      'eth_getTransactionReceipt',
    ]);
  });

  test('the count is that of the sender, at the finalized block', () => {
    let asked = '';
    lookWith(evm, { id, facts }, (method, request) => {
      if (method === 'eth_getTransactionCount') asked = request;
      return result(null);
    });
    expect(JSON.parse(asked).params).toEqual([expect.stringMatching(/^0x[0-9a-f]{40}$/), 'finalized']);
  });

  test('a nonce that was used before counts only with whoever keeps everything', () => {
    expect(look(result('0x6'), {}, { olderPossible: true }).finding).toMatchObject({ keeps: 'ever' });
  });

  test.each<[string, string | undefined]>([
    ['the nonce is free', result('0x5')],
    ['the chain has no finalized block', error(-32000, 'finalized block not found')],
    ['nobody tells', undefined],
    ['the count is none', result('many')],
  ])('not while %s', (_, final) => {
    expect(look(final).finding).toEqual({ found: 'not_seen' });
  });

  test('not when it turned up meanwhile', () => {
    let asks = 0;
    const { finding } = lookWith(evm, { id, facts }, method => {
      if (method === 'eth_getTransactionCount') return result('0x6');
      return result(method === 'eth_getTransactionByHash' && ++asks === 2 ? seen : null);
    });
    expect(finding).toMatchObject({ found: 'block', height: 100 });
  });

  test('not when there is a receipt, though the transaction is not found', () => {
    expect(
      look(result('0x6'), { eth_getTransactionReceipt: result({ transactionHash: id }) }).finding,
    ).toEqual({
      found: 'not_seen',
    });
  });

  test('not without what is needed to tell', () => {
    const { finding, asked } = lookWith(evm, { id }, () => result(null));
    expect(finding).toEqual({ found: 'not_seen' });
    expect(asked).toHaveLength(1);
  });
});

describe('what is kept of a broadcast', () => {
  test('nonce and signature, wherever the method has the bytes', () => {
    const raw = evmRaw(5);
    expect(factsOf(callOf('eth_sendPrivateTransaction', [{ tx: raw }]))).toBe(facts);
    expect(factsOf(callOf('eth_sendRawTransactionSync', [raw, '0x10']))).toBe(facts);
    expect(JSON.parse(facts ?? '')).toMatchObject({ nonce: '0x5' });
    expect((facts ?? '').length).toBeLessThan(400);
  });

  test.each<[string, unknown]>([
    ['eth_sendRawTransaction', ['0xdead']],
    ['eth_sendRawTransaction', [7]],
    ['eth_sendRawTransaction', []],
    ['eth_sendPrivateTransaction', [{}]],
    ['eth_sendBundle', [{ txs: [evmRaw(5)] }]],
    ['eth_sendUserOperation', [{}, '0x']],
  ])('nothing of %s with %j', (method, params) => {
    expect(factsOf(callOf(method, params))).toBeUndefined();
  });

  test('only one rule speaks of a used nonce', () => {
    expect(evm.followUp.spent('evm.tx_nonce_used', bytes(''))).toBe(true);
    expect(evm.followUp.spent('evm.tx_refused', bytes(''))).toBe(false);
  });
});

describe('the id an answer names', () => {
  test.each<[string, unknown, string | undefined]>([
    ['eth_sendRawTransaction', id, id],
    ['eth_sendRawTransaction', id.toUpperCase().replace('0X', '0x'), id],
    ['eth_sendRawTransaction', '0x', undefined],
    ['eth_sendRawTransaction', true, undefined],
    ['eth_sendRawTransactionSync', { transactionHash: id, status: '0x1' }, id],
    ['zks_sendRawTransactionWithDetailedOutput', { transactionHash: id, storageLogs: [] }, id],
    ['eth_sendBundle', { bundleHash: id }, undefined],
    ['eth_sendUserOperation', id, undefined],
  ])('%s: %j', (method, value, named) => {
    const carried = method === 'eth_sendBundle' ? [{ txs: [] }] : [evmRaw(5)];
    expect(evm.answeredId(callOf(method, carried), bytes(result(value)))).toBe(named);
  });

  test('an error names none', () => {
    expect(evm.answeredId(call, bytes(error(4, 'in the pool')))).toBeUndefined();
  });
});

describe('what is known since', () => {
  test('is answered with the hash', () => {
    expect(JSON.parse(evm.knownReply(call, id))).toEqual({ jsonrpc: '2.0', id: 1, result: id });
  });

  test('by a method that waits for the receipt, with its own error for "in the pool"', () => {
    const sync = callOf('eth_sendRawTransactionSync', [evmRaw(5)]);
    expect(JSON.parse(evm.knownReply(sync, id))).toMatchObject({ id: 1, error: { code: 4, data: id } });
  });

  test('by a method that answers in detail, in its form', () => {
    const detailed = callOf('zks_sendRawTransactionWithDetailedOutput', [evmRaw(5)]);
    expect(JSON.parse(evm.knownReply(detailed, id))).toMatchObject({ result: { transactionHash: id } });
  });
});
