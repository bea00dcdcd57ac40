/** From the bytes of an answer to its verdict. A plain result is told by position; only what is none meets the rules. */

import type { Judgement } from '../../core/verdict.ts';
import type { Reply } from '../../wire/answer.ts';
import { waitBeside } from '../aside.ts';
import type { Answer, Call, JudgeContext } from '../family.ts';
import { peekReply, readReply, tailReply } from '../jsonrpc.ts';
import { firstMatch } from '../rules.ts';
import { later, waitInHeaders, waitInText } from '../words.ts';
import { type EvmFacts, factsOf } from './facts.ts';
import type { EvmMethod } from './methods.ts';
import { replies } from './replies.ts';

const fine: Judgement = { verdict: 'ok', rule: 'evm.result' };
const accepted: Judgement = { verdict: 'ok', rule: 'evm.result', txOutcome: 'accepted' };

/** From here on a result is judged by its two ends, as a streamed one is. */
const longBytes = 4_096;
const tailBytes = 1_024;

export function judgeAnswer(call: Call, method: EvmMethod, answer: Answer, context: JudgeContext): Judgement {
  const { body } = answer;
  const good = method.kind === 'broadcast' ? accepted : fine;
  if (
    body.length > longBytes &&
    peekReply(call, body.subarray(0, longBytes)) === 'commit' &&
    tailReply(call, body.subarray(body.length - tailBytes)) === undefined
  )
    return good;

  const reply = readReply(call, answer);
  if (reply.kind === 'result') return good;
  const facts = factsOf(call, method, answer, reply);
  const judgement = judgementOf(facts);
  const wait = waitOf(judgement, facts, reply, answer, context);
  return wait === undefined ? judgement : { ...judgement, retryAfterMs: wait };
}

/** An endpoint in trouble says the same thing thousands of times; by text, what was made of it last. */
const known = new Map<string, { readonly facts: EvmFacts; readonly judgement: Judgement }>();
const knownMost = 1_000;
const knownText = 200;

function judgementOf(facts: EvmFacts): Judgement {
  const { text } = facts;
  if (facts.revertBytes || facts.code === 3 || text.length > knownText) return firstMatch(replies, facts);
  const before = known.get(text);
  if (before !== undefined && alike(before.facts, facts)) return before.judgement;
  const judgement = firstMatch(replies, facts);
  if (known.size >= knownMost) known.clear();
  known.set(text, { facts, judgement });
  return judgement;
}

/** All else that the rules look at: the other facts follow from the method. */
function alike(a: EvmFacts, b: EvmFacts): boolean {
  return (
    a.method === b.method &&
    a.code === b.code &&
    a.status === b.status &&
    a.past === b.past &&
    a.shape === b.shape &&
    a.message === b.message
  );
}

/** An outcome of the EVM names no pause, whatever its text says. */
function waitOf(
  { verdict }: Judgement,
  facts: EvmFacts,
  reply: Reply,
  answer: Answer,
  context: JudgeContext,
): number | undefined {
  if (!waits.has(verdict)) return undefined;
  const header = waitInHeaders(answer.headers, context.nowMs);
  if (verdict !== 'rate_limited') return header;
  const beside = reply.kind === 'result' ? undefined : waitBeside(reply.text);
  return later(later(header, beside), waitInText(facts.text));
}

/** An answer to the caller (a revert, a missing block) is no reason to wait. */
const waits = new Set<Judgement['verdict']>(['rate_limited', 'node_failure', 'auth_refused', 'unsupported']);
