/** Words of those who stand in front of the node. */

import { freeTimeWords } from '../../offer-words.ts';
import type { Rule } from '../../rules.ts';
import { authWords, quotaWords, speedWords } from '../../words.ts';
import type { Facts } from '../facts.ts';
import { archiveWords, badRequestWords, methodWords, planWords, words } from './saying.ts';

const ledgerWords =
  /\bledgers? (?:\S+ ){0,4}(?:not (?:found|available|present|stored|synced|validated)|unavailable|pruned|missing|too old)/;

export const texts: readonly Rule<Facts>[] = [
  {
    id: 'xrpl.overloaded',
    stage: 'words',
    signal: 'text: Server is overloaded',
    when: words(/^server is overloaded|too much load on the server/),
    verdict: 'rate_limited',
    why: "rippled's limit per client; 503 and plain text, whatever the header says",
    fixture: 'xrpl-server-is-overloaded-text',
  },
  {
    id: 'xrpl.bad_request',
    stage: 'words',
    signal: 'text: Null method, params unparsable, Unable to parse request, …',
    when: words(badRequestWords),
    verdict: 'app_error',
    tx: 'refused',
    why: 'what rippled and Clio write about a body, or an item of a batch, that they cannot read',
    fixture: 'xrpl-bad-request-null-method',
  },
  {
    id: 'xrpl.limit_words',
    stage: 'words',
    signal: 'text about requests a second',
    when: words(speedWords),
    verdict: 'rate_limited',
    why: 'too fast',
    fixture: 'xrpl-extra-limit-in-200',
  },
  {
    id: 'xrpl.quota_words',
    stage: 'words',
    signal: 'text about an allowance that is used up, or a clock of the free tier',
    when: facts => words(quotaWords)(facts) || words(freeTimeWords)(facts),
    verdict: 'rate_limited',
    quota: true,
    why: 'used up until the provider counts anew',
    fixture: 'xrpl-extra-quota-in-200',
  },
  {
    id: 'xrpl.history_words',
    stage: 'words',
    signal: 'text about a ledger that is not there, or about archive data',
    when: facts => words(ledgerWords)(facts) || words(archiveWords)(facts),
    verdict: 'missing_history',
    why: 'what a provider says for lgrNotFound',
    fixture: 'xrpl-extra-ledger-not-found-words',
  },
  {
    id: 'xrpl.method_words',
    stage: 'words',
    signal: 'text about a method or a plan that lacks it',
    when: facts => words(methodWords)(facts) || words(planWords)(facts),
    verdict: 'unsupported',
    wholeMethod: true,
    why: "a provider's list of methods lacks it",
    fixture: 'xrpl-extra-method-not-on-plan',
  },
  {
    id: 'xrpl.auth_words',
    stage: 'words',
    signal: 'text about a key, a credential, an account',
    when: words(authWords),
    verdict: 'auth_refused',
    why: 'the credential does not do',
    fixture: 'xrpl-extra-invalid-key-in-200',
  },
];
