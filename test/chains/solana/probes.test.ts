import { describe, expect, test } from 'vitest';
import { solana } from '../../../src/chains/solana/index.ts';
import { bytes } from '../cases.ts';
import { call } from './calls.ts';

const answer = (result: unknown) => bytes(JSON.stringify({ jsonrpc: '2.0', result, id: 1 }));
const asked = (text: Uint8Array) => new TextDecoder().decode(text);
const { probes } = solana;

describe('own questions', () => {
  test('the head is asked at the confirmed level', () => {
    expect(asked(probes.head.call.text)).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[{"commitment":"confirmed"}]}',
    );
    expect(probes.head.read(answer(394819496))).toEqual({ height: 394819496 });
    expect(probes.head.read(answer('394819496'))).toBeUndefined();
    expect(probes.head.read(bytes('not json'))).toBeUndefined();
  });

  test('the identity is the genesis hash', () => {
    const [first] = probes.identity;
    expect(first?.call.method).toBe('getGenesisHash');
    expect(first?.read(answer('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'))).toBe(
      '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    );
    expect(first?.read(answer(null))).toBeUndefined();
  });

  test('history is what lies at or above the first block', () => {
    const probe = probes.history('blocks', 1000);
    expect(probe.read(answer(1000))).toBe(true);
    expect(probe.read(answer(1001))).toBe(false);
    expect(probe.read(answer(null))).toBeUndefined();
  });

  test('the client tells its version', () => {
    expect(probes.client?.read(answer({ 'feature-set': 5, 'solana-core': '2.1.11' }))).toBe(
      'solana-core 2.1.11',
    );
    expect(probes.client?.read(answer({}))).toBeUndefined();
    expect(probes.client?.read(answer('2.1.11'))).toBeUndefined();
  });
});

describe('the height an answer shows', () => {
  const context = { context: { apiVersion: '2.1.11', slot: 283713440 }, value: null };
  const confirmed = { commitment: 'confirmed' };
  test.each<[string, readonly unknown[], unknown, number | undefined]>([
    ['getSlot', [confirmed], 77, 77],
    ['getSlot', [], 77, undefined],
    ['getSlot', [{ commitment: 'processed' }], 77, undefined],
    ['getBlockHeight', [confirmed], 77, undefined],
    ['getEpochInfo', [confirmed], { absoluteSlot: 78, blockHeight: 60 }, 78],
    ['getAccountInfo', ['K', confirmed], context, 283713440],
    ['getAccountInfo', ['K', { commitment: 'finalized' }], context, undefined],
    ['getAccountInfo', ['K'], context, undefined],
    ['getLatestBlockhash', [confirmed], context, 283713440],
    ['getBlock', [5, confirmed], context, undefined],
    ['getAccountInfo', ['K', confirmed], null, undefined],
  ])('%s %j', (method, params, result, height) => {
    expect(solana.headOf(call(method, params), answer(result))).toBe(height);
  });
});

describe('no such thing', () => {
  test.each<[string, unknown, boolean]>([
    ['getTransaction', null, true],
    ['getTransaction', { slot: 5 }, false],
    ['getBlock', null, true],
    ['getBlockTime', null, true],
    ['getBlockTime', 1700000000, false],
    ['getSignatureStatuses', { context: { slot: 1 }, value: [null] }, true],
    ['getSignatureStatuses', { context: { slot: 1 }, value: [{ slot: 5 }, null] }, true],
    ['getSignatureStatuses', { context: { slot: 1 }, value: [{ slot: 5 }] }, false],
    ['getAccountInfo', { context: { slot: 1 }, value: null }, false],
    ['getSignaturesForAddress', [], false],
  ])('%s %j: %s', (method, result, yes) => {
    expect(solana.absent(call(method), answer(result))).toBe(yes);
  });
});
