/**
 * What a TRON answer means. java-tron answers 200 to almost everything, so the body decides; TronGrid says the same thing
 * under 403, 429 and 503, so there the text decides and the status only where the text is silent.
 */

import type { Judgement } from '../../core/verdict.ts';
import type { Answer, Call, JudgeContext } from '../family.ts';
import { archiveWords, freeTimeWords, methodWords, partOfMethod, planWords } from '../offer-words.ts';
import { firstMatch, type Rule } from '../rules.ts';
import { authWords, quotaWords, speedWords } from '../words.ts';
import { type Facts, factsOf } from './facts.ts';

type When = Rule<Facts>['when'];

const good = (facts: Facts): boolean => facts.status >= 200 && facts.status < 300;
const code =
  (...codes: readonly string[]): When =>
  facts =>
    facts.form === 'error' && codes.includes(facts.code);
const sent =
  (...codes: readonly string[]): When =>
  facts =>
    facts.broadcast && !facts.rpc && facts.form === 'error' && codes.includes(facts.code);
const rpc =
  (...codes: readonly string[]): When =>
  facts =>
    facts.rpc &&
    facts.form === 'error' &&
    codes.includes(facts.code) &&
    (good(facts) || facts.status === 400);
const says =
  (pattern: RegExp): When =>
  facts =>
    pattern.test(facts.text);
const status =
  (...statuses: readonly number[]): When =>
  facts =>
    statuses.includes(facts.status);
const both =
  (...parts: readonly When[]): When =>
  facts =>
    parts.every(part => part(facts));

/** Exceptions that are about what was asked. An unknown class is the node's own trouble. */
const callersExceptions = new Set([
  'ContractValidateException',
  'ContractExeException',
  'NonUniqueObjectException',
  'ItemNotFoundException',
  'ParseException',
  'JSONException',
  'JsonParseException',
  'JsonMappingException',
  'JsonProcessingException',
  'MismatchedInputException',
  'InvalidFormatException',
  'UnrecognizedPropertyException',
  'DecoderException',
  'InvalidProtocolBufferException',
  'InvalidEscapeSequence',
  'NumberFormatException',
  'IllegalArgumentException',
  'InvalidParameterException',
  'NullPointerException',
  'ClassCastException',
  'ArithmeticException',
  'IndexOutOfBoundsException',
  'StringIndexOutOfBoundsException',
  'ArrayIndexOutOfBoundsException',
  'UnsupportedOperationException',
  'PermissionException',
  'SignatureFormatException',
  'SignatureException',
  'ValidateSignatureException',
  'ZksnarkException',
  'VMIllegalException',
  'AccountResourceInsufficientException',
  'TaposException',
  'TransactionExpirationException',
  'TooBigTransactionException',
  'DupTransactionException',
]);
/** What the TVM throws when a contract's run fails; the same on every node. */
const contractExceptions =
  /^(?:OutOfEnergy|OutOfMemory|IllegalOperation|BadJumpDestination|StackTooSmall|StackTooLarge|StaticCallModification|PrecompiledContract|InvalidCode|Transfer|BytecodeExecution|ReturnDataCopyIllegalBounds)Exception$/;

const callersFault = (facts: Facts): boolean =>
  callersExceptions.has(facts.exception) || contractExceptions.test(facts.exception);

/** The block is there, so this node lacks it, or what it keeps of balances. */
const blockLacking = (facts: Facts): boolean => facts.exception === 'ItemNotFoundException' && facts.reached;

const constantOff = /\b(?:does|do)(?:n't| not) (?:support |offer |allow )?(?:constant|estimate)/;
const constantPaths = /\/(?:triggerconstantcontract|estimateenergy)$|^eth_(?:call|estimateGas)$/;
const runsContract = /^(?:eth_call|eth_estimateGas|buildTransaction)$/;
const blockGone =
  /header (?:for hash )?not found|number: -?\d+ is not found|block (?:\S+ )?(?:does not exist|not exists?|not found)|invalid blockhash/;
const apiWords =
  /\b(?:api|path|route)s? (?!key)(?:\S+ ){0,3}?(?:is |are |has been )?(?:not (?:supported|available|allowed|enabled|whitelisted|implemented|included)|unsupported|unavailable|disabled)\b/;
/** How TRON's explorer says it. */
const hasteWords = /\btoo (?:quick|fast|frequent)(?:ly)?\b/;
const passingWords =
  /unavailable|time[ds]?[ -]?out|upstream|backend|gateway|internal|temporar|overload|busy|database|maintenance|\bsync/;

const allowance = (facts: Facts): boolean => quotaWords.test(facts.text) || freeTimeWords.test(facts.text);

/** Where a refusal of the offer may stand: a provider's error or text, and no fault of its machines. */
const refusesOffer = (facts: Facts): boolean =>
  (facts.form === 'error' || facts.form === 'text') &&
  facts.exception === '' &&
  (facts.status < 500 || facts.status === 501);

export const rules: readonly Rule<Facts>[] = [
  // Structure: is it an answer of this protocol at all, and what does an empty one stand for?
  {
    id: 'tron.result',
    stage: 'structure',
    signal: 'an object, or a JSON-RPC result, without an error of its own',
    only: 'what is no broadcast',
    when: facts => facts.form === 'result' && good(facts) && (!facts.broadcast || facts.rpc),
    verdict: 'ok',
    why: 'a usable answer; a revert, a failed transaction or `result: false` inside it is what was asked for',
    fixture: 'tron-getnowblock',
  },
  {
    id: 'tron.no_such_thing',
    stage: 'structure',
    signal: "`{}` where a thing may be absent, or for a block above the pool's head",
    only: 'reads',
    when: facts =>
      facts.form === 'empty_object' &&
      (facts.absent === 'thing' || facts.absent === 'block_to_come') &&
      !facts.broadcast &&
      !facts.rpc &&
      good(facts),
    verdict: 'ok',
    why: 'not found, not activated, not yet, or all of it default values: a normal answer',
    fixture: 'tron-getaccount-not-activated',
  },
  {
    id: 'tron.no_head',
    stage: 'structure',
    signal: '`{}` for the head block, or for what every node has: parameters, prices, witnesses',
    when: facts => facts.form === 'empty_object' && facts.absent === 'head' && !facts.rpc && good(facts),
    verdict: 'node_failure',
    why: 'a node without these is broken or starting',
    fixture: 'tron-getnowblock-empty',
  },
  {
    id: 'tron.impossible_range',
    stage: 'structure',
    signal: '`{}` for a range that runs backwards or over more than 100 blocks',
    only: 'getblockbylimitnext',
    when: facts => facts.form === 'empty_object' && facts.absent === 'range' && !facts.rpc && good(facts),
    verdict: 'app_error',
    why: 'every node answers so, whatever it keeps',
    fixture: 'tron-x-limitnext-too-wide',
  },
  {
    id: 'tron.block_missing',
    stage: 'structure',
    signal: '`{}` for a block',
    when: facts => facts.form === 'empty_object' && facts.absent === 'block' && !facts.rpc && good(facts),
    verdict: 'missing_history',
    why: 'TRON skips no numbers: a block that is not there is missing on this node',
    fixture: 'tron-getblockbynum-empty',
  },
  {
    id: 'tron.nothing_to_validate',
    stage: 'structure',
    signal: 'an empty 200',
    only: 'validateaddress',
    when: facts => facts.form === 'empty' && facts.method.endsWith('/validateaddress') && good(facts),
    verdict: 'app_error',
    why: 'java-tron swallows the error of a body it cannot read',
    fixture: 'tron-x-validateaddress-bad-body',
  },
  {
    id: 'tron.empty',
    stage: 'structure',
    signal: 'an empty 2xx',
    when: facts => facts.form === 'empty' && good(facts),
    verdict: 'node_failure',
    why: 'nothing is not an answer',
    fixture: 'tron-empty-200-body',
  },
  {
    id: 'tron.cut',
    stage: 'structure',
    signal: 'JSON that ends early, under 2xx',
    when: facts => facts.form === 'cut' && good(facts),
    verdict: 'node_failure',
    why: 'half an answer is none',
    fixture: 'tron-x-truncated-block',
  },
  {
    id: 'tron.foreign',
    stage: 'structure',
    signal:
      'JSON that is no answer to this call: another id, a list for one, `{}` by JSON-RPC or to a broadcast',
    when: facts =>
      good(facts) &&
      (facts.form === 'foreign' || (facts.form === 'empty_object' && (facts.rpc || facts.broadcast))),
    verdict: 'node_failure',
    why: 'whatever it means, it does not answer this',
    fixture: 'tron-x-jsonrpc-other-id',
  },

  // Codes and fields of a broadcast, in the order java-tron gives them.
  {
    id: 'tron.sent',
    stage: 'field',
    signal: 'result true, no code or SUCCESS',
    only: 'broadcasts',
    when: facts => sent('')(facts) && facts.passed && good(facts),
    verdict: 'ok',
    tx: 'accepted',
    why: 'in the pool of this node; not final',
    fixture: 'tron-broadcast-accepted-short',
  },
  {
    id: 'tron.sent_known',
    stage: 'field',
    signal: 'code DUP_TRANSACTION_ERROR',
    only: 'broadcasts',
    when: sent('DUP_TRANSACTION_ERROR'),
    verdict: 'app_error',
    tx: 'known',
    why: 'pooled or on chain; a node with an id cache says so after its own SIGERROR too, so the id is looked up',
    fixture: 'tron-broadcast-dup-documented',
  },
  {
    id: 'tron.sent_bad_signature',
    stage: 'field',
    signal: 'code SIGERROR',
    only: 'broadcasts',
    when: sent('SIGERROR'),
    verdict: 'app_error',
    tx: 'rejected',
    why: 'signed by a key without permission',
    fixture: 'tron-broadcast-sigerror-hex',
  },
  {
    id: 'tron.sent_invalid',
    stage: 'field',
    signal: 'code CONTRACT_VALIDATE_ERROR or CONTRACT_EXE_ERROR',
    only: 'broadcasts',
    when: sent('CONTRACT_VALIDATE_ERROR', 'CONTRACT_EXE_ERROR'),
    verdict: 'app_error',
    tx: 'rejected',
    why: 'validated, or run, and refused',
    fixture: 'tron-broadcast-no-balance-hex',
  },
  {
    id: 'tron.sent_unpaid',
    stage: 'field',
    signal: 'code BANDWITH_ERROR',
    only: 'broadcasts',
    when: sent('BANDWITH_ERROR'),
    verdict: 'app_error',
    tx: 'rejected',
    why: 'the account cannot pay; the code is spelled this way',
    fixture: 'tron-broadcast-bandwidth',
  },
  {
    id: 'tron.sent_tapos',
    stage: 'field',
    signal: 'code TAPOS_ERROR',
    only: 'broadcasts',
    when: sent('TAPOS_ERROR'),
    verdict: 'app_error',
    tx: 'rejected',
    why: 'its reference block is unknown here; a lagging node says so of a good one, and its height tells',
    fixture: 'tron-broadcast-tapos-hex',
  },
  {
    id: 'tron.sent_too_big',
    stage: 'field',
    signal: 'code TOO_BIG_TRANSACTION_ERROR',
    only: 'broadcasts',
    when: sent('TOO_BIG_TRANSACTION_ERROR'),
    verdict: 'app_error',
    tx: 'rejected',
    why: "the chain's own size rule",
    fixture: 'tron-broadcast-too-big',
  },
  {
    id: 'tron.sent_expired',
    stage: 'field',
    signal: 'code TRANSACTION_EXPIRATION_ERROR',
    only: 'broadcasts',
    when: sent('TRANSACTION_EXPIRATION_ERROR'),
    verdict: 'app_error',
    tx: 'rejected',
    why: 'too late, can never go in now',
    fixture: 'tron-broadcast-expired-hex',
  },
  {
    id: 'tron.sent_busy',
    stage: 'field',
    signal: 'code SERVER_BUSY, NO_CONNECTION or BLOCK_UNSOLIDIFIED',
    only: 'broadcasts',
    when: sent('SERVER_BUSY', 'NO_CONNECTION', 'BLOCK_UNSOLIDIFIED'),
    verdict: 'node_failure',
    tx: 'refused',
    why: 'checked before the transaction is looked at',
    fixture: 'tron-broadcast-server-busy',
  },
  {
    id: 'tron.sent_few_peers',
    stage: 'field',
    signal: 'code NOT_ENOUGH_EFFECTIVE_CONNECTION, with a count of connections',
    only: 'broadcasts',
    when: both(sent('NOT_ENOUGH_EFFECTIVE_CONNECTION'), says(/effective ?connection\s*:\s*\d+ lt /)),
    verdict: 'node_failure',
    tx: 'refused',
    why: 'counted before the transaction is looked at',
    fixture: 'tron-broadcast-not-enough-connection-hex',
  },
  {
    id: 'tron.sent_not_spread',
    stage: 'field',
    signal: 'code NOT_ENOUGH_EFFECTIVE_CONNECTION with any other text, `P2P broadcast failed.` above all',
    only: 'broadcasts',
    when: sent('NOT_ENOUGH_EFFECTIVE_CONNECTION'),
    verdict: 'node_failure',
    tx: 'unknown',
    why: "it is in this node's pool already and may still spread",
    fixture: 'tron-broadcast-p2p-failed-hex',
  },
  {
    id: 'tron.sent_other',
    stage: 'field',
    signal: 'code OTHER_ERROR',
    only: 'broadcasts',
    when: sent('OTHER_ERROR'),
    verdict: 'node_failure',
    tx: 'unknown',
    why: 'an exception somewhere in processing: nobody knows how far it got',
    fixture: 'tron-broadcast-other-error',
  },

  // A contract's own answer comes before every word about it.
  {
    id: 'tron.rpc_revert',
    stage: 'field',
    signal: 'code -32000 or 3 with `REVERT opcode executed`, or with the bytes of a revert',
    only: 'JSON-RPC',
    when: both(
      rpc('-32000', '3'),
      facts => facts.revertBytes || /^revert opcode|execution reverted/.test(facts.text),
    ),
    verdict: 'app_error',
    why: "the contract's own answer, whatever its reason reads like",
    fixture: 'tron-jsonrpc-estimategas-revert',
  },

  // Exceptions of java-tron's HTTP.
  {
    id: 'tron.limiter',
    stage: 'field',
    signal: 'IllegalAccessException: lack of computing resources',
    when: both(facts => facts.exception === 'IllegalAccessException', says(/lack of computing resources/)),
    verdict: 'rate_limited',
    why: "java-tron's own limiter, on every path and without an envelope; no credential is involved",
    fixture: 'tron-lack-of-computing-resources',
  },
  {
    id: 'tron.constant_off',
    stage: 'field',
    signal: 'CONTRACT_VALIDATE_ERROR or OTHER_ERROR: this node does not support constant, or estimate energy',
    only: 'triggerconstantcontract, estimateenergy, eth_call, eth_estimateGas',
    when: both(
      facts => constantPaths.test(facts.method),
      facts => facts.form === 'error',
      says(constantOff),
    ),
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'an optional part of the node that is switched off, under the code of a caller’s mistake',
    fixture: 'tron-estimateenergy-disabled',
  },
  {
    id: 'tron.constant_off_here',
    stage: 'field',
    signal: 'the same, elsewhere',
    only: 'triggersmartcontract of a view function',
    when: both(facts => facts.form === 'error' && facts.code !== '', says(constantOff)),
    verdict: 'unsupported',
    why: 'the node builds transactions all the same, so nothing is remembered',
    fixture: 'tron-constant-calls-disabled-hex',
  },
  {
    id: 'tron.out_of_time',
    stage: 'field',
    signal: 'OutOfTimeException, or a CPU timeout under OTHER_ERROR',
    when: facts =>
      facts.form === 'error' &&
      (facts.exception === 'OutOfTimeException' ||
        (['OTHER_ERROR', '-32000'].includes(facts.code) && /\bcpu timeout\b|outoftime/.test(facts.text))),
    verdict: 'node_failure',
    why: 'this node was too slow to finish the call; another may finish',
    fixture: 'tron-constant-call-out-of-time',
  },
  {
    id: 'tron.exception',
    stage: 'field',
    signal: 'an exception of a class that is about the request',
    when: facts => facts.form === 'error' && !facts.rpc && callersFault(facts) && !blockLacking(facts),
    verdict: 'app_error',
    why: "the caller's body, parameters or wish; on a broadcast the body could not be read",
    fixture: 'tron-createtransaction-no-balance',
  },
  {
    id: 'tron.body_too_big',
    stage: 'field',
    signal: 'java.lang.Exception: body size is too big',
    when: both(facts => facts.exception === 'Exception', says(/body size is too big/)),
    verdict: 'app_error',
    why: "the caller's body is over the node's cap",
    fixture: 'tron-x-body-too-big-200',
  },
  {
    id: 'tron.refused_run',
    stage: 'field',
    signal: 'result.code of a refused call: CONTRACT_VALIDATE_ERROR, CONTRACT_EXE_ERROR, PERMISSION_ERROR, …',
    only: 'what runs a contract, builds, or weighs signatures',
    when: both(
      facts => !facts.broadcast,
      code(
        'CONTRACT_VALIDATE_ERROR',
        'CONTRACT_EXE_ERROR',
        'SIGERROR',
        'BANDWITH_ERROR',
        'TAPOS_ERROR',
        'TOO_BIG_TRANSACTION_ERROR',
        'TRANSACTION_EXPIRATION_ERROR',
        'DUP_TRANSACTION_ERROR',
        'PERMISSION_ERROR',
        'SIGNATURE_FORMAT_ERROR',
        'COMPUTE_ADDRESS_ERROR',
      ),
    ),
    verdict: 'app_error',
    why: "the node's definite answer to what was asked",
    fixture: 'tron-contract-not-exist-hex',
  },
  {
    id: 'tron.unweighed',
    stage: 'field',
    signal: 'result.code OTHER_ERROR without an exception',
    only: 'getsignweight, getapprovedlist',
    when: facts =>
      code('OTHER_ERROR')(facts) &&
      facts.exception === '' &&
      /\/(?:getsignweight|getapprovedlist)$/.test(facts.method),
    verdict: 'app_error',
    why: 'said of a transaction without a contract',
    fixture: 'tron-x-signweight-no-contract',
  },
  {
    id: 'tron.run_failed',
    stage: 'field',
    signal: 'result.code OTHER_ERROR, SERVER_BUSY, NO_CONNECTION, …, with an exception of another class',
    only: 'what runs a contract, builds, or weighs signatures',
    when: both(
      facts => !facts.broadcast,
      code(
        'OTHER_ERROR',
        'SERVER_BUSY',
        'NO_CONNECTION',
        'NOT_ENOUGH_EFFECTIVE_CONNECTION',
        'BLOCK_UNSOLIDIFIED',
      ),
    ),
    verdict: 'node_failure',
    why: 'the trouble is the node’s own',
    fixture: 'tron-x-constant-call-store-exception',
  },

  // Codes of JSON-RPC.
  {
    id: 'tron.rpc_no_method',
    stage: 'field',
    signal: 'code -32601',
    only: 'JSON-RPC',
    when: facts => facts.rpc && code('-32601')(facts),
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'not on this node or port',
    fixture: 'tron-x-jsonrpc-method-not-found',
  },
  {
    id: 'tron.rpc_block_gone',
    stage: 'field',
    signal: 'code -32000 or -32602: header not found, number is not found, invalid blockHash',
    only: 'JSON-RPC that names a block',
    when: both(rpc('-32000', '-32602'), says(blockGone), facts => facts.naming !== 'nothing'),
    verdict: 'missing_history',
    why: 'ahead of this node, or pruned on it',
    fixture: 'tron-x-jsonrpc-header-not-found',
  },
  {
    id: 'tron.rpc_callers',
    stage: 'field',
    signal: 'code -32600, -32602, -32700, -32003',
    only: 'JSON-RPC',
    when: rpc('-32600', '-32602', '-32700', '-32003'),
    verdict: 'app_error',
    why: 'the request, or the size of its answer; no TRON node keeps state of old blocks, so none can help',
    fixture: 'tron-jsonrpc-quantity-not-supported',
  },
  {
    id: 'tron.rpc_too_much',
    stage: 'field',
    signal: 'code -32005 about results, a batch or filters',
    only: 'JSON-RPC',
    when: both(
      rpc('-32005'),
      says(/more than \d+ results|batch size|too many results|exceed max|log filters?|block filters?/),
    ),
    verdict: 'app_error',
    why: 'a size limit of the answer here, not a limit of requests',
    fixture: 'tron-jsonrpc-too-many-results',
  },
  {
    id: 'tron.rpc_filter_gone',
    stage: 'field',
    signal: 'code -32000: filter not found',
    only: 'JSON-RPC filters',
    when: both(rpc('-32000'), says(/filter not found/)),
    verdict: 'app_error',
    why: 'the filter is to be made anew',
    fixture: 'tron-x-jsonrpc-filter-not-found',
  },
  {
    id: 'tron.rpc_run',
    stage: 'field',
    signal: 'code -32000',
    only: 'eth_call, eth_estimateGas, buildTransaction',
    when: both(
      rpc('-32000'),
      facts =>
        runsContract.test(facts.method) &&
        !/header not found|database|\bstore(?:exception)?\b/.test(facts.text),
    ),
    verdict: 'app_error',
    why: 'the run of the contract failed, as it does on every node',
    fixture: 'tron-x-jsonrpc-call-out-of-energy',
  },
  {
    id: 'tron.too_many_quota',
    stage: 'field',
    signal: 'status 429 or 425, with words of an allowance that is used up',
    when: both(status(429, 425), allowance),
    verdict: 'rate_limited',
    quota: true,
    why: 'the status says it, and the text that it will last',
    fixture: 'tron-x-jsonrpc-daily-429',
  },
  {
    id: 'tron.too_many',
    stage: 'field',
    signal: 'status 429 or 425',
    when: status(429, 425),
    verdict: 'rate_limited',
    why: 'the status says it',
    fixture: 'tron-trongrid-429-allowed-rps',
  },

  // Words.
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

export function judge(call: Call, answer: Answer, context: JudgeContext): Judgement {
  const facts = factsOf(call, answer, context);
  const judgement = firstMatch(rules, facts);
  if (judgement.retryAfterMs === undefined || waits.has(judgement.verdict)) return judgement;
  const { retryAfterMs: _, ...rest } = judgement;
  return rest;
}

/** A wish to wait counts only with these: a revert reason may name seconds too. */
const waits = new Set<Judgement['verdict']>(['rate_limited', 'node_failure', 'auth_refused', 'unsupported']);
