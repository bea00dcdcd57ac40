/** How the rules of this folder ask an answer's facts. */

import { freeTimeWords } from '../../offer-words.ts';
import type { Rule } from '../../rules.ts';
import { quotaWords } from '../../words.ts';
import type { Facts } from '../facts.ts';

export type When = Rule<Facts>['when'];

export const good = (facts: Facts): boolean => facts.status >= 200 && facts.status < 300;

export const code =
  (...codes: readonly string[]): When =>
  facts =>
    facts.form === 'error' && codes.includes(facts.code);

export const rpc =
  (...codes: readonly string[]): When =>
  facts =>
    facts.rpc &&
    facts.form === 'error' &&
    codes.includes(facts.code) &&
    (good(facts) || facts.status === 400);

export const says =
  (pattern: RegExp): When =>
  facts =>
    pattern.test(facts.text);

export const status =
  (...statuses: readonly number[]): When =>
  facts =>
    statuses.includes(facts.status);

export const both =
  (...parts: readonly When[]): When =>
  facts =>
    parts.every(part => part(facts));

/** The block is there, so this node lacks it, or what it keeps of balances. */
export const blockLacking = (facts: Facts): boolean =>
  facts.exception === 'ItemNotFoundException' && facts.reached;

export const allowance = (facts: Facts): boolean =>
  quotaWords.test(facts.text) || freeTimeWords.test(facts.text);
