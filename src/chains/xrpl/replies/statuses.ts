/** Statuses and codes of those who stand in front of the node. */

import { freeTimeWords } from '../../offer-words.ts';
import type { Rule } from '../../rules.ts';
import { authWords, quotaWords, speedWords } from '../../words.ts';
import type { Facts } from '../facts.ts';
import { all, archiveWords, badRequestWords, methodWords, planWords, type When, words } from './saying.ts';

const code =
  (...codes: readonly number[]): When =>
  facts =>
    facts.shape === 'provider' && codes.includes(facts.code);

const status =
  (...statuses: readonly number[]): When =>
  facts =>
    facts.shape !== 'success' && statuses.includes(facts.status);
const used = (facts: Facts): boolean => quotaWords.test(facts.words) || freeTimeWords.test(facts.words);
const limited = (facts: Facts): boolean => speedWords.test(facts.words) || used(facts);

/** Words that a node does not use of a request. */
const foreign = (facts: Facts): boolean =>
  limited(facts) ||
  authWords.test(facts.words) ||
  planWords.test(facts.words) ||
  methodWords.test(facts.words);

export const statuses: readonly Rule<Facts>[] = [
  {
    id: 'xrpl.http_quota',
    stage: 'field',
    signal: 'status 401, 402, 403, 425, 429, and the text names an allowance',
    when: all(status(401, 402, 403, 425, 429), used, facts => !speedWords.test(facts.words)),
    verdict: 'rate_limited',
    quota: true,
    why: 'used up, whatever the status',
    fixture: 'xrpl-extra-monthly-quota-403',
  },
  {
    id: 'xrpl.http_limit',
    stage: 'field',
    signal: 'status 425, 429; or 401, 402, 403 and the text names a limit',
    when: facts => status(425, 429)(facts) || (status(401, 402, 403)(facts) && limited(facts)),
    verdict: 'rate_limited',
    why: 'too fast',
    fixture: 'xrpl-chainstack-rps-limit-json',
  },
  {
    id: 'xrpl.plan_history',
    stage: 'field',
    signal: 'status 401, 402, 403, and the text names archive data',
    when: all(status(401, 402, 403), words(archiveWords)),
    verdict: 'missing_history',
    why: 'history is not in this plan, another endpoint may have it',
    fixture: 'xrpl-extra-archive-not-in-plan-403',
  },
  {
    id: 'xrpl.plan_method',
    stage: 'field',
    signal: 'status 401, 402, 403, and the text names the method',
    when: all(status(401, 402, 403), facts => words(methodWords)(facts) || words(planWords)(facts)),
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'the plan lacks the method; the rest of it works',
    fixture: 'xrpl-extra-method-not-in-plan-403',
  },
  {
    id: 'xrpl.http_refused',
    stage: 'field',
    signal: 'status 401, 402, 403',
    when: status(401, 402, 403),
    verdict: 'auth_refused',
    why: 'turned away at the door',
    fixture: 'xrpl-forbidden-text-403',
  },
  {
    id: 'xrpl.http_too_large',
    stage: 'field',
    signal: 'status 413',
    when: status(413),
    verdict: 'app_error',
    tx: 'unknown',
    why: 'the request is too large',
    fixture: 'xrpl-extra-413-html',
  },
  {
    id: 'xrpl.http_no_post',
    stage: 'field',
    signal: 'status 405',
    when: status(405),
    verdict: 'unsupported',
    why: 'this address does not take it',
    fixture: 'xrpl-extra-405-empty',
  },
  {
    id: 'xrpl.item_overloaded',
    stage: 'field',
    signal: 'code -32604, 429',
    when: code(-32604, 429),
    verdict: 'rate_limited',
    why: "rippled's limit per client, said of an item of a batch; or a proxy's",
    fixture: 'xrpl-extra-batch-item-overloaded',
  },
  {
    id: 'xrpl.item_forbidden',
    stage: 'field',
    signal: 'code -32605, 401, 403',
    when: all(code(-32605, 401, 403), facts => !limited(facts)),
    verdict: 'auth_refused',
    why: "the port does not grant the role, said of an item of a batch; or a proxy's",
    fixture: 'xrpl-extra-batch-item-forbidden',
  },
  {
    id: 'xrpl.rpc_unknown_method',
    stage: 'field',
    signal: 'code -32601',
    when: all(code(-32601), facts => !limited(facts) && !badRequestWords.test(facts.words)),
    verdict: 'unsupported',
    wholeMethod: true,
    why: "a provider's list of methods lacks it",
    fixture: 'xrpl-extra-provider-method-not-found',
  },

  {
    id: 'xrpl.rpc_bad_request',
    stage: 'field',
    signal: 'code -32600, -32602, -32700, and no words of a limit, a plan or a key',
    when: all(code(-32600, -32602, -32700), facts => !foreign(facts)),
    verdict: 'app_error',
    why: 'what a provider in front of the node says about a request',
    fixture: 'xrpl-extra-provider-invalid-params',
  },
];
