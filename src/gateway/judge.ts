/** What an ended attempt means: the family judges answers, the rest is told by how far it got. */

import type { Call } from '../chains/family.ts';
import type { TransportFault, TransportKind } from '../core/transport-fault.ts';
import type { Judgement } from '../core/verdict.ts';
import type { Ended } from './relay.ts';
import type { Chain } from './roster.ts';

/** The rule of an attempt whose whole time went by without the beginning of an answer. */
export const timedOut = 'transport.timeout' satisfies `transport.${TransportKind}`;

/** What began to answer is there, and is broken: only where no HTTP answer came at all it is the way that failed. */
function judgeFault({ kind, reached }: TransportFault): Judgement {
  if (kind === 'protocol' && (reached === 'handed_over' || reached === 'answered'))
    return { verdict: 'node_failure', rule: 'gateway.broken_http' };
  if (kind === 'timeout' && reached === 'answered')
    return { verdict: 'node_failure', rule: 'gateway.answer_too_slow' };
  return { verdict: 'transport', rule: `transport.${kind}` };
}

export function judge(chain: Chain, call: Call, ended: Ended, wallMs: number): Judgement {
  switch (ended.how) {
    case 'whole': {
      const { status, headers, plain } = ended;
      const { highest } = chain.pool.head;
      const { name } = chain.settings;
      const context =
        highest < 0 ? { nowMs: wallMs, chain: name } : { nowMs: wallMs, chain: name, poolHead: highest };
      return chain.family.judge(call, { status, headers, body: plain }, context);
    }
    case 'streamed':
      return { verdict: 'ok', rule: 'gateway.streamed' };
    case 'cut':
      return { verdict: 'node_failure', rule: 'gateway.cut_after_commit' };
    case 'unusable':
      return ended.judgement;
    case 'fault':
      return judgeFault(ended.fault);
  }
}
