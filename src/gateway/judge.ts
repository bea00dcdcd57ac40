/** What an ended attempt means: the family judges answers, the rest is told by how far it got. */

import type { Call } from '../chains/family.ts';
import type { Judgement } from '../core/verdict.ts';
import type { Ended } from './relay.ts';
import type { Chain } from './roster.ts';

export function judge(chain: Chain, call: Call, ended: Ended, wallMs: number): Judgement {
  switch (ended.how) {
    case 'whole': {
      const { status, headers, plain } = ended;
      const { highest } = chain.pool.head;
      const context = {
        nowMs: wallMs,
        chain: chain.settings.name,
        ...(highest < 0 ? {} : { poolHead: highest }),
      };
      return chain.family.judge(call, { status, headers, body: plain }, context);
    }
    case 'streamed':
      return { verdict: 'ok', rule: 'gateway.streamed' };
    case 'cut':
      return { verdict: 'node_failure', rule: 'gateway.cut_after_commit' };
    case 'unusable':
      return ended.judgement;
    case 'fault':
      return { verdict: 'transport', rule: `transport.${ended.fault.kind}` };
  }
}
