/** Is it an answer of the protocol at all? */

import { type EvmRule, isError, refusesCaller } from './saying.ts';

export const structure: readonly EvmRule[] = [
  {
    id: 'evm.result',
    stage: 'structure',
    signal: 'a result, null too, under any status',
    when: f => f.shape === 'result',
    verdict: 'ok',
    why: 'whatever the result holds is the answer',
    fixture: 'ok-block-number',
  },
  {
    id: 'evm.wrong_id',
    stage: 'structure',
    signal: "another call's id",
    when: f => f.shape === 'wrong_id',
    verdict: 'node_failure',
    why: "an answer to somebody else's call",
    fixture: 'id-mismatch',
  },
  {
    id: 'evm.no_answer_429',
    stage: 'structure',
    signal: 'status 429 or 425, or the page of a CDN limit, and no answer of the protocol',
    when: f =>
      !isError(f) &&
      (f.status === 429 ||
        f.status === 425 ||
        (f.shape === 'html' && /error (?:code:? )?1015|you are being rate.?limited/.test(f.text))),
    verdict: 'rate_limited',
    why: 'something before the node slows us down',
    fixture: 'rate-empty-429',
  },
  {
    id: 'evm.no_answer_405',
    stage: 'structure',
    signal: 'status 405 and an empty body',
    when: f => f.shape === 'empty' && f.status === 405,
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'a provider answers so to methods it does not have',
    fixture: 'unsup-infura-405-empty',
  },
  {
    id: 'evm.no_answer_413',
    stage: 'structure',
    signal: 'status 413 and no answer of the protocol',
    when: f => !isError(f) && f.status === 413,
    verdict: 'app_error',
    tx: 'unknown',
    why: "the caller's body is over a cap",
    fixture: 'request-too-large-html-413',
  },
  {
    id: 'evm.no_answer_refused',
    stage: 'structure',
    signal: 'status 401, 402, 403, 407 or 451 and an empty body or a page',
    when: f => refusesCaller(f.status) && (f.shape === 'empty' || f.shape === 'html'),
    verdict: 'auth_refused',
    why: 'the caller, its address or its key is kept out',
    fixture: 'auth-402-empty',
  },
  {
    id: 'evm.page',
    stage: 'structure',
    signal: 'a web page',
    when: f => f.shape === 'html',
    verdict: 'node_failure',
    why: 'a proxy or a wrong server answers in place of the node',
    fixture: 'html-502-nginx',
  },
  {
    id: 'evm.broken',
    stage: 'structure',
    signal: 'an empty body, a cut one, an array for a single call, or no JSON',
    when: f =>
      f.shape === 'empty' || f.shape === 'truncated' || f.shape === 'array' || f.shape === 'not_json',
    verdict: 'node_failure',
    why: 'no answer of the protocol',
    fixture: 'truncated-json',
  },
];
