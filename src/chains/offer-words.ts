/**
 * What providers of several chains write about what they do not offer: a method, a plan, old history. Patterns expect the
 * text of `plain`.
 */

const any = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'));

const denied =
  "(?:not (?:be |yet |currently |been )*(?:found|supported|available|allowed|enabled|implemented|exist|whitelisted|allowlisted|permitted|recogni[sz]ed|known|exposed|included|accessible|provided|offered|part of)|(?:does|do)(?: not|n't) exist|isn't (?:supported|available|enabled|allowed)|unavailable|disabled|unknown|unsupported|restricted|blocked|forbidden|deprecated|removed)";

/** The method, as such, is not offered. */
export const methodWords = any(
  `\\b(?:methods?|commands?|rpc calls?)\\b (?:\\S+ ){0,3}?(?:is |are |was |has been )?(?:currently )?${denied}`,
  '(?:unsupported|unknown|invalid|unrecogni[sz]ed|unimplemented|disabled|forbidden|restricted|disallowed|no such) (?:rpc )?(?:method|command|function)\\b',
  `^(?:get|send|simulate|request|is|search|account|ledger|book|nft|amm|tx|submit)_?\\w* (?:method |call )?(?:is |are |has been )?(?:currently )?${denied}`,
  '(?:write|send|broadcast|submit)\\w* (?:operations?|access|transactions?|calls) (?:is |are )?(?:not (?:supported|allowed|enabled|available|permitted)|disabled)',
  'read.?only (?:node|endpoint|mode|replica)',
  'not (?:yet )?implemented',
  '(?:needs|requires?) (?:an? |the )?(?:\\S+ )?add-?on',
);

/** What only a better plan has. */
export const planWords = any(
  "(?:not|isn't|only|un|no longer) ?(?:\\S+ ){0,3}(?:available|included|supported|enabled|allowed|offered|accessible|part of|permitted) (?:\\S+ ){0,5}(?:plans?|tiers?|subscription|package)\\b",
  "(?:plan|tier|subscription|package)\\b (?:\\S+ ){0,3}(?:does not|doesn't|do not|not|cannot|lacks) ?(?:\\S+ ){0,3}(?:include|support|allow|offer|access|call|use|have)?",
  '(?:requires?|needs?|reserved for|available (?:on|in|to|for|with)) (?:\\S+ ){0,3}(?:paid|higher|premium|business|enterprise|professional|growth|dedicated|developer|pro) ?(?:\\S+ )?(?:plans?|tiers?|subscription|package|node|users?|customers?)?\\b',
  '(?:requires?|needs?|must) (?:\\S+ ){0,8}(?:on|in|for|with|under) (?:\\S+ ){0,2}(?:plan|tier|subscription|package)\\b',
  'upgrade (?:\\S+ ){0,5}(?:plan|tier|subscription|access|use)|order a dedicated',
);

/** A refusal of something about the call: another call of the same method may pass. */
export const partOfMethod =
  /param|argument|\bkeys?\b|filters?\b|encoding|commitment|option|\bsize\b|\brange|program|mint|token|secondary index|ledger_index|\bbatch/;

/** Old history is not offered. */
export const archiveWords =
  /\barchiv(?:e|al)\b|full.?history|historical (?:data|blocks?|ledgers?|slots?|requests?|queries)/;

/** A clock that runs only for those who do not pay is an allowance. */
export const freeTimeWords =
  /time[ds]?.?out (?:\S+ ){0,4}(?:free|trial|tier|plan)|(?:free|trial) (?:\S+ ){0,4}time[ds]?.?out/;
