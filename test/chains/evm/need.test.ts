import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evm } from '../../../src/chains/evm/evm.ts';
import { callOf } from './calls.ts';

const who = `0x${'11'.repeat(20)}`;
const hash = `0x${'ab'.repeat(32)}`;
const tx = { to: who };

const at = (height: number, kind: string, low = height) => ({ height, history: { kind, height: low } });

describe('need', () => {
  test.each<[string, unknown, object]>([
    ['eth_blockNumber', undefined, {}],
    ['eth_getBalance', [who, '0x64'], at(100, 'state')],
    ['eth_getBalance', [who, 'latest'], {}],
    ['eth_getBalance', [who, 'pending'], { own: true }],
    ['eth_call', [tx, 'pending'], { own: true }],
    ['eth_getTransactionCount', [who], { own: true }],
    ['eth_getTransactionCount', [who, 'latest'], { own: true }],
    ['eth_pendingTransactions', [], { own: true }],
    ['eth_getBalance', [who, 'safe'], {}],
    ['eth_getBalance', [who, 'finalized'], {}],
    ['eth_getBalance', [who, 'earliest'], at(0, 'state')],
    ['eth_getBalance', [who], {}],
    ['eth_getBalance', [who, null], {}],
    ['eth_getBalance', [who, 100], at(100, 'state')],
    ['eth_getBalance', [who, '100'], at(100, 'state')],
    ['eth_getBalance', [who, { blockNumber: '0x64' }], at(100, 'state')],
    ['eth_getBalance', [who, { blockHash: hash, requireCanonical: true }], { unplaced: 'state' }],
    ['eth_getBalance', [who, hash], { unplaced: 'state' }],
    ['eth_getBalance', [who, '0xfffffffffffffffff'], {}],
    ['eth_getCode', [who, '0x64'], at(100, 'state')],
    ['eth_getTransactionCount', [who, '0x64'], at(100, 'state')],
    ['eth_getStorageAt', [who, '0x0', '0x64'], at(100, 'state')],
    ['eth_call', [tx, '0x64', {}], at(100, 'state')],
    ['eth_call', [tx], {}],
    ['eth_estimateGas', [tx, '0x64'], at(100, 'state')],
    ['eth_feeHistory', ['0xa', '0x64', []], at(100, 'blocks', 91)],
    ['eth_feeHistory', [10, '0x5', []], at(5, 'blocks', 0)],
    ['eth_feeHistory', ['0xa', 'latest', []], {}],
    ['eth_getBlockByNumber', ['0x64', false], at(100, 'blocks')],
    ['eth_getBlockByHash', [hash, false], { unplaced: 'blocks' }],
    ['eth_getBlockTransactionCountByNumber', ['0x64'], at(100, 'blocks')],
    ['eth_getTransactionByBlockNumberAndIndex', ['0x64', '0x0'], at(100, 'blocks')],
    ['eth_getUncleByBlockNumberAndIndex', ['0x64', '0x0'], at(100, 'blocks')],
    ['eth_getTransactionByHash', [hash], { unplaced: 'transactions', own: true }],
    ['eth_getTransactionReceipt', [hash], { unplaced: 'transactions', own: true }],
    ['eth_getTransactionCount', [who, 'pending'], { own: true }],
    ['eth_getTransactionCount', [who], { own: true }],
    ['eth_newFilter', [{ fromBlock: '0x64' }], { height: 100, tip: true }],
    ['eth_newFilter', [{}], {}],
    ['linea_foo', ['0x64'], {}],
  ])('%s %j', (method, params, more) => {
    expect(evm.need(callOf(method, params))).toEqual({ class: 'read', method, ...more });
  });

  test.each<[string, unknown, object]>([
    ['eth_getProof', [who, [], '0x64'], at(100, 'state')],
    ['eth_createAccessList', [tx, '0x64'], at(100, 'state')],
    ['eth_simulateV1', [{}, '0x64'], at(100, 'state')],
    ['eth_getBlockReceipts', ['0x64'], at(100, 'blocks')],
    ['eth_getLogs', [{ fromBlock: '0x64', toBlock: '0xc8' }], at(200, 'blocks', 100)],
    ['eth_getLogs', [{ fromBlock: '0x64', toBlock: 'latest' }], { ...at(100, 'blocks'), tip: true }],
    ['eth_getLogs', [{ fromBlock: '0x64' }], { ...at(100, 'blocks'), tip: true }],
    ['eth_getLogs', [{ toBlock: '0x64' }], at(100, 'blocks')],
    ['eth_getLogs', [{ fromBlock: 'earliest', toBlock: '0x64' }], at(100, 'blocks', 0)],
    ['eth_getLogs', [{ address: who }], {}],
    ['eth_getLogs', [{ blockHash: hash }], { unplaced: 'blocks' }],
    ['eth_getLogs', [], {}],
    ['trace_filter', [{ fromBlock: '0x64', toBlock: '0xc8' }], at(200, 'state', 100)],
    ['trace_block', ['0x64'], at(100, 'state')],
    ['trace_replayBlockTransactions', ['0x64', ['trace']], at(100, 'state')],
    ['debug_traceBlockByNumber', ['0x64', {}], at(100, 'state')],
    ['debug_traceCall', [tx, '0x64', {}], at(100, 'state')],
    ['debug_traceTransaction', [hash, {}], { unplaced: 'state' }],
    ['debug_getModifiedAccountsByNumber', ['0x64', '0xc8'], at(200, 'state', 100)],
  ])('heavy: %s %j', (method, params, more) => {
    expect(evm.need(callOf(method, params))).toEqual({ class: 'heavy', method, ...more });
  });

  test('broadcasts are a class of their own', () => {
    expect(evm.need(callOf('eth_sendRawTransaction', ['0x02'])).class).toBe('broadcast');
  });

  test('a height is read as it was written, whatever stands around it', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom('', ' ', '\n\t '), (height, space) => {
        const text = `{"id":1,"jsonrpc":"2.0","params":[${space}"${who}"${space},${space}"0x${height.toString(16)}"${space}],"method":"eth_getCode"}`;
        const body = new TextEncoder().encode(text);
        const read = evm.open(
          { verb: 'POST', target: '', body },
          { maxDepth: 9, maxBatch: 1, development: false },
        );
        expect(read.form === 'single' && evm.need(read.call).height).toBe(height);
      }),
    );
  });

  test('never throws, on any params', () => {
    const methods = fc.constantFrom(
      'eth_call',
      'eth_getLogs',
      'eth_feeHistory',
      'eth_getBlockByHash',
      'eth_getProof',
      'foo',
    );
    fc.assert(
      fc.property(
        methods,
        fc.oneof(fc.array(fc.jsonValue({ maxDepth: 3 })), fc.dictionary(fc.string(), fc.string())),
        (method, params) => {
          expect(evm.need(callOf(method, params)).method).toBe(method);
        },
      ),
    );
  });
});
