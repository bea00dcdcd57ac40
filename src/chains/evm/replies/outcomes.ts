/** What the EVM made of a call, and a call that cannot be valid. */

import { execution, transactionFlaw } from '../words.ts';
import { type EvmRule, isError, ofUserOperation, says } from './saying.ts';

/** Limits of the node's process and of the machine below it. */
const ownMachine =
  /module ?(?:timeout|rental)|unable to rent|(?:worker|thread|connection) ?pool|pending acquire|\bmdbx|max ?readers|too many open files|file descriptors?\b|no space left|heap space|gc overhead|cannot allocate memory/;

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
    signal: "text of the node's own workers, readers, files or memory being all in use",
    when: f => isError(f) && ownMachine.test(f.text),
    verdict: 'node_failure',
    why: 'the node is at the end of its machine; no quota of ours',
    fixture: 'nethermind-module-timeout',
  },
];

/** A balance that is held with the provider. */
const ofAccount =
  /\btop(?:ping)?[ -]?up\b|\brecharge\b|add (?:more )?(?:funds|credits?)|(?:pay|paying) for (?:\S+ )?(?:requests?|calls|api|rpc)/;
/** Nothing is run for these, so that no transaction can be at fault. */
const holdsNoCall =
  /^(?:net|web3)_|^eth_(?:blockNumber|chainId|syncing|gasPrice|maxPriorityFeePerGas|blobBaseFee|feeHistory|get(?!Raw)\w+|accounts|protocolVersion)$/;

export const flaws: readonly EvmRule[] = [
  {
    id: 'evm.transaction_flaw',
    stage: 'words',
    signal: 'text about funds, nonce, fee or gas limit',
    only: 'methods that try a call or read what one did',
    when: f =>
      !f.broadcast &&
      isError(f) &&
      f.status !== 402 &&
      (ofUserOperation(f) ||
        (says(f, transactionFlaw) && !(says(f, ofAccount) || holdsNoCall.test(f.method)))),
    verdict: 'app_error',
    why: 'the transaction that is only tried cannot be valid',
    fixture: 'call-intrinsic-gas-too-high',
  },
];
