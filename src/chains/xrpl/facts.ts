/** What the rules look at: an answer's structure, its token and words, and of the request what an answer is held against. */

import { memberOf, type Span, valueAt } from '../../wire/scan.ts';
import { textOf } from '../../wire/text.ts';
import type { Answer, Call, JudgeContext } from '../family.ts';
import type { Judged } from '../rules.ts';
import { later, plain, waitInHeaders, waitInText } from '../words.ts';
import { fields, type Reply } from './answer.ts';
import { methods } from './methods.ts';
import { firstLedger, ledgerAt } from './need.ts';
import type { Members } from './request.ts';

export interface Facts extends Judged {
  readonly method: string;
  readonly status: number;
  readonly shape: 'success' | 'batch' | 'error' | 'provider' | Extract<Reply, { kind: 'broken' }>['what'];
  /** The node's own word for its error; '' when there is none. */
  readonly token: string;
  /** Error code of a JSON-RPC form; NaN when there is none. */
  readonly code: number;
  /** What is said, as word rules read it; '' for results and pages. */
  readonly words: string;
  readonly searchedAll: boolean;
  /** The ledgers the request names; read only where an answer is held against them. */
  readonly asked: () => Asked;
  /** The answer covers fewer ledgers than the request named. */
  readonly clipped: boolean;
  readonly engine: Engine | undefined;
}

export interface Asked {
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** By number or hash, and not by a shortcut. */
  readonly named: boolean;
}

/** What became of a submitted transaction. */
interface Engine {
  /** `tesSUCCESS`, `tecPATH_DRY`, …; the first three letters are the class. */
  readonly result: string;
  /** The server has it: applied, relayed, queued, or kept for another try. Undefined: it does not say. */
  readonly held: boolean | undefined;
}

/** One request and one answer: the whole call, or an item of a batch. */
export interface Exchange {
  readonly call: Call;
  readonly method: string;
  readonly params: () => Members;
  readonly reply: Reply;
  /** The bytes the reply's positions are in. */
  readonly body: Uint8Array;
}

/** Words far behind the beginning are copies of the request. */
const textLimit = 1_500;

export function factsOf(exchange: Exchange, answer: Answer, context: JudgeContext): Facts {
  const { call, method, params, reply, body } = exchange;
  const broadcast = call.spec.kind === 'broadcast';
  const asked = () => askedBy(call.text, params());
  const facts = {
    broadcast,
    method,
    status: answer.status,
    asked,
    token: '',
    code: Number.NaN,
    words: '',
    searchedAll: false,
    clipped: false,
    engine: undefined,
    retryAfterMs: undefined,
  };
  switch (reply.kind) {
    case 'success':
      return {
        ...facts,
        shape: 'success',
        clipped: clips(method) && isClipped(body, reply.result, asked(), context),
        engine: broadcast ? engineOf(body, reply.result) : undefined,
      };
    case 'error': {
      const { error_message: message, message: moved, searched_all: searchedAll } = reply.members;
      const words = plain(String(message ?? moved ?? '').slice(0, textLimit));
      return {
        ...facts,
        shape: 'error',
        token: reply.token,
        words,
        searchedAll: searchedAll === true,
        retryAfterMs: later(waitInHeaders(answer.headers, context.nowMs), waitInText(words)),
      };
    }
    case 'provider': {
      const words = plain(reply.message.slice(0, textLimit));
      const told = later(reply.waitMs, waitInText(words));
      const retryAfterMs = later(waitInHeaders(answer.headers, context.nowMs), told);
      return { ...facts, shape: 'provider', code: reply.code, words, retryAfterMs };
    }
    case 'broken': {
      const words = reply.what === 'text' ? plain(reply.text.slice(0, textLimit)) : '';
      const retryAfterMs = later(waitInHeaders(answer.headers, context.nowMs), waitInText(words));
      return { ...facts, shape: reply.what, words, retryAfterMs };
    }
  }
}

function clips(method: string): boolean {
  return Object.hasOwn(methods, method) && methods[method]?.clips === true;
}

const naming = [
  'ledger_index',
  'ledger',
  'ledger_hash',
  'ledger_index_min',
  'ledger_index_max',
  'min_ledger',
  'max_ledger',
  'ctid',
  'marker',
];
const shortcut = /^"?(?:current|closed|validated|-1)?"?$/;

export function askedBy(text: Uint8Array, params: Members): Asked {
  const at = (...names: readonly string[]): number | undefined =>
    names.map(name => ledgerAt(text, params.get(name))).find(height => height !== undefined);
  const min = at('ledger_index_min', 'min_ledger');
  const max = at('ledger_index_max', 'max_ledger');
  const named = naming.some(name => {
    const span = params.get(name);
    return span !== undefined && !shortcut.test(textOf(text, span.at, span.end));
  });
  return { min, max, named };
}

/** Old API versions answer over what they keep of the range asked for, and call it success. */
function isClipped(body: Uint8Array, result: Span, asked: Asked, context: JudgeContext): boolean {
  if (asked.min === undefined && asked.max === undefined) return false;
  return coversLess(rangeShown(body, result.at), asked, context);
}

export interface Range {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** The ledgers that a result says it covers; the text may be cut behind them. */
export function rangeShown(body: Uint8Array, resultAt: number): Range {
  return {
    from: ledgerAt(body, memberOf(body, resultAt, 'ledger_index_min')),
    to: ledgerAt(body, memberOf(body, resultAt, 'ledger_index_max')),
  };
}

export function coversLess(
  shown: Range,
  asked: Asked,
  context: Pick<JudgeContext, 'chain' | 'poolHead'>,
): boolean {
  const { from, to } = shown;
  const { min, max } = asked;
  const first = context.chain === 'xrpl' ? firstLedger : 1;
  if (min !== undefined && from !== undefined && from > Math.max(min, first)) return true;
  // Nobody can cover ledgers that do not exist yet.
  const future = max !== undefined && context.poolHead !== undefined && max > context.poolHead;
  return max !== undefined && !future && to !== undefined && to < max;
}

const flags = ['accepted', 'applied', 'broadcast', 'queued', 'kept'];

function engineOf(body: Uint8Array, result: Span): Engine | undefined {
  const members = fields(valueAt(body, result));
  const { engine_result: code } = members;
  if (typeof code !== 'string') return undefined;
  const told = flags.map(flag => members[flag]).filter(flag => typeof flag === 'boolean');
  return { result: code, held: told.length === 0 ? undefined : told.includes(true) };
}
