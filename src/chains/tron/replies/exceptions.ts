/** Exceptions of java-tron's HTTP. */

import type { Rule } from '../../rules.ts';
import type { Facts } from '../facts.ts';
import { blockLacking, both, code, says } from './saying.ts';

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
const constantOff = /\b(?:does|do)(?:n't| not) (?:support |offer |allow )?(?:constant|estimate)/;
const constantPaths = /\/(?:triggerconstantcontract|estimateenergy)$|^eth_(?:call|estimateGas)$/;

export const exceptions: readonly Rule<Facts>[] = [
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
];
