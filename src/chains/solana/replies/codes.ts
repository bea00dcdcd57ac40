/** Codes of the node's own. */

import type { Rule } from '../../rules.ts';
import type { Facts } from '../facts.ts';
import {
  all,
  broadcast,
  code,
  historyWords,
  lacksMethod,
  limited,
  not,
  some,
  type When,
  wideWords,
  words,
} from './saying.ts';

/** A code, whoever uses it. */
const anyCode =
  (...codes: readonly number[]): When =>
  facts =>
    codes.includes(facts.code);

export const codes: readonly Rule<Facts>[] = [
  {
    id: 'solana.unhealthy',
    stage: 'field',
    signal: 'code -32005',
    when: code(-32005),
    verdict: 'node_failure',
    tx: 'refused',
    why: 'the node follows the chain no longer; looked at before a transaction is sent',
    fixture: 'solana-behind-3104-slots',
  },
  {
    id: 'solana.below_slot',
    stage: 'field',
    signal: 'code -32016',
    when: code(-32016),
    verdict: 'missing_history',
    tx: 'refused',
    why: 'the node has not reached the slot that the caller names; nobody is to blame, the caller chose the number',
    fixture: 'solana-min-context-slot',
  },
  {
    id: 'solana.history',
    stage: 'field',
    signal: 'code -32001, -32004, -32007, -32009, -32011, -32014, -32018, -32020',
    when: code(-32001, -32004, -32007, -32009, -32011, -32014, -32018, -32020),
    verdict: 'missing_history',
    why: 'cleaned up, skipped, not written yet, or never kept here: another endpoint may have it',
    fixture: 'solana-block-cleaned-up',
  },
  {
    id: 'solana.scan_too_wide',
    stage: 'field',
    signal: 'code -32012, and the text says that results exceed a limit',
    when: all(code(-32012), words(/exceed/)),
    verdict: 'app_error',
    why: 'the caller must narrow the question',
    fixture: 'solana-extra-scan-results-exceeded',
  },
  {
    id: 'solana.node_trouble',
    stage: 'field',
    signal: 'code -32012, -32019, -32021',
    when: code(-32012, -32019, -32021),
    verdict: 'node_failure',
    why: 'a scan was aborted, its storage does not answer, it has no slot history',
    fixture: 'solana-scan-aborted',
  },
  {
    id: 'solana.key_not_indexed',
    stage: 'field',
    signal: 'code -32008, -32010',
    when: code(-32008, -32010),
    verdict: 'unsupported',
    why: 'this node indexes no such key, or makes no snapshots; other calls of the method pass',
    fixture: 'solana-key-excluded-from-index',
  },
  {
    id: 'solana.callers_mistake',
    stage: 'field',
    signal: 'code -32015, -32017',
    when: code(-32015, -32017),
    verdict: 'app_error',
    why: 'the same on every node: a transaction version not asked for, rewards being paid out',
    fixture: 'solana-tx-version-short',
  },
  {
    id: 'solana.no_faucet',
    stage: 'field',
    signal: 'code -32600',
    only: 'requestAirdrop',
    when: all(code(-32600), facts => facts.method === 'requestAirdrop'),
    verdict: 'unsupported',
    why: 'a node without a faucet answers the code of a malformed request',
    fixture: 'solana-airdrop-without-faucet',
  },
  {
    id: 'solana.bad_request',
    stage: 'field',
    signal: 'code -32600, -32602, -32700, and the text names neither a method nor a plan',
    when: all(code(-32600, -32602, -32700), some(not(lacksMethod), words(/^invalid param/))),
    verdict: 'app_error',
    why: "the caller's request or parameters",
    fixture: 'solana-invalid-param-type',
  },
  {
    id: 'solana.unknown_method',
    stage: 'field',
    signal: 'code -32601',
    when: all(anyCode(-32601), not(limited)),
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'not on this kind of node, or removed from its version',
    fixture: 'solana-method-not-found-removed-in-2.0',
  },
  {
    id: 'solana.internal',
    stage: 'field',
    signal: 'code -32603',
    when: all(code(-32603), some(broadcast, not(some(words(historyWords), words(wideWords), lacksMethod)))),
    verdict: 'node_failure',
    why: 'it broke at work; of a transaction that proves nothing, whatever the text sounds like',
    fixture: 'solana-internal-error',
  },
];
