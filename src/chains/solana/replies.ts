/**
 * What a Solana answer means. The node's codes (agave's custom_error.rs) are used by providers for other things, so a
 * code counts as the node's only where the words are not a provider's.
 */

import type { Judgement } from '../../core/verdict.ts';
import { heard } from '../aside.ts';
import type { Answer, Call, JudgeContext } from '../family.ts';
import { readReply } from '../jsonrpc.ts';
import { firstMatch, type Rule } from '../rules.ts';
import { type Facts, factsOf } from './facts.ts';
import { codes } from './replies/codes.ts';
import { limits } from './replies/limits.ts';
import { rest } from './replies/rest.ts';
import { structure } from './replies/structure.ts';
import { texts } from './replies/texts.ts';
import { transactions } from './replies/transactions.ts';

export const rules: readonly Rule<Facts>[] = [
  ...structure,
  ...transactions,
  ...limits,
  ...codes,
  ...texts,
  ...rest,
];

export function judge(call: Call, answer: Answer, context: JudgeContext): Judgement {
  return firstMatch(rules, factsOf(call, answer, heard(readReply(call, answer)), context));
}
