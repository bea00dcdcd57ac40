import { describe, expect, test } from 'vitest';
import { tron } from '../../../src/chains/tron/index.ts';
import type { Need } from '../../../src/core/need.ts';
import { callFor } from './cases.ts';

const hash = '0000000003fe262d52bfa4b2814f816fd2e57af5b98a33d60d8630a03a908e0e';
const at = 0x3fe262d;

function blocks(low: number, high = low): Partial<Need> {
  return { height: high, history: { kind: 'blocks', height: low } };
}

function transactions(low: number, high = low): Partial<Need> {
  return { height: high, history: { kind: 'transactions', height: low } };
}

const nothing = { height: undefined, history: undefined, unplaced: undefined };

describe('paths', () => {
  test.each<[string, unknown, Partial<Record<keyof Need, unknown>>]>([
    ['/wallet/getblockbynum', { num: 5 }, blocks(5)],
    ['/wallet/getblockbynum', { num: '5' }, blocks(5)],
    ['/wallet/getblockbynum', { num: 0 }, blocks(0)],
    ['/wallet/getblockbynum', { num: '010' }, nothing],
    ['/wallet/getblockbynum', { num: -1 }, nothing],
    ['/wallet/getblockbynum', '{"num":99999999999999999999}', nothing],
    ['/wallet/getblockbynum', '{"num":1e3}', nothing],
    ['/wallet/getblockbynum', {}, nothing],
    ['/wallet/getblockbynum', undefined, nothing],
    ['/walletsolidity/getblockbynum', { num: 5 }, blocks(5)],
    ['/wallet/getblock', { id_or_num: '66987565', detail: false }, blocks(66987565)],
    ['/wallet/getblock', { id_or_num: hash }, blocks(at)],
    [
      '/wallet/getblock',
      { id_or_num: `ffffffff${hash.slice(8)}` },
      { unplaced: 'blocks', height: undefined },
    ],
    ['/wallet/getblock', { detail: false }, nothing],
    ['/wallet/getblock', undefined, nothing],
    ['/wallet/gettransactionfrompending', { value: hash }, { ...nothing, own: true }],
    ['/wallet/getpendingsize', undefined, { ...nothing, own: true }],
    ['/wallet/getblockbyid', { value: hash }, blocks(at)],
    ['/wallet/getblockbylimitnext', { startNum: 10, endNum: 20 }, { ...blocks(10, 19), class: 'heavy' }],
    ['/wallet/getblockbylimitnext', { startNum: 20, endNum: 10 }, nothing],
    ['/wallet/getblockbylatestnum', { num: 5 }, { ...nothing, class: 'heavy' }],
    ['/wallet/gettransactioncountbyblocknum', { num: 5 }, blocks(5)],
    ['/wallet/gettransactioninfobyblocknum', { num: 5 }, { ...transactions(5), class: 'heavy' }],
    ['/wallet/gettransactionbyid', { value: hash }, { unplaced: 'transactions', height: undefined }],
    ['/walletsolidity/gettransactioninfobyid', { value: hash }, { unplaced: 'transactions' }],
    [
      '/wallet/getaccountbalance',
      { account_identifier: {}, block_identifier: { hash, number: at } },
      blocks(at),
    ],
    ['/wallet/getblockbalance', { hash, number: at, visible: true }, blocks(at)],
    ['/wallet/getaccount', { address: '41' }, { ...nothing, class: 'read' }],
    ['/wallet/createtransaction', { amount: 5 }, { ...nothing, class: 'read' }],
    ['/wallet/triggersmartcontract', { call_value: 5 }, nothing],
    ['/wallet/broadcasttransaction', { raw_data: {} }, { ...nothing, class: 'broadcast' }],
    ['/wallet/broadcasthex', { transaction: '0a00' }, { ...nothing, class: 'broadcast' }],
  ])('%s %j', (path, body, expected) => {
    const need = tron.need(callFor(path, body));
    expect({ ...nothing, ...need }).toMatchObject(expected);
    expect(need.method).toBe(path);
  });

  test.each<[string, Partial<Record<keyof Need, unknown>>]>([
    ['/wallet/getblockbynum?num=5', blocks(5)],
    ['/wallet/getblock?id_or_num=5&detail=true', blocks(5)],
    ['/wallet/getblock', nothing],
    ['/wallet/getblockbylimitnext?startNum=10&endNum=20', blocks(10, 19)],
    ['/wallet/gettransactioninfobyid?value=ab', { unplaced: 'transactions' }],
    ['/v1/accounts/TZ4UXDV5ZhNW7fb2AMSbgfAEZ7hWsnYS2g', nothing],
  ])('GET %s', (target, expected) => {
    expect({ ...nothing, ...tron.need(callFor(target, undefined, 'GET')) }).toMatchObject(expected);
  });
});

describe('JSON-RPC', () => {
  const call = { to: '0x0' };
  test.each<[string, readonly unknown[], Partial<Record<keyof Need, unknown>>]>([
    ['eth_getBlockByNumber', ['0x10', false], blocks(16)],
    ['eth_getBlockByNumber', ['16', false], blocks(16)],
    ['eth_getBlockByNumber', ['latest', false], nothing],
    ['eth_getBlockByNumber', ['finalized', false], nothing],
    ['eth_getBlockByNumber', ['earliest', false], blocks(0)],
    ['eth_getBlockByHash', [`0x${hash}`, false], blocks(at)],
    ['eth_getBlockReceipts', ['0x10'], { ...transactions(16), class: 'heavy' }],
    ['eth_getTransactionByHash', [`0x${hash}`], { unplaced: 'transactions', height: undefined }],
    ['eth_getTransactionReceipt', [`0x${hash}`], { unplaced: 'transactions' }],
    ['eth_call', [call, 'latest'], nothing],
    ['eth_call', [call, { blockNumber: '0x10' }], blocks(16)],
    ['eth_call', [call, { blockHash: `0x${hash}` }], blocks(at)],
    ['eth_call', [call], nothing],
    ['eth_getLogs', [{ fromBlock: '0x10', toBlock: '0x20' }], { ...transactions(16, 32), class: 'heavy' }],
    ['eth_getLogs', [{ fromBlock: '0x10' }], transactions(16)],
    ['eth_getLogs', [{ fromBlock: '0x10', toBlock: 'latest' }], transactions(16)],
    ['eth_getLogs', [{ blockHash: `0x${hash}` }], transactions(at)],
    ['eth_getLogs', [{}], nothing],
    ['eth_getLogs', [], nothing],
    ['eth_getBalance', ['0x41', 'latest'], nothing],
    ['eth_blockNumber', [], nothing],
  ])('%s %j', (method, params, expected) => {
    const need = tron.need(callFor('/jsonrpc', { jsonrpc: '2.0', id: 1, method, params }));
    expect({ ...nothing, ...need }).toMatchObject(expected);
  });
});
