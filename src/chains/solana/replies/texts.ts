/** Words, where no code told. */

import { archiveWords, freeTimeWords, partOfMethod } from '../../offer-words.ts';
import type { Rule } from '../../rules.ts';
import { authWords, quotaWords } from '../../words.ts';
import { type Facts, proxyWords } from '../facts.ts';
import {
  all,
  behindWords,
  broadcast,
  historyWords,
  lacksMethod,
  limited,
  narrowWords,
  not,
  some,
  status,
  tooFast,
  troubleWords,
  wideWords,
  words,
} from './saying.ts';

const malformedWords =
  /invalid (?:params?|parameters?|arguments?|pubkey|signature|base58|base64|encoding|commitment|slot|input|request|json)|missing (?:params?|parameters?|arguments?)|wrongsize|(?:failed|unable) to (?:parse|decode|deseriali[sz]e)|parse error|could not find (?:account|mint)|(?:asset|record|collection|mint|domain|name)s? ?(?:\S+ )?(?:was |is )?(?:not found|does not exist)|must be|is required/;

export const texts: readonly Rule<Facts>[] = [
  {
    id: 'solana.narrow_words',
    stage: 'words',
    signal: 'text that asks for a narrower question',
    when: some(words(narrowWords), all(words(wideWords), not(limited))),
    verdict: 'app_error',
    why: 'too wide for this provider: the caller must narrow it',
    fixture: 'solana-extra-deprioritized-accounts',
  },
  {
    id: 'solana.limit_words',
    stage: 'words',
    signal: 'text about requests a second',
    when: tooFast,
    verdict: 'rate_limited',
    why: 'too fast, whatever code the provider took for it',
    fixture: 'solana-quicknode-32007-request-limit',
  },
  {
    id: 'solana.quota_words',
    stage: 'words',
    signal: 'text about an allowance that is used up, or a clock of the free tier',
    when: some(words(quotaWords), words(freeTimeWords)),
    verdict: 'rate_limited',
    quota: true,
    why: 'used up until the provider counts anew',
    fixture: 'solana-extra-quota-in-200',
  },
  {
    id: 'solana.history_words',
    stage: 'words',
    signal: 'text about a block that is not here, or about archive data',
    only: 'reads',
    when: all(not(broadcast), some(words(historyWords), words(archiveWords))),
    verdict: 'missing_history',
    why: "the node's words under a proxy's code",
    fixture: 'solana-extra-skipped-under-32000',
  },
  {
    id: 'solana.part_words',
    stage: 'words',
    signal: 'text about a parameter or a key that a method or a plan lacks',
    when: all(lacksMethod, words(partOfMethod)),
    verdict: 'unsupported',
    why: 'other calls of the method may pass',
    fixture: 'solana-extra-filter-required-by-plan',
  },
  {
    id: 'solana.method_words',
    stage: 'words',
    signal: 'text about a method or a plan that lacks it',
    when: lacksMethod,
    verdict: 'unsupported',
    wholeMethod: true,
    why: "a provider's list of methods lacks it",
    fixture: 'solana-alchemy-unsupported-method-400',
  },
  {
    id: 'solana.auth_words',
    stage: 'words',
    signal: 'text about a key, a credential, an account',
    when: words(authWords),
    verdict: 'auth_refused',
    why: 'the credential does not do',
    fixture: 'solana-extra-invalid-key-in-200',
  },
  {
    id: 'solana.behind_words',
    stage: 'words',
    signal: 'text about a node that is behind or unhealthy',
    when: words(behindWords),
    verdict: 'node_failure',
    why: "-32005 in a proxy's words",
    fixture: 'solana-extra-behind-under-503',
  },
  {
    id: 'solana.trouble_words',
    stage: 'words',
    signal: 'status 404, 408, 5xx; or text about a fault, a proxy, time',
    when: some(
      status(404, 408),
      facts => facts.status >= 500 || facts.saidStatus >= 500,
      words(proxyWords),
      words(troubleWords),
    ),
    verdict: 'node_failure',
    why: 'a proxy that lost its node, or a node that broke',
    fixture: 'solana-gateway-timeout-504-json',
  },
  {
    id: 'solana.malformed_words',
    stage: 'words',
    signal: 'text about parameters',
    only: 'reads',
    when: all(not(broadcast), some(words(malformedWords), words(/simulation failed/))),
    verdict: 'app_error',
    why: "-32602 in a proxy's words",
    fixture: 'solana-extra-bad-pubkey-under-400',
  },
];
