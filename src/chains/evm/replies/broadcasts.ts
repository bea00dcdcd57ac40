/** What became of a transaction that was sent, in the order in which one may believe it. */

import { authWords, quotaWords, speedWords } from '../../words.ts';
import {
  crash,
  lost,
  noMethod,
  notReady,
  otherSeen,
  outage,
  poolFull,
  refusedTransaction,
  rubbish,
  seen,
  spentNonce,
} from '../words.ts';
import {
  type EvmRule,
  isError,
  isSlow,
  ofUserOperation,
  refusesCaller,
  says,
  speaks,
  withCode,
} from './saying.ts';

const refusalCode = withCode(-32003, -32010, -32602, -32611);

export const broadcasts: readonly EvmRule[] = [
  {
    id: 'evm.tx_slow_down',
    stage: 'words',
    signal: 'text of a rate',
    only: 'broadcasts',
    when: f => f.broadcast && isError(f) && !isSlow(f) && says(f, speedWords),
    verdict: 'rate_limited',
    why: 'refused before the transaction was looked at',
    fixture: 'tx-hbar-limit',
  },
  {
    id: 'evm.tx_pool_full',
    stage: 'words',
    signal: 'text: the pool is full',
    only: 'broadcasts',
    when: f => f.broadcast && isError(f) && says(f, poolFull),
    verdict: 'node_failure',
    why: "this node's pool has no room",
    fixture: 'tx-queued-pool-full',
  },
  {
    id: 'evm.tx_not_ready',
    stage: 'words',
    signal: 'text: not in sync, no sequencer, no pool',
    only: 'broadcasts',
    when: f => f.broadcast && isError(f) && says(f, notReady),
    verdict: 'node_failure',
    why: 'the node cannot take transactions now',
    fixture: 'tx-sequencer-not-available',
  },
  {
    id: 'evm.tx_known',
    stage: 'words',
    signal: 'text: already known, in the pool, imported',
    only: 'broadcasts',
    when: f => f.broadcast && isError(f) && says(f, seen) && !says(f, otherSeen),
    verdict: 'app_error',
    tx: 'known',
    why: 'the network has this very transaction',
    fixture: 'tx-already-known-geth',
  },
  {
    id: 'evm.tx_nonce_used',
    stage: 'words',
    signal: 'text: the nonce is used',
    only: 'broadcasts',
    when: f => f.broadcast && isError(f) && says(f, spentNonce) && !says(f, lost),
    verdict: 'app_error',
    tx: 'rejected',
    why: 'another transaction has the nonce, or this one has landed',
    fixture: 'tx-nonce-too-low-geth',
  },
  {
    id: 'evm.tx_no_method',
    stage: 'words',
    signal: 'text: the method is not offered here',
    only: 'broadcasts',
    when: f =>
      f.broadcast &&
      isError(f) &&
      says(f, noMethod) &&
      !/\btype\b|chain ?id|\beip-?\d|signature/.test(f.text),
    verdict: 'unsupported',
    why: 'a read-only endpoint, or a plan without broadcasts',
    fixture: 'tx-publishing-not-supported',
  },
  {
    id: 'evm.tx_credential',
    stage: 'words',
    signal: 'text of a key, a token, a project; or no answer of the protocol under 401, 402, 403',
    only: 'broadcasts',
    when: f =>
      f.broadcast &&
      speaks(f) &&
      !/sender|account not|sanction|black ?list|\baddress is/.test(f.text) &&
      (says(f, authWords) || (!isError(f) && refusesCaller(f.status))) &&
      !says(f, quotaWords),
    verdict: 'auth_refused',
    why: 'refused before the node saw it',
    fixture: 'tx-401',
  },
  {
    id: 'evm.tx_refused',
    stage: 'words',
    signal: 'text about fee, funds, nonce, signature, chain id, size, encoding; codes of refusals',
    only: 'broadcasts',
    when: f =>
      f.broadcast &&
      isError(f) &&
      (ofUserOperation(f) || says(f, refusedTransaction)) &&
      !isSlow(f) &&
      !says(f, rubbish) &&
      !says(f, crash) &&
      !says(f, lost),
    verdict: 'app_error',
    tx: 'rejected',
    why: 'a definite refusal of these bytes',
    fixture: 'tx-insufficient-funds',
  },
  {
    id: 'evm.tx_refused_code',
    stage: 'words',
    signal: 'codes -32003, -32010, -32602, -32611 and no word of trouble',
    only: 'broadcasts',
    when: f => f.broadcast && isError(f) && refusalCode(f) && f.status < 500 && !says(f, outage),
    verdict: 'app_error',
    tx: 'rejected',
    why: 'codes that nodes keep for refused transactions',
    fixture: 'tx-refused-bare-32003',
  },
];
