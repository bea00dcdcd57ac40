/** Malformed requests, the trouble of nodes, and what nobody knows. */

import type { EvmFacts } from '../facts.ts';
import { crash, malformed, refusedTransaction, rubbish, trouble } from '../words.ts';
import { type EvmRule, isSlow, ofParams, ofRefusal, refusesCaller, says } from './saying.ts';

/** Resource not found (EIP-1474): of what, the method tells. Without a code, 404 is about the address we asked. */
function ofResource(f: EvmFacts): boolean {
  const bare = /^not found\W*$/.test(f.text) && !(f.status === 404 && f.code === undefined);
  const said = f.code === -32001 || f.code === -32014 || bare;
  return said && !f.broadcast && f.status < 500 && !isSlow(f);
}

/** A tracer is a program of the caller's, and fails as programs do. */
const ofScript = /^(?:reference|syntax|type) ?error\b|<eval>/;

export const rest: readonly EvmRule[] = [
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
      !isSlow(f) &&
      !says(f, crash) &&
      (f.code === -32601 ||
        says(f, malformed) ||
        (f.traces && ofScript.test(f.text)) ||
        (ofParams(f) && !says(f, trouble))),
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
    id: 'evm.resource_transaction',
    stage: 'words',
    signal: 'code -32001, or a bare "not found"',
    only: 'requests for a transaction by its hash',
    when: f => ofResource(f) && /transaction(?:byhash|receipt)?$/i.test(f.method),
    verdict: 'app_error',
    why: 'it says what null says elsewhere',
    fixture: 'audit2-resource-transaction',
  },
  {
    id: 'evm.resource',
    stage: 'words',
    signal: 'code -32001, -32014, or a bare "not found"',
    only: 'requests that name a height or a hash',
    when: f => ofResource(f) && f.past,
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
