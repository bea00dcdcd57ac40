/** What outlives a process: the facts the store keeps, asked as the daemon asks them. */

import type { ChainSettings, EndpointSettings } from '../../src/core/chain.ts';
import type { Known } from '../../src/core/endpoint.ts';
import type { ChainInput } from '../../src/gateway/roster.ts';
import type { Store } from '../../src/store/open.ts';
import type { Code } from './code.ts';

interface IdentityFact {
  readonly result: 'verified' | 'wrong';
  readonly value: string;
  readonly at: number;
}

export class Kept {
  readonly identities = new Map<string, IdentityFact>();
  readonly quarantines = new Map<string, { readonly passedAt: number; readonly again?: string }>();
  readonly builds = new Map<string, boolean>();
  readonly chains = new Map<string, { readonly since: number }>();
  readonly histories = new Map<string, { readonly lowest: number; readonly headThen: number }>();

  known(
    code: Code,
    inputs: readonly ChainInput[],
    chain: ChainSettings,
    endpoint: EndpointSettings,
    key: string,
    wallMs: number,
  ): Known {
    const identity = this.identities.get(key);
    const builds = this.builds.get(key);
    // The newcomers' rule looks at these three facts of the store, and at nothing else of it.
    const store = this as unknown as Store;
    const quarantine = code.newcomers.quarantineReason(store, inputs, chain, endpoint, key, wallMs);
    return {
      ...(identity === undefined ? {} : { identity: { state: identity.result, claims: identity.value } }),
      ...(builds === undefined ? {} : { builds }),
      ...(quarantine === undefined ? {} : { quarantine }),
    };
  }
}
