/** What the EVM made of a call, and a call that cannot be valid. */

import { execution, transactionFlaw } from '../words.ts';
import { type EvmRule, isError, ofUserOperation, says } from './saying.ts';

export const outcomes: readonly EvmRule[] = [
  {
    id: 'evm.execution',
    stage: 'words',
    signal: 'text of a revert, an opcode, a stack, gas that ran out',
    when: f => isError(f) && says(f, execution),
    verdict: 'app_error',
    why: 'the EVM ran and this came of it',
    fixture: 'revert-nethermind-data-revert',
  },
  {
    id: 'evm.workers',
    stage: 'words',
    signal: "text of the node's own workers being all in use",
    when: f =>
      isError(f) &&
      /module ?(?:timeout|rental)|unable to rent|(?:worker|thread|connection) ?pool|pending acquire/.test(
        f.text,
      ),
    verdict: 'node_failure',
    why: 'the node is out of workers; no quota of ours',
    fixture: 'nethermind-module-timeout',
  },
];

export const flaws: readonly EvmRule[] = [
  {
    id: 'evm.transaction_flaw',
    stage: 'words',
    signal: 'text about funds, nonce, fee or gas limit',
    only: 'all but broadcasts',
    when: f =>
      !f.broadcast && isError(f) && f.status !== 402 && (ofUserOperation(f) || says(f, transactionFlaw)),
    verdict: 'app_error',
    why: 'the transaction that is only tried cannot be valid',
    fixture: 'call-intrinsic-gas-too-high',
  },
];
