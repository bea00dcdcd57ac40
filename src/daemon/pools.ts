/**
 * The pools in force. The next ones are built beside them and take their place as a whole: a request keeps the roster it
 * began with, and endpoints that are in no pool any more choose nothing new.
 */

import { families } from '../chains/index.ts';
import type { Config } from '../config/settings.ts';
import type { ChainSettings, EndpointSettings } from '../core/chain.ts';
import { release, setSwitches } from '../core/facts.ts';
import type { Clock, Events } from '../gateway/ports.ts';
import {
  allMembers,
  buildRoster,
  type Chain,
  type ChainInput,
  type Member,
  type Roster,
  type RosterOptions,
  retiredLines,
} from '../gateway/roster.ts';
import { tellChanges } from '../gateway/tell.ts';
import type { Store } from '../store/open.ts';
import { identityKey } from './identity-key.ts';
import { recall } from './learned.ts';
import { isNewInFile, quarantineReason } from './newcomers.ts';
import { pause } from './pause.ts';
import { mayTakeReads } from './status.ts';

export interface PoolsOptions {
  readonly store: Store;
  readonly transport: RosterOptions['transport'];
  readonly clock: Clock;
  readonly events: Events;
  readonly config: Config;
  /** Brings what operators switched onto a roster that is not in force yet. */
  switched(roster: Roster): void;
  /** Resolves when a new endpoint said who it is, or did not. */
  introduce(chain: Chain, member: Member): Promise<unknown>;
}

export interface Pools {
  /** Throws before the first `apply`. */
  roster(): Roster;
  inputs(): readonly ChainInput[];
  config(): Config;
  /** Path to the name of the chain that it serves. */
  chainAt(path: string): string | undefined;
  /** The one in force, then those that were replaced while requests of theirs were in flight. */
  all(): readonly Roster[];
  /** Throws, and leaves all as it is, when these cannot be. */
  apply(inputs: readonly ChainInput[], next?: Config): void;
  /** As `apply`, but a chain that is served is not handed over before its new endpoints had time to say who they are. */
  replace(inputs: readonly ChainInput[], next: Config): Promise<void>;
  /** A chain of this one endpoint, in no roster. */
  candidate(settings: ChainSettings, endpoint: EndpointSettings): { chain: Chain; member: Member };
}

/** How long new endpoints may take to say who they are, while the old ones go on serving. */
const introductionsMs = 10_000;

export function keepPools(options: PoolsOptions): Pools {
  const { store, transport, clock, events, switched, introduce } = options;
  let inForce: Roster | undefined;
  let inputs: readonly ChainInput[] = [];
  let config = options.config;
  let byPath = chainPaths(config);
  let replaced: readonly Roster[] = [];

  const roster = (): Roster => {
    if (inForce === undefined) throw new Error('no roster');
    return inForce;
  };

  /** The next roster, beside the one in force. */
  function build(next: readonly ChainInput[]): Roster {
    const after = buildRoster(next, inForce, {
      transport,
      families,
      identityKey,
      known: (chain, endpoint, key) => {
        const identity = store.identities.get(key);
        const builds = store.builds.get(key);
        const quarantine = quarantineReason(store, next, chain, endpoint, key, clock.wall());
        return {
          ...(identity === undefined ? {} : { identity: { state: identity.result, claims: identity.value } }),
          ...(builds === undefined ? {} : { builds: builds.builds }),
          ...(quarantine === undefined ? {} : { quarantine }),
        };
      },
      nowMs: clock.now(),
      wallMs: clock.wall(),
    });
    recall(store, after);
    switched(after);
    for (const chain of after.chains.values()) {
      for (const record of chain.pool.records.filter(isNewInFile)) {
        // Whoever stood in for it may be gone now.
        const { settings, identityKey: key } = record;
        const reason = quarantineReason(store, next, chain.settings, settings, key, clock.wall());
        if (reason === undefined) tellChanges(events, chain, release(record, clock.now()));
      }
    }
    return after;
  }

  function swap(after: Roster, nextInputs: readonly ChainInput[], next: Config): void {
    const before = inForce;
    inForce = after;
    inputs = nextInputs;
    config = next;
    byPath = chainPaths(next);
    for (const { settings } of next.chains) {
      if (store.chains.get(settings.name) === undefined)
        store.chains.set(settings.name, { since: clock.wall() });
    }
    if (before === undefined) return;
    replaced = [...replaced, before].filter(each => inFlight(each) > 0);
    retire(before, after, clock.now());
    for (const line of retiredLines(before, after)) line.close();
  }

  return {
    roster,
    inputs: () => inputs,
    config: () => config,
    chainAt: path => byPath.get(path),
    all: () => [roster(), ...replaced],
    apply: (nextInputs, next = config) => swap(build(nextInputs), nextInputs, next),
    async replace(nextInputs, next) {
      const after = build(nextInputs);
      const now = clock.now();
      const unready = [...after.chains.values()].filter(chain => {
        const before = inForce?.chains.get(chain.settings.name);
        return before !== undefined && mayTakeReads(before, now) && !mayTakeReads(chain, now);
      });
      const introductions = unready.flatMap(chain =>
        [...chain.members.values()].map(member => introduce(chain, member)),
      );
      if (introductions.length > 0)
        await Promise.race([Promise.all(introductions), pause(clock, introductionsMs)]);
      swap(after, nextInputs, next);
    },
    candidate(settings, endpoint) {
      const alone = buildRoster([{ settings, endpoints: [endpoint] }], undefined, {
        transport,
        families,
        identityKey,
        known: () => ({}),
        nowMs: clock.now(),
        wallMs: clock.wall(),
      });
      const [chain] = alone.chains.values();
      const [member] = allMembers(alone);
      if (chain === undefined || member === undefined) throw new Error('a chain of one has one');
      return { chain, member };
    },
  };
}

export function inFlight(roster: Roster): number {
  return [...roster.chains.values()].reduce((sum, chain) => sum + chain.pool.requests, 0);
}

/** Path to the chain it serves. */
function chainPaths(config: Config): ReadonlyMap<string, string> {
  return new Map(
    config.chains.flatMap(({ settings }) =>
      [settings.name, ...settings.aliases].map((name): [string, string] => [`/${name}`, settings.name]),
    ),
  );
}

/** Requests that began before may still choose: not an endpoint that is in the pool no more. */
function retire(before: Roster, after: Roster, now: number): void {
  const kept = new Set(allMembers(after).map(({ record }) => record));
  for (const { pool } of before.chains.values()) {
    for (const record of pool.records)
      if (!kept.has(record)) setSwitches(pool, record, { disabled: true }, now);
  }
}
