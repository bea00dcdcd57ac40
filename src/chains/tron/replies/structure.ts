/** Is it an answer of this protocol at all, and what does an empty one stand for? */

import type { Rule } from '../../rules.ts';
import type { Facts } from '../facts.ts';
import { good } from './saying.ts';

export const structure: readonly Rule<Facts>[] = [
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
];
