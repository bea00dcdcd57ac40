import { describe, expect, test } from 'vitest';
import { solana } from '../../../src/chains/solana/index.ts';
import type { Fault } from '../../../src/core/errors.ts';
import { bytes } from '../cases.ts';
import { call } from './calls.ts';

const options = { maxDepth: 10, maxBatch: 1000, development: false };
const open = (body: string, target = '') => solana.open({ verb: 'POST', target, body: bytes(body) }, options);

describe('methods', () => {
  test.each([
    ['getSlot', 'read'],
    ['getBlock', 'heavy'],
    ['sendTransaction', 'broadcast'],
    ['sendBundle', 'broadcast'],
    ['requestAirdrop', 'broadcast'],
    ['simulateTransaction', 'read'],
    ['validatorExit', 'refused'],
    ['setLogFilter', 'refused'],
  ])('%s is %s', (method, kind) => {
    const read = open(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }));
    expect(read).toMatchObject({ form: 'single', call: { method, spec: { kind } } });
  });

  test('every refusal has a reason', () => {
    for (const spec of Object.values(solana.methods))
      if (spec.kind === 'refused') expect(spec.why).toBeTruthy();
  });

  test.each(['getSomethingNew', 'constructor', '__proto__', 'toString'])('%s stands in no table', method => {
    const read = open(JSON.stringify({ jsonrpc: '2.0', id: 1, method }));
    expect(read).toMatchObject({ form: 'single', call: { spec: { kind: 'read', unknown: true } } });
  });
});

describe('strictness', () => {
  test.each([
    '{"jsonrpc":"2.0","id":1,"method":"getSlot","method":"sendTransaction"}',
    '{"jsonrpc":"2.0","id":1,"method":"getSlot","Method":"sendTransaction"}',
    '{"jsonrpc":"2.0","id":1,"m\\u0065thod":"getSlot"}',
    '{"jsonrpc":"2.0","id":1,"method":"getSl\\u006ft"}',
    '{"jsonrpc":"2.0","id":1,"method":"getSlot"} x',
    '\ufeff{"jsonrpc":"2.0","id":1,"method":"getSlot"}',
  ])('%s', body => {
    expect(open(body)).toMatchObject({ form: 'refused', reason: 'invalid_request' });
  });

  test('nothing but the root is served', () => {
    expect(open('{"jsonrpc":"2.0","id":1,"method":"getSlot"}', '/health')).toMatchObject({
      form: 'refused',
      reason: 'not_found',
    });
  });
});

const fault: Fault = {
  reason: 'not_sent',
  message: 'nothing left',
  chain: 'solana',
  requestId: 'r1',
  attempts: [],
};

test('a broadcast that failed has the code that no client of Solana sends again on', () => {
  const told = JSON.parse(solana.fault({ ...call('sendTransaction'), id: '"a"' }, fault));
  expect(told).toMatchObject({
    jsonrpc: '2.0',
    id: 'a',
    error: { code: -32603, data: { source: 'rpcgw', reason: 'not_sent' } },
  });
});

test('a read that failed has the code of its reason', () => {
  const told = JSON.parse(solana.fault(call('getSlot'), { ...fault, reason: 'no_endpoint' }));
  expect(told).toMatchObject({ id: 1, error: { code: -32004 } });
});
