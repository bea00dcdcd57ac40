import { describe, expect, test } from 'vitest';
import { methodOf, methods } from '../../../src/chains/evm/methods.ts';

describe('never forwarded', () => {
  const refused = [
    'personal_sign',
    'personal_unlockAccount',
    'personal_sendTransaction',
    'personal_newAccount',
    'admin_addPeer',
    'admin_peers',
    'miner_start',
    'clique_propose',
    'engine_newPayloadV4',
    'eth_sign',
    'eth_signTransaction',
    'eth_signTypedData_v4',
    'eth_sendTransaction',
    'eth_coinbase',
    'eth_resend',
    'debug_setHead',
    'debug_setGCPercent',
    'debug_writeMemProfile',
    'debug_cpuProfile',
    'debug_startGoTrace',
    'debug_verbosity',
    'debug_chaindbCompact',
    'debug_standardTraceBlockToFile',
    'debug_resetHead',
    'debug_getConfigValue',
    'debug_freeOSMemory',
    'txpool_addTransaction',
    'anvil_setBalance',
    'hardhat_impersonateAccount',
    'evm_mine',
    'parity_setMode',
    'parity_newAccountFromPhrase',
    'parity_allAccountsInfo',
    'klay_sendTransaction',
    'kaia_signTransaction',
    'quorum_sendTransaction',
    'account_signData',
    'wallet_sendTransaction',
    'qbft_proposeValidatorVote',
    'perm_addNodesToAllowlist',
    'eth_submitWork',
    'eth_subscribe',
    'foo_unlockAccount',
    'foo_exportPrivateKey',
  ];
  test.each(refused)('%s', name => {
    const method = methodOf(name, false);
    expect(method.kind).toBe('refused');
    expect(method.why).toMatch(/\w/);
  });

  test.each([
    'ETH_sendRawTransaction',
    'eth_SendRawTransaction',
    'Eth_Call',
    'PERSONAL_sign',
    'Engine_newPayloadV1',
  ])('%s: another case is another way past the rules', name => {
    expect(methodOf(name, false).kind).toBe('refused');
  });

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', ''])('%j is no known method', name => {
    expect(methodOf(name, false)).toEqual({ kind: 'read', unknown: true });
  });
});

test('accounts are answered here, and are none', () => {
  expect(methodOf('eth_accounts', false)).toEqual({ kind: 'local', result: '[]' });
});

test('methods of development nodes need a development chain', () => {
  for (const name of ['anvil_mine', 'hardhat_mine', 'evm_increaseTime']) {
    expect(methodOf(name, true)).toEqual({ kind: 'read', unknown: true });
    expect(methodOf(name, false).kind).toBe('refused');
  }
  expect(methodOf('personal_sign', true).kind).toBe('refused');
});

describe('broadcasts', () => {
  test.each([
    'eth_sendRawTransaction',
    'eth_sendRawTransactionSync',
    'eth_sendRawTransactionConditional',
    'eth_sendPrivateTransaction',
    'eth_sendPrivateRawTransaction',
    'eth_sendBundle',
    'mev_sendBundle',
    'eth_sendUserOperation',
    'zks_sendRawTransactionWithDetailedOutput',
  ])('%s', name => {
    expect(methodOf(name, false)).toMatchObject({ kind: 'broadcast' });
  });

  test.each([
    'foo_sendRawTransaction',
    'eth_sendPuissantBundle',
    'debug_batchSendRawTransaction',
    'eth_sendSignedTransaction',
    'bar_submitPrivateTx',
    'linea_sendBundle',
    'eth_broadcastRawTransaction',
  ])('%s stands in no table, and hands a transaction over all the same', name => {
    expect(methodOf(name, false)).toMatchObject({ kind: 'broadcast', unknown: true });
  });
});

describe('the rest', () => {
  test.each([
    ['eth_getLogs', 'heavy'],
    ['eth_getProof', 'heavy'],
    ['eth_getBlockReceipts', 'heavy'],
    ['eth_simulateV1', 'heavy'],
    ['eth_createAccessList', 'heavy'],
    ['txpool_content', 'heavy'],
    ['debug_traceCall', 'heavy'],
    ['debug_traceFoo', 'heavy'],
    ['trace_foo', 'heavy'],
    ['ots_foo', 'heavy'],
    ['eth_call', 'read'],
    ['eth_blockNumber', 'read'],
    ['net_version', 'read'],
    ['linea_estimateGas', 'read'],
    ['zks_getProof', 'read'],
    ['eth_getTransactionBySenderAndNonce', 'read'],
  ])('%s is %s', (name, kind) => {
    expect(methodOf(name, false).kind).toBe(kind);
  });

  test('what stands in no table says so', () => {
    for (const name of ['linea_estimateGas', 'trace_foo', 'debug_traceFoo', 'bor_getRootHash'])
      expect(methodOf(name, false).unknown).toBe(true);
  });

  test('filters live on one node', () => {
    expect(methodOf('eth_newFilter', false).filter).toBe('makes');
    expect(methodOf('eth_getFilterChanges', false).filter).toBe('uses');
    expect(methodOf('eth_uninstallFilter', false).filter).toBe('uses');
  });

  test('a refused row says why, a local one what, a broadcast how it carries its bytes', () => {
    for (const [name, method] of Object.entries(methods)) {
      expect([name, method.kind === 'refused']).toEqual([name, method.why !== undefined]);
      expect([name, method.kind === 'local']).toEqual([name, method.result !== undefined]);
      expect([name, method.kind === 'broadcast']).toEqual([name, method.carries !== undefined]);
    }
  });
});
