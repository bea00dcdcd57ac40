/** Limits and credentials, which use any code. */

import { archiveWords, freeTimeWords, partOfMethod } from '../../offer-words.ts';
import type { Rule } from '../../rules.ts';
import { quotaWords, speedWords } from '../../words.ts';
import type { Facts } from '../facts.ts';
import { all, lacksMethod, limited, narrowWords, not, some, status, wideWords, words } from './saying.ts';

const atTheDoor = status(401, 402, 403);

export const limits: readonly Rule<Facts>[] = [
  {
    id: 'solana.http_quota',
    stage: 'field',
    signal: 'status or code 401, 402, 403, 425, 429, and the text names an allowance',
    when: all(
      status(401, 402, 403, 425, 429),
      some(words(quotaWords), words(freeTimeWords)),
      not(words(speedWords)),
    ),
    verdict: 'rate_limited',
    quota: true,
    why: 'used up, whatever the status',
    fixture: 'solana-helius-max-usage',
  },
  {
    id: 'solana.http_limit',
    stage: 'field',
    signal: 'status or code 425, 429; or 401, 402, 403 and the text names a limit',
    when: some(status(425, 429), all(atTheDoor, limited)),
    verdict: 'rate_limited',
    why: 'too fast',
    fixture: 'solana-plain-text-429',
  },
  {
    id: 'solana.plan_history',
    stage: 'field',
    signal: 'status or code 401, 402, 403, and the text names archive data',
    when: all(atTheDoor, words(archiveWords)),
    verdict: 'missing_history',
    why: 'history is not in this plan, another endpoint may have it',
    fixture: 'solana-extra-archive-not-in-plan-403',
  },
  {
    id: 'solana.plan_method',
    stage: 'field',
    signal: 'status or code 401, 402, 403, and the text names the method or a better plan',
    when: all(atTheDoor, lacksMethod, not(words(partOfMethod))),
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'the plan lacks the method; the rest of it works',
    fixture: 'solana-extra-method-not-in-plan-403',
  },
  {
    id: 'solana.plan_size',
    stage: 'field',
    signal: 'status or code 401, 402, 403, and the text names a size or a part of the call',
    when: all(atTheDoor, some(words(narrowWords), words(wideWords), all(lacksMethod, words(partOfMethod)))),
    verdict: 'unsupported',
    why: 'a rule of the provider about this call; another of the method may pass',
    fixture: 'solana-extra-403-account-size',
  },
  {
    id: 'solana.http_refused',
    stage: 'field',
    signal: 'status or code 401, 402, 403',
    when: atTheDoor,
    verdict: 'auth_refused',
    why: 'turned away at the door; the status outranks the code',
    fixture: 'solana-invalid-api-key-401',
  },
  {
    id: 'solana.http_gone',
    stage: 'field',
    signal: 'status or code 410',
    when: status(410),
    verdict: 'unsupported',
    why: 'public endpoints switch calls off by parameter, so it is not the method as a whole',
    fixture: 'solana-call-disabled-410',
  },
  {
    id: 'solana.http_too_large',
    stage: 'field',
    signal: 'status or code 413',
    when: status(413),
    verdict: 'app_error',
    tx: 'unknown',
    why: 'the request is too large',
    fixture: 'solana-extra-413-html',
  },
  {
    id: 'solana.http_no_post',
    stage: 'field',
    signal: 'status 405',
    when: status(405),
    verdict: 'unsupported',
    why: 'this address does not take it',
    fixture: 'solana-extra-405-empty',
  },
];
