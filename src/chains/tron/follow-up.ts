/** A TRON transaction after it was sent: is it in a block, or has its time run out without it? */

import type { Finding } from '../../core/follow-up.ts';
import { afterSpace, LEFT_BRACE, RIGHT_BRACE } from '../../wire/grammar.ts';
import { memberOf, stringAt } from '../../wire/scan.ts';
import { textOf } from '../../wire/text.ts';
import type { Call } from '../family.ts';
import type { FollowUp, Look, Told, Tracked } from '../follow-up.ts';
import { headerOf } from './heads.ts';
import { paths } from './methods.ts';
import { pathCall } from './open.ts';
import { fieldsOf } from './protobuf.ts';

const utf8 = new TextEncoder();

interface Expiry {
  /** Wall clock of the chain, ms. */
  readonly expiration: number;
}

/** `expiration` in `protocol.Transaction.raw`. */
const expirationField = 8;

export const followUp: FollowUp = {
  // A TRON transaction has no nonce: it refers to a recent block and has an end.
  spent: () => false,
  look,
};

/** Of `raw_data`; undefined when it names no end. */
export function expiryOf(raw: Uint8Array): Expiry | undefined {
  const value = fieldsOf(raw)?.find(({ number }) => number === expirationField)?.value;
  return typeof value === 'bigint' && value > 0n ? { expiration: Number(value) } : undefined;
}

function ask(path: string, body: unknown): Call {
  return pathCall(path, paths[path] ?? { kind: 'read' }, 'POST', path, utf8.encode(JSON.stringify(body)));
}

function* look({ id, facts }: Tracked): Look {
  const wish = { value: id };
  const found = standing(id, yield ask('/wallet/gettransactioninfobyid', wish));
  if (found?.found !== 'not_seen') return found;
  if (isPending(yield ask('/wallet/gettransactionfrompending', wish), id)) return { found: 'pool' };
  if (facts === undefined) return found;
  // The solid head first, then the transaction at that level: what is missing behind its end stays missing.
  const { expiration } = JSON.parse(facts) as Expiry; // `tx.ts` wrote it.
  const told = yield ask('/walletsolidity/getblock', { detail: false });
  const head = told?.verdict === 'ok' ? headerOf(told.body) : undefined;
  if (head?.blockTimeMs === undefined || head.blockTimeMs <= expiration) return found;
  const last = standing(id, yield ask('/walletsolidity/gettransactioninfobyid', wish));
  if (last?.found !== 'not_seen') return last ?? found;
  const why = `it ran out before the solid block ${head.height}, and no block up to there has it`;
  return { found: 'impossible', why, keeps: 'since' };
}

/** `{}`: not seen. Numbers have no gaps, and two endpoints that agree on one agree on the block. */
function standing(id: string, told: Told | undefined): Finding | undefined {
  if (told?.verdict !== 'ok') return undefined;
  const { body } = told;
  const start = afterSpace(body, 0);
  if (body[start] !== LEFT_BRACE) return undefined;
  if (body[afterSpace(body, start + 1)] === RIGHT_BRACE) return { found: 'not_seen' };
  if (textAt(body, start, 'id')?.toLowerCase() !== id) return undefined;
  const number = memberOf(body, start, 'blockNumber');
  const digits = number === undefined ? '' : textOf(body, number.at, number.end);
  return /^\d{1,15}$/.test(digits) ? { found: 'block', height: Number(digits), block: digits } : undefined;
}

function isPending(told: Told | undefined, id: string): boolean {
  if (told?.verdict !== 'ok') return false;
  const start = afterSpace(told.body, 0);
  return told.body[start] === LEFT_BRACE && textAt(told.body, start, 'txID')?.toLowerCase() === id;
}

function textAt(body: Uint8Array, objectAt: number, key: string): string | undefined {
  const span = memberOf(body, objectAt, key);
  return span && stringAt(body, span);
}

export function answeredId(_call: Call, body: Uint8Array): string | undefined {
  const start = afterSpace(body, 0);
  if (body[start] !== LEFT_BRACE) return undefined;
  const text = textAt(body, start, 'txid');
  return text !== undefined && /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined;
}

/**
 * A success: clients sign anew on DUP_TRANSACTION_ERROR, and the new one would be paid too. In an answer to `broadcasthex`
 * tronweb reads the JSON text of the transaction, and throws where there is none.
 */
export function knownReply(call: Call, txId: string): string {
  const reply = { result: true, txid: txId };
  if (call.method !== '/wallet/broadcasthex') return JSON.stringify(reply);
  return JSON.stringify({ ...reply, transaction: JSON.stringify({ txID: txId }) });
}
