/** How the rules of this folder ask an answer's facts. */

import { freeTimeWords, methodWords, planWords } from '../../offer-words.ts';
import type { Rule } from '../../rules.ts';
import { quotaWords, speedWords } from '../../words.ts';
import { bareLimitWords, type Facts } from '../facts.ts';

export type When = Rule<Facts>['when'];

export const all =
  (...parts: readonly When[]): When =>
  facts =>
    parts.every(part => part(facts));

export const some =
  (...parts: readonly When[]): When =>
  facts =>
    parts.some(part => part(facts));

/** The node's own code. */
export const code =
  (...codes: readonly number[]): When =>
  facts =>
    facts.native && codes.includes(facts.code);

/** By HTTP, or by the code of a proxy that says it again. */
export const status =
  (...statuses: readonly number[]): When =>
  facts =>
    facts.shape !== 'result' && (statuses.includes(facts.status) || statuses.includes(facts.saidStatus));

export const words =
  (pattern: RegExp): When =>
  facts =>
    facts.words !== '' && pattern.test(facts.words);

export const broadcast: When = facts => facts.broadcast;

export const not =
  (part: When): When =>
  facts =>
    !part(facts);

export const tooFast = some(words(speedWords), words(bareLimitWords));
export const limited = some(tooFast, words(quotaWords), words(freeTimeWords));
export const lacksMethod = some(words(methodWords), words(planWords));

export const historyWords =
  /cleaned up|was skipped|missing (?:due to|in) (?:ledger jump|long-term)|long-term storage|(?:block|slot)s? (?:\S+ ){0,3}(?:not (?:yet )?(?:available|found|rooted|confirmed|stored)|unavailable|pruned|missing|too old)|(?:transaction )?history (?:is )?not available|first available block|minimum context slot|retention (?:window|period|limit)|(?:older|earlier) than (?:the )?(?:oldest|earliest|first)/;

export const behindWords =
  /\bbehind\b|unhealthy|not healthy|not (?:yet )?(?:synced|caught up)|catching up|still syncing|\bstarting up/;

export const narrowWords =
  /(?:more|greater|larger) than [\d,]+ (?:accounts|results|items|slots|blocks|keys)|number of accounts requested|narrow (?:down|your|the)|add (?:more )?filters/;

export const wideWords =
  /too many (?:accounts|pubkeys|inputs|addresses|signatures|slots|blocks|filters|results|items)|(?:results?|response|range|scan) (?:\S+ ){0,4}(?:too (?:large|big|wide|many)|exceed)|(?:exceed\w*|maximum|max|limit\w*) (?:\S+ ){0,5}(?:response|result|range|batch) ?(?:size|limit)?|(?:slot|block) range|account size/;

export const troubleWords =
  /internal|server error|panic|exception|unexpected|something went wrong|time[ds]?[ -]?out|deadline|unavailable|try again|retry|overload|busy|congest|failed|failure|unable|maintenance|closed|shut|refused|reset|corrupt/;
