/** Is it an answer of the protocol at all? */

import type { Rule } from '../../rules.ts';
import type { Facts } from '../facts.ts';
import { some, type When } from './saying.ts';

const broken =
  (...shapes: readonly Facts['shape'][]): When =>
  facts =>
    shapes.includes(facts.shape) && !spokenByStatus.has(facts.status);

/** Statuses that say enough without a body. */
const spokenByStatus = new Set([401, 402, 403, 405, 410, 413, 425, 429]);

export const structure: readonly Rule<Facts>[] = [
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
];
