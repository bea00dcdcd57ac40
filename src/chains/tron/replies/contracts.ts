/** A contract's own answer comes before every word about it. */

import type { Rule } from '../../rules.ts';
import type { Facts } from '../facts.ts';
import { both, rpc } from './saying.ts';

export const contracts: readonly Rule<Facts>[] = [
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
];
