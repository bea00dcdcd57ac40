/**
 * A recorded answer judged the way the daemon judges it: `rpcgw classify` and the corpus tests. The form of a case is
 * contract section 7's: `{"id", "family", "chain", "request", "response": {"status", "headers", "body"} | {"transport"}}`.
 */

import type { FamilyName } from '../core/chain.ts';
import { type Judgement, type TxOutcome, type Verdict, verdicts } from '../core/verdict.ts';
import { elementsOf } from '../wire/scan.ts';
import type { Answer, Call, Family, Incoming, JudgeContext } from './family.ts';

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

type Members = Readonly<Record<string, unknown>>;
type Families = Readonly<Partial<Record<FamilyName, Family>>>;

export function classifyCase(line: unknown, families: Families, nowMs: number): Classified | Unclassifiable {
  const record = membersOf(line);
  const id = typeof record?.id === 'string' ? record.id : '';
  const refuse = (refused: string): Unclassifiable => ({ id, refused });
  if (record === undefined) return refuse('a case is an object');
  const family = Object.values(families).find(known => known.name === record.family);
  if (family === undefined) return refuse(`no such family: ${JSON.stringify(record.family)}`);
  const calls = callsOf(family, record.request);
  if (calls === undefined) return refuse('the request cannot be read');
  const response = membersOf(record.response);
  if (typeof response?.transport === 'string') return unanswered(id, calls, response.transport);
  const answer = response && answerOf(response);
  if (answer === undefined) return refuse('a response has a status and a body, or a transport');
  const chain = typeof record.chain === 'string' ? record.chain : family.name;
  return told(id, worst(judgeAll(family, calls, answer, { nowMs, chain })));
}

const neverConnected = new Set(['dns', 'connect_refused', 'connect_timeout', 'address_refused', 'tls']);

function unanswered(id: string, calls: readonly Call[], kind: string): Classified {
  const broadcast = calls.some(call => call.spec.kind === 'broadcast');
  const txOutcome = neverConnected.has(kind) ? 'not_sent' : 'unknown';
  return { id, verdict: 'transport', ...(broadcast ? { txOutcome } : {}), rule: `transport.${kind}` };
}

function answerOf({ status, headers, body }: Members): Answer | undefined {
  if (typeof status !== 'number' || (body !== undefined && typeof body !== 'string')) return undefined;
  const lower = Object.entries(membersOf(headers) ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    String(value),
  ]);
  return { status, headers: Object.fromEntries(lower), body: encoder.encode(body ?? '') };
}

/** One verdict an item; a batch has that of its worst (an answer that is no array is every item's). */
function judgeAll(
  family: Family,
  calls: readonly Call[],
  answer: Answer,
  context: JudgeContext,
): Judgement[] {
  if (calls.length === 1 && calls[0] !== undefined) return [family.judge(calls[0], answer, context)];
  const slices = family.split(calls, answer.body);
  // A recorded batch may come without its ids. The calls have our own then, and the answer knows none of them.
  const foreign = slices?.every(slice => slice === undefined) ? elementsOf(answer.body, 0) : [];
  return calls.map((call, index) => {
    const span = foreign.length === calls.length ? foreign[index] : undefined;
    const own = span === undefined ? slices?.[index] : answer.body.subarray(span.at, span.end);
    if (slices === undefined || span !== undefined) {
      // Its id, when it has one, is one item's at most.
      return family.judge({ ...call, id: undefined }, { ...answer, body: own ?? answer.body }, context);
    }
    return family.judge(call, { ...answer, body: own ?? new Uint8Array() }, context);
  });
}

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

const encoder = new TextEncoder();
const options = { maxDepth: 100, maxBatch: 10_000, development: false };

/** The calls of a recorded request, opened by the family. Ids are compared only where the record has them. */
function callsOf(family: Family, request: unknown): readonly Call[] | undefined {
  if (Array.isArray(request)) {
    if (request.length === 0) return undefined;
    const items = request.map((item, index) => ({ jsonrpc: '2.0', id: index + 1, ...membersOf(item) }));
    return opened(family, post(items));
  }
  const record = membersOf(request);
  if (record === undefined) return undefined;
  if (typeof record.path === 'string') return overPath(family, record, record.path);
  const calls =
    opened(family, post({ jsonrpc: '2.0', id: 1, ...record })) ??
    opened(family, post({ jsonrpc: '2.0', id: 1, method: 'unreadable' }));
  return Object.hasOwn(record, 'id') ? calls : calls?.map(call => ({ ...call, id: undefined }));
}

/** TRON's REST form. A body that the gateway itself would refuse may still have been answered by a node. */
function overPath(family: Family, { verb, body }: Members, target: string): readonly Call[] | undefined {
  const get = verb === 'GET';
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  const incoming = (content: string): Incoming => ({
    verb: get ? 'GET' : 'POST',
    target,
    body: encoder.encode(get ? '' : content),
  });
  return opened(family, incoming(text)) ?? opened(family, incoming('{}'));
}

function post(body: unknown): Incoming {
  return { verb: 'POST', target: '', body: encoder.encode(JSON.stringify(body)) };
}

function opened(family: Family, incoming: Incoming): readonly Call[] | undefined {
  const read = family.open(incoming, options);
  if (read.form === 'single') return [read.call];
  return read.form === 'batch' ? read.calls : undefined;
}

function membersOf(value: unknown): Members | undefined {
  // Any member may be there, with any value: each is checked where it is used.
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
}
