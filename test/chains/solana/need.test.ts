import { describe, expect, test } from 'vitest';
import { need } from '../../../src/chains/solana/need.ts';
import { call } from './calls.ts';

const signature = '2id3YC2jK9G5Wo2phDx4gJVAew8DcY5NAojnVuao8rkxwPYPe8cSwE5GzhEgJA2y8fVjDEo6iR6ykBvDxrTQrtpb';

describe('what a request needs', () => {
  test.each<[string, readonly unknown[], object]>([
    ['getAccountInfo', ['K'], { class: 'read' }],
    ['getProgramAccounts', ['K'], { class: 'heavy' }],
    ['sendTransaction', ['AAAA'], { class: 'broadcast' }],
    ['getSomethingNew', [5], { class: 'read' }],
    ['getBlock', [300], { class: 'heavy', height: 300, history: { kind: 'blocks', height: 300 } }],
    ['getBlockTime', [0], { class: 'read', history: { kind: 'blocks', height: 0 } }],
    ['getBlocks', [5, 900], { class: 'heavy', height: 900, history: { kind: 'blocks', height: 5 } }],
    ['getBlocks', [5], { class: 'heavy', height: 5, history: { kind: 'blocks', height: 5 } }],
    [
      'getBlocks',
      [5, { commitment: 'confirmed' }],
      { class: 'heavy', height: 5, history: { kind: 'blocks', height: 5 } },
    ],
    ['getBlocksWithLimit', [70, 3], { class: 'heavy', height: 70, history: { kind: 'blocks', height: 70 } }],
    ['getBlock', ['300'], { class: 'heavy' }],
    ['getBlock', [1.5], { class: 'heavy' }],
    ['getBlock', [-1], { class: 'heavy' }],
    ['getBlock', [], { class: 'heavy' }],
    ['getTransaction', [signature], { class: 'read', unplaced: 'transactions' }],
    ['getSignaturesForAddress', ['K', { limit: 5 }], { class: 'heavy' }],
    ['getSignaturesForAddress', ['K', { before: signature }], { class: 'heavy', unplaced: 'transactions' }],
    ['getSignatureStatuses', [[signature]], { class: 'read' }],
    ['getSignatureStatuses', [[signature], { searchTransactionHistory: false }], { class: 'read' }],
    [
      'getSignatureStatuses',
      [[signature], { searchTransactionHistory: true }],
      { class: 'read', unplaced: 'transactions' },
    ],
    ['getAccountInfo', ['K', { minContextSlot: 77 }], { class: 'read', height: 77, tip: true }],
    ['getSlot', [{ minContextSlot: 78 }], { class: 'read', height: 78, tip: true }],
    ['sendTransaction', ['AAAA', { minContextSlot: 79 }], { class: 'broadcast', height: 79 }],
    [
      'getBlockProduction',
      [{ range: { firstSlot: 10, lastSlot: 20 } }],
      { class: 'read', height: 20, history: { kind: 'blocks', height: 10 } },
    ],
    [
      'getInflationReward',
      [['K'], { epoch: 2 }],
      { class: 'heavy', history: { kind: 'blocks', height: 1_296_000 } },
    ],
    ['getInflationReward', [['K']], { class: 'heavy' }],
    ['getLeaderSchedule', [400], { class: 'read' }],
  ])('%s %j', (method, params, wanted) => {
    expect(need(call(method, params))).toEqual({ method, ...wanted });
  });
});
