/** An answer's verdict: one for a call, and for XRPL's own batch that of its worst item. */

import { type Judgement, verdicts } from '../../core/verdict.ts';
import { elementsOf, type Span } from '../../wire/scan.ts';
import type { Answer, Call, JudgeContext } from '../family.ts';
import { firstMatch } from '../rules.ts';
import { readReply } from './answer.ts';
import { factsOf } from './facts.ts';
import { methodOfItem } from './need.ts';
import { rules } from './replies.ts';
import { itemsOfBatch, paramsOfCall } from './request.ts';

export function judge(call: Call, answer: Answer, context: JudgeContext): Judgement {
  const reply = readReply(answer.body, call.id);
  const params = () => paramsOfCall(call);
  const exchange = { call, method: call.method, params, reply, body: answer.body };
  if (call.method === 'batch' && reply.kind === 'broken' && reply.what === 'array') {
    return judgeBatch(call, answer, context);
  }
  return firstMatch(rules, factsOf(exchange, answer, context));
}

/** By position, as the server answers them: the worst item decides, what is the caller's own counts as answered. */
function judgeBatch(call: Call, answer: Answer, context: JudgeContext): Judgement {
  const { body } = answer;
  const items = itemsOfBatch(call);
  const replies = elementsOf(body, body.indexOf(0x5b));
  const whole = factsOf(
    {
      call,
      method: call.method,
      params: () => new Map<string, Span>(),
      reply: { kind: 'broken', what: 'no_result', text: '' },
      body,
    },
    answer,
    context,
  );
  if (items.length !== replies.length) return firstMatch(rules, whole);
  let worst: Judgement = firstMatch(rules, { ...whole, shape: 'batch' });
  for (const [index, params] of items.entries()) {
    const span = replies[index];
    if (span === undefined) continue;
    const own = body.subarray(span.at, span.end);
    const exchange = {
      call,
      method: methodOfItem(call.text, params),
      params: () => params,
      reply: readReply(own, undefined),
      body: own,
    };
    const judged = firstMatch(rules, factsOf(exchange, answer, context));
    if (
      verdicts[judged.verdict].next === 'elsewhere' &&
      verdicts[judged.verdict].rank > verdicts[worst.verdict].rank
    ) {
      worst = judged;
    }
  }
  return worst;
}
