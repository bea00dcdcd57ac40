/**
 * What a Solana answer means. The node's codes (agave's custom_error.rs) are used by providers for other things, so a
 * code counts as the node's only where the words are not a provider's.
 */

import type { Judgement } from '../../core/verdict.ts';
import { heard } from '../aside.ts';
import type { Answer, Call, JudgeContext } from '../family.ts';
import { readReply } from '../jsonrpc.ts';
import { archiveWords, freeTimeWords, methodWords, partOfMethod, planWords } from '../offer-words.ts';
import { firstMatch, type Rule } from '../rules.ts';
import { authWords, quotaWords, speedWords } from '../words.ts';
import { bareLimitWords, type Facts, factsOf, proxyWords } from './facts.ts';

type When = Rule<Facts>['when'];

const all =
  (...parts: readonly When[]): When =>
  facts =>
    parts.every(part => part(facts));
const some =
  (...parts: readonly When[]): When =>
  facts =>
    parts.some(part => part(facts));
/** The node's own code. */
const code =
  (...codes: readonly number[]): When =>
  facts =>
    facts.native && codes.includes(facts.code);
/** A code, whoever uses it. */
const anyCode =
  (...codes: readonly number[]): When =>
  facts =>
    codes.includes(facts.code);
/** By HTTP, or by the code of a proxy that says it again. */
const status =
  (...statuses: readonly number[]): When =>
  facts =>
    facts.shape !== 'result' && (statuses.includes(facts.status) || statuses.includes(facts.saidStatus));
const broken =
  (...shapes: readonly Facts['shape'][]): When =>
  facts =>
    shapes.includes(facts.shape) && !spokenByStatus.has(facts.status);
const words =
  (pattern: RegExp): When =>
  facts =>
    facts.words !== '' && pattern.test(facts.words);
const broadcast: When = facts => facts.broadcast;
const not =
  (part: When): When =>
  facts =>
    !part(facts);

/** Statuses that say enough without a body. */
const spokenByStatus = new Set([401, 402, 403, 405, 410, 413, 425, 429]);
const atTheDoor = status(401, 402, 403);
const tooFast = some(words(speedWords), words(bareLimitWords));
const limited = some(tooFast, words(quotaWords), words(freeTimeWords));
const lacksMethod = some(words(methodWords), words(planWords));

const historyWords =
  /cleaned up|was skipped|missing (?:due to|in) (?:ledger jump|long-term)|long-term storage|(?:block|slot)s? (?:\S+ ){0,3}(?:not (?:yet )?(?:available|found|rooted|confirmed|stored)|unavailable|pruned|missing|too old)|(?:transaction )?history (?:is )?not available|first available block|minimum context slot|retention (?:window|period|limit)|(?:older|earlier) than (?:the )?(?:oldest|earliest|first)/;
const behindWords =
  /\bbehind\b|unhealthy|not healthy|not (?:yet )?(?:synced|caught up)|catching up|still syncing|\bstarting up/;
const narrowWords =
  /(?:more|greater|larger) than [\d,]+ (?:accounts|results|items|slots|blocks|keys)|number of accounts requested|narrow (?:down|your|the)|add (?:more )?filters/;
const wideWords =
  /too many (?:accounts|pubkeys|inputs|addresses|signatures|slots|blocks|filters|results|items)|(?:results?|response|range|scan) (?:\S+ ){0,4}(?:too (?:large|big|wide|many)|exceed)|(?:exceed\w*|maximum|max|limit\w*) (?:\S+ ){0,5}(?:response|result|range|batch) ?(?:size|limit)?|(?:slot|block) range|account size/;
const malformedWords =
  /invalid (?:params?|parameters?|arguments?|pubkey|signature|base58|base64|encoding|commitment|slot|input|request|json)|missing (?:params?|parameters?|arguments?)|wrongsize|(?:failed|unable) to (?:parse|decode|deseriali[sz]e)|parse error|could not find (?:account|mint)|(?:asset|record|collection|mint|domain|name)s? ?(?:\S+ )?(?:was |is )?(?:not found|does not exist)|must be|is required/;
/** What a check finds wrong with a transaction; other troubles under the same codes prove nothing about it. */
const ofTransaction =
  /simulation failed|error processing instruction|custom program error|\bsignature|precompile|blockhash|insufficient|\baccounts?\b/;
const troubleWords =
  /internal|server error|panic|exception|unexpected|something went wrong|time[ds]?[ -]?out|deadline|unavailable|try again|retry|overload|busy|congest|failed|failure|unable|maintenance|closed|shut|refused|reset|corrupt/;

export const rules: readonly Rule<Facts>[] = [
  // Structure.
  {
    id: 'solana.result',
    stage: 'structure',
    signal: 'a result',
    only: 'what is no broadcast',
    when: facts => facts.shape === 'result' && !facts.broadcast,
    verdict: 'ok',
    why: 'a usable answer; `err` within it is about the transaction, not about this call',
    fixture: 'solana-getslot',
  },
  {
    id: 'solana.tx_taken',
    stage: 'structure',
    signal: 'a result that is a text',
    only: 'broadcasts',
    when: facts => facts.shape === 'result' && facts.textResult,
    verdict: 'ok',
    tx: 'accepted',
    why: 'queued by this node, which says nothing about landing',
    fixture: 'solana-send-accepted',
  },
  {
    id: 'solana.tx_no_signature',
    stage: 'structure',
    signal: 'a result that is no text',
    only: 'broadcasts',
    when: facts => facts.shape === 'result',
    verdict: 'node_failure',
    tx: 'unknown',
    why: 'nothing is said of the transaction',
    fixture: 'solana-extra-send-null-result',
  },
  {
    id: 'solana.empty',
    stage: 'structure',
    signal: 'an empty body',
    when: broken('empty'),
    verdict: 'node_failure',
    why: 'nothing is no answer',
    fixture: 'solana-empty-200',
  },
  {
    id: 'solana.page',
    stage: 'structure',
    signal: 'a page of HTML',
    when: some(broken('html'), facts => facts.shape === 'html' && facts.status === 405),
    verdict: 'node_failure',
    why: 'a proxy speaks in place of its node',
    fixture: 'solana-bad-gateway-502-html',
  },
  {
    id: 'solana.truncated',
    stage: 'structure',
    signal: 'JSON that ends early, or is none',
    when: broken('truncated', 'not_json'),
    verdict: 'node_failure',
    why: 'cut off on its way',
    fixture: 'solana-truncated-json',
  },
  {
    id: 'solana.wrong_id',
    stage: 'structure',
    signal: 'another id than the request had',
    when: broken('wrong_id'),
    verdict: 'node_failure',
    why: "the answer to somebody else's question",
    fixture: 'solana-extra-wrong-id',
  },
  {
    id: 'solana.no_result',
    stage: 'structure',
    signal: 'JSON with neither a result nor an error',
    when: broken('no_result', 'array'),
    verdict: 'node_failure',
    why: 'no answer of this protocol',
    fixture: 'solana-extra-neither-result-nor-error',
  },

  // Fields: the fate of a transaction.
  {
    id: 'solana.already_processed',
    stage: 'field',
    signal: 'err AlreadyProcessed, or its words, and not code -32603',
    only: 'broadcasts',
    when: facts => facts.broadcast && facts.already && facts.code !== -32603,
    verdict: 'app_error',
    tx: 'known',
    why: 'it is on the chain already: no failure of this payment',
    fixture: 'solana-send-already-processed',
  },
  {
    id: 'solana.simulated',
    stage: 'field',
    signal: 'data with err or logs',
    when: facts => facts.simulated,
    verdict: 'app_error',
    tx: 'rejected',
    why: "the chain's own answer about this transaction, whatever a program wrote into its log",
    fixture: 'solana-send-custom-error-22',
  },
  {
    id: 'solana.preflight',
    stage: 'field',
    signal: 'code -32002, -32003, -32006, -32013, and no trouble of the node in its text',
    when: all(
      code(-32002, -32003, -32006, -32013),
      some(words(ofTransaction), not(some(words(behindWords), words(troubleWords)))),
    ),
    verdict: 'app_error',
    tx: 'rejected',
    why: 'checked before it is handed on: signature, size, a run against the newest state',
    fixture: 'solana-send-signature-failure-32003',
  },

  // Fields: limits and credentials, which use any code.
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

  // Fields: the node's codes.
  {
    id: 'solana.unhealthy',
    stage: 'field',
    signal: 'code -32005',
    when: code(-32005),
    verdict: 'node_failure',
    tx: 'refused',
    why: 'the node follows the chain no longer; looked at before a transaction is sent',
    fixture: 'solana-behind-3104-slots',
  },
  {
    id: 'solana.below_slot',
    stage: 'field',
    signal: 'code -32016',
    when: code(-32016),
    verdict: 'missing_history',
    tx: 'refused',
    why: 'the node has not reached the slot that the caller names; nobody is to blame, the caller chose the number',
    fixture: 'solana-min-context-slot',
  },
  {
    id: 'solana.history',
    stage: 'field',
    signal: 'code -32001, -32004, -32007, -32009, -32011, -32014, -32018, -32020',
    when: code(-32001, -32004, -32007, -32009, -32011, -32014, -32018, -32020),
    verdict: 'missing_history',
    why: 'cleaned up, skipped, not written yet, or never kept here: another endpoint may have it',
    fixture: 'solana-block-cleaned-up',
  },
  {
    id: 'solana.scan_too_wide',
    stage: 'field',
    signal: 'code -32012, and the text says that results exceed a limit',
    when: all(code(-32012), words(/exceed/)),
    verdict: 'app_error',
    why: 'the caller must narrow the question',
    fixture: 'solana-extra-scan-results-exceeded',
  },
  {
    id: 'solana.node_trouble',
    stage: 'field',
    signal: 'code -32012, -32019, -32021',
    when: code(-32012, -32019, -32021),
    verdict: 'node_failure',
    why: 'a scan was aborted, its storage does not answer, it has no slot history',
    fixture: 'solana-scan-aborted',
  },
  {
    id: 'solana.key_not_indexed',
    stage: 'field',
    signal: 'code -32008, -32010',
    when: code(-32008, -32010),
    verdict: 'unsupported',
    why: 'this node indexes no such key, or makes no snapshots; other calls of the method pass',
    fixture: 'solana-key-excluded-from-index',
  },
  {
    id: 'solana.callers_mistake',
    stage: 'field',
    signal: 'code -32015, -32017',
    when: code(-32015, -32017),
    verdict: 'app_error',
    why: 'the same on every node: a transaction version not asked for, rewards being paid out',
    fixture: 'solana-tx-version-short',
  },
  {
    id: 'solana.no_faucet',
    stage: 'field',
    signal: 'code -32600',
    only: 'requestAirdrop',
    when: all(code(-32600), facts => facts.method === 'requestAirdrop'),
    verdict: 'unsupported',
    why: 'a node without a faucet answers the code of a malformed request',
    fixture: 'solana-airdrop-without-faucet',
  },
  {
    id: 'solana.bad_request',
    stage: 'field',
    signal: 'code -32600, -32602, -32700, and the text names neither a method nor a plan',
    when: all(code(-32600, -32602, -32700), some(not(lacksMethod), words(/^invalid param/))),
    verdict: 'app_error',
    why: "the caller's request or parameters",
    fixture: 'solana-invalid-param-type',
  },
  {
    id: 'solana.unknown_method',
    stage: 'field',
    signal: 'code -32601',
    when: all(anyCode(-32601), not(limited)),
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'not on this kind of node, or removed from its version',
    fixture: 'solana-method-not-found-removed-in-2.0',
  },
  {
    id: 'solana.internal',
    stage: 'field',
    signal: 'code -32603',
    when: all(code(-32603), some(broadcast, not(some(words(historyWords), words(wideWords), lacksMethod)))),
    verdict: 'node_failure',
    why: 'it broke at work; of a transaction that proves nothing, whatever the text sounds like',
    fixture: 'solana-internal-error',
  },

  // Words.
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

  // What nothing above knows.
  {
    id: 'solana.other',
    stage: 'words',
    signal: 'any other code, text or status',
    when: () => true,
    verdict: 'node_failure',
    unclassified: true,
    why: 'the codes of the node are known, so it is somebody in front of it',
    fixture: 'solana-extra-unheard-of-code',
  },
];

export function judge(call: Call, answer: Answer, context: JudgeContext): Judgement {
  return firstMatch(rules, factsOf(call, answer, heard(readReply(call, answer)), context));
}
