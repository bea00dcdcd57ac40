/** Recorded cases of every form: each gets a verdict, however odd its request is. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyCase } from '../../src/chains/classify.ts';
import { families } from '../../src/chains/index.ts';

const judged = (family: string, request: unknown, response: unknown) =>
  classifyCase({ id: 'one', family, chain: family, request, response }, families, 0);
const answer = (body: unknown, status = 200) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('requests that the gateway would not forward', () => {
  test.each([
    ['a tree of its own', { path: '/walletpbft/getblockbynum', verb: 'POST', body: { num: 5 } }],
    ['the same by GET', { path: '/walletpbft/getblock?id_or_num=5', verb: 'GET' }],
    ['another case', { path: '/wallet/GetBlockByNum', verb: 'POST', body: { num: 5 } }],
    ['an escape in the query', { path: '/wallet/getblockbynum?num=%35', verb: 'GET' }],
  ])('TRON, %s: `{}` for a block is missing history', (_, request) => {
    expect(judged('tron', request, answer({}))).toMatchObject({ verdict: 'missing_history' });
  });

  test('TRON, a path of gRPC: a broadcast is one, with its message in base64', () => {
    const busy = { code: 'SERVER_BUSY', message: Buffer.from('Server busy.').toString('base64') };
    for (const request of [
      { path: 'protocol.Wallet/BroadcastTransaction', verb: 'POST', body: {} },
      { method: 'protocol.Wallet/BroadcastTransaction', params: [] },
    ])
      expect(judged('tron', request, answer(busy))).toMatchObject({
        verdict: 'node_failure',
        txOutcome: 'refused',
      });
    const head = { path: 'protocol.Wallet/GetNowBlock2', verb: 'POST' };
    expect(judged('tron', head, answer({}))).toMatchObject({ verdict: 'node_failure', rule: 'tron.no_head' });
  });

  test('TRON, a path in no table and one that hands over a key', () => {
    const off = answer({ Error: 'this API is unavailable due to config' }, 404);
    for (const path of ['/monitor/getstatsinfo', '/wallet/easytransfer', '/net/listnodes'])
      expect(judged('tron', { path, verb: 'POST', body: {} }, off)).toMatchObject({ verdict: 'unsupported' });
  });

  test('XRPL, a signing submit is a broadcast, and a WebSocket form is read', () => {
    const error = answer({ result: { error: 'notSupported', status: 'error' } });
    expect(judged('xrpl', { method: 'submit', params: [{ secret: 's', tx_json: {} }] }, error)).toMatchObject(
      {
        verdict: 'unsupported',
        txOutcome: 'refused',
      },
    );
    const clipped = {
      ledger_index_min: 80_000_000,
      ledger_index_max: 90_000_000,
      status: 'success',
      transactions: [],
    };
    const flat = {
      command: 'account_tx',
      account: 'r',
      ledger_index_min: 40_000_000,
      ledger_index_max: 90_000_000,
      id: 3,
    };
    expect(judged('xrpl', flat, answer({ result: clipped }))).toMatchObject({ verdict: 'missing_history' });
    expect(judged('xrpl', { method: 'ledger', params: {} }, answer('params unparsable', 400))).toMatchObject({
      verdict: 'app_error',
    });
  });

  test('EVM, no method, an odd id, a method that is never forwarded', () => {
    const bad = answer(
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'invalid request' } },
      400,
    );
    expect(judged('evm', {}, bad)).toMatchObject({ verdict: 'app_error' });
    expect(judged('evm', { id: { a: 1 }, method: 'eth_chainId' }, answer({ result: '0x1' }))).toMatchObject({
      verdict: 'ok',
    });
    const off = answer({ id: 1, error: { code: -32601, message: 'method not found' } });
    expect(judged('evm', { method: 'admin_peers', params: [] }, off)).toMatchObject({
      verdict: 'unsupported',
    });
  });

  test.each(Object.keys(families))('%s: any request at all, and the same verdict for a page', family => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.object({ maxDepth: 2 })), request => {
        const page = answer('<html><title>502 Bad Gateway</title></html>', 502);
        expect(judged(family, request, page)).toMatchObject({ id: 'one', verdict: 'node_failure' });
      }),
    );
  });
});

describe('batches', () => {
  const two = [{ method: 'eth_chainId' }, { method: 'eth_blockNumber' }];

  test('one result is no answer to two calls, one error is', () => {
    expect(judged('evm', two, answer({ id: 1, result: '0x1' }))).toMatchObject({ verdict: 'node_failure' });
    const limit = { id: null, error: { code: -32005, message: 'rate limit exceeded' } };
    expect(judged('evm', two, answer(limit))).toMatchObject({ verdict: 'rate_limited' });
  });

  test('a batch of one is answered by an array of one', () => {
    const [one] = two;
    expect(judged('evm', [one], answer([{ id: 1, result: '0x1' }]))).toMatchObject({ verdict: 'ok' });
    expect(judged('evm', one, answer([{ id: 1, result: '0x1' }]))).toMatchObject({ verdict: 'node_failure' });
  });

  test('recorded without ids, answers go by their place unless they share an id', () => {
    const zero = { id: 0, result: '0x1' };
    const one = { id: 1, result: '0x1' };
    expect(judged('evm', two, answer([zero, one]))).toMatchObject({ verdict: 'ok' });
    expect(judged('evm', two, answer([one, one]))).toMatchObject({ verdict: 'node_failure' });
  });

  test('recorded with ids, an answer that has one twice and lacks another is none', () => {
    const named = two.map((item, index) => ({ ...item, id: index + 1 }));
    const one = { id: 1, result: '0x1' };
    expect(judged('evm', named, answer([one, one]))).toMatchObject({ verdict: 'node_failure' });
  });

  test('the same error for every call, none of them named', () => {
    const named = two.map((item, index) => ({ ...item, id: index + 1 }));
    const limit = { id: null, error: { code: 429, message: 'Too many requests' } };
    expect(judged('evm', named, answer([limit, limit]))).toMatchObject({ verdict: 'rate_limited' });
    const other = { id: null, error: { code: -32000, message: 'header not found' } };
    expect(judged('evm', named, answer([limit, other]))).toMatchObject({ verdict: 'node_failure' });
  });

  test('TRON takes them too', () => {
    const both = [
      { id: 2, result: '0x5' },
      { id: 1, result: '0x1' },
    ];
    expect(judged('tron', two, answer(both))).toMatchObject({ verdict: 'ok' });
  });
});

describe('what cannot be judged', () => {
  test.each([
    ['no object', 5],
    ['an unknown family', { id: 'one', family: 'ledgerless', request: {}, response: answer('') }],
    ['no response', { id: 'one', family: 'evm', request: {} }],
    ['no status', { id: 'one', family: 'evm', request: {}, response: { body: '' } }],
  ])('%s is refused, and told why', (_, line) => {
    expect(classifyCase(line, families, 0)).toHaveProperty('refused');
  });

  test('a body that is no text is taken as JSON, a status as a text is a number', () => {
    const response = { status: '200', headers: null, body: { jsonrpc: '2.0', id: 1, result: '0x1' } };
    expect(judged('evm', { method: 'eth_chainId' }, response)).toMatchObject({ verdict: 'ok' });
  });
});
