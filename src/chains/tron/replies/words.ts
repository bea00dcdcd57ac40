/** Words, where neither code nor exception told. */

import { archiveWords, methodWords, partOfMethod, planWords } from '../../offer-words.ts';
import type { Rule } from '../../rules.ts';
import { authWords, speedWords } from '../../words.ts';
import type { Facts } from '../facts.ts';
import { allowance, blockLacking, code, good, says, status } from './saying.ts';

const apiWords =
  /\b(?:api|path|route)s? (?!key)(?:\S+ ){0,3}?(?:is |are |has been )?(?:not (?:supported|available|allowed|enabled|whitelisted|implemented|included)|unsupported|unavailable|disabled)\b/;

/** How TRON's explorer says it. */
const hasteWords = /\btoo (?:quick|fast|frequent)(?:ly)?\b/;

const passingWords =
  /unavailable|time[ds]?[ -]?out|upstream|backend|gateway|internal|temporar|overload|busy|database|maintenance|\bsync/;

/** Where a refusal of the offer may stand: a provider's error or text, and no fault of its machines. */
const refusesOffer = (facts: Facts): boolean =>
  (facts.form === 'error' || facts.form === 'text') &&
  facts.exception === '' &&
  (facts.status < 500 || facts.status === 501);

export const words: readonly Rule<Facts>[] = [
  {
    id: 'tron.lite_node',
    stage: 'words',
    signal: 'text: this node is a lite fullnode',
    when: says(/node is a lite ?full ?node/),
    verdict: 'missing_history',
    why: 'about 24 history paths are closed on a lite node, as bare text under 200 or as an error',
    fixture: 'tron-lite-node-text-txinfo',
  },
  {
    id: 'tron.api_off',
    stage: 'words',
    signal: 'text: unavailable due to config',
    when: says(/unavailable due to config/),
    verdict: 'unsupported',
    wholeMethod: true,
    why: "on the operator's list of disabled paths",
    fixture: 'tron-api-disabled-404',
  },
  {
    id: 'tron.block_unknown',
    stage: 'words',
    signal:
      'text: must be legal block hash, for a well-formed one; or ItemNotFoundException for a block, unless the pool has not reached it',
    only: 'getblock; getaccountbalance, getblockbalance',
    when: facts =>
      blockLacking(facts) || (/must be legal block hash/.test(facts.text) && facts.naming !== 'nothing'),
    verdict: 'missing_history',
    why: 'java-tron says the first of a block above its own head; the second is a block, or its balances, that it lacks',
    fixture: 'tron-x-getblock-hash-ahead',
  },
  {
    id: 'tron.quota',
    stage: 'words',
    signal: 'words of an allowance that is used up, whatever the status',
    when: facts => facts.status < 500 && facts.form !== 'html' && allowance(facts),
    verdict: 'rate_limited',
    quota: true,
    why: "the day's or the plan's share is gone; TronGrid says it under 403, which does not mean a bad key",
    fixture: 'tron-trongrid-daily-quota',
  },
  {
    id: 'tron.speed',
    stage: 'words',
    signal: 'words of going too fast, whatever the status',
    when: facts =>
      speedWords.test(facts.text) ||
      hasteWords.test(facts.text) ||
      (facts.code === '-32005' && /\blimit exceeded\b/.test(facts.text)),
    verdict: 'rate_limited',
    why: 'TronGrid says it under 403, 429, 503 and 200, with the seconds to wait',
    fixture: 'tron-trongrid-allowed-rps-5s',
  },
  {
    id: 'tron.quota_busy',
    stage: 'words',
    signal: 'words of an allowance, under 5xx',
    when: facts => facts.status >= 500 && facts.form !== 'html' && allowance(facts),
    verdict: 'rate_limited',
    quota: true,
    why: 'some front ends answer 503 when the allowance is gone',
    fixture: 'tron-x-quota-503',
  },
  {
    id: 'tron.archive_plan',
    stage: 'words',
    signal: 'words of archive data that the plan or token does not include',
    only: 'errors that name a block or a transaction',
    when: facts =>
      facts.form === 'error' &&
      facts.naming !== 'nothing' &&
      facts.status < 500 &&
      archiveWords.test(facts.text),
    verdict: 'missing_history',
    why: 'another endpoint may keep it',
    fixture: 'tron-x-archive-plan',
  },
  {
    id: 'tron.not_offered',
    stage: 'words',
    signal: 'words of a method or path that is not offered',
    when: facts =>
      refusesOffer(facts) &&
      (methodWords.test(facts.text) || apiWords.test(facts.text)) &&
      !partOfMethod.test(facts.text),
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'the provider leaves it out',
    fixture: 'tron-x-method-not-on-plan',
  },
  {
    id: 'tron.plan',
    stage: 'words',
    signal: 'words of what only a better plan has',
    when: facts => refusesOffer(facts) && planWords.test(facts.text),
    verdict: 'unsupported',
    why: 'it may be a rule of sizes or of ranges, so nothing is remembered',
    fixture: 'tron-x-range-not-on-plan',
  },
  {
    id: 'tron.denied',
    stage: 'words',
    signal: 'words of a refused credential, origin or address; status 401, 402, 403',
    when: facts =>
      [401, 402, 403].includes(facts.status) ||
      (facts.status < 500 && (facts.form === 'error' || facts.form === 'text') && authWords.test(facts.text)),
    verdict: 'auth_refused',
    why: 'a 403 that names no limit is a refused key or origin',
    fixture: 'tron-forbidden-origin-403-json',
  },
  {
    id: 'tron.too_large',
    stage: 'words',
    signal: 'status 413',
    when: status(413),
    verdict: 'app_error',
    tx: 'unknown',
    why: "the caller's body is over a cap, the node's or a proxy's",
    fixture: 'tron-x-payload-too-large-413',
  },
  {
    id: 'tron.no_path',
    stage: 'words',
    signal: 'status 404, the page of the servlet container: Powered by Jetty, HTTP ERROR 404',
    when: facts => facts.status === 404 && facts.servlet,
    verdict: 'unsupported',
    wholeMethod: true,
    why: "the node's version has no such path, or it is TronGrid's",
    fixture: 'tron-jetty-404-old-node',
  },
  {
    id: 'tron.verb',
    stage: 'words',
    signal: 'status 405, empty or of the servlet container',
    when: facts => facts.status === 405 && (facts.form === 'empty' || facts.servlet),
    verdict: 'unsupported',
    why: 'this host takes the other verb only',
    fixture: 'tron-x-get-405-empty',
  },
  {
    id: 'tron.unreadable_text',
    stage: 'words',
    signal: 'bare text of an exception about hex, base58 or a number',
    only: 'old solidity paths',
    when: facts =>
      facts.form === 'text' &&
      good(facts) &&
      /\bhex string\b|base58|for input string/.test(facts.text) &&
      !facts.broadcast,
    verdict: 'app_error',
    why: "some solidity paths print the exception's message alone",
    fixture: 'tron-x-solidity-bare-text',
  },
  {
    id: 'tron.index_error',
    stage: 'words',
    signal: 'an error under 400, 404 or 422',
    only: "TronGrid's /v1 paths",
    when: facts =>
      facts.form === 'error' && facts.method.startsWith('/v1/') && [400, 404, 422].includes(facts.status),
    verdict: 'app_error',
    why: 'the index answers a wrong question by the status',
    fixture: 'tron-x-v1-bad-address',
  },
  {
    id: 'tron.plain_error',
    stage: 'words',
    signal: '`{"Error": text}` without an exception, under 200 or 400',
    only: 'reads',
    when: facts =>
      facts.form === 'error' &&
      facts.exception === '' &&
      facts.code === '' &&
      !facts.broadcast &&
      !facts.rpc &&
      (good(facts) || facts.status === 400) &&
      !passingWords.test(facts.text),
    verdict: 'app_error',
    why: 'what java-tron says without a class is about the request',
    fixture: 'tron-getblock-negative',
  },
  {
    id: 'tron.proxy',
    stage: 'words',
    signal: 'a page or text of something else: 5xx, HTML, a welcome page, 404 of a proxy',
    when: facts =>
      facts.status >= 500 || facts.form === 'html' || facts.form === 'text' || facts.form === 'empty',
    verdict: 'node_failure',
    why: 'the node behind it is gone, or was never asked; a bare 503 page says no more than that',
    fixture: 'tron-service-unavailable-503-html',
  },
  {
    id: 'tron.internal',
    stage: 'words',
    signal: 'code -32000, -32001, -32603 that nothing above knew',
    only: 'JSON-RPC',
    when: facts => facts.rpc && code('-32000', '-32001', '-32603')(facts),
    verdict: 'node_failure',
    why: "java-tron's codes for trouble of its own",
    fixture: 'tron-x-jsonrpc-internal-error',
  },
  {
    id: 'tron.unknown_exception',
    stage: 'words',
    signal: 'an exception of any other class',
    when: facts => facts.exception !== '',
    verdict: 'node_failure',
    tx: 'unknown',
    why: 'a fault of the store or of the machine, as far as anyone knows',
    fixture: 'tron-x-store-exception',
  },
  {
    id: 'tron.unclassified',
    stage: 'words',
    signal: 'anything else',
    when: () => true,
    verdict: 'node_failure',
    tx: 'unknown',
    unclassified: true,
    why: 'the default: another endpoint may answer, and the text is listed for an operator',
    fixture: 'tron-x-unknown-code',
  },
];
