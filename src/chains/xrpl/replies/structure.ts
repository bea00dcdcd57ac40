/** Is it an answer of the protocol at all? */

import type { Rule } from '../../rules.ts';
import type { Facts } from '../facts.ts';
import type { When } from './saying.ts';

const broken =
  (...shapes: readonly Facts['shape'][]): When =>
  facts =>
    shapes.includes(facts.shape) && !spokenByStatus.has(facts.status);

/** Statuses that say enough without a body. */
const spokenByStatus = new Set([401, 402, 403, 405, 413, 425, 429]);

export const structure: readonly Rule<Facts>[] = [
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
];
