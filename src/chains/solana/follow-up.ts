/** A Solana transaction after it was sent: has it landed, or can its blockhash no longer be used? */

import { base58 } from '@scure/base';
import type { Finding } from '../../core/follow-up.ts';
import { resultText } from '../../wire/reply.ts';
import { elementsOf, type Span, stringAt } from '../../wire/scan.ts';
import { spells } from '../../wire/text.ts';
import type { Call } from '../family.ts';
import type { FollowUp, Look, Told, Tracked } from '../follow-up.ts';
import { probeCall } from '../jsonrpc.ts';
import { methodOf, slotAt } from './params.ts';
import { memberIn, resultOf } from './probes.ts';

const ask = (method: string, params: readonly unknown[]): Call => probeCall(method, params, methodOf);

export interface Lifetime {
  readonly blockhash: string;
}

/** A finalized slot so far past where the chain stood knows every blockhash there was then. */
const finalizedLag = 64;

export const followUp: FollowUp = {
  spent: () => false,
  look,
};

/**
 * The recent blockhash of a legacy or a version 0 message. Undefined for a durable nonce, which stands in the same place
 * and never expires, and for what is written otherwise. https://solana.com/docs/core/transactions
 */
export function blockhashOf(bytes: Uint8Array): string | undefined {
  const signatures = compact(bytes, 0);
  if (signatures === undefined) return undefined;
  let at = signatures.end + 64 * signatures.value;
  const prefix = bytes[at];
  if (prefix === undefined || prefix > 0x80) return undefined;
  at += (prefix === 0x80 ? 1 : 0) + 3;
  const accounts = compact(bytes, at);
  if (accounts === undefined) return undefined;
  const keysAt = accounts.end;
  at = keysAt + 32 * accounts.value;
  const instructions = compact(bytes, at + 32);
  if (instructions === undefined) return undefined;
  if (advancesNonce(bytes, instructions.value === 0 ? undefined : instructions.end, keysAt)) return undefined;
  return base58.encode(bytes.subarray(at, at + 32));
}

/** Undefined place: there is no instruction. `AdvanceNonceAccount` is number 4 of the system program, whose id is all zeros. */
function advancesNonce(bytes: Uint8Array, at: number | undefined, keysAt: number): boolean {
  const program = at === undefined ? undefined : bytes[at];
  if (at === undefined || program === undefined) return false;
  const key = bytes.subarray(keysAt + 32 * program, keysAt + 32 * (program + 1));
  if (key.length < 32 || key.some(byte => byte !== 0)) return false;
  const accounts = compact(bytes, at + 1);
  const data = accounts && compact(bytes, accounts.end + accounts.value);
  if (data === undefined) return true; // It cannot be told, and a wrong no would be worse.
  const [first, ...more] = bytes.subarray(data.end, data.end + 4);
  return first === 4 && more.every(byte => byte === 0);
}

/** A compact-u16: seven bits a byte, the lowest first. */
function compact(
  bytes: Uint8Array,
  at: number,
): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let i = 0; i < 3; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return undefined;
    value |= (byte & 127) << (7 * i);
    if (byte < 128) return { value, end: at + i + 1 };
  }
  return undefined;
}

function* look({ id, facts, sent }: Tracked): Look {
  const status = ask('getSignatureStatuses', [[id], { searchTransactionHistory: true }]);
  const found = standing(yield status);
  if (found?.found !== 'not_seen' || facts === undefined) return found;
  // The blockhash first, then the signature once more: what is missing after the last block it could be in stays missing.
  const { blockhash } = JSON.parse(facts) as Lifetime; // `tx.ts` wrote it.
  const told = yield ask('isBlockhashValid', [blockhash, { commitment: 'finalized' }]);
  const slot = expiredAt(told);
  if (slot === undefined || slot <= sent.to + finalizedLag) return found;
  const last = standing(yield status);
  if (last?.found !== 'not_seen') return last;
  const why = `its blockhash ${blockhash} is expired at the finalized slot ${slot}`;
  return { found: 'impossible', why, keeps: 'since' };
}

/** A processed one may still be dropped: it stands nowhere yet. */
function standing(told: Told | undefined): Finding | undefined {
  const value = told?.verdict === 'ok' ? memberIn(told.body, resultOf(told.body), 'value') : undefined;
  const status = told === undefined || value === undefined ? undefined : elementsOf(told.body, value.at)[0];
  if (told === undefined || status === undefined) return undefined;
  const { body } = told;
  if (spells(body, status.at, status.end, 'null')) return { found: 'not_seen' };
  const slot = slotAt(body, memberIn(body, status, 'slot'));
  const level = textIn(body, status, 'confirmationStatus');
  if (slot === undefined) return undefined;
  // Old nodes tell no level, but a rooted transaction has `null` confirmations to wait for.
  const left = memberIn(body, status, 'confirmations');
  const rooted = level === undefined && left !== undefined && spells(body, left.at, left.end, 'null');
  return rooted || level === 'confirmed' || level === 'finalized'
    ? { found: 'block', height: slot, block: String(slot) }
    : { found: 'pool' };
}

/** The slot at which the node says that the blockhash is not valid. */
function expiredAt(told: Told | undefined): number | undefined {
  if (told?.verdict !== 'ok') return undefined;
  const { body } = told;
  const result = resultOf(body);
  const valid = memberIn(body, result, 'value');
  if (valid === undefined || !spells(body, valid.at, valid.end, 'false')) return undefined;
  return slotAt(body, memberIn(body, memberIn(body, result, 'context'), 'slot'));
}

function textIn(body: Uint8Array, object: Span, key: string): string | undefined {
  const span = memberIn(body, object, key);
  return span && stringAt(body, span);
}

/** A bundle's id is no transaction's. */
export function answeredId(call: Call, body: Uint8Array): string | undefined {
  const result = call.method === 'sendTransaction' ? resultOf(body) : undefined;
  return result && stringAt(body, result);
}

export function knownReply(call: Call, txId: string): string {
  return resultText(call.id ?? 'null', JSON.stringify(txId));
}
