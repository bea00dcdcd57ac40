/** Codes, statuses and bytes that mean one thing, whoever sends them. */

import { quotaWords, speedWords } from '../../words.ts';
import type { EvmFacts } from '../facts.ts';
import { execution, gone, noTracer, partOfMethod, seen } from '../words.ts';
import { type EvmRule, says, syncSend, withCode } from './saying.ts';

const ofPrunedCode = withCode(4444, 4445, -32801);
const ofUnknownBlockCode = withCode(-39001, -39012);
const ofSimulation = (f: EvmFacts): boolean => f.code !== undefined && f.code <= -38010 && f.code >= -38026;

function isRateStatus(f: EvmFacts): boolean {
  return f.status === 429 || f.status === 425 || f.code === 429 || f.code === 425;
}

function notAboutMethod(f: EvmFacts): boolean {
  if (/^(?:parse error|invalid request)\b/.test(f.message)) return true;
  return (
    says(f, execution) || ((noTracer.test(f.text) || partOfMethod.test(f.text)) && !/\bmethod\b/.test(f.text))
  );
}

/** zkSync answers under code 3 whatever stands in a transaction's way, its own end included. */
const leaving = /^(?:server |node )?(?:is )?(?:shutting down|internal (?:server )?error$)/;

export const codes: readonly EvmRule[] = [
  {
    id: 'evm.sync_ran',
    stage: 'field',
    signal: 'the bytes, the code or the text of a revert',
    only: 'broadcasts that wait for the receipt (EIP-7966)',
    when: f =>
      f.broadcast && syncSend.test(f.method) && (f.revertBytes || f.code === 3 || says(f, execution)),
    verdict: 'app_error',
    tx: 'unknown',
    why: 'it may have run in a block',
    fixture: 'tx-sync-reverted',
  },
  {
    id: 'evm.revert_bytes',
    stage: 'field',
    signal: 'the bytes of a revert in `data`',
    when: f => f.revertBytes,
    verdict: 'app_error',
    why: 'what a contract said, whatever the text around it reads',
    fixture: 'revert-nethermind-code-32000',
  },
  {
    id: 'evm.code_3_block',
    stage: 'field',
    signal: 'code 3, no revert, and the text of an unknown block',
    when: f => f.code === 3 && !says(f, execution) && says(f, gone),
    verdict: 'missing_history',
    why: 'a provider reports blocks it does not have under the code of reverts',
    fixture: 'alchemy-code-3-unknown-block',
  },
  {
    id: 'evm.code_3',
    stage: 'field',
    signal: 'code 3, unless the text is of a node that goes away or of a transaction that is there',
    when: f => f.code === 3 && !(f.broadcast && says(f, seen)) && (f.revertBytes || !leaving.test(f.text)),
    verdict: 'app_error',
    why: 'execution reverted (geth and its followers)',
    fixture: 'exec-code-3-bare',
  },
  {
    id: 'evm.sync_in_pool',
    stage: 'field',
    signal: 'code 4, or text: added to the pool',
    only: 'broadcasts that wait for the receipt (EIP-7966)',
    when: f =>
      f.broadcast &&
      (f.code === 4
        ? syncSend.test(f.method) || /pool|receipt|processed|confirmed/.test(f.text)
        : syncSend.test(f.method) &&
          /\b(?:added to|is in|was accepted (?:by|into)) the \S*? ?\S*pool/.test(f.text)),
    verdict: 'app_error',
    tx: 'accepted',
    why: 'the time to wait ran out after the pool had taken the transaction',
    fixture: 'tx-sync-timeout-in-pool',
  },
  {
    id: 'evm.sync_not_ready',
    stage: 'field',
    signal: 'codes 5, 6',
    only: 'broadcasts that wait for the receipt (EIP-7966)',
    when: f => (f.code === 5 || f.code === 6) && f.broadcast && syncSend.test(f.method),
    verdict: 'app_error',
    tx: 'unknown',
    why: 'the transaction cannot run yet, and may wait in the pool',
    fixture: 'tx-sync-not-ready',
  },
  {
    id: 'evm.pruned_code',
    stage: 'field',
    signal: 'codes 4444, 4445, -32801',
    when: ofPrunedCode,
    verdict: 'missing_history',
    why: 'history that was dropped (EIP-4444), or that only a legacy node has',
    fixture: 'pruned-history-4444-geth',
  },
  {
    id: 'evm.unknown_block_code',
    stage: 'field',
    signal: 'codes -39001, -39012',
    only: 'requests that name a height or a hash',
    when: f => ofUnknownBlockCode(f) && f.past,
    verdict: 'missing_history',
    why: 'unknown block (Besu, Nethermind, Hedera)',
    fixture: 'besu-unknown-block-39001',
  },
  {
    id: 'evm.simulation_code',
    stage: 'field',
    signal: 'codes -38010 to -38026',
    when: ofSimulation,
    verdict: 'app_error',
    why: 'the outcome of a simulation (eth_simulateV1)',
    fixture: 'simulate-insufficient-funds-code',
  },
  {
    id: 'evm.rate_status',
    stage: 'field',
    signal: 'status or code 429 or 425, and no word of a used-up allowance',
    when: f => isRateStatus(f) && !says(f, execution) && !says(f, quotaWords),
    verdict: 'rate_limited',
    why: 'too fast',
    fixture: 'rate-alchemy-cups-429',
  },
  {
    id: 'evm.quota_status',
    stage: 'field',
    signal: 'status or code 429 or 425, and words of a used-up allowance',
    when: f => isRateStatus(f) && !says(f, execution),
    verdict: 'rate_limited',
    quota: true,
    why: 'the allowance of a day, a month or a plan is used up',
    fixture: 'rate-chainstack-monthly',
  },
  {
    id: 'evm.method_code',
    stage: 'field',
    signal: 'code -32601, unless the text is of a malformed request or of a part of the call',
    when: f => f.code === -32601 && !notAboutMethod(f),
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'no such method here',
    fixture: 'unsup-geth-debug',
  },
  {
    id: 'evm.cap_code',
    stage: 'field',
    signal: 'codes -32614, -32047, or status 413',
    when: f => f.status === 413 || ((f.code === -32614 || f.code === -32047) && !says(f, speedWords)),
    verdict: 'app_error',
    tx: 'unknown',
    why: 'a range or a body over a cap',
    fixture: 'logs-quicknode-413',
  },
  {
    id: 'evm.key_code',
    stage: 'field',
    signal: 'codes -40100, -32051, -32052, unless the text is about the method',
    when: f => (f.code === -40100 || f.code === -32051 || f.code === -32052) && !/\bmethods?\b/.test(f.text),
    verdict: 'auth_refused',
    why: 'the key is unknown, disabled or not for this',
    fixture: 'auth-besu-unauthorized',
  },
  {
    id: 'evm.relay_code',
    stage: 'field',
    signal: 'codes -31001, -31002, -32046',
    when: f => f.code === -31001 || f.code === -31002 || f.code === -32046,
    verdict: 'node_failure',
    why: 'the gateway had no answer from a node',
    fixture: 'grove-empty-endpoint',
  },
];
