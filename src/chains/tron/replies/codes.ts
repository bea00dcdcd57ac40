/** Codes of java-tron's JSON-RPC. */

import type { Rule } from '../../rules.ts';
import type { Facts } from '../facts.ts';
import { allowance, both, code, rpc, says, status } from './saying.ts';

const runsContract = /^(?:eth_call|eth_estimateGas|buildTransaction)$/;

const blockGone =
  /header (?:for hash )?not found|number: -?\d+ is not found|block (?:\S+ )?(?:does not exist|not exists?|not found)|invalid blockhash/;

export const codes: readonly Rule<Facts>[] = [
  {
    id: 'tron.rpc_no_method',
    stage: 'field',
    signal: 'code -32601',
    only: 'JSON-RPC',
    when: facts => facts.rpc && code('-32601')(facts),
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'not on this node or port',
    fixture: 'tron-x-jsonrpc-method-not-found',
  },
  {
    id: 'tron.rpc_block_gone',
    stage: 'field',
    signal: 'code -32000 or -32602: header not found, number is not found, invalid blockHash',
    only: 'JSON-RPC that names a block',
    when: both(rpc('-32000', '-32602'), says(blockGone), facts => facts.naming !== 'nothing'),
    verdict: 'missing_history',
    why: 'ahead of this node, or pruned on it',
    fixture: 'tron-x-jsonrpc-header-not-found',
  },
  {
    id: 'tron.rpc_callers',
    stage: 'field',
    signal: 'code -32600, -32602, -32700, -32003',
    only: 'JSON-RPC',
    when: rpc('-32600', '-32602', '-32700', '-32003'),
    verdict: 'app_error',
    why: 'the request, or the size of its answer; no TRON node keeps state of old blocks, so none can help',
    fixture: 'tron-jsonrpc-quantity-not-supported',
  },
  {
    id: 'tron.rpc_too_much',
    stage: 'field',
    signal: 'code -32005 about results, a batch or filters',
    only: 'JSON-RPC',
    when: both(
      rpc('-32005'),
      says(/more than \d+ results|batch size|too many results|exceed max|log filters?|block filters?/),
    ),
    verdict: 'app_error',
    why: 'a size limit of the answer here, not a limit of requests',
    fixture: 'tron-jsonrpc-too-many-results',
  },
  {
    id: 'tron.rpc_filter_gone',
    stage: 'field',
    signal: 'code -32000: filter not found',
    only: 'JSON-RPC filters',
    when: both(rpc('-32000'), says(/filter not found/)),
    verdict: 'app_error',
    why: 'the filter is to be made anew',
    fixture: 'tron-x-jsonrpc-filter-not-found',
  },
  {
    id: 'tron.rpc_run',
    stage: 'field',
    signal: 'code -32000',
    only: 'eth_call, eth_estimateGas, buildTransaction',
    when: both(
      rpc('-32000'),
      facts =>
        runsContract.test(facts.method) &&
        !/header not found|database|\bstore(?:exception)?\b/.test(facts.text),
    ),
    verdict: 'app_error',
    why: 'the run of the contract failed, as it does on every node',
    fixture: 'tron-x-jsonrpc-call-out-of-energy',
  },
  {
    id: 'tron.too_many_quota',
    stage: 'field',
    signal: 'status 429 or 425, with words of an allowance that is used up',
    when: both(status(429, 425), allowance),
    verdict: 'rate_limited',
    quota: true,
    why: 'the status says it, and the text that it will last',
    fixture: 'tron-x-jsonrpc-daily-429',
  },
  {
    id: 'tron.too_many',
    stage: 'field',
    signal: 'status 429 or 425',
    when: status(429, 425),
    verdict: 'rate_limited',
    why: 'the status says it',
    fixture: 'tron-trongrid-429-allowed-rps',
  },
];
