/** What nothing above knows. */

import type { Rule } from '../../rules.ts';
import type { Facts } from '../facts.ts';

export const rest: readonly Rule<Facts>[] = [
  {
    id: 'xrpl.other_token',
    stage: 'words',
    signal: 'any other token',
    when: facts => facts.shape === 'error',
    verdict: 'app_error',
    tx: 'unknown',
    unclassified: true,
    why: "a node's own error is an answer to the caller unless it is known to be about the node",
    fixture: 'xrpl-extra-unheard-of-token',
  },
  {
    id: 'xrpl.http_failed',
    stage: 'words',
    signal: 'status 404, 408 or 5xx, and nothing of the above',
    when: facts =>
      facts.shape !== 'error' && (facts.status === 404 || facts.status === 408 || facts.status >= 500),
    verdict: 'node_failure',
    why: 'a proxy that lost its node',
    fixture: 'xrpl-extra-service-unavailable-text',
  },
  {
    id: 'xrpl.other',
    stage: 'words',
    signal: 'any other text, status or code',
    when: () => true,
    verdict: 'node_failure',
    unclassified: true,
    why: "no answer of an XRPL server, so not the caller's doing",
    fixture: 'xrpl-extra-url-in-error-message',
  },
];
