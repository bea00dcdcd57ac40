/**
 * A recorded answer judged the way the daemon judges it: `rpcgw classify` and the corpus tests. The form of a case is
 * contract section 7's: `{"id", "family", "chain", "request", "response": {"status", "headers", "body"} | {"transport"}}`.
 */

import type { FamilyName } from '../core/chain.ts';
import { type Judgement, type TxOutcome, type Verdict, verdicts } from '../core/verdict.ts';
import { elementsOf } from '../wire/scan.ts';
import type { Answer, Call, Family, JudgeContext } from './family.ts';
import { callsOf, type Members, membersOf } from './recorded.ts';

export interface Classified {
  readonly id: string;
  readonly verdict: Verdict;
  /** `not_sent`: the connection never came about. */
  readonly txOutcome?: TxOutcome | 'not_sent';
  readonly retryAfterSeconds?: number;
  readonly rule: string;
}

/** What is wrong with a case that cannot be judged. */
export interface Unclassifiable {
  readonly id: string;
  readonly refused: string;
}

type Families = Readonly<Partial<Record<FamilyName, Family>>>;

export function classifyCase(line: unknown, families: Families, nowMs: number): Classified | Unclassifiable {
  const record = membersOf(line);
  const id = typeof record?.id === 'string' || typeof record?.id === 'number' ? String(record.id) : '';
  const refuse = (refused: string): Unclassifiable => ({ id, refused });
  if (record === undefined) return refuse('a case is an object');
  const family = Object.values(families).find(known => known.name === record.family);
  if (family === undefined) return refuse(`no such family: ${JSON.stringify(record.family)}`);
  const calls = callsOf(family, record.request);
  const response = membersOf(record.response);
  if (typeof response?.transport === 'string') return unanswered(id, calls, response.transport);
  const answer = response && answerOf(response);
  if (answer === undefined) return refuse('a response has a status and a body, or a transport');
  const chain = typeof record.chain === 'string' ? record.chain : family.name;
  const context = { nowMs, chain };
  const [first] = calls;
  const single = calls.length === 1 && !Array.isArray(record.request) ? first : undefined;
  return told(
    id,
    single === undefined
      ? worst(judgeBatch(family, calls, answer, context, hasIds(record.request)))
      : family.judge(single, answer, context),
  );
}

const neverConnected = new Set(['dns', 'connect_refused', 'connect_timeout', 'address_refused', 'tls']);

function unanswered(id: string, calls: readonly Call[], kind: string): Classified {
  const broadcast = calls.some(call => call.spec.kind === 'broadcast');
  const txOutcome = neverConnected.has(kind) ? 'not_sent' : 'unknown';
  return { id, verdict: 'transport', ...(broadcast ? { txOutcome } : {}), rule: `transport.${kind}` };
}

function answerOf({ status, headers, body }: Members): Answer | undefined {
  const number = Number(status);
  if (status === null || !Number.isInteger(number)) return undefined;
  const lower = Object.entries(membersOf(headers) ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  const text =
    typeof body === 'string' ? body : body === undefined || body === null ? '' : JSON.stringify(body);
  return { status: number, headers: Object.fromEntries(lower), body: encoder.encode(text) };
}

/** One verdict an item; a batch has that of its worst. */
function judgeBatch(
  family: Family,
  calls: readonly Call[],
  answer: Answer,
  context: JudgeContext,
  named: boolean,
): Judgement[] {
  const judge = (call: Call, body: Uint8Array): Judgement => family.judge(call, { ...answer, body }, context);
  const slices = family.split(calls, answer.body);
  // No array: a refusal is every item's, a result can be nobody's. Its id, when it has one, is one item's at most.
  if (slices === undefined)
    return calls.map(call => {
      const judgement = judge({ ...call, id: undefined }, answer.body);
      return judgement.verdict === 'ok' ? judge(call, nothing) : judgement;
    });
  // A recorded batch may come without its ids. The calls have our own then, and the answer need not know them.
  const byPlace = named || slices.every(slice => slice !== undefined) ? [] : distinct(answer.body);
  return calls.map((call, index) => {
    const item = byPlace.length === calls.length ? byPlace[index] : undefined;
    return item === undefined
      ? judge(call, slices[index] ?? nothing)
      : judge({ ...call, id: undefined }, item);
  });
}

/** The items of an array; none when two have the same id. */
function distinct(body: Uint8Array): readonly Uint8Array[] {
  const items = elementsOf(body, 0).map(({ at, end }) => body.subarray(at, end));
  const ids = items.map(item => membersOf(JSON.parse(decoder.decode(item)))?.id ?? item);
  return new Set(ids).size === items.length ? items : [];
}

const nothing = new Uint8Array();

function worst(judgements: readonly Judgement[]): Judgement {
  return judgements.reduce((a, b) => (verdicts[b.verdict].rank > verdicts[a.verdict].rank ? b : a));
}

function told(id: string, { verdict, txOutcome, retryAfterMs, rule }: Judgement): Classified {
  return {
    id,
    verdict,
    ...(txOutcome === undefined ? {} : { txOutcome }),
    ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: retryAfterMs / 1000 }),
    rule,
  };
}

/** Whether a recorded batch has the ids that went out with it. */
function hasIds(request: unknown): boolean {
  return Array.isArray(request) && request.some(item => membersOf(item)?.id !== undefined);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
