/** What an answer that is no plain result says, laid out for the rules. */

import type { Reply } from '../../wire/answer.ts';
import { asideOf } from '../aside.ts';
import type { Answer, Call } from '../family.ts';
import type { Judged } from '../rules.ts';
import { plain } from '../words.ts';
import type { EvmMethod } from './methods.ts';
import { namesMoment, standingOf } from './need.ts';

export interface EvmFacts extends Judged {
  readonly status: number;
  /** What the body is, `error` included when it is one. */
  readonly shape: 'result' | 'error' | Extract<Reply, { kind: 'broken' }>['what'];
  readonly code: number | undefined;
  /** The error's message, as `plain` gives it; of a broken body, its text. */
  readonly message: string;
  /** Message and the texts within `data`. */
  readonly text: string;
  /** `data` holds the bytes of a revert. */
  readonly revertBytes: boolean;
  readonly method: string;
  /** A method of the tracing namespaces. */
  readonly traces: boolean;
  /** The request is for logs. */
  readonly logs: boolean;
  /** The method has a place for a block, a range or a hash. */
  readonly placed: boolean;
  /** The request names a height below the head, or a hash. */
  readonly past: boolean;
}

export function factsOf(call: Call, method: EvmMethod, answer: Answer, reply: Reply): EvmFacts {
  const { status, code, message } = saidBy(reply, answer.status);
  const data = reply.kind === 'error' ? furtherTexts(reply) : noTexts;
  const words = spoken(message);
  return {
    broadcast: method.kind === 'broadcast',
    status,
    shape: reply.kind === 'broken' ? reply.what : reply.kind,
    code,
    message: words,
    text: data.length === 0 ? words : withData(words, data),
    revertBytes: reply.kind === 'error' && holdsRevert(reply.data, runs.test(call.method), 4),
    method: call.method,
    traces: tracing.test(call.method),
    logs: method.place?.by === 'filter' || method.filter !== undefined,
    placed: method.place !== undefined,
    past: isPast(call, method),
  };
}

const noTexts: readonly string[] = [];

/** What an error says in its data, and beside it. */
function furtherTexts({ data, text }: Extract<Reply, { kind: 'error' }>): readonly string[] {
  const own = data === undefined ? noTexts : textsOf(data, 4);
  const aside = asideOf(text);
  return aside.length === 0 ? own : [...own, ...aside];
}

const tracing = /^(?:debug|(?:arb)?trace|ots)_/;

function saidBy(reply: Reply, status: number): Relayed {
  if (reply.kind === 'result') return { status, code: undefined, message: '' };
  if (reply.kind === 'broken') return { status, code: undefined, message: reply.text };
  const { code, message, text } = reply;
  return (
    relayed(code, message, status) ?? {
      status,
      code: numeric(code),
      message: message === '' ? text : message,
    }
  );
}

function withData(message: string, data: readonly string[]): string {
  const words = data.filter(leaf => !hexOnly.test(leaf)).join(' ');
  return words === '' ? message : `${message} ${spoken(words)}`;
}

/** `InsufficientFunds`, `Pool(AlreadyImported)` and `ALREADY_EXISTS` are words too; names of methods are left alone. */
function spoken(text: string): string {
  const begin = text.slice(0, textLimit);
  if (!/[a-z][A-Z]|[A-Z]_[A-Z]/.test(begin)) return plain(begin);
  return plain(
    begin
      .replace(/(?<![A-Za-z0-9_])(?:[A-Z][a-z0-9]+){2,}(?![A-Za-z0-9_])/g, name =>
        name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' '),
      )
      .replace(/(?<![A-Za-z0-9_])[A-Z]+(?:_[A-Z]+)+(?![A-Za-z0-9_])/g, name => name.replaceAll('_', ' ')),
  );
}

/** Words far behind the beginning belong to stack traces and to requests that were copied in. */
const textLimit = 1_500;

function isPast(call: Call, method: EvmMethod): boolean {
  return method.place === undefined
    ? method.unknown === true && namesMoment(call)
    : standingOf(call, method.place).in !== 'head';
}

/** Gateways send the code as text at times: "-32005". */
function numeric(code: number | string | undefined): number | undefined {
  const value = typeof code === 'string' && /^-?\d{1,9}$/.test(code) ? Number(code) : code;
  return typeof value === 'number' ? value : undefined;
}

interface Relayed {
  readonly status: number;
  readonly code: number | undefined;
  readonly message: string;
}

/**
 * A node that forwards to another one (a rollup's to its sequencer) hands on a refusal as text:
 * `429 Too Many Requests: {"jsonrpc":"2.0","error":{…}}`. What the other one said is what counts.
 */
function relayed(code: number | string | undefined, message: string, status: number): Relayed | undefined {
  const brace = message.indexOf('{');
  const line = brace < 0 ? null : /^(?:[\w ]+: )?([1-5]\d\d) [A-Za-z' -]+: ?$/.exec(message.slice(0, brace));
  if (line === null) return undefined;
  const inner = parsed(message.slice(brace));
  const own = Number(line[1]);
  const words = typeof inner?.message === 'string' ? inner.message : '';
  return {
    status: own >= 400 ? own : status,
    code: numeric(typeof inner?.code === 'number' ? inner.code : code),
    message: `${message.slice(0, brace)}${words}`,
  };
}

function parsed(text: string): { code?: unknown; message?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const outer = typeof value === 'object' && value !== null && 'error' in value ? value.error : value;
    return typeof outer === 'object' && outer !== null ? outer : undefined;
  } catch {
    // Cut, or no JSON: the status before it says enough.
    return undefined;
  }
}

const hexOnly = /^(?:reverted )?(?:0x)?[0-9a-f]*$/i;
/** What is copied into `data` from the request or points elsewhere: its words are not the node's. */
const foreign =
  /^(?:request|params?|method|headers?|see|url|docs?|link|stack|stacktrace|trace|ip|from|to|hash|id|jsonrpc)$/i;

/** The texts within an error's data. */
function textsOf(data: unknown, depth: number): readonly string[] {
  if (typeof data === 'string') return [data];
  if (typeof data !== 'object' || data === null || depth === 0) return [];
  return Object.entries(data).flatMap(([key, value]) => (foreign.test(key) ? [] : textsOf(value, depth - 1)));
}

/** Methods that run the EVM for the caller: bytes in their error's data are what the contract said. */
const runs = /call|estimate|simulat|accesslist|multicall|execut|userop/i;

/**
 * `Error(string)`, `Panic(uint256)`, or a contract's own error: a selector and whole words of 32 bytes. Four bytes alone
 * may be anything, a height too: they count as `data` itself and in members that hold what a call returned.
 */
function holdsRevert(data: unknown, ran: boolean, depth: number): boolean {
  if (typeof data === 'string') {
    const bytes = /^(?:reverted )?0x([0-9a-f]+)$/i.exec(data)?.[1];
    if (bytes === undefined) return false;
    return /^(?:08c379a0|4e487b71)/i.test(bytes) || (ran && bytes.length % 64 === 8);
  }
  if (typeof data !== 'object' || data === null || depth === 0) return false;
  return Object.entries(data).some(
    ([key, value]) => !foreign.test(key) && holdsRevert(value, ran && returned.test(key), depth - 1),
  );
}

const returned =
  /^(?:data|error|original_?error|output|result|return(?:_?(?:data|value))?|revert(?:_?data)?|cause|0x.*|\d+)$/i;
