/**
 * What each library does on each error of the gateway's own, as measured: the test holds the libraries to it, and
 * docs/clients.md shows it. A library that is not here under a reason cannot get it.
 */

import type { ClientReason } from '../../src/core/errors.ts';
import type { Reaction } from './react.ts';

export interface Reactions extends Reaction {
  readonly on: readonly ClientReason[];
}

/** One call at a time or in batches: the same. */
const viemRead: readonly Reactions[] = [
  {
    on: ['parse_error'],
    requests: 1,
    shows: 'ParseRpcError -32700 ← RpcRequestError -32700',
    reasonAt: 'error.cause.data.reason',
  },
  {
    on: ['invalid_request', 'unauthorized'],
    requests: 1,
    shows: 'InvalidRequestRpcError -32600 ← RpcRequestError -32600',
    reasonAt: 'error.cause.data.reason',
  },
  {
    on: ['too_large'],
    requests: 4,
    shows: 'InvalidRequestRpcError -32600 ← RpcRequestError -32600',
    reasonAt: 'error.cause.data.reason',
  },
  {
    on: ['not_found', 'method_refused'],
    requests: 1,
    shows: 'MethodNotFoundRpcError -32601 ← RpcRequestError -32601',
    reasonAt: 'error.cause.data.reason',
  },
  {
    on: ['no_endpoint', 'not_fresh'],
    requests: 1,
    shows: 'MethodNotSupportedRpcError -32004 ← RpcRequestError -32004',
    reasonAt: 'error.cause.data.reason',
  },
  {
    on: ['all_failed', 'all_cooling', 'deadline', 'missing_history', 'overloaded', 'client_rate'],
    requests: 4,
    shows: 'LimitExceededRpcError -32005 ← RpcRequestError -32005',
    reasonAt: 'error.cause.data.reason',
  },
  {
    on: ['filter_lost'],
    requests: 1,
    shows: 'InvalidInputRpcError -32000 ← RpcRequestError -32000',
    reasonAt: 'error.cause.data.reason',
  },
];

export const reactions: Readonly<Record<'read' | 'send', Readonly<Record<string, readonly Reactions[]>>>> = {
  read: {
    viem: viemRead,
    'viem, `batch: true`': viemRead,
    ethers: [
      {
        on: [
          'parse_error',
          'invalid_request',
          'too_large',
          'not_found',
          'unauthorized',
          'no_endpoint',
          'not_fresh',
          'all_failed',
          'deadline',
          'missing_history',
          'overloaded',
        ],
        requests: 1,
        shows: 'Error SERVER_ERROR',
        reasonAt: 'error.info.responseBody, a text',
      },
      {
        on: ['method_refused', 'filter_lost'],
        requests: 1,
        shows: 'Error UNKNOWN_ERROR',
        reasonAt: 'error.error.data.reason',
      },
      {
        on: ['all_cooling', 'client_rate'],
        requests: 12,
        shows: 'Error SERVER_ERROR',
        reasonAt: 'error.info.responseBody, a text',
      },
    ],
    'ethers, two calls at once': [
      {
        on: ['parse_error', 'invalid_request', 'too_large', 'not_found', 'unauthorized', 'overloaded'],
        requests: 1,
        shows: 'Error SERVER_ERROR',
        reasonAt: 'error.info.responseBody, a text',
      },
      {
        on: [
          'method_refused',
          'no_endpoint',
          'not_fresh',
          'all_failed',
          'all_cooling',
          'deadline',
          'missing_history',
          'filter_lost',
        ],
        requests: 1,
        shows: 'Error UNKNOWN_ERROR',
        reasonAt: 'error.error.data.reason',
      },
      {
        on: ['client_rate'],
        requests: 12,
        shows: 'Error SERVER_ERROR',
        reasonAt: 'error.info.responseBody, a text',
      },
    ],
    web3: [
      {
        on: ['parse_error'],
        requests: 1,
        shows: 'ResponseError 100 ← -32700',
        reasonAt: 'error.data.reason',
      },
      {
        on: ['invalid_request', 'too_large', 'unauthorized'],
        requests: 1,
        shows: 'ResponseError 100 ← -32600',
        reasonAt: 'error.data.reason',
      },
      { on: ['not_found'], requests: 1, shows: 'ResponseError 100 ← -32601', reasonAt: 'error.data.reason' },
      {
        on: ['method_refused'],
        requests: 1,
        shows: 'InvalidResponseError 101 ← -32601',
        reasonAt: 'error.data.reason',
      },
      {
        on: ['no_endpoint', 'not_fresh'],
        requests: 1,
        shows: 'ResponseError 100 ← -32004',
        reasonAt: 'error.data.reason',
      },
      {
        on: ['all_failed', 'all_cooling', 'deadline', 'missing_history', 'overloaded', 'client_rate'],
        requests: 1,
        shows: 'ResponseError 100 ← -32005',
        reasonAt: 'error.data.reason',
      },
      {
        on: ['filter_lost'],
        requests: 1,
        shows: 'InvalidResponseError 101 ← -32000',
        reasonAt: 'error.data.reason',
      },
    ],
    cast: [
      {
        on: ['parse_error', 'invalid_request'],
        requests: 1,
        shows: 'exit 1 400',
        reasonAt: 'error.message, a text',
      },
      { on: ['too_large'], requests: 1, shows: 'exit 1 413', reasonAt: 'error.message, a text' },
      { on: ['not_found'], requests: 1, shows: 'exit 1 404', reasonAt: 'error.message, a text' },
      { on: ['unauthorized'], requests: 1, shows: 'exit 1 401', reasonAt: 'error.message, a text' },
      { on: ['method_refused'], requests: 1, shows: 'exit 1 -32601', reasonAt: 'error.message, a text' },
      {
        on: ['no_endpoint', 'not_fresh', 'overloaded'],
        requests: 9,
        shows: 'exit 1 503',
        reasonAt: 'error.message, a text',
      },
      {
        on: ['all_failed', 'deadline', 'missing_history'],
        requests: 1,
        shows: 'exit 1 502',
        reasonAt: 'error.message, a text',
      },
      {
        on: ['all_cooling', 'client_rate'],
        requests: 9,
        shows: 'exit 1 429',
        reasonAt: 'error.message, a text',
      },
      { on: ['filter_lost'], requests: 1, shows: 'exit 1 -32000', reasonAt: 'error.message, a text' },
    ],
    '@solana/web3.js': [
      {
        on: [
          'parse_error',
          'invalid_request',
          'too_large',
          'not_found',
          'unauthorized',
          'no_endpoint',
          'not_fresh',
          'all_failed',
          'deadline',
          'missing_history',
          'overloaded',
        ],
        requests: 1,
        shows: 'Error',
        reasonAt: 'error.message, a text',
      },
      {
        on: ['method_refused'],
        requests: 1,
        shows: 'SolanaJSONRPCError -32601',
        reasonAt: 'error.data.reason',
      },
      { on: ['all_cooling', 'client_rate'], requests: 5, shows: 'Error', reasonAt: 'error.message, a text' },
    ],
    '@solana/kit': [
      { on: ['parse_error', 'invalid_request'], requests: 1, shows: 'SolanaError 8100002 400', reasonAt: '' },
      { on: ['too_large'], requests: 1, shows: 'SolanaError 8100002 413', reasonAt: '' },
      { on: ['not_found'], requests: 1, shows: 'SolanaError 8100002 404', reasonAt: '' },
      { on: ['unauthorized'], requests: 1, shows: 'SolanaError 8100002 401', reasonAt: '' },
      { on: ['method_refused'], requests: 1, shows: 'SolanaError -32601', reasonAt: '' },
      {
        on: ['no_endpoint', 'not_fresh', 'overloaded'],
        requests: 1,
        shows: 'SolanaError 8100002 503',
        reasonAt: '',
      },
      {
        on: ['all_failed', 'deadline', 'missing_history'],
        requests: 1,
        shows: 'SolanaError 8100002 502',
        reasonAt: '',
      },
      { on: ['all_cooling', 'client_rate'], requests: 1, shows: 'SolanaError 8100002 429', reasonAt: '' },
    ],
    tronweb: [
      {
        on: ['parse_error', 'invalid_request', 'too_large', 'all_cooling', 'client_rate'],
        requests: 1,
        shows: 'AxiosError ERR_BAD_REQUEST',
        reasonAt: 'error.response.data.rpcgw.reason',
      },
      {
        on: ['not_found', 'unauthorized'],
        requests: 1,
        shows: 'AxiosError ERR_BAD_REQUEST',
        reasonAt: 'error.response.data.error.data.reason',
      },
      {
        on: ['method_refused', 'filter_lost'],
        requests: 1,
        shows: 'returns an answer with `Error`',
        reasonAt: 'answer.rpcgw.reason',
      },
      {
        on: ['no_endpoint', 'not_fresh', 'all_failed', 'deadline', 'missing_history', 'overloaded'],
        requests: 1,
        shows: 'AxiosError ERR_BAD_RESPONSE',
        reasonAt: 'error.response.data.rpcgw.reason',
      },
    ],
    xrpl: [
      {
        on: ['parse_error', 'invalid_request'],
        requests: 1,
        shows: 'HTTP 400',
        reasonAt: 'error.message, a text',
      },
      { on: ['too_large'], requests: 1, shows: 'HTTP 413', reasonAt: 'error.message, a text' },
      { on: ['not_found'], requests: 1, shows: 'HTTP 404', reasonAt: 'error.message, a text' },
      { on: ['unauthorized'], requests: 1, shows: 'HTTP 401', reasonAt: 'error.message, a text' },
      {
        on: ['method_refused'],
        requests: 1,
        shows: 'returns an answer with error `noPermission`',
        reasonAt: 'answer.result.rpcgw.reason',
      },
      {
        on: ['no_endpoint', 'not_fresh', 'overloaded'],
        requests: 1,
        shows: 'HTTP 503',
        reasonAt: 'error.message, a text',
      },
      {
        on: ['all_failed', 'deadline', 'missing_history'],
        requests: 1,
        shows: 'HTTP 502',
        reasonAt: 'error.message, a text',
      },
      {
        on: ['all_cooling', 'client_rate'],
        requests: 1,
        shows: 'HTTP 429',
        reasonAt: 'error.message, a text',
      },
    ],
  },
  send: {
    viem: [
      {
        on: ['not_found'],
        requests: 1,
        shows: 'MethodNotFoundRpcError -32601 ← RpcRequestError -32601',
        reasonAt: 'error.cause.data.reason',
      },
      {
        on: ['unauthorized'],
        requests: 1,
        shows: 'InvalidRequestRpcError -32600 ← RpcRequestError -32600',
        reasonAt: 'error.cause.data.reason',
      },
      {
        on: ['overloaded', 'client_rate'],
        requests: 1,
        shows: 'LimitExceededRpcError -32005 ← RpcRequestError -32005',
        reasonAt: 'error.cause.data.reason',
      },
      {
        on: ['wrong_chain', 'not_sent', 'broadcast_refused', 'broadcast_unknown'],
        requests: 1,
        shows: 'InvalidInputRpcError -32000 ← RpcRequestError -32000',
        reasonAt: 'error.cause.data.reason',
      },
    ],
    'viem, `request()`': [
      {
        on: ['not_found'],
        requests: 1,
        shows: 'MethodNotFoundRpcError -32601 ← RpcRequestError -32601',
        reasonAt: 'error.cause.data.reason',
      },
      {
        on: ['unauthorized'],
        requests: 1,
        shows: 'InvalidRequestRpcError -32600 ← RpcRequestError -32600',
        reasonAt: 'error.cause.data.reason',
      },
      {
        on: ['overloaded', 'client_rate'],
        requests: 4,
        shows: 'LimitExceededRpcError -32005 ← RpcRequestError -32005',
        reasonAt: 'error.cause.data.reason',
      },
      {
        on: ['wrong_chain', 'not_sent', 'broadcast_refused', 'broadcast_unknown'],
        requests: 1,
        shows: 'InvalidInputRpcError -32000 ← RpcRequestError -32000',
        reasonAt: 'error.cause.data.reason',
      },
    ],
    ethers: [
      {
        on: ['not_found', 'unauthorized', 'overloaded'],
        requests: 1,
        shows: 'Error SERVER_ERROR',
        reasonAt: 'error.info.responseBody, a text',
      },
      {
        on: ['client_rate'],
        requests: 12,
        shows: 'Error SERVER_ERROR',
        reasonAt: 'error.info.responseBody, a text',
      },
      {
        on: ['wrong_chain', 'not_sent', 'broadcast_refused', 'broadcast_unknown'],
        requests: 1,
        shows: 'Error UNKNOWN_ERROR',
        reasonAt: 'error.error.data.reason',
      },
    ],
    web3: [
      { on: ['not_found'], requests: 1, shows: 'ResponseError 100 ← -32601', reasonAt: 'error.data.reason' },
      {
        on: ['unauthorized'],
        requests: 1,
        shows: 'ResponseError 100 ← -32600',
        reasonAt: 'error.data.reason',
      },
      {
        on: ['overloaded', 'client_rate'],
        requests: 1,
        shows: 'ResponseError 100 ← -32005',
        reasonAt: 'error.data.reason',
      },
      {
        on: ['wrong_chain', 'not_sent', 'broadcast_refused', 'broadcast_unknown'],
        requests: 1,
        shows: 'InvalidResponseError 101 ← -32000',
        reasonAt: 'error.data.reason',
      },
    ],
    cast: [
      { on: ['not_found'], requests: 1, shows: 'exit 1 404', reasonAt: 'error.message, a text' },
      { on: ['unauthorized'], requests: 1, shows: 'exit 1 401', reasonAt: 'error.message, a text' },
      { on: ['overloaded'], requests: 9, shows: 'exit 1 503', reasonAt: 'error.message, a text' },
      { on: ['client_rate'], requests: 9, shows: 'exit 1 429', reasonAt: 'error.message, a text' },
      {
        on: ['wrong_chain', 'not_sent', 'broadcast_refused', 'broadcast_unknown'],
        requests: 1,
        shows: 'exit 1 -32000',
        reasonAt: 'error.message, a text',
      },
    ],
    '@solana/web3.js': [
      {
        on: ['not_found', 'unauthorized', 'overloaded'],
        requests: 1,
        shows: 'Error',
        reasonAt: 'error.message, a text',
      },
      { on: ['client_rate'], requests: 5, shows: 'Error', reasonAt: 'error.message, a text' },
      {
        on: ['not_sent', 'broadcast_refused', 'broadcast_unknown'],
        requests: 1,
        shows: 'SendTransactionError',
        reasonAt: '',
      },
    ],
    '@solana/kit': [
      { on: ['not_found'], requests: 1, shows: 'SolanaError 8100002 404', reasonAt: '' },
      { on: ['unauthorized'], requests: 1, shows: 'SolanaError 8100002 401', reasonAt: '' },
      { on: ['overloaded'], requests: 1, shows: 'SolanaError 8100002 503', reasonAt: '' },
      { on: ['client_rate'], requests: 1, shows: 'SolanaError 8100002 429', reasonAt: '' },
      {
        on: ['not_sent', 'broadcast_refused', 'broadcast_unknown'],
        requests: 1,
        shows: 'SolanaError -32603',
        reasonAt: '',
      },
    ],
    tronweb: [
      {
        on: ['not_found', 'unauthorized'],
        requests: 1,
        shows: 'AxiosError ERR_BAD_REQUEST',
        reasonAt: 'error.response.data.error.data.reason',
      },
      {
        on: ['overloaded'],
        requests: 1,
        shows: 'AxiosError ERR_BAD_RESPONSE',
        reasonAt: 'error.response.data.rpcgw.reason',
      },
      {
        on: ['client_rate'],
        requests: 1,
        shows: 'AxiosError ERR_BAD_REQUEST',
        reasonAt: 'error.response.data.rpcgw.reason',
      },
      {
        on: ['not_sent', 'broadcast_refused', 'broadcast_unknown'],
        requests: 1,
        shows: 'returns an answer with code `OTHER_ERROR`',
        reasonAt: 'answer.rpcgw.reason',
      },
    ],
    xrpl: [
      { on: ['not_found'], requests: 1, shows: 'HTTP 404', reasonAt: 'error.message, a text' },
      { on: ['unauthorized'], requests: 1, shows: 'HTTP 401', reasonAt: 'error.message, a text' },
      { on: ['overloaded'], requests: 1, shows: 'HTTP 503', reasonAt: 'error.message, a text' },
      { on: ['client_rate'], requests: 1, shows: 'HTTP 429', reasonAt: 'error.message, a text' },
      {
        on: ['wrong_chain', 'not_sent', 'broadcast_refused', 'broadcast_unknown'],
        requests: 1,
        shows: 'returns an answer with error `internal`',
        reasonAt: 'answer.result.rpcgw.reason',
      },
    ],
  },
};
