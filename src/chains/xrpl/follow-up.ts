/** An XRPL transaction after it was sent: is it in a validated ledger, or has its last ledger gone by without it? */

import type { Finding } from '../../core/follow-up.ts';
import { stringAt } from '../../wire/scan.ts';
import { spells, textOf } from '../../wire/text.ts';
import type { Call } from '../family.ts';
import type { FollowUp, Look, Told, Tracked } from '../follow-up.ts';
import { inAnswer, question } from './own.ts';
import { probes } from './probes.ts';

/** Without a `LastLedgerSequence` a transaction may come back for as long as its sequence is free. */
export interface Expiry {
  readonly lastLedger: number;
}

/** A server searches no longer range at once. */
const searchLedgers = 1_000;
/** Longer than that the search is left to an operator. */
const mostSearches = 20;

export const followUp: FollowUp = {
  spent: (_rule, body) => {
    const result = engineResult(body);
    return result === 'tefPAST_SEQ' || result === 'tefMAX_LEDGER' || result === 'tefNO_TICKET';
  },
  look,
};

function* look({ id, facts, sent }: Tracked): Look {
  const found = standing(id, yield question('tx', { transaction: id, binary: false }));
  if (found?.found !== 'not_seen' || facts === undefined) return found;
  const { lastLedger } = JSON.parse(facts) as Expiry; // `tx.ts` wrote it.
  const told = yield probes.head.call;
  const head = told?.verdict === 'ok' ? probes.head.read(told.body) : undefined;
  if (head === undefined || head.height <= lastLedger) return found;
  // A thousand ledgers at least: it may have been sent elsewhere before.
  const from = Math.max(1, Math.min(sent.from, lastLedger - searchLedgers + 1));
  if (lastLedger - from >= searchLedgers * mostSearches) return found;
  for (let last = lastLedger; last >= from; last -= searchLedgers) {
    const range = { min_ledger: Math.max(from, last - searchLedgers + 1), max_ledger: last };
    const answer = yield question('tx', { transaction: id, binary: false, ...range });
    const seen = standing(id, answer);
    if (seen?.found !== 'not_seen') return seen;
    if (!searchedAll(answer)) return found;
  }
  const why = `ledger ${head.height} is validated, past its last ledger ${lastLedger}, and none up to there has it`;
  return { found: 'impossible', why };
}

/** Whatever the verdict: that there is no such transaction is an error in this protocol. */
function standing(id: string, told: Told | undefined): Finding | undefined {
  if (told === undefined) return undefined;
  const { body, verdict } = told;
  if (verdict === 'app_error' || verdict === 'missing_history')
    return text(body, 'error') === 'txnNotFound' ? { found: 'not_seen' } : undefined;
  if (verdict !== 'ok' || text(body, 'hash')?.toUpperCase() !== id) return undefined;
  const validated = inAnswer(body, 'result', 'validated');
  if (validated === undefined || !spells(body, validated.at, validated.end, 'true')) return { found: 'pool' };
  const ledger = inAnswer(body, 'result', 'ledger_index') ?? inAnswer(body, 'result', 'inLedger');
  const digits = ledger === undefined ? '' : textOf(body, ledger.at, ledger.end);
  // A validated ledger never changes, so its number names it.
  return /^\d{1,10}$/.test(digits)
    ? { found: 'block', height: Number(digits), block: digits }
    : { found: 'pool' };
}

function searchedAll(told: Told | undefined): boolean {
  const span = told === undefined ? undefined : inAnswer(told.body, 'result', 'searched_all');
  return told !== undefined && span !== undefined && spells(told.body, span.at, span.end, 'true');
}

function text(body: Uint8Array, key: string): string | undefined {
  const span = inAnswer(body, 'result', key);
  return span && stringAt(body, span);
}

function engineResult(body: Uint8Array): string | undefined {
  return text(body, 'engine_result');
}

export function answeredId(_call: Call, body: Uint8Array): string | undefined {
  const span = inAnswer(body, 'result', 'tx_json', 'hash');
  return (span && stringAt(body, span))?.toUpperCase();
}

/** What a server says of a transaction that it has: tefALREADY, and nothing of what it would do with it. */
export function knownReply(call: Call, txId: string): string {
  const result = {
    status: 'success',
    engine_result: 'tefALREADY',
    engine_result_code: -198,
    engine_result_message: 'The network has exactly this transaction.',
    accepted: false,
    applied: false,
    broadcast: false,
    kept: false,
    queued: false,
    tx_json: { hash: txId },
  };
  const id = call.id === undefined ? '' : `,"id":${call.id}`;
  return `{"result":${JSON.stringify(result)}${id}}`;
}
