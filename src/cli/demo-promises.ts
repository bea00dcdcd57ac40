/** What a story of the demo must never show: each promise that was broken, once. */

import type { Reading } from './demo-client.ts';

export interface Promises {
  /** Each broken one, as a person reads it. */
  readonly broken: ReadonlySet<string>;
  /** From now on clients may get errors, or may not: as long as no endpoint is left that could answer. */
  allowFailures(allowed: boolean): void;
  /** The daemon says that it keeps this endpoint out, so it answers nobody from now on. */
  keptOut(chain: string, endpoint: string): void;
  /** The endpoint behaves otherwise from now on. */
  free(endpoint: string): void;
  /** Somebody took a node of this chain away: who is left may have to answer. */
  disturbed(chain: string): void;
  note(reading: Reading): void;
  breach(text: string): void;
}

export function promises(): Promises {
  const broken = new Set<string>();
  const out = new Map<string, { readonly chain: string; readonly since: number }>();
  let failuresAllowed = false;
  return {
    broken,
    allowFailures(allowed) {
      failuresAllowed = allowed;
    },
    keptOut: (chain, endpoint) => void out.set(endpoint, { chain, since: performance.now() }),
    free: endpoint => void out.delete(endpoint),
    disturbed(chain) {
      for (const [endpoint, kept] of out) if (kept.chain === chain) out.delete(endpoint);
    },
    note({ endpoint, askedAt, text }) {
      if (endpoint === undefined) {
        if (!failuresAllowed) broken.add(text);
        return;
      }
      const kept = out.get(endpoint);
      if (kept !== undefined && askedAt > kept.since) broken.add(`${text}, which is kept out`);
    },
    breach: text => void broken.add(text),
  };
}
