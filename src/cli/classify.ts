/** `rpcgw classify`: judges a recorded answer exactly as the daemon would, and says what it would do next. */

import { createInterface } from 'node:readline';
import { text as readAll } from 'node:stream/consumers';
import { type Classified, classifyCase, type Unclassifiable } from '../chains/classify.ts';
import { families } from '../chains/index.ts';
import { OperatorError } from '../core/errors.ts';
import { type TxOutcome, type Verdict, verdicts } from '../core/verdict.ts';
import { type CommandContext, option } from './context.ts';
import { parseCurl } from './curl-text.ts';

export async function run(context: CommandContext): Promise<number> {
  if (context.options.jsonl === true) return jsonLines(context);
  const result = classifyCase(await caseFromFlags(context), families, Date.now());
  if ('refused' in result)
    throw new OperatorError('usage', result.refused, { next: ['rpcgw classify --help'] });
  const told = explain(result);
  if (context.json) context.out(JSON.stringify({ ...result, ...told }));
  else {
    context.out(`verdict   ${result.verdict}: ${verdicts[result.verdict].means}`);
    if (result.txOutcome !== undefined)
      context.out(`tx        ${result.txOutcome}: ${outcomes[result.txOutcome]}`);
    context.out(`rule      ${result.rule}${told.why === null ? '' : `: ${told.why}`}`);
    context.out(`fault     ${told.fault}`);
    if (result.retryAfterSeconds !== undefined) context.out(`wait      ${result.retryAfterSeconds} s`);
    context.out(`next      ${told.next}`);
  }
  return 0;
}

/**
 * One line out for each case in, in order. What cannot be judged is told on stderr, and the exit code is 1; a case keeps its
 * place all the same, with the reason instead of a verdict.
 */
async function jsonLines(context: CommandContext): Promise<number> {
  let refused = 0;
  let number = 0;
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (line.trim() === '') continue;
    const result = judgeLine(line);
    if ('refused' in result) {
      refused += 1;
      context.note(`line ${number}: ${result.id === '' ? '' : `${result.id}: `}${result.refused}`);
      if (result.id === '') continue;
    }
    context.out(JSON.stringify(result));
  }
  return refused === 0 ? 0 : 1;
}

function judgeLine(line: string): Classified | Unclassifiable {
  try {
    return classifyCase(JSON.parse(line), families, Date.now());
  } catch (error) {
    if (error instanceof SyntaxError) return { id: '', refused: 'not JSON' };
    throw error;
  }
}

async function caseFromFlags(context: CommandContext): Promise<unknown> {
  const method = option(context, 'method') ?? '';
  const params = option(context, 'params');
  const family = option(context, 'family') ?? 'evm';
  const read = params === undefined ? undefined : jsonFlag('params', params);
  const request = method.startsWith('/')
    ? { path: method, verb: 'POST', body: read }
    : { method, params: read ?? [] };
  const transport = option(context, 'transport');
  const response = transport === undefined ? await responseFromFlags(context) : { transport };
  return { id: 'case', family, chain: option(context, 'chain') ?? 'ethereum', request, response };
}

async function responseFromFlags(context: CommandContext): Promise<unknown> {
  const given = option(context, 'body') ?? (await readAll(process.stdin));
  const saved = parseCurl(given);
  if (saved !== undefined) return saved;
  const lines = Array.isArray(context.options.header) ? context.options.header.map(String) : [];
  const headers = Object.fromEntries(
    lines.map(line => {
      const [name = '', ...rest] = line.split(':');
      return [name.trim(), rest.join(':').trim()];
    }),
  );
  const status = Number(option(context, 'status') ?? 200);
  if (!Number.isInteger(status)) throw new OperatorError('usage', '--status takes a number');
  return { status, headers, body: given };
}

function jsonFlag(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OperatorError('usage', `--${name} is not JSON`);
  }
}

const outcomes: Readonly<Record<TxOutcome | 'not_sent', string>> = {
  accepted: 'the node has it',
  known: 'the network had it already',
  rejected: 'the transaction itself was judged impossible',
  refused: 'the node certainly did not take it, for reasons of its own',
  unknown: 'it may or may not be on its way: it is looked up, never sent again',
  not_sent: 'the connection never came about, nothing left',
};

function explain({ verdict, rule, txOutcome }: Classified): {
  fault: string;
  next: string;
  why: string | null;
} {
  const { fault } = verdicts[verdict];
  const next = txOutcome === undefined ? nextForRead(verdict) : nextForBroadcast(txOutcome);
  return { fault, next, why: reasonOf(rule) };
}

function nextForRead(verdict: Verdict): string {
  if (verdicts[verdict].next === 'return') return 'the answer goes to the client; a read is not retried';
  switch (verdict) {
    case 'rate_limited':
      return 'the endpoint cools down; a read goes to another one';
    case 'auth_refused':
      return 'the endpoint is held until a probe succeeds; a read goes to another one';
    case 'missing_history':
      return 'a read goes to an endpoint that keeps this history';
    case 'unsupported':
      return 'a read goes to another endpoint; this one is remembered for an hour when the whole method is refused';
    default:
      return 'a failure for the score and the circuit; a read goes to another endpoint';
  }
}

function nextForBroadcast(outcome: TxOutcome | 'not_sent'): string {
  switch (outcome) {
    case 'accepted':
    case 'known':
    case 'rejected':
      return "the node's own answer goes to the client";
    case 'not_sent':
      return 'one other endpoint is tried; nothing has left';
    case 'refused':
      return 'another endpoint is tried only after an HTTP 429 or 403; else the client is told that it was not taken';
    default:
      return 'the client is told not to sign again and which id to watch; it is looked up until it is settled';
  }
}

function reasonOf(rule: string): string | null {
  for (const family of Object.values(families)) {
    const row = family.rules.find(each => each.id === rule);
    if (row !== undefined) return row.why;
  }
  return null;
}
