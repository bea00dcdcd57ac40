/**
 * What a TRON answer means. java-tron answers 200 to almost everything, so the body decides; TronGrid says the same thing
 * under 403, 429 and 503, so there the text decides and the status only where the text is silent.
 */

import type { Judgement } from '../../core/verdict.ts';
import type { Answer, Call, JudgeContext } from '../family.ts';
import { firstMatch, type Rule } from '../rules.ts';
import { type Facts, factsOf } from './facts.ts';
import { broadcasts } from './replies/broadcasts.ts';
import { codes } from './replies/codes.ts';
import { contracts } from './replies/contracts.ts';
import { exceptions } from './replies/exceptions.ts';
import { structure } from './replies/structure.ts';
import { words } from './replies/words.ts';

export const rules: readonly Rule<Facts>[] = [
  ...structure,
  ...broadcasts,
  ...contracts,
  ...exceptions,
  ...codes,
  ...words,
];

export function judge(call: Call, answer: Answer, context: JudgeContext): Judgement {
  const facts = factsOf(call, answer, context);
  const judgement = firstMatch(rules, facts);
  if (judgement.retryAfterMs === undefined || waits.has(judgement.verdict)) return judgement;
  const { retryAfterMs: _, ...rest } = judgement;
  return rest;
}

/** A wish to wait counts only with these: a revert reason may name seconds too. */
const waits = new Set<Judgement['verdict']>(['rate_limited', 'node_failure', 'auth_refused', 'unsupported']);
