/** How the rules of this folder ask an answer's facts. */

import type { Rule } from '../../rules.ts';
import type { Facts } from '../facts.ts';

export type When = Rule<Facts>['when'];

export const token =
  (...names: readonly string[]): When =>
  facts =>
    facts.shape === 'error' && names.includes(facts.token);

/** Of a provider, a proxy, or plain text; a node's own error is judged by its token alone. */
export const words =
  (pattern: RegExp): When =>
  facts =>
    (facts.shape === 'provider' || facts.shape === 'text') && pattern.test(facts.words);

export const all =
  (...parts: readonly When[]): When =>
  facts =>
    parts.every(part => part(facts));

export const planWords =
  /\b(?:not|isn't|only) (?:\S+ ){0,3}(?:available|included|supported|enabled|allowed|offered) (?:\S+ ){0,4}(?:plans?|tiers?|subscription|package)\b|upgrade (?:\S+ ){0,4}(?:plan|tier|subscription|account)|(?:plan|tier|subscription) (?:\S+ ){0,3}(?:does not|doesn't|not) (?:\S+ ){0,2}(?:include|support|allow|offer)/;

export const methodWords =
  /(?:unsupported|unknown|invalid|disabled|forbidden|restricted|no such) (?:rpc )?(?:method|command)|(?:method|command)s? (?:\S+ ){0,3}(?:not (?:\S+ )?(?:found|supported|available|allowed|enabled|exist|whitelisted|implemented)|unsupported|unavailable|disabled|blocked|does not exist|doesn't exist)/;

export const badRequestWords =
  /^(?:null method|method is (?:empty|not string)|params unpars|ripplerpc is not|invalid_api_version|malformed batch|unable to parse request)/;

export const archiveWords = /\barchiv(?:e|al)\b|full.?history|historical (?:data|ledgers?|requests?)/;
