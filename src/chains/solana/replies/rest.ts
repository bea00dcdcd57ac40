/** What nothing above knows. */

import type { Rule } from '../../rules.ts';
import type { Facts } from '../facts.ts';

export const rest: readonly Rule<Facts>[] = [
  {
    id: 'solana.other',
    stage: 'words',
    signal: 'any other code, text or status',
    when: () => true,
    verdict: 'node_failure',
    unclassified: true,
    why: 'the codes of the node are known, so it is somebody in front of it',
    fixture: 'solana-extra-unheard-of-code',
  },
];
