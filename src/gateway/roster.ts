/**
 * Every chain with its pool, as one snapshot that is replaced whole. What was learned about an endpoint belongs to its
 * identity key and is carried over; an endpoint whose key changed is another endpoint.
 */

import type { Family } from '../chains/family.ts';
import type { ChainSettings, EndpointSettings } from '../core/chain.ts';
import { createRecord, type EndpointRecord, type Known, reconfigure } from '../core/endpoint.ts';
import { LinkedList } from '../core/linked.ts';
import { createPool, type Pool } from '../core/pool.ts';
import { secretsOf } from '../core/redact.ts';
import { rescore } from '../core/score.ts';
import { createStats, type Stats } from '../core/stats.ts';
import { Filters } from './filters.ts';
import type { Line, Transport } from './ports.ts';
import type { Waiter } from './silence.ts';

/** One endpoint in the roster: what is known of it, its connections, what passed through it. */
export interface Member {
  readonly record: EndpointRecord;
  readonly line: Line;
  readonly stats: Stats;
  /** What must not be seen of its URL and headers. */
  readonly secrets: readonly string[];
  /** Reads that wait for its answer, the oldest first. */
  readonly waiters: LinkedList<Waiter>;
}

export interface Chain {
  readonly settings: ChainSettings;
  readonly family: Family;
  readonly pool: Pool;
  readonly members: ReadonlyMap<EndpointRecord, Member>;
  readonly filters: Filters;
  /** Client requests of the chain. */
  readonly stats: Stats;
}

export interface Roster {
  readonly revision: number;
  readonly chains: ReadonlyMap<string, Chain>;
}

export interface ChainInput {
  readonly settings: ChainSettings;
  /** The file's first, in its order, then those added at runtime. */
  readonly endpoints: readonly EndpointSettings[];
}

export interface RosterOptions {
  readonly transport: Transport;
  readonly families: Readonly<Record<string, Family>>;
  /** Digest of what makes an endpoint this one: chain, expected identity, URL, headers. */
  identityKey(chain: ChainSettings, endpoint: EndpointSettings): string;
  /** What earlier runs learned, and whether it has to earn its place first. */
  known(chain: ChainSettings, endpoint: EndpointSettings, identityKey: string): Known;
  readonly nowMs: number;
  readonly wallMs: number;
}

export function buildRoster(
  inputs: readonly ChainInput[],
  before: Roster | undefined,
  options: RosterOptions,
): Roster {
  const chains = new Map(inputs.map(input => [input.settings.name, buildChain(input, before, options)]));
  return { revision: (before?.revision ?? 0) + 1, chains };
}

function buildChain(input: ChainInput, before: Roster | undefined, options: RosterOptions): Chain {
  const { settings } = input;
  const family = options.families[settings.family];
  if (family === undefined) throw new Error(`no family ${settings.family}`);
  const earlier = before?.chains.get(settings.name);
  const byKey = new Map(
    [...(earlier?.members.values() ?? [])].map(member => [member.record.identityKey, member]),
  );
  const members = input.endpoints.map(endpoint => buildMember(settings, endpoint, byKey, options));
  const records = members.map(member => member.record);
  const pool = createPool(settings, records, earlier?.pool);
  // A new endpoint, and a new weight, count from the first request on, not from the next look at the pool.
  for (const record of records) rescore(pool, record, options.nowMs);
  return {
    settings,
    family,
    pool,
    members: new Map(members.map(member => [member.record, member])),
    filters: earlier?.filters ?? new Filters(),
    stats: earlier?.stats ?? createStats(options.wallMs),
  };
}

function buildMember(
  chain: ChainSettings,
  endpoint: EndpointSettings,
  byKey: ReadonlyMap<string, Member>,
  options: RosterOptions,
): Member {
  const identityKey = options.identityKey(chain, endpoint);
  const there = byKey.get(identityKey);
  const line = sameLine(there, chain, endpoint) ? there?.line : undefined;
  if (there !== undefined) reconfigure(there.record, endpoint, chain, options.nowMs);
  return {
    record:
      there?.record ??
      createRecord(endpoint, identityKey, chain, options.nowMs, options.known(chain, endpoint, identityKey)),
    line: line ?? options.transport.open(endpoint, chain.connectTimeoutMs),
    stats: there?.stats ?? createStats(options.wallMs),
    secrets: secretsOf(endpoint.url, endpoint.headers),
    waiters: there?.waiters ?? new LinkedList(),
  };
}

/** URL and headers are in the identity key; what else a connection is made with must be the same too. */
function sameLine(there: Member | undefined, chain: ChainSettings, endpoint: EndpointSettings): boolean {
  return (
    there !== undefined &&
    there.record.settings.allowPrivate === endpoint.allowPrivate &&
    there.record.chain.connectTimeoutMs === chain.connectTimeoutMs
  );
}

/** Connections of `before` that `after` has no use for: closed once `after` is in force. */
export function retiredLines(before: Roster, after: Roster): readonly Line[] {
  const kept = new Set(allMembers(after).map(member => member.line));
  return allMembers(before)
    .map(member => member.line)
    .filter(line => !kept.has(line));
}

export function allMembers(roster: Roster): readonly Member[] {
  return [...roster.chains.values()].flatMap(chain => [...chain.members.values()]);
}

export function memberOf(chain: Chain, record: EndpointRecord): Member {
  const member = chain.members.get(record);
  if (member === undefined)
    throw new Error(`${record.settings.name} is not in the pool of ${chain.settings.name}`);
  return member;
}
