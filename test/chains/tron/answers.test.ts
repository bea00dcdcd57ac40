import { describe, expect, test } from 'vitest';
import type { Call } from '../../../src/chains/family.ts';
import { tron } from '../../../src/chains/tron/index.ts';
import { callFor, judged, utf8 } from './cases.ts';

const poolHead = 70_000_000;
const id = '0000000003fe262d52bfa4b2814f816fd2e57af5b98a33d60d8630a03a908e0e';
const header = (number: number): string =>
  JSON.stringify({
    blockID: id,
    block_header: { raw_data: { number, timestamp: 1777445121000, parentHash: id } },
  });
const rpc = (method: string, params: readonly unknown[] = []): Call =>
  callFor('/jsonrpc', { jsonrpc: '2.0', id: 1, method, params });

describe('a block that is not there, held against the head of the pool', () => {
  test.each<[string, unknown, string]>([
    ['/wallet/getblockbynum', { num: poolHead }, 'missing_history'],
    ['/wallet/getblockbynum', { num: poolHead + 1 }, 'ok'],
    ['/wallet/getblock', { id_or_num: String(poolHead + 1) }, 'ok'],
    ['/wallet/getblock', { id_or_num: String(poolHead) }, 'missing_history'],
    ['/wallet/getblock', { detail: false }, 'node_failure'],
    ['/wallet/getblockbyid', { value: id }, 'missing_history'],
    ['/wallet/getblockbyid', { value: `0000000004ffffff${id.slice(16)}` }, 'ok'],
    ['/wallet/getblockbylimitnext', { startNum: poolHead + 1, endNum: poolHead + 5 }, 'ok'],
    ['/wallet/getblockbylimitnext', { startNum: poolHead - 5, endNum: poolHead + 1 }, 'missing_history'],
    // Not solidified yet: a round of producers behind the head it must be.
    ['/walletsolidity/getblockbynum', { num: poolHead - 10 }, 'ok'],
    ['/walletsolidity/getblockbynum', { num: poolHead - 27 }, 'missing_history'],
    ['/walletsolidity/getnowblock', undefined, 'node_failure'],
  ])('%s %j: %s', (path, body, verdict) => {
    expect(judged(callFor(path, body), 200, '{}', { poolHead }).verdict).toBe(verdict);
  });

  test('GET names it too', () => {
    const call = callFor(`/wallet/getblockbynum?num=${poolHead + 1}`, undefined, 'GET');
    expect(judged(call, 200, '{}', { poolHead }).verdict).toBe('ok');
    expect(judged(call, 200, '{}').verdict).toBe('missing_history');
  });

  test('ItemNotFoundException is missing history unless the pool has not reached the block', () => {
    const call = callFor('/wallet/getblockbalance', { hash: id, number: 66987565 });
    const body =
      '{"Error":"class org.tron.core.exception.ItemNotFoundException : This block does not exist"}';
    expect(judged(call, 200, body, { poolHead }).verdict).toBe('missing_history');
    expect(judged(call, 200, body).verdict).toBe('missing_history');
    expect(judged(call, 200, body, { poolHead: 5 }).verdict).toBe('app_error');
  });
});

describe('how long to wait', () => {
  const call = callFor('/wallet/getnowblock');
  const suspended = (seconds: string): string =>
    JSON.stringify({
      Error: `The key exceeds the frequency limit(15), and the query server is suspended for ${seconds}`,
    });
  test.each([
    [403, suspended('30s'), {}, 30_000],
    [403, suspended('5 s'), {}, 5_000],
    [503, suspended('1 s'), {}, 1_000],
    [200, suspended('12s'), {}, 12_000],
    [429, '', { 'retry-after': '7' }, 7_000],
    [429, suspended('5 s'), { 'retry-after': '30' }, 30_000],
    [429, '', {}, undefined],
  ])('%i %s %j: %s ms', (status, body, headers, ms) => {
    const judgement = judged(call, status, body, { headers });
    expect([judgement.verdict, judgement.retryAfterMs]).toEqual(['rate_limited', ms]);
  });

  test('a quota is a failure too, a throttle is not', () => {
    const daily =
      '{"Error": "Exceed the user daily usage (100000), the maximum query frequency is 1 time per second"}';
    expect(judged(call, 403, daily)).toMatchObject({ verdict: 'rate_limited', quota: true });
    expect(judged(call, 403, suspended('5 s')).quota).toBeUndefined();
  });
});

describe('what may be remembered of a refusal', () => {
  const off =
    '{"result":{"code":"CONTRACT_VALIDATE_ERROR","message":"74686973206e6f646520646f6573206e6f7420737570706f727420636f6e7374616e74"}}';
  test.each([
    ['/wallet/triggerconstantcontract', true],
    ['/wallet/triggersmartcontract', undefined],
  ])('%s', (path, whole) => {
    expect(judged(callFor(path, {}), 200, off)).toMatchObject({ verdict: 'unsupported' });
    expect(judged(callFor(path, {}), 200, off).wholeMethod).toBe(whole);
  });

  test('never of a broadcast', () => {
    const body = '{"Error":"this API is unavailable due to config"}';
    const judgement = judged(callFor('/wallet/broadcasttransaction', {}), 404, body);
    expect(judgement).toEqual({ verdict: 'unsupported', txOutcome: 'refused', rule: 'tron.api_off' });
  });
});

describe('the head an answer shows', () => {
  test.each<[string, Call, string, number | undefined]>([
    ['getnowblock', callFor('/wallet/getnowblock'), header(5), 5],
    ['getblock without an id', callFor('/wallet/getblock', { detail: false }), header(5), 5],
    [
      'as text',
      callFor('/wallet/getnowblock?int64_as_string=true', undefined, 'GET'),
      header(5).replace(':5', ':"5"'),
      5,
    ],
    ['behind white space and a mark', callFor('/wallet/getnowblock'), `\ufeff ${header(5)}`, 5],
    ['getblock with an id', callFor('/wallet/getblock', { id_or_num: '5' }), header(5), undefined],
    ['getblockbynum', callFor('/wallet/getblockbynum', { num: 5 }), header(5), undefined],
    ['a solid head is another level', callFor('/walletsolidity/getnowblock'), header(5), undefined],
    ['no header', callFor('/wallet/getnowblock'), '{}', undefined],
    ['no block', callFor('/wallet/getnowblock'), '[]', undefined],
    ['eth_blockNumber', rpc('eth_blockNumber'), '{"jsonrpc":"2.0","id":1,"result":"0x10"}', 16],
    [
      'eth_blockNumber without one',
      rpc('eth_blockNumber'),
      '{"jsonrpc":"2.0","id":1,"result":null}',
      undefined,
    ],
    ['eth_chainId', rpc('eth_chainId'), '{"jsonrpc":"2.0","id":1,"result":"0x10"}', undefined],
  ])('%s', (_, call, body, height) => {
    expect(tron.headOf(call, utf8.encode(body))).toBe(height);
  });
});

describe('an answer that a higher endpoint might better', () => {
  const hash = { value: id };
  test.each<[string, Call, string, boolean]>([
    ['an unknown transaction', callFor('/wallet/gettransactionbyid', hash), '{}\n', true],
    ['without a receipt', callFor('/wallet/gettransactioninfobyid', hash), ' { } ', true],
    ['at the solid level', callFor('/walletsolidity/gettransactioninfobyid', hash), '{}', true],
    ['a receipt', callFor('/wallet/gettransactioninfobyid', hash), '{"id":"x"}', false],
    ['no receipts in a block', callFor('/wallet/gettransactioninfobyblocknum', { num: 5 }), '[]', true],
    ['receipts in a block', callFor('/wallet/gettransactioninfobyblocknum', { num: 5 }), '[{}]', false],
    [
      'no transactions in a block',
      callFor('/wallet/gettransactioncountbyblocknum', { num: 5 }),
      '{"count": 0}',
      true,
    ],
    ['some', callFor('/wallet/gettransactioncountbyblocknum', { num: 5 }), '{"count": 10}', false],
    ['a block', callFor('/wallet/getblockbynum', { num: 5 }), '{}', true],
    ['an account', callFor('/wallet/getaccount', { address: '41' }), '{}', false],
    ['not in the pool', callFor('/wallet/gettransactionfrompending', hash), '{}', false],
    ['a null block', rpc('eth_getBlockByNumber', ['0x5', false]), '{"id":1,"result":null}', true],
    ['a null receipt', rpc('eth_getTransactionReceipt', ['0x5']), '{"id":1,"result": null }', true],
    ['a block', rpc('eth_getBlockByNumber', ['0x5', false]), '{"id":1,"result":{}}', false],
    ['a null of something else', rpc('eth_coinbase'), '{"id":1,"result":null}', false],
  ])('%s', (_, call, body, expected) => {
    expect(tron.absent(call, utf8.encode(body))).toBe(expected);
  });
});

describe('filters', () => {
  test('the id that was given is the id that is used', () => {
    const made = '{"jsonrpc":"2.0","id":1,"result":"0xe6b5"}';
    expect(tron.filterMade?.(rpc('eth_newFilter', [{}]), utf8.encode(made))).toBe('0xe6b5');
    expect(tron.filterMade?.(rpc('eth_newBlockFilter'), utf8.encode(made))).toBe('0xe6b5');
    expect(tron.filterUsed?.(rpc('eth_getFilterChanges', ['0xe6b5']))).toBe('0xe6b5');
    expect(tron.filterUsed?.(rpc('eth_uninstallFilter', ['0xe6b5']))).toBe('0xe6b5');
  });

  test('nothing else has one', () => {
    expect(tron.filterMade?.(rpc('eth_chainId'), utf8.encode('{"result":"0x1"}'))).toBeUndefined();
    expect(tron.filterMade?.(rpc('eth_newFilter', [{}]), utf8.encode('{"error":{}}'))).toBeUndefined();
    expect(tron.filterMade?.(rpc('eth_newFilter', [{}]), utf8.encode('no'))).toBeUndefined();
    expect(tron.filterUsed?.(rpc('eth_getFilterLogs'))).toBeUndefined();
    expect(tron.filterUsed?.(rpc('eth_getLogs', [{}]))).toBeUndefined();
    expect(tron.filterUsed?.(callFor('/wallet/getnowblock'))).toBeUndefined();
  });
});

describe('large answers', () => {
  const long = 'x'.repeat(9000);
  const blocks = callFor('/wallet/getblockbylimitnext', { startNum: 1, endNum: 9 });
  const infos = callFor('/wallet/gettransactioninfobyblocknum', { num: 1 });
  test.each<[string, Call, string, string]>([
    ['a list of blocks', blocks, `{"block":[{"blockID":"${long}`, 'commit'],
    ['behind a small member', blocks, `{"blockID":"ab","transactions":[{"x":"${long}`, 'commit'],
    ['a list of receipts', infos, `[{"id":"${long}`, 'commit'],
    [
      'a call that ran',
      callFor('/wallet/triggerconstantcontract', {}),
      `{"result":{"result":true},"constant_result":["${long}`,
      'commit',
    ],
    [
      'a failed transaction with many logs',
      callFor('/wallet/gettransactioninfobyid', { value: id }),
      `{"result":"FAILED","log":[{"x":"${long}`,
      'commit',
    ],
    [
      'an index page',
      callFor('/v1/assets', undefined, 'GET'),
      `{"success":true,"data":[{"x":"${long}`,
      'commit',
    ],
    ['an error', blocks, `{"Error":"${long}`, 'hold'],
    ['an error behind a small member', blocks, `{"blockID":"ab","Error":"${long}`, 'hold'],
    [
      'a call that did not run',
      callFor('/wallet/triggerconstantcontract', {}),
      `{"result":{"code":"OTHER_ERROR","message":"x"},"y":"${long}`,
      'hold',
    ],
    [
      'an index that failed',
      callFor('/v1/assets', undefined, 'GET'),
      `{"success":false,"data":[{"x":"${long}`,
      'hold',
    ],
    ['a list where an object belongs', blocks, `[{"x":"${long}`, 'hold'],
    ['a page', blocks, `<html>${long}`, 'hold'],
    ['nothing yet', blocks, '', 'hold'],
    ['no JSON', blocks, `{block:[${long}`, 'hold'],
    ['a broadcast', callFor('/wallet/broadcasttransaction', {}), `{"txid":"${long}`, 'hold'],
    [
      'JSON-RPC logs',
      rpc('eth_getLogs', [{}]),
      `{"jsonrpc":"2.0","id":1,"result":[{"data":"${long}`,
      'commit',
    ],
    [
      'JSON-RPC of another id',
      rpc('eth_getLogs', [{}]),
      `{"jsonrpc":"2.0","id":2,"result":[{"data":"${long}`,
      'hold',
    ],
  ])('begin with %s: %#', (_, call, head, expected) => {
    expect(tron.peek(call, utf8.encode(head))).toBe(expected);
  });

  test.each<[string, Call, string, boolean]>([
    ['a brace', blocks, '"x":1}]}\n', true],
    ['a bracket for a list', infos, '{"x":1}]', true],
    ['a letter', blocks, '"x":1', false],
    ['a bracket for an object', blocks, '[1]', false],
    ['a brace for a list', infos, '{"x":1}', false],
    ['nothing', blocks, '', false],
    ['JSON-RPC with an error behind the result', rpc('eth_getLogs'), '"x"],"error":{"code":-32000}}', false],
    ['JSON-RPC', rpc('eth_getLogs'), '"x"],"id":1}', true],
  ])('end with %s', (_, call, last, sound) => {
    expect(tron.tail(call, utf8.encode(last)) === undefined).toBe(sound);
  });
});
