/** The fate of a transaction, by the fields of a simulation and of an error. */

import type { Rule } from '../../rules.ts';
import type { Facts } from '../facts.ts';
import { all, behindWords, code, not, some, troubleWords, words } from './saying.ts';

/** What a check finds wrong with a transaction; other troubles under the same codes prove nothing about it. */
const ofTransaction =
  /simulation failed|error processing instruction|custom program error|\bsignature|precompile|blockhash|insufficient|\baccounts?\b/;

export const transactions: readonly Rule<Facts>[] = [
  {
    id: 'solana.already_processed',
    stage: 'field',
    signal: 'err AlreadyProcessed, or its words, and not code -32603',
    only: 'broadcasts',
    when: facts => facts.broadcast && facts.already && facts.code !== -32603,
    verdict: 'app_error',
    tx: 'known',
    why: 'it is on the chain already: no failure of this payment',
    fixture: 'solana-send-already-processed',
  },
  {
    id: 'solana.simulated',
    stage: 'field',
    signal: 'data with err or logs',
    when: facts => facts.simulated,
    verdict: 'app_error',
    tx: 'rejected',
    why: "the chain's own answer about this transaction, whatever a program wrote into its log",
    fixture: 'solana-send-custom-error-22',
  },
  {
    id: 'solana.preflight',
    stage: 'field',
    signal: 'code -32002, -32003, -32006, -32013, and no trouble of the node in its text',
    when: all(
      code(-32002, -32003, -32006, -32013),
      some(words(ofTransaction), not(some(words(behindWords), words(troubleWords)))),
    ),
    verdict: 'app_error',
    tx: 'rejected',
    why: 'checked before it is handed on: signature, size, a run against the newest state',
    fixture: 'solana-send-signature-failure-32003',
  },
];
