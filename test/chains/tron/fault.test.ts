import { expect, test } from 'vitest';
import { tron } from '../../../src/chains/tron/index.ts';
import { decodeMessage } from '../../../src/chains/tron/message.ts';
import type { Fault } from '../../../src/core/errors.ts';
import { callFor } from './cases.ts';

const fault: Fault = {
  reason: 'no_endpoint',
  message: 'no endpoint could be tried',
  chain: 'tron',
  requestId: 'r1',
  attempts: [],
};
const lost: Fault = {
  ...fault,
  reason: 'broadcast_unknown',
  message: 'the bytes were handed over; watch the id',
  transaction: { id: 'ab'.repeat(32), endpoint: 'own', outcome: 'unknown' },
};

test('a read gets an Error and the facts beside it', () => {
  expect(JSON.parse(tron.fault(callFor('/wallet/getnowblock'), fault))).toEqual({
    Error: fault.message,
    rpcgw: { source: 'rpcgw', reason: 'no_endpoint', chain: 'tron', requestId: 'r1', attempts: [] },
  });
});

test('so does a request that could not be read', () => {
  expect(JSON.parse(tron.fault(undefined, { ...fault, reason: 'not_found' }))).toMatchObject({
    Error: fault.message,
  });
});

test('a JSON-RPC call gets an error under its id', () => {
  const call = callFor('/jsonrpc', { jsonrpc: '2.0', id: 'x', method: 'eth_chainId' });
  expect(JSON.parse(tron.fault(call, fault))).toMatchObject({
    id: 'x',
    error: { code: -32004, data: { source: 'rpcgw' } },
  });
  expect(JSON.parse(tron.fault(undefined, { ...fault, id: '7' }))).toMatchObject({
    id: 7,
    error: { code: -32004 },
  });
});

test('a broadcast gets the node’s own form, hex unless text was asked for', () => {
  const hex = JSON.parse(tron.fault(callFor('/wallet/broadcasttransaction', { raw_data: {} }), lost));
  expect(hex).toMatchObject({
    result: false,
    code: 'OTHER_ERROR',
    txid: 'ab'.repeat(32),
    rpcgw: { reason: 'broadcast_unknown' },
  });
  expect(hex.message).toMatch(/^[0-9a-f]+$/);
  expect(decodeMessage(hex.message)).toBe(lost.message);
  const plain = JSON.parse(
    tron.fault(callFor('/wallet/broadcasttransaction', { visible: true, raw_data: {} }), lost),
  );
  expect(plain.message).toBe(lost.message);
  const hexPath = JSON.parse(tron.fault(callFor('/wallet/broadcasthex', { transaction: '0a00' }), lost));
  expect(hexPath.message).toBe(lost.message);
});

test('a broadcast without an id names none', () => {
  const { transaction: _, ...bare } = lost;
  const body = JSON.parse(
    tron.fault(callFor('/wallet/broadcasttransaction', {}), { ...bare, reason: 'not_sent' }),
  );
  expect(Object.hasOwn(body, 'txid')).toBe(false);
});
