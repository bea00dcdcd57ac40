/** What an XRPL answer means: rippled's and Clio's own words first, then what providers write in front of them. */

import { freeTimeWords } from '../offer-words.ts';
import type { Rule } from '../rules.ts';
import { authWords, quotaWords, speedWords } from '../words.ts';
import type { Asked, Facts } from './facts.ts';

type When = Rule<Facts>['when'];

const token =
  (...names: readonly string[]): When =>
  facts =>
    facts.shape === 'error' && names.includes(facts.token);
const code =
  (...codes: readonly number[]): When =>
  facts =>
    facts.shape === 'provider' && codes.includes(facts.code);
const status =
  (...statuses: readonly number[]): When =>
  facts =>
    facts.shape !== 'success' && statuses.includes(facts.status);
const broken =
  (...shapes: readonly Facts['shape'][]): When =>
  facts =>
    shapes.includes(facts.shape) && !spokenByStatus.has(facts.status);
/** Of a provider, a proxy, or plain text; a node's own error is judged by its token alone. */
const words =
  (pattern: RegExp): When =>
  facts =>
    (facts.shape === 'provider' || facts.shape === 'text') && pattern.test(facts.words);
const all =
  (...parts: readonly When[]): When =>
  facts =>
    parts.every(part => part(facts));
const engine =
  (test: (result: string, held: boolean | undefined) => boolean): When =>
  ({ engine: found }) =>
    found !== undefined && test(found.result, found.held);

/** Statuses that say enough without a body. */
const spokenByStatus = new Set([401, 402, 403, 405, 413, 425, 429]);

const used = (facts: Facts): boolean => quotaWords.test(facts.words) || freeTimeWords.test(facts.words);
const limited = (facts: Facts): boolean => speedWords.test(facts.words) || used(facts);
const planWords =
  /\b(?:not|isn't|only) (?:\S+ ){0,3}(?:available|included|supported|enabled|allowed|offered) (?:\S+ ){0,4}(?:plans?|tiers?|subscription|package)\b|upgrade (?:\S+ ){0,4}(?:plan|tier|subscription|account)|(?:plan|tier|subscription) (?:\S+ ){0,3}(?:does not|doesn't|not) (?:\S+ ){0,2}(?:include|support|allow|offer)/;
const methodWords =
  /(?:unsupported|unknown|invalid|disabled|forbidden|restricted|no such) (?:rpc )?(?:method|command)|(?:method|command)s? (?:\S+ ){0,3}(?:not (?:\S+ )?(?:found|supported|available|allowed|enabled|exist|whitelisted|implemented)|unsupported|unavailable|disabled|blocked|does not exist|doesn't exist)/;
/** Words that a node does not use of a request. */
const foreign = (facts: Facts): boolean =>
  limited(facts) ||
  authWords.test(facts.words) ||
  planWords.test(facts.words) ||
  methodWords.test(facts.words);
const badRequestWords =
  /^(?:null method|method is (?:empty|not string)|params unpars|ripplerpc is not|invalid_api_version|malformed batch|unable to parse request)/;
const ledgerWords =
  /\bledgers? (?:\S+ ){0,4}(?:not (?:found|available|present|stored|synced|validated)|unavailable|pruned|missing|too old)/;
const archiveWords = /\barchiv(?:e|al)\b|full.?history|historical (?:data|ledgers?|requests?)/;

const callersMistake = [
  'actBitcoin',
  'actMalformed',
  'actNotFound',
  'alreadyMultisig',
  'alreadySingleSig',
  'ammNotFound',
  'badCredentials',
  'badFeature',
  'badIssuer',
  'badKeyType',
  'badMarket',
  'badSecret',
  'badSeed',
  'badSyntax',
  'channelAmtMalformed',
  'channelMalformed',
  'commandIsEmpty',
  'commandMissing',
  'commandNotString',
  'deprecated',
  'dstActMalformed',
  'dstActMissing',
  'dstActNotFound',
  'dstAmtMalformed',
  'dstAmtMissing',
  'dstIsrMalformed',
  'emptyCommand',
  'entryNotFound',
  'excessiveLgrRange',
  'fieldNotFoundTransaction',
  'highFee',
  'invalidHotWallet',
  'invalidParams',
  'invalidTransaction',
  'invalid_API_version',
  'issueMalformed',
  'jsonInvalid',
  'ledgerIndexMalformed',
  'masterDisabled',
  'missingCommand',
  'noPathRequest',
  'nfTokenNotFound',
  'objectNotFound',
  'oracleMalformed',
  'paramsUnparseable',
  'publicMalformed',
  'sendMaxMalformed',
  'signingMalformed',
  'srcActMalformed',
  'srcActMissing',
  'srcActNotFound',
  'srcCurMalformed',
  'srcIsrMalformed',
  'unexpectedLedgerType',
  'unknown',
  'unknownOption',
];

const upsideDown = ({ min, max }: Asked): boolean => min !== undefined && max !== undefined && min > max;

export const rules: readonly Rule<Facts>[] = [
  // Structure.
  {
    id: 'xrpl.result',
    stage: 'structure',
    signal: 'a result without an error, over all that was asked for',
    only: 'what is no broadcast',
    when: facts => facts.shape === 'success' && !facts.broadcast && !facts.clipped,
    verdict: 'ok',
    why: 'a usable answer; warnings and what stands inside it change nothing',
    fixture: 'xrpl-fee-under-load',
  },
  {
    id: 'xrpl.batch',
    stage: 'structure',
    signal: 'an array of answers, none of which another endpoint could better',
    only: 'batch',
    when: facts => facts.shape === 'batch',
    verdict: 'ok',
    why: 'an item that says "not found" does not spoil the others',
    fixture: 'xrpl-batch-mixed-items',
  },
  {
    id: 'xrpl.empty',
    stage: 'structure',
    signal: 'an empty body',
    when: broken('empty'),
    verdict: 'node_failure',
    why: 'nothing is no answer',
    fixture: 'xrpl-empty-200',
  },
  {
    id: 'xrpl.page',
    stage: 'structure',
    signal: 'a page of HTML',
    when: facts => broken('html')(facts) || (facts.shape === 'html' && facts.status === 405),
    verdict: 'node_failure',
    why: "a proxy speaks, or the node's page for people; it says nothing of limits",
    fixture: 'xrpl-xrplcluster-503-html',
  },
  {
    id: 'xrpl.truncated',
    stage: 'structure',
    signal: 'JSON that ends early',
    when: broken('truncated', 'not_json'),
    verdict: 'node_failure',
    why: 'cut off on its way, or no JSON',
    fixture: 'xrpl-extra-truncated',
  },
  {
    id: 'xrpl.wrong_id',
    stage: 'structure',
    signal: 'another id than that of params[0]',
    when: broken('wrong_id'),
    verdict: 'node_failure',
    why: "the answer to somebody else's question",
    fixture: 'xrpl-extra-wrong-id',
  },
  {
    id: 'xrpl.no_result',
    stage: 'structure',
    signal: 'JSON with neither a result nor an error, or an array nobody asked for',
    when: broken('no_result', 'array'),
    verdict: 'node_failure',
    why: 'no answer of this protocol',
    fixture: 'xrpl-extra-null-result',
  },

  // Fields: the fate of a transaction.
  {
    id: 'xrpl.tx_already',
    stage: 'field',
    signal: 'engine_result tefALREADY',
    only: 'submit',
    when: engine(result => result === 'tefALREADY'),
    verdict: 'app_error',
    tx: 'known',
    why: 'the server has exactly this transaction, whatever its flags say',
    fixture: 'xrpl-submit-tef-already',
  },
  {
    id: 'xrpl.tx_final',
    stage: 'field',
    signal: 'engine_result tef…, tem…',
    only: 'submit',
    when: engine(result => /^te[fm]/.test(result)),
    verdict: 'app_error',
    tx: 'rejected',
    why: 'it is malformed, or its time, sequence or signature has passed: it cannot go in any more',
    fixture: 'xrpl-submit-tef-past-seq',
  },
  {
    id: 'xrpl.tx_held',
    stage: 'field',
    signal: 'one of accepted, applied, broadcast, queued, kept is true; or terQUEUED',
    only: 'submit',
    when: engine((result, held) => held === true || result === 'terQUEUED'),
    verdict: 'ok',
    tx: 'accepted',
    why: 'the server relays it, or keeps it and tries again by itself, whatever the code sounds like',
    fixture: 'xrpl-submit-tel-insuf-fee-kept',
  },
  {
    id: 'xrpl.tx_applied',
    stage: 'field',
    signal: 'engine_result tes…, or tec… without flags',
    only: 'submit',
    when: engine((result, held) => /^tes/.test(result) || (/^tec/.test(result) && held === undefined)),
    verdict: 'ok',
    tx: 'accepted',
    why: 'applied for now, and relayed; a tec claims its fee when it stays so',
    fixture: 'xrpl-extra-multisigned-tes',
  },
  {
    id: 'xrpl.tx_for_another_network',
    stage: 'field',
    signal: 'engine_result telBAD_…, telNO_DST_PARTIAL, or one of the network ids',
    only: 'submit',
    when: engine(result =>
      /^tel(?:BAD_|NO_DST_PARTIAL$|WRONG_NETWORK$|REQUIRES_NETWORK_ID$|NETWORK_ID_)/.test(result),
    ),
    verdict: 'app_error',
    tx: 'rejected',
    why: 'a local check of what the transaction says, and nothing keeps it',
    fixture: 'xrpl-extra-tel-wrong-network',
  },
  {
    id: 'xrpl.tx_server_trouble',
    stage: 'field',
    signal: 'engine_result telLOCAL_ERROR, telFAILED_PROCESSING',
    only: 'submit',
    when: engine(result => result === 'telLOCAL_ERROR' || result === 'telFAILED_PROCESSING'),
    verdict: 'node_failure',
    tx: 'refused',
    why: 'trouble of this server; nothing is held',
    fixture: 'xrpl-extra-tel-local-error',
  },
  {
    id: 'xrpl.tx_not_held',
    stage: 'field',
    signal: 'engine_result tec…, tel…, ter… with all flags false',
    only: 'submit',
    when: engine((result, held) => /^te[clr]/.test(result) && held === false),
    verdict: 'app_error',
    tx: 'refused',
    why: 'not now, and this server keeps nothing of it',
    fixture: 'xrpl-submit-ter-pre-seq-fail-hard',
  },
  {
    id: 'xrpl.tx_unsaid',
    stage: 'field',
    signal: 'engine_result tel…, ter… without flags',
    only: 'submit',
    when: engine(result => /^te[lr]/.test(result)),
    verdict: 'app_error',
    tx: 'unknown',
    why: 'the server does not say whether it keeps it',
    fixture: 'xrpl-submit-multisigned-ter-no-flags',
  },
  {
    id: 'xrpl.tx_no_engine',
    stage: 'field',
    signal: 'a result without an engine_result that is known',
    only: 'submit',
    when: facts => facts.shape === 'success' && facts.broadcast,
    verdict: 'node_failure',
    tx: 'unknown',
    why: 'nothing is said of the transaction',
    fixture: 'xrpl-extra-submit-without-engine-result',
  },

  // Fields: history.
  {
    id: 'xrpl.clipped',
    stage: 'field',
    signal: 'success, ledger_index_min above or ledger_index_max below what was asked for',
    only: 'account_tx, nft_history, mpt_history',
    when: facts => facts.shape === 'success',
    verdict: 'missing_history',
    disguised: true,
    why: 'the server answered over what it keeps of the range, and did not say so',
    fixture: 'xrpl-extra-account-tx-clipped-below',
  },
  {
    id: 'xrpl.searched_all',
    stage: 'field',
    signal: 'txnNotFound with searched_all: true',
    when: all(token('txnNotFound'), facts => facts.searchedAll),
    verdict: 'app_error',
    why: 'the whole range was there: a definite answer',
    fixture: 'xrpl-txn-not-found-searched-all-true',
  },
  {
    id: 'xrpl.not_searched',
    stage: 'field',
    signal: 'txnNotFound without searched_all: true',
    when: token('txnNotFound'),
    verdict: 'missing_history',
    why: 'parts of history may lack here',
    fixture: 'xrpl-txn-not-found-searched-all-false',
  },
  {
    id: 'xrpl.range_upside_down',
    stage: 'field',
    signal: 'lgrIdxsInvalid, invalidLgrRange, lgrIdxMalformed, the lower bound above the upper one',
    when: all(token('lgrIdxsInvalid', 'invalidLgrRange', 'lgrIdxMalformed'), ({ asked }) =>
      upsideDown(asked()),
    ),
    verdict: 'app_error',
    why: 'no server can answer that',
    fixture: 'xrpl-lgr-idxs-invalid-min-above-max',
  },
  {
    id: 'xrpl.no_validated_range',
    stage: 'field',
    signal: 'lgrIdxsInvalid, lgrNotFound, lgrNotValidated, although no ledger was named',
    when: all(token('lgrIdxsInvalid', 'lgrNotFound', 'lgrNotValidated'), ({ asked }) => !asked().named),
    verdict: 'node_failure',
    why: 'the server lacks the newest ledgers, which every server should have',
    fixture: 'xrpl-extra-lgr-idxs-invalid-without-bounds',
  },
  {
    id: 'xrpl.ledger_missing',
    stage: 'field',
    signal: 'lgrNotFound, lgrNotValidated, lgrIdxsInvalid, invalidLgrRange, lgrIdxMalformed',
    when: token('lgrNotFound', 'lgrNotValidated', 'lgrIdxsInvalid', 'invalidLgrRange', 'lgrIdxMalformed'),
    verdict: 'missing_history',
    why: 'a ledger outside what this server keeps; despite its name, lgrIdxMalformed says the same',
    fixture: 'xrpl-lgr-not-found-old-ledger',
  },

  // Fields: the server.
  {
    id: 'xrpl.slow_down',
    stage: 'field',
    signal: 'slowDown',
    when: token('slowDown'),
    verdict: 'rate_limited',
    why: 'too much load by this client',
    fixture: 'xrpl-clio-slow-down-503-no-result',
  },
  {
    id: 'xrpl.not_now',
    stage: 'field',
    signal:
      'tooBusy, noNetwork, noCurrent, noClosed, notSynced, notReady, amendmentBlocked, unlBlocked, connectionError',
    when: token(
      'tooBusy',
      'noNetwork',
      'noCurrent',
      'noClosed',
      'notSynced',
      'notReady',
      'amendmentBlocked',
      'unlBlocked',
      'connectionError',
    ),
    verdict: 'node_failure',
    tx: 'refused',
    why: 'the server is not fit now; checked before the command runs, and Clio could reach no server at all',
    fixture: 'xrpl-no-network-account-info',
  },
  {
    id: 'xrpl.server_fault',
    stage: 'field',
    signal: 'internal…, dbDeserialization, json_rpc, failedToForward, requestError, timeout, invalidResponse',
    when: all(
      facts => facts.shape === 'error',
      facts =>
        /^(?:internal|internal[A-Z]\w*|dbDeserialization|json_rpc|failedToForward|requestError|timeout|invalidResponse)$/.test(
          facts.token,
        ),
    ),
    verdict: 'node_failure',
    why: 'it broke at work, perhaps after a transaction had gone on',
    fixture: 'xrpl-internal-from-check-object',
  },
  {
    id: 'xrpl.refused',
    stage: 'field',
    signal: 'forbidden, unauthorized',
    when: token('forbidden', 'unauthorized'),
    verdict: 'auth_refused',
    why: 'the credential does not do',
    fixture: 'xrpl-extra-forbidden-token',
  },
  {
    id: 'xrpl.unknown_method',
    stage: 'field',
    signal: 'unknownCmd, noEvents, notEnabled, reportingUnsupported',
    when: token('unknownCmd', 'noEvents', 'notEnabled', 'reportingUnsupported'),
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'this kind of server, or this one, does not have the method',
    fixture: 'xrpl-unknown-cmd-nft-info-on-rippled',
  },
  {
    id: 'xrpl.not_offered',
    stage: 'field',
    signal: 'notSupported, noPermission',
    when: token('notSupported', 'noPermission'),
    verdict: 'unsupported',
    why: 'not here, or not to us; it may hang on a parameter',
    fixture: 'xrpl-no-permission-admin-method',
  },
  {
    id: 'xrpl.bad_hash',
    stage: 'field',
    signal: 'notImpl',
    only: 'tx',
    when: all(token('notImpl'), facts => facts.method === 'tx'),
    verdict: 'app_error',
    why: 'what rippled answers to a malformed hash',
    fixture: 'xrpl-tx-bad-hash-not-impl',
  },
  {
    id: 'xrpl.not_implemented',
    stage: 'field',
    signal: 'notImpl',
    when: token('notImpl'),
    verdict: 'unsupported',
    why: 'not in this version, or not with this parameter',
    fixture: 'xrpl-extra-not-impl',
  },
  {
    id: 'xrpl.callers_mistake',
    stage: 'field',
    signal: 'a token for what the caller asked: actNotFound, invalidParams, …Malformed, …NotFound, …',
    when: facts =>
      facts.shape === 'error' &&
      (callersMistake.includes(facts.token) ||
        /^malformed|Malformed$|Missing$|NotFound$|^invalid[A-Z]/.test(facts.token)),
    verdict: 'app_error',
    why: 'the same everywhere',
    fixture: 'xrpl-act-not-found-rippled-form',
  },

  // Fields: status and code, of those who stand in front of the node.
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

  // Words.
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

  // What nothing above knows.
  {
    id: 'xrpl.other_token',
    stage: 'words',
    signal: 'any other token',
    when: facts => facts.shape === 'error',
    verdict: 'app_error',
    tx: 'unknown',
    unclassified: true,
    why: "a node's own error is an answer to the caller unless it is known to be about the node",
    fixture: 'xrpl-extra-unheard-of-token',
  },
  {
    id: 'xrpl.http_failed',
    stage: 'words',
    signal: 'status 404, 408 or 5xx, and nothing of the above',
    when: facts =>
      facts.shape !== 'error' && (facts.status === 404 || facts.status === 408 || facts.status >= 500),
    verdict: 'node_failure',
    why: 'a proxy that lost its node',
    fixture: 'xrpl-extra-service-unavailable-text',
  },
  {
    id: 'xrpl.other',
    stage: 'words',
    signal: 'any other text, status or code',
    when: () => true,
    verdict: 'node_failure',
    unclassified: true,
    why: "no answer of an XRPL server, so not the caller's doing",
    fixture: 'xrpl-extra-url-in-error-message',
  },
];
