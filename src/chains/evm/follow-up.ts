/** An EVM transaction after it was sent: is it in a pool, in a block, or has another one taken its nonce for good? */

import type { Finding } from '../../core/follow-up.ts';
import { errorText, resultText } from '../../wire/reply.ts';
import { memberOf, type Span, stringAt, valueAt } from '../../wire/scan.ts';
import type { Call } from '../family.ts';
import type { FollowUp, Look, Told, Tracked } from '../follow-up.ts';
import { probeCall } from '../jsonrpc.ts';
import { type EvmMethod, methodOf } from './methods.ts';
import { quantity, quantityMember, resultAt } from './probes.ts';
import { type SignerFacts, senderOf } from './signer.ts';

const lookup = (name: string): EvmMethod => methodOf(name, false);
const ask = (method: string, params: readonly unknown[]): Call => probeCall(method, params, lookup);

export const followUp: FollowUp = {
  spent: rule => rule === 'evm.tx_nonce_used',
  look,
};

function* look({ id, facts, olderPossible }: Tracked): Look {
  const byHash = ask('eth_getTransactionByHash', [id]);
  const found = standing(byHash, id, yield byHash);
  if (found?.found !== 'not_seen' || facts === undefined) return found;
  // The nonce first, then the transaction once more: what is missing after the nonce was final stays missing.
  const signer = JSON.parse(facts) as SignerFacts; // `signerFacts`, as `tx.ts` wrote them.
  const sender = senderOf(signer);
  if (sender === undefined) return found;
  const count = ask('eth_getTransactionCount', [sender, 'finalized']);
  const next = quantityOf(count, yield count);
  if (next === undefined || next <= Number(signer.nonce)) return found;
  const last = standing(byHash, id, yield byHash);
  if (last?.found !== 'not_seen') return last;
  const receipt = ask('eth_getTransactionReceipt', [id]);
  if (!isNull(receipt, yield receipt)) return found;
  return {
    found: 'impossible',
    why: `nonce ${Number(signer.nonce)} of ${sender} is used by another transaction, for good`,
    keeps: olderPossible ? 'ever' : 'since',
  };
}

/** `null`: not seen; without a block: in the pool. What is about another transaction tells nothing. */
function standing(call: Call, id: string, told: Told | undefined): Finding | undefined {
  const body = told?.verdict === 'ok' ? told.body : undefined;
  const span = body && resultAt(body, call);
  if (body === undefined || span === undefined) return undefined;
  if (body[span.at] !== 0x7b) return isNull(call, told) ? { found: 'not_seen' } : undefined;
  if (textIn(body, span, 'hash')?.toLowerCase() !== id) return undefined;
  const height = quantityMember(body, span, 'blockNumber');
  const block = textIn(body, span, 'blockHash');
  return height === undefined || block === undefined
    ? { found: 'pool' }
    : { found: 'block', height, block: block.toLowerCase() };
}

function textIn(body: Uint8Array, object: Span, key: string): string | undefined {
  const span = memberOf(body, object.at, key);
  return span && stringAt(body, span);
}

function isNull(call: Call, told: Told | undefined): boolean {
  const span = told?.verdict === 'ok' ? resultAt(told.body, call) : undefined;
  return span !== undefined && told !== undefined && valueAt(told.body, span) === null;
}

function quantityOf(call: Call, told: Told | undefined): number | undefined {
  const span = told?.verdict === 'ok' ? resultAt(told.body, call) : undefined;
  return span && told && quantity(told.body, span);
}

const hash = /^0x[0-9a-f]{64}$/i;

/** The result itself, or a member of the object that some methods answer with. A bundle has a name of its own. */
export function answeredId(call: Call, body: Uint8Array): string | undefined {
  const { carries } = call.spec as EvmMethod; // As above.
  const span = carries === 'raw' || carries === 'private' ? resultAt(body, call) : undefined;
  if (span === undefined) return undefined;
  const object = body[span.at] === 0x7b;
  const named = object
    ? (memberOf(body, span.at, 'transactionHash') ?? memberOf(body, span.at, 'hash'))
    : span;
  const text = named && stringAt(body, named);
  return text !== undefined && hash.test(text) ? text.toLowerCase() : undefined;
}

/** Methods that answer with the receipt: that there is none yet is an error of theirs, with the hash (EIP-7966). */
const waits = /Sync$|^realtime_/;

/** A success, for on an error clients sign again. */
export function knownReply(call: Call, txId: string): string {
  const id = call.id ?? 'null';
  if (waits.test(call.method)) {
    const message = 'the network has the transaction; ask for its receipt';
    return errorText(id, { code: 4, message, data: txId });
  }
  const detailed = call.method === 'zks_sendRawTransactionWithDetailedOutput';
  return resultText(id, JSON.stringify(detailed ? { transactionHash: txId } : txId));
}
