import { describe, expect, test } from 'vitest';
import type { Family } from '../../src/chains/family.ts';
import { families } from '../../src/chains/index.ts';
import { dependsOnTip } from '../../src/core/need.ts';
import { bytes } from './cases.ts';

function atTip(family: Family, target: string, body: unknown): boolean {
  const options = { maxDepth: 10, maxBatch: 100, development: false };
  const opened = family.open({ verb: 'POST', target, body: bytes(JSON.stringify(body)) }, options);
  if (opened.form !== 'single') throw new Error(`it was ${opened.form}`);
  return dependsOnTip(family.need(opened.call));
}

const rpc = (method: string, params: readonly unknown[] = []) => ({ jsonrpc: '2.0', id: 1, method, params });

describe('freshness asks nothing of what is about no block, and something of all that is about the newest', () => {
  test.each([
    ['eth_chainId', false],
    ['net_version', false],
    ['net_listening', false],
    ['web3_clientVersion', false],
    ['web3_sha3', false],
    ['eth_blockNumber', true],
    ['eth_syncing', true],
    ['eth_gasPrice', true],
    ['eth_getBalance', true],
    ['eth_somethingNew', true],
  ])('evm: %s', (method, tip) => {
    expect(atTip(families.evm, '', rpc(method))).toBe(tip);
    const overTron = /Balance|New/.test(method) ? undefined : atTip(families.tron, '/jsonrpc', rpc(method));
    if (overTron !== undefined) expect(overTron).toBe(tip);
  });

  test.each<[string, readonly unknown[], boolean]>([
    ['getGenesisHash', [], false],
    ['getVersion', [], false],
    ['getClusterNodes', [], false],
    ['getHealth', [], true],
    ['getSlot', [], true],
    ['getBalance', ['K'], true],
    // It names a height, and asks for the newest state all the same.
    ['getBalance', ['K', { minContextSlot: 5 }], true],
    ['getBlock', [5], false],
  ])('solana: %s %j', (method, params, tip) => {
    expect(atTip(families.solana, '', rpc(method, params))).toBe(tip);
  });

  test.each<[string, readonly unknown[], boolean]>([
    ['ping', [{}], false],
    ['random', [{}], false],
    ['server_definitions', [{}], false],
    ['server_info', [{}], true],
    ['fee', [{}], true],
    ['ledger', [{ ledger_index: 50 }], false],
    ['batch', [{ method: 'ping' }, { method: 'random' }], false],
    ['batch', [{ method: 'ping' }, { method: 'fee' }], true],
    ['batch', [{ method: 'fee' }, { method: 'ping' }, { method: 'random' }], true],
    [
      'batch',
      [
        { method: 'ledger', ledger_index: 50 },
        { method: 'account_info', account: 'r' },
      ],
      true,
    ],
    ['batch', [{ method: 'ping' }, { method: 'ledger', ledger_index: 50 }], false],
  ])('xrpl: %s %j', (method, params, tip) => {
    expect(atTip(families.xrpl, '', { method, params })).toBe(tip);
  });

  test.each([
    ['/wallet/validateaddress', false],
    ['/wallet/listnodes', false],
    ['/wallet/getnodeinfo', true],
    ['/wallet/getnowblock', true],
    ['/walletsolidity/getnodeinfo', true],
    ['/wallet/createtransaction', true],
  ])('tron: %s', (path, tip) => {
    expect(atTip(families.tron, path, {})).toBe(tip);
  });

  test.each(Object.values(families))(
    'no method of this family that names a block is marked: $name',
    family => {
      for (const [name, method] of Object.entries(family.methods)) {
        if (!method.timeless) continue;
        expect(method.kind, name).toMatch(/^(?:read|heavy)$/);
        for (const part of ['place', 'keeps', 'slot', 'signature', 'height', 'named', 'filter'])
          expect(method, name).not.toHaveProperty(part);
      }
    },
  );
});
