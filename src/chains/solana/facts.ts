/** What the rules look at of a Solana answer. */

import type { Reply } from '../../wire/answer.ts';
import { asideOf, waitBeside } from '../aside.ts';
import type { Answer, Call, JudgeContext } from '../family.ts';
import { methodWords, planWords } from '../offer-words.ts';
import type { Judged } from '../rules.ts';
import { authWords, later, plain, quotaWords, speedWords, waitInHeaders, waitInText } from '../words.ts';

export interface Facts extends Judged {
  readonly method: string;
  readonly status: number;
  readonly shape: 'result' | 'error' | Extract<Reply, { kind: 'broken' }>['what'];
  /** The result is a text: what a broadcast is answered with. */
  readonly textResult: boolean;
  /** NaN when there is none. */
  readonly code: number;
  /** An HTTP status said by the code: 429 by 429 and by -32429; NaN when it says none. */
  readonly saidStatus: number;
  /** Message and what `data` says, as word rules read it; '' for results and pages. */
  readonly words: string;
  /** `data` is what came of running the transaction. */
  readonly simulated: boolean;
  /** The chain has exactly this transaction: by `err` where it was run, else by the words. */
  readonly already: boolean;
  /** The node's own words, or none that only a provider uses: its codes mean what the node's table says. */
  readonly native: boolean;
}

/** Words far behind the beginning are logs and copies of the request. */
const textLimit = 1_500;

export function factsOf(call: Call, answer: Answer, reply: Reply, context: JudgeContext): Facts {
  const about = { method: call.method, status: answer.status, broadcast: call.spec.kind === 'broadcast' };
  const nothing = {
    textResult: false,
    code: Number.NaN,
    saidStatus: Number.NaN,
    words: '',
    simulated: false,
    already: false,
    native: false,
  };
  if (reply.kind === 'result') {
    const textResult = answer.body[reply.span.at] === 0x22 && reply.span.end - reply.span.at > 2;
    return { ...about, ...nothing, shape: 'result', textResult };
  }
  const wait = waitInHeaders(answer.headers, context.nowMs);
  if (reply.kind === 'broken') {
    const words = reply.what === 'text' ? plain(reply.text.slice(0, textLimit)) : '';
    return { ...about, ...nothing, shape: reply.what, words, retryAfterMs: later(wait, waitInText(words)) };
  }
  const code = Number(reply.code ?? Number.NaN);
  const { err, simulated } = runIn(reply.data);
  const said = simulated ? [] : [...textsIn(reply.data, 3), ...asideOf(reply.text)];
  const words = plain([reply.message, ...said].join(' ').slice(0, textLimit));
  return {
    ...about,
    ...nothing,
    shape: 'error',
    code,
    saidStatus: statusOf(code),
    words,
    simulated,
    already: simulated ? err === 'AlreadyProcessed' : alreadyWords.test(words),
    native: isNative(words),
    retryAfterMs: later(wait, later(waitBeside(reply.text), waitInText(words))),
  };
}

function statusOf(code: number): number {
  const status = code < 0 ? -32_000 - code : code;
  return status >= 400 && status < 600 ? status : Number.NaN;
}

/** `RpcSimulateTransactionResult` always has `err` and `logs`; a filled one of them is a run that took place. */
function runIn(data: unknown): { readonly err?: unknown; readonly simulated: boolean } {
  if (typeof data !== 'object' || data === null) return { simulated: false };
  const { err, logs }: { err?: unknown; logs?: unknown } = data;
  return { err, simulated: (err !== undefined && err !== null) || Array.isArray(logs) };
}

const alreadyWords = /already (?:been |was )?processed/;

function textsIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.values(value).flatMap(own => textsIn(own, depth - 1));
}

/** How the node begins, or says, what its own codes stand for (agave's custom_error.rs and rpc.rs). */
const nodePhrases = new RegExp(
  [
    'cleaned up, does not exist',
    '^block not available',
    '^node is (?:behind|unhealthy)',
    'was skipped, or missing',
    'accumulated scan results',
    '^no snapshot|^no slot history',
    'excluded from account secondary indexes',
    'transaction history is not available',
    '^block status not yet available',
    'transaction version .{0,6}is not supported',
    'minimum context slot',
    'epoch rewards period',
    'rewards cannot be found',
    'long-term storage',
    '^transaction (?:simulation failed|precompile verification|signature (?:verification|length))',
    '^(?:invalid param|invalid request|parse error|failed to (?:deserialize|decode)|invalid transaction|method does not support commitment)',
  ].join('|'),
);
/** What only proxies and providers have trouble with. */
export const proxyWords =
  /upstream|backend|bad gateway|gateway time|network error|connection|no (?:healthy|available) (?:\S+ )?(?:node|server|endpoint)|service unavailable/;

/** A limit that says no more of itself. */
export const bareLimitWords = /^(?:\w+ ){0,2}limits? (?:exceeded|reached)\W*$/;

const providers = [speedWords, quotaWords, bareLimitWords, authWords, methodWords, planWords, proxyWords];

function isNative(words: string): boolean {
  return nodePhrases.test(words) || !providers.some(pattern => pattern.test(words));
}
