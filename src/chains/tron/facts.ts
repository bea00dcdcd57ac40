/** What an answer says, laid out for the rules: java-tron's shapes, TronGrid's, JSON-RPC's and those of proxies. */

import { answerDepth, type Reply } from '../../wire/answer.ts';
import { afterSpace, CUT, LEFT_BRACE, LEFT_BRACKET, RIGHT_BRACKET, scanValue } from '../../wire/grammar.ts';
import { onlySpaceFrom, type Span, valueAt } from '../../wire/scan.ts';
import { hasEscape, hasMark, spells, textOf, unescaped } from '../../wire/text.ts';
import { newWalk, nextMember, startWalk } from '../../wire/walk.ts';
import { asideOf, heard, isOfEnvelope, waitBeside } from '../aside.ts';
import type { Answer, Call, JudgeContext } from '../family.ts';
import { readReply } from '../jsonrpc.ts';
import type { Judged } from '../rules.ts';
import { later, plain, waitInHeaders, waitInText } from '../words.ts';
import { decodeMessage } from './message.ts';
import type { TronMethod } from './methods.ts';
import { type Naming, namingOf, nothing, rowOf } from './named.ts';
import { rpcPath } from './open.ts';

export interface Facts extends Judged {
  readonly status: number;
  readonly form:
    | 'result'
    /** `{}`; by JSON-RPC it is nothing. */
    | 'empty_object'
    /** Carries an error or a code in one of the known places. */
    | 'error'
    | 'empty'
    | 'html'
    | 'text'
    /** JSON that ends early. */
    | 'cut'
    /** JSON, and no answer to this call. */
    | 'foreign';
  readonly rpc: boolean;
  /** The path, or the JSON-RPC method. */
  readonly method: string;
  /** java-tron's code of a result, or a JSON-RPC or provider's code in decimal; '' when there is none. */
  readonly code: string;
  /** A `result: true` of its own. */
  readonly passed: boolean;
  /** The Java class of an exception, without its package; '' when there is none. */
  readonly exception: string;
  /** What it says, as `plain` gives it. */
  readonly text: string;
  /** `data` holds the bytes of a revert. */
  readonly revertBytes: boolean;
  /** The page of java-tron's own servlet container, not a proxy's. */
  readonly servlet: boolean;
  readonly naming: Naming['what'];
  /** What `{}` stands for here. */
  readonly absent: 'thing' | 'head' | 'block' | 'block_to_come' | 'range';
  /** The request names blocks, and none above the pool's agreed head, as far as that is known: they are there. */
  readonly reached: boolean;
}

/** Words far behind the beginning belong to stack traces and to requests that were copied in. */
const textLimit = 1_500;
/** A solidity path knows a block once 19 of 27 producers have built on it; a round of all of them is sure to do. */
const solidLag = 27;

type Said = Pick<Facts, 'form'> &
  Partial<Pick<Facts, 'code' | 'passed' | 'exception' | 'text' | 'revertBytes' | 'servlet'>> & {
    readonly waitMs?: number | undefined;
  };

export function factsOf(call: Call, answer: Answer, context: JudgeContext): Facts {
  const row = rowOf(call);
  const rpc = call.path === rpcPath;
  const said = rpc ? fromReply(answer, readReply(call, answer), row) : fromBody(answer.body, row);
  // What was asked for matters to nothing but an answer that is none.
  const naming = said.form === 'result' ? nothing : namingOf(call, row);
  const head = context.poolHead;
  const text = said.text ?? '';
  const waitMs = text === '' ? said.waitMs : later(waitInText(text), said.waitMs);
  return {
    status: answer.status,
    rpc,
    method: call.method,
    broadcast: isBroadcast(call, row),
    code: '',
    passed: false,
    exception: '',
    revertBytes: false,
    servlet: false,
    ...said,
    text,
    naming: naming.what,
    absent: absentHere(call, row, naming, head),
    reached: naming.what === 'blocks' && (head === undefined || naming.highest <= head),
    retryAfterMs: later(waitInHeaders(answer.headers, context.nowMs), waitMs),
  };
}

/** JSON-RPC methods that hand over a transaction are refused at the door; an answer to one is judged as what it is. */
function isBroadcast(call: Call, row: TronMethod): boolean {
  return row.kind === 'broadcast' || call.method.startsWith('eth_sendRawTransaction');
}

function absentHere(call: Call, row: TronMethod, naming: Naming, head: number | undefined): Facts['absent'] {
  if (row.empty === undefined) return 'thing';
  if (naming.what === 'impossible') return 'range';
  if (naming.what === 'nothing')
    return row.named?.by === 'number-or-id' || row.empty === 'head' ? 'head' : 'block';
  if (naming.what !== 'blocks' || head === undefined) return 'block';
  const lag = call.method.startsWith('/walletsolidity/') ? solidLag : 0;
  return naming.highest > head - lag ? 'block_to_come' : 'block';
}

function fromReply(answer: Answer, reply: Reply, row: TronMethod): Said {
  if (reply.kind === 'result') return { form: 'result' };
  if (reply.kind === 'error') {
    const text = [reply.message === '' ? reply.text : reply.message, ...asideOf(reply.text)].join(' ');
    return {
      ...spoken(text),
      code: reply.code === undefined ? '' : String(reply.code),
      revertBytes: typeof reply.data === 'string' && /^0x(?:[0-9a-f]{2}){4,}$/i.test(reply.data),
      waitMs: waitBeside(reply.text),
    };
  }
  if (reply.what === 'no_result') {
    // java-tron's limiter answers before the JSON-RPC servlet, and so without its envelope.
    const said = fromBody(answer.body, row);
    return said.form === 'error' ? said : { form: 'foreign' };
  }
  if (reply.what === 'truncated') return { form: 'cut' };
  if (reply.what === 'empty') return { form: 'empty' };
  if (reply.what === 'html' || reply.what === 'text') return page(reply.what, reply.text);
  return { form: 'foreign' };
}

function fromBody(body: Uint8Array, row: TronMethod): Said {
  const start = afterSpace(body, hasMark(body) ? 3 : 0);
  if (start === body.length) return { form: 'empty' };
  const first = body[start];
  if (first === LEFT_BRACE) return fromObject(body, start, row);
  if (first === LEFT_BRACKET) {
    const end = scanValue(body, start, answerDepth);
    if (end === CUT) return { form: 'cut' };
    return { form: row.list && end > 0 && onlySpaceFrom(body, end) ? 'result' : 'foreign' };
  }
  return page(
    first === 0x3c ? 'html' : 'text',
    textOf(body, start, Math.min(body.length, start + 4 * textLimit)),
  );
}

/** The members that tell a fault from an answer; every other one is the answer's own. */
const telling = ['Error', 'error', 'code', 'message', 'result', 'success', 'Success'];
const walk = newWalk();

/** The key under the walk, when it is one of these, however it is written. */
function tellingKey(body: Uint8Array): string | undefined {
  const { keyAt, keyEnd } = walk;
  for (const key of telling) if (spells(body, keyAt, keyEnd, key)) return key;
  if (!hasEscape(body, keyAt, keyEnd)) return undefined;
  const written = unescaped(body, keyAt, keyEnd);
  return telling.find(key => key === written);
}

function fromObject(body: Uint8Array, start: number, row: TronMethod): Said {
  const members = new Map<string, Span>();
  let count = 0;
  let enveloped = true;
  let twice = false;
  let noBlocks = false;
  startWalk(walk, start);
  let step = nextMember(body, walk, answerDepth);
  while (step === 1) {
    count += 1;
    enveloped &&= isOfEnvelope(textOf(body, walk.keyAt, walk.keyEnd));
    noBlocks ||= spells(body, walk.keyAt, walk.keyEnd, 'block') && isEmptyList(body, walk.at);
    const key = tellingKey(body);
    if (key !== undefined) {
      twice ||= members.has(key);
      members.set(key, { at: walk.at, end: walk.end });
    }
    step = nextMember(body, walk, answerDepth);
  }
  if (step === CUT) return { form: 'cut' };
  if (step < 0 || twice || !onlySpaceFrom(body, walk.next)) return { form: 'foreign' };
  // A list of blocks without a block says no more than `{}`.
  if (count === 0 || (count === 1 && noBlocks)) return { form: 'empty_object' };

  const value = (key: string): unknown => {
    const span = members.get(key);
    return span === undefined ? undefined : valueAt(body, span);
  };
  const error = value('Error') ?? value('error') ?? undefined;
  if (error !== undefined) {
    const span = members.get('Error') ?? members.get('error');
    const text = span === undefined ? '' : textOf(body, span.at, Math.min(span.end, span.at + 4 * textLimit));
    const around = isRecord(error) ? text : textOf(body, start, walk.next);
    return fromError(error, around, value('message'), value('code'));
  }
  // An asset has a `description` too, but not that alone; a broadcast's code is a word, and its message may be hex.
  const said =
    enveloped && !(row.kind === 'broadcast' && typeof value('code') === 'string')
      ? heard({ kind: 'broken', what: 'no_result', text: textOf(body, start, walk.next) })
      : undefined;
  if (said?.kind === 'error') return fromError(said.message, said.text, undefined, said.code);
  if (row.kind === 'broadcast') return fromCode(value('code'), value('message'), value('result') === true);
  const result = value('result');
  if (isRecord(result)) return fromResult(result);
  const failed = value('success') === false || value('Success') === false;
  const message = value('message');
  // A proxy's `{"message":…}` and `{"code":403,"message":…}`; an answer of java-tron's has its `result` beside one.
  if (failed || (typeof message === 'string' && result === undefined))
    return fromError(message, '', undefined, value('code'));
  return { form: 'result' };
}

function isEmptyList(body: Uint8Array, at: number): boolean {
  return body[at] === LEFT_BRACKET && body[afterSpace(body, at + 1)] === RIGHT_BRACKET;
}

/** `written` is the error's JSON text, for an error of an unknown shape. */
function fromError(error: unknown, written: string, beside: unknown, outerCode: unknown): Said {
  const inner = isRecord(error) ? error : undefined;
  const parts = [inner === undefined ? error : inner.message, beside].filter(
    part => typeof part === 'string',
  );
  const code = inner?.code ?? outerCode;
  return {
    ...spoken([...(parts.length === 0 ? [written] : parts), ...asideOf(written)].join(' ')),
    code: typeof code === 'number' || typeof code === 'string' ? String(code) : '',
    waitMs: waitBeside(written),
  };
}

/** `{result, code, message}` of a broadcast. `SUCCESS` is the default, and left out. */
function fromCode(code: unknown, message: unknown, passed: boolean): Said {
  const named = typeof code === 'string' ? code : typeof code === 'number' ? String(code) : '';
  return {
    ...spoken(typeof message === 'string' ? decodeMessage(message) : ''),
    code: named === 'SUCCESS' ? '' : named,
    passed,
  };
}

/** `{"result":{"result":true}}` or `{"result":{"code":…,"message":…}}` of what runs a contract or weighs signatures. */
function fromResult(result: Readonly<Record<string, unknown>>): Said {
  const said = fromCode(result.code, result.message, result.result === true);
  const answered =
    said.code === '' || said.code === 'NOT_ENOUGH_PERMISSION' || said.code === 'ENOUGH_PERMISSION';
  return answered ? { form: 'result' } : said;
}

const exceptionText = /^class ([\w.$]+)(?: : ?|$)/;

function spoken(text: string): Said {
  const cut = text.slice(0, textLimit);
  const named = exceptionText.exec(cut)?.[1] ?? '';
  return {
    form: 'error',
    exception: named.slice(Math.max(named.lastIndexOf('.'), named.lastIndexOf('$')) + 1),
    text: plain(cut),
  };
}

const servletPage = /jetty|<h2>http error \d{3}|<th>(?:uri|servlet|status):/;

function page(form: 'html' | 'text', text: string): Said {
  const said = plain(text.slice(0, textLimit));
  return { form, text: said, servlet: form === 'html' && servletPage.test(said) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
