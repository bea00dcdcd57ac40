/** One life of a pool as a script: who is there, what happens to whom, what clients ask for. All of it values. */

import type { ChainSettings, EndpointSettings } from '../../src/core/chain.ts';
import type { Wish } from './clients.ts';
import type { NodeState } from './truth.ts';

/** What an operator may set. */
export interface Switches {
  readonly disabled?: boolean;
  readonly draining?: boolean;
  readonly weight?: number;
}

export type Act = { readonly at: number } & (
  | { readonly does: 'become'; readonly node: string; readonly like: Partial<NodeState> }
  | { readonly does: 'restart' | 'halt' | 'resume' }
  | { readonly does: 'burst'; readonly wishes: readonly Wish[]; readonly overMs: number }
  | { readonly does: 'batch'; readonly wishes: readonly Wish[] }
  | { readonly does: 'switch'; readonly node: string; readonly switches: Switches }
  | { readonly does: 'configure'; readonly endpoints: readonly EndpointSettings[] }
);

export interface Traffic {
  /** Between two requests, on average; undefined: none. */
  readonly everyMs: number | undefined;
  /** Drawn evenly; what stands more often is asked more often. */
  readonly wishes: readonly Wish[];
  /** Share of the clients that do not wait for their answer. */
  readonly impatient: number;
}

export interface Life {
  readonly chain: ChainSettings;
  readonly endpoints: readonly EndpointSettings[];
  /** Every node there will ever be, by endpoint name. */
  readonly nodes: ReadonlyMap<string, NodeState>;
  readonly acts: readonly Act[];
  readonly traffic: Traffic;
  readonly endMs: number;
  /** What share of the reads each endpoint may get, where only numbers can show it. */
  readonly shares?: ReadonlyMap<string, { readonly least: number; readonly most: number }>;
}

export const minuteMs = 60_000;
export const hourMs = 3_600_000;

export const chainDefaults: ChainSettings = {
  name: 'sim',
  family: 'evm',
  aliases: [],
  identity: '1',
  blockTimeMs: 12_000,
  staleBlocks: 2,
  strategy: 'best',
  trickle: 0,
  lastResort: 'on',
  attempts: 3,
  retryShare: 0.2,
  connectTimeoutMs: 2_000,
  readTimeoutMs: 5_000,
  heavyTimeoutMs: 30_000,
  readDeadlineMs: 15_000,
  heavyDeadlineMs: 60_000,
  repeatWindowMs: 60_000,
  probeIntervalMs: 5_000,
  development: false,
};

export function endpoint(name: string, more: Partial<EndpointSettings> = {}): EndpointSettings {
  return {
    name,
    url: `https://${name}.example/`,
    headers: {},
    origin: 'file',
    weight: 50,
    history: 'auto',
    roles: ['read', 'broadcast', 'history'],
    broadcast: 'allow',
    labels: {},
    maxInFlight: 256,
    allowPrivate: false,
    disabled: false,
    ...more,
  };
}
