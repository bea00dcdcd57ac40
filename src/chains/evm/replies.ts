/**
 * What an EVM endpoint's answer means. One number means different things at different providers (-32005 is a rate, a
 * range, a batch or a gas cap), so codes decide only where they are unambiguous; the rest is words, in an order in which
 * the more certain meaning comes first: what the EVM said, what became of a transaction, caps, plans, rates, credentials,
 * history, methods. The status only breaks ties.
 */

import type { Rule } from '../rules.ts';
import { authWords, quotaWords, speedWords } from '../words.ts';
import type { EvmFacts } from './facts.ts';
import {
  addressRequired,
  archive,
  batchCap,
  crash,
  execution,
  foreignChain,
  gone,
  malformed,
  nodeTime,
  noMethod,
  nonceNotSeen,
  noTracer,
  notReady,
  offered,
  outage,
  partOfMethod,
  plan,
  poolFull,
  refusedTransaction,
  rubbish,
  seen,
  spentNonce,
  tooWide,
  transactionFlaw,
  trouble,
  unknownThing,
} from './words.ts';

type EvmRule = Rule<EvmFacts>;

const says = (f: EvmFacts, words: RegExp): boolean => words.test(f.text);
const isError = (f: EvmFacts): boolean => f.shape === 'error';
/** An error, or a text or JSON of another form in an error's place. */
const speaks = (f: EvmFacts): boolean => f.shape === 'error' || f.shape === 'text' || f.shape === 'no_result';
const withCode = (...codes: readonly number[]) => {
  const set = new Set(codes);
  return (f: EvmFacts): boolean => f.code !== undefined && set.has(f.code);
};
const refusesCaller = (status: number): boolean =>
  status === 401 || status === 402 || status === 403 || status === 407 || status === 451;
const gatewayFault = (status: number): boolean => status >= 502 && status <= 504;

const ofPrunedCode = withCode(4444, 4445, -32801);
const ofUnknownBlockCode = withCode(-39001, -39012);
const ofSimulation = (f: EvmFacts): boolean => f.code !== undefined && f.code <= -38010 && f.code >= -38026;
const ofUserOperation = (f: EvmFacts): boolean =>
  f.code !== undefined && f.code <= -32500 && f.code >= -32521;
const ofRate = withCode(429, 425, -32005, -32007, -32029, -32090, -32605, -32606, -32607, -32429);
const ofRefusal = withCode(401, 402, 403, 407);
const ofParams = withCode(-32600, -32602, -32700, -32011, -39013);
const syncSend = /Sync$|^realtime_/;

const structure: readonly EvmRule[] = [
  {
    id: 'evm.result',
    stage: 'structure',
    signal: 'a result, null too, under any status',
    when: f => f.shape === 'result',
    verdict: 'ok',
    why: 'whatever the result holds is the answer',
    fixture: 'ok-block-number',
  },
  {
    id: 'evm.wrong_id',
    stage: 'structure',
    signal: "another call's id",
    when: f => f.shape === 'wrong_id',
    verdict: 'node_failure',
    why: "an answer to somebody else's call",
    fixture: 'id-mismatch',
  },
  {
    id: 'evm.no_answer_429',
    stage: 'structure',
    signal: 'status 429 or 425, or the page of a CDN limit, and no answer of the protocol',
    when: f =>
      !isError(f) &&
      (f.status === 429 ||
        f.status === 425 ||
        (f.shape === 'html' && /error (?:code:? )?1015|you are being rate.?limited/.test(f.text))),
    verdict: 'rate_limited',
    why: 'something before the node slows us down',
    fixture: 'rate-empty-429',
  },
  {
    id: 'evm.no_answer_405',
    stage: 'structure',
    signal: 'status 405 and an empty body',
    when: f => f.shape === 'empty' && f.status === 405,
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'a provider answers so to methods it does not have',
    fixture: 'unsup-infura-405-empty',
  },
  {
    id: 'evm.no_answer_413',
    stage: 'structure',
    signal: 'status 413 and no answer of the protocol',
    when: f => !isError(f) && f.status === 413,
    verdict: 'app_error',
    tx: 'unknown',
    why: "the caller's body is over a cap",
    fixture: 'request-too-large-html-413',
  },
  {
    id: 'evm.no_answer_refused',
    stage: 'structure',
    signal: 'status 401, 402, 403, 407 or 451 and an empty body or a page',
    when: f => refusesCaller(f.status) && (f.shape === 'empty' || f.shape === 'html'),
    verdict: 'auth_refused',
    why: 'the caller, its address or its key is kept out',
    fixture: 'auth-402-empty',
  },
  {
    id: 'evm.page',
    stage: 'structure',
    signal: 'a web page',
    when: f => f.shape === 'html',
    verdict: 'node_failure',
    why: 'a proxy or a wrong server answers in place of the node',
    fixture: 'html-502-nginx',
  },
  {
    id: 'evm.broken',
    stage: 'structure',
    signal: 'an empty body, a cut one, an array for a single call, or no JSON',
    when: f =>
      f.shape === 'empty' || f.shape === 'truncated' || f.shape === 'array' || f.shape === 'not_json',
    verdict: 'node_failure',
    why: 'no answer of the protocol',
    fixture: 'truncated-json',
  },
];

const fields: readonly EvmRule[] = [
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
    signal: 'code 3',
    when: f => f.code === 3 && !(f.broadcast && says(f, seen)),
    verdict: 'app_error',
    why: 'execution reverted (geth and its followers)',
    fixture: 'exec-code-3-bare',
  },
  {
    id: 'evm.sync_in_pool',
    stage: 'field',
    signal: 'code 4',
    only: 'broadcasts that wait for the receipt (EIP-7966)',
    when: f =>
      f.code === 4 &&
      f.broadcast &&
      (syncSend.test(f.method) || /pool|receipt|processed|confirmed/.test(f.text)),
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
    signal: 'codes -40100, -32051, -32052',
    when: f => f.code === -40100 || f.code === -32051 || f.code === -32052,
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

function isRateStatus(f: EvmFacts): boolean {
  return f.status === 429 || f.status === 425 || f.code === 429 || f.code === 425;
}

function notAboutMethod(f: EvmFacts): boolean {
  if (/^(?:parse error|invalid request)\b/.test(f.message)) return true;
  return (
    says(f, execution) || ((noTracer.test(f.text) || partOfMethod.test(f.text)) && !/\bmethod\b/.test(f.text))
  );
}

const outcomes: readonly EvmRule[] = [
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
    when: f => f.broadcast && isError(f) && says(f, seen) && !says(f, nonceNotSeen),
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
    when: f => f.broadcast && isError(f) && says(f, spentNonce),
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
    signal: 'status 401, 402, 403, or text of a key, a token, a project',
    only: 'broadcasts',
    when: f =>
      f.broadcast &&
      speaks(f) &&
      !/sender|account not|sanction|black ?list|\baddress is/.test(f.text) &&
      (refusesCaller(f.status) || ofRefusal(f) || says(f, authWords)) &&
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
    when: f => f.broadcast && isError(f) && (ofUserOperation(f) || says(f, refusedTransaction)),
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

const refusalCode = withCode(-32003, -32010, -32602, -32611);

/** A timeout, or a gateway that could not reach the node: words of rates and limits in it are beside the point. */
function isSlow(f: EvmFacts): boolean {
  return gatewayFault(f.status) || nodeTime.test(f.text);
}

const caps: readonly EvmRule[] = [
  {
    id: 'evm.batch_cap',
    stage: 'words',
    signal: 'text: too many calls in a batch',
    when: f => isError(f) && says(f, batchCap),
    verdict: 'app_error',
    tx: 'unknown',
    why: "the caller's batch is too long",
    fixture: 'batch-size-code-32005',
  },
  {
    id: 'evm.too_wide',
    stage: 'words',
    signal: 'text about a range, or too many blocks, results, addresses, bytes',
    when: f =>
      isError(f) &&
      says(f, tooWide) &&
      !/\bproofs?\b/.test(f.text) &&
      !(says(f, speedWords) && !/\brange|block|result|response size/.test(f.text)),
    verdict: 'app_error',
    why: 'over a cap that the caller can stay under',
    fixture: 'logs-ankr-too-wide',
  },
];

const plans: readonly EvmRule[] = [
  {
    id: 'evm.free_tier_time',
    stage: 'words',
    signal: 'text: a timeout of the free tier; code 30',
    when: f => speaks(f) && (f.code === 30 || /free/.test(f.text)) && nodeTime.test(f.text) && says(f, plan),
    verdict: 'rate_limited',
    why: 'worded as a timeout, used as a throttle',
    fixture: 'rate-drpc-free-tier-timeout',
  },
  {
    id: 'evm.foreign_chain',
    stage: 'words',
    signal: 'text: the chain is not in the plan, the key is for another one',
    when: f => speaks(f) && says(f, foreignChain) && !names(f),
    verdict: 'auth_refused',
    why: 'nothing of this chain can be had with this key',
    fixture: 'auth-blockpi-other-chain',
  },
  {
    id: 'evm.archive_plan_traces',
    stage: 'words',
    signal: 'text: archive, debug and trace are not in the plan',
    only: 'tracing methods',
    when: f => speaks(f) && f.traces && says(f, archive) && /debug|trac/.test(f.text) && says(f, offered),
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'the tracing part of the text applies',
    fixture: 'unsup-plan-trace-block',
  },
  {
    id: 'evm.archive',
    stage: 'words',
    signal: 'text about archive data or nodes',
    when: f =>
      speaks(f) && says(f, archive) && (f.past || says(f, offered) || says(f, plan)) && !says(f, quotaWords),
    verdict: 'missing_history',
    why: 'old state is not kept here, or not for us',
    fixture: 'infura-archive-403',
  },
  {
    id: 'evm.address_required',
    stage: 'words',
    signal: 'text: name an address',
    only: 'logs',
    when: f => isError(f) && f.logs && says(f, addressRequired),
    verdict: 'unsupported',
    why: 'others answer logs without an address',
    fixture: 'unsup-allnodes-address-required',
  },
  {
    id: 'evm.plan_method',
    stage: 'words',
    signal: 'text: the method is not in the plan',
    when: f =>
      speaks(f) &&
      says(f, plan) &&
      says(f, offered) &&
      (names(f) || says(f, noMethod) || f.traces || /\bmethods?\b/.test(f.text)) &&
      !usedUp(f),
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'a better plan has this method',
    fixture: 'unsup-alchemy-free-tier-trace',
  },
];

/** The text names the very method that was called. */
function names(f: EvmFacts): boolean {
  return f.method.length > 4 && f.text.includes(f.method.toLowerCase());
}

function usedUp(f: EvmFacts): boolean {
  return /exceed|reached|exhausted|used up|too many|ran out|out of/.test(f.text);
}

const rates: readonly EvmRule[] = [
  {
    id: 'evm.quota',
    stage: 'words',
    signal: 'text: a quota, an allowance, a capacity is used up',
    when: f => speaks(f) && !isSlow(f) && says(f, quotaWords),
    verdict: 'rate_limited',
    quota: true,
    why: 'the allowance of a day, a month or a plan is used up, whatever the status',
    fixture: 'rate-alchemy-monthly-403',
  },
  {
    id: 'evm.slow_down',
    stage: 'words',
    signal: 'text of a rate',
    when: f => speaks(f) && !isSlow(f) && says(f, speedWords),
    verdict: 'rate_limited',
    why: 'too fast',
    fixture: 'rate-qps',
  },
  {
    id: 'evm.limit_exceeded',
    stage: 'words',
    signal: 'text: limit exceeded, and of what is not said; codes of rates without words of trouble',
    when: f =>
      speaks(f) &&
      !isSlow(f) &&
      (/limit ?(?:is |was |has been )?(?:exceed|reached|hit)|exceed\w* (?:\S+ ){0,2}limit|upgrade your (?:plan|tier|account)/.test(
        f.text,
      ) ||
        (ofRate(f) &&
          f.status < 500 &&
          !says(f, authWords) &&
          !says(f, gone) &&
          !says(f, trouble) &&
          !says(f, malformed))),
    verdict: 'rate_limited',
    why: 'a limit that another endpoint may not have',
    fixture: 'rate-bsc-getlogs-bare',
  },
];

const refusals: readonly EvmRule[] = [
  {
    id: 'evm.refused_method',
    stage: 'words',
    signal: 'status or code 403, text: the method is not allowed',
    when: f =>
      speaks(f) &&
      (refusesCaller(f.status) || ofRefusal(f)) &&
      (says(f, noMethod) || noTracer.test(f.text)) &&
      !/key|token|project|origin/.test(f.text),
    verdict: 'unsupported',
    why: 'about the method, not about the caller',
    fixture: 'unsup-custom-trace-403',
  },
  {
    id: 'evm.credential',
    stage: 'words',
    signal: 'text of a key, a token, a project, an origin, an address, a bill',
    when: f => speaks(f) && !gatewayFault(f.status) && says(f, authWords) && !(says(f, noMethod) && names(f)),
    verdict: 'auth_refused',
    why: 'our credential or our address is refused',
    fixture: 'auth-invalid-api-key-200',
  },
  {
    id: 'evm.refused_text',
    stage: 'words',
    signal: 'status 401, 402, 403, 407, 451 and a text of no other meaning',
    when: f => (f.shape === 'text' || f.shape === 'no_result') && refusesCaller(f.status),
    verdict: 'auth_refused',
    why: 'the caller is kept out',
    fixture: 'auth-403-invalid-host',
  },
  {
    id: 'evm.text',
    stage: 'words',
    signal: 'a text or JSON of another form',
    when: f => !isError(f),
    verdict: 'node_failure',
    why: 'no answer of the protocol',
    fixture: 'not-json-200',
  },
];

const things: readonly EvmRule[] = [
  {
    id: 'evm.unknown_thing',
    stage: 'words',
    signal: 'text: no such transaction, filter, account; genesis is not traceable',
    when: f => says(f, unknownThing) && !/indexing/.test(f.text),
    verdict: 'app_error',
    why: 'it says what null says elsewhere',
    fixture: 'trace-transaction-not-found',
  },
  {
    id: 'evm.gone',
    stage: 'words',
    signal: 'text: header or block not found, missing trie node, pruned, not available',
    only: 'requests that name a height or a hash',
    when: f => f.past && says(f, gone) && !lostData.test(f.message),
    verdict: 'missing_history',
    why: 'this node does not have it: gone, or not come yet',
    fixture: 'header-not-found-old-block',
  },
  {
    id: 'evm.gone_explicitly',
    stage: 'words',
    signal: 'text: pruned, historical state',
    when: f => /\bpruned\b|historical state|history has been/.test(f.text) && !lostData.test(f.message),
    verdict: 'missing_history',
    why: 'the words leave no doubt',
    fixture: 'history-pruned-filter-logs',
  },
  {
    id: 'evm.head_lost',
    stage: 'words',
    signal: 'text: header or block not found, missing trie node, not available',
    only: 'requests at the head',
    when: f => says(f, gone),
    verdict: 'node_failure',
    why: 'a node that cannot find its own head is broken or not in sync',
    fixture: 'header-not-found-latest',
  },
];

/** Damage of the database: nothing that a height could explain. */
const lostData = /^(?:leveldb|pebble|rocksdb|mdbx|badger)/;

const methodsMissing: readonly EvmRule[] = [
  {
    id: 'evm.tracer',
    stage: 'words',
    signal: 'text: this tracer is not offered; codes -32612, -32613',
    when: f =>
      f.code === -32612 ||
      f.code === -32613 ||
      (f.traces && noTracer.test(f.text) && /not |un|disabled/.test(f.text)),
    verdict: 'unsupported',
    why: 'a tracer, not the method as a whole',
    fixture: 'unsup-custom-tracer-32612',
  },
  {
    id: 'evm.busy_code',
    stage: 'words',
    signal: 'code -32604 and text: busy',
    when: f => f.code === -32604 && says(f, trouble) && !says(f, noMethod),
    verdict: 'node_failure',
    why: 'an overloaded server (older jsonrpsee); elsewhere the code of a disabled method',
    fixture: 'jsonrpsee-busy',
  },
  {
    id: 'evm.part_of_method',
    stage: 'words',
    signal: 'text: a parameter, a type, a part of a namespace is not supported',
    when: f =>
      (((says(f, noMethod) || f.code === -32601) && partOfMethod.test(f.text)) ||
        (/\bdisabled\b|\bnot enabled\b/.test(f.text) && !/\bmethod\b/.test(f.text) && !names(f))) &&
      !/^(?:parse error|invalid request)\b/.test(f.message),
    verdict: 'unsupported',
    why: 'others may support it; the method itself is there',
    fixture: 'unsup-profiling-disabled',
  },
  {
    id: 'evm.no_method',
    stage: 'words',
    signal: 'text: the method or its module is unknown, disabled, not allowed; codes -32004, -32604',
    when: f => says(f, noMethod) || ((f.code === -32004 || f.code === -32604) && !says(f, malformed)),
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'this endpoint does not offer it',
    fixture: 'unsup-nethermind-disabled',
  },
];

const rest: readonly EvmRule[] = [
  {
    id: 'evm.refused_status',
    stage: 'words',
    signal: 'status or code 401, 402, 403, 407, 451, and no word says more',
    when: f => refusesCaller(f.status) || ofRefusal(f),
    verdict: 'auth_refused',
    why: 'the status breaks the tie',
    fixture: 'auth-bare-403-code',
  },
  {
    id: 'evm.rubbish',
    stage: 'words',
    signal: 'text: an answer that a gateway could not read, unless the code is one of malformed requests',
    when: f => says(f, rubbish) && !ofParams(f),
    verdict: 'node_failure',
    why: 'a node behind the gateway answered rubbish',
    fixture: 'node-invalid-response',
  },
  {
    id: 'evm.params',
    stage: 'words',
    signal:
      'codes -32600, -32602, -32700, -32011, -39013 without words of trouble, or text of a malformed request',
    when: f =>
      f.status < 500 &&
      !isSlow(f) &&
      !says(f, crash) &&
      (f.code === -32601 || says(f, malformed) || (ofParams(f) && !says(f, trouble))),
    verdict: 'app_error',
    tx: 'rejected',
    why: 'the caller asked wrongly',
    fixture: 'params-odd-hex',
  },
  {
    id: 'evm.call_flaw',
    stage: 'words',
    signal: 'text about a signature, a chain id, a type, blobs, authorizations',
    only: 'methods that try a call',
    when: f =>
      !f.broadcast &&
      f.status < 500 &&
      /call|estimate|simulat|accesslist/i.test(f.method) &&
      !isSlow(f) &&
      !says(f, crash) &&
      says(f, refusedTransaction),
    verdict: 'app_error',
    why: 'the transaction that is only tried cannot be valid',
    fixture: 'call-authorization-list',
  },
  {
    id: 'evm.params_code',
    stage: 'words',
    signal: 'codes -32602, -32700 under a status below 500',
    when: f => f.status < 500 && (f.code === -32602 || f.code === -32700),
    verdict: 'app_error',
    tx: 'rejected',
    why: 'what the node calls a mistake of the caller is one until proven otherwise',
    fixture: 'params-code-trouble',
  },
  {
    id: 'evm.resource',
    stage: 'words',
    signal: 'code -32001, -32014',
    only: 'requests that name a height or a hash',
    when: f => (f.code === -32001 || f.code === -32014) && f.past && f.status < 500,
    verdict: 'missing_history',
    why: 'resource not found (EIP-1474)',
    fixture: 'resource-not-found-block',
  },
  {
    id: 'evm.vm_code',
    stage: 'words',
    signal: 'code -32015 without words of trouble',
    when: f => f.code === -32015 && f.status < 500 && !says(f, trouble),
    verdict: 'app_error',
    why: "the code of VM errors in Parity's line",
    fixture: 'exec-vm-code-bare',
  },
  {
    id: 'evm.trouble',
    stage: 'words',
    signal: 'text of a timeout, an overload, a lost connection, a broken database',
    when: f => says(f, trouble),
    verdict: 'node_failure',
    why: 'the node or what stands before it cannot answer',
    fixture: 'evm-timeout-5s',
  },
  {
    id: 'evm.bad_request',
    stage: 'words',
    signal: 'status 400 or 422 and no word says more',
    when: f => (f.status === 400 || f.status === 422) && f.code !== undefined,
    verdict: 'app_error',
    tx: 'unknown',
    unclassified: true,
    why: 'the status breaks the tie',
    fixture: 'bad-request-unknown-text',
  },
  {
    id: 'evm.unknown',
    stage: 'words',
    signal: 'anything else',
    when: () => true,
    verdict: 'node_failure',
    unclassified: true,
    why: 'the default: another endpoint may know better, and a transaction may be on its way',
    fixture: 'empty-error-object',
  },
];

export const replies: readonly EvmRule[] = [
  ...structure,
  ...fields,
  ...outcomes,
  ...caps,
  ...plans,
  ...rates,
  ...refusals,
  ...things,
  ...methodsMissing,
  ...rest,
];
