/** The pools as operators see them: one value, made from the records when somebody asks. */

import type { ChainStatus, EndpointStatus, Status } from '../api/contract.ts';
import type { EndpointRecord } from '../core/endpoint.ts';
import { type Gate, gatesOf } from '../core/gates.ts';
import { heldFor } from '../core/held.ts';
import { keptFrom } from '../core/history.ts';
import type { Need } from '../core/need.ts';
import { type Ask, firstAsk } from '../core/place.ts';
import { shownUrl } from '../core/redact.ts';
import { redundancy } from '../core/redundancy.ts';
import { explainScore } from '../core/score.ts';
import { preview } from '../core/select.ts';
import { stateOf } from '../core/state.ts';
import { recentLatency, requestsPerSecond, turn } from '../core/stats.ts';
import { verdicts } from '../core/verdict.ts';
import type { Clock } from '../gateway/ports.ts';
import type { Chain, Member, Roster } from '../gateway/roster.ts';
import { nextFor } from './next-command.ts';

/** A read of the tip that every endpoint offers: what "may take reads" is asked with. */
const anyRead: Need = { class: 'read', method: '' };
const anyAsk: Ask = { ...firstAsk, waited: true };
const classes = ['read', 'heavy', 'broadcast'] as const;

/** Monotonic ms to RFC 3339. */
export type Time = (monotonicMs: number | undefined) => string | null;

export interface StatusFacts {
  readonly clock: Clock;
  clientOf(record: EndpointRecord): string | undefined;
  /** Endpoints added at runtime that are not used, or not as they were given. */
  admissionNotes(chain: string): readonly string[];
}

export type ProcessFacts = Pick<
  Status,
  'version' | 'node' | 'pid' | 'startedAt' | 'draining' | 'listen' | 'config' | 'lastReload' | 'store'
>;

/** `unknown`: broadcasts that are not settled, a count a chain. */
export function statusOf(
  roster: Roster,
  only: string | undefined,
  of: ProcessFacts,
  facts: StatusFacts,
  unknown: Readonly<Record<string, number>>,
): Status {
  const chains = [...roster.chains.values()].filter(
    chain => only === undefined || chain.settings.name === only,
  );
  return {
    ...of,
    now: new Date(facts.clock.wall()).toISOString(),
    ready: isReady(roster, of.draining, facts.clock.now()),
    chains: chains.map(chain => chainStatus(chain, facts, unknown[chain.settings.name] ?? 0)),
  };
}

export function isReady(roster: Roster, draining: boolean, now: number): boolean {
  return !draining && [...roster.chains.values()].some(chain => mayTakeReads(chain, now));
}

/** Last resorts count: a read would be answered. */
export function mayTakeReads(chain: Chain, now: number): boolean {
  return preview(chain.pool, anyRead, anyAsk, now) !== undefined;
}

export function usable(chain: Chain, now: number): number {
  return chain.pool.records.filter(record => heldFor(record, anyRead, now) === 0).length;
}

function chainStatus(chain: Chain, facts: StatusFacts, unknownBroadcasts: number): ChainStatus {
  const { settings, pool, family, stats } = chain;
  const now = facts.clock.now();
  turn(stats, facts.clock.wall());
  const time = timeFrom(facts.clock);
  const members = [...chain.members.values()];
  const good = Object.entries(stats.verdicts).reduce(
    (sum, [verdict, count]) =>
      sum + (verdicts[verdict as keyof typeof verdicts].fault === 'endpoint' ? 0 : count),
    0,
  );
  return {
    name: settings.name,
    family: family.name,
    strategy: settings.strategy,
    head: pool.head.median < 0 ? null : pool.head.median,
    headSince: pool.head.agreed < 0 ? null : time(pool.head.agreedAt),
    oldHead: pool.head.oldSince !== undefined,
    usable: usable(chain, now),
    total: pool.records.length,
    inFlight: pool.requests,
    requestsPerSecond: round(requestsPerSecond(stats)),
    okShare: stats.requests === 0 ? null : round(good / stats.requests, 5),
    latencyMs: latency(members),
    unknownBroadcasts,
    ready: mayTakeReads(chain, now),
    notes: [...notes(chain, now), ...facts.admissionNotes(settings.name), ...redundancyNotes(chain, facts)],
    endpoints: members.map(member => endpointStatus(chain, member, facts)),
    blockTimeMs: round(pool.head.blockTimeMs),
  };
}

function notes(chain: Chain, now: number): string[] {
  const { oldSince } = chain.pool.head;
  const found: string[] = [];
  if (oldSince !== undefined)
    found.push(`the chain stands still: no endpoint has a newer block than ${chain.pool.head.median}`);
  const left = usable(chain, now);
  if (left === 0)
    found.push(mayTakeReads(chain, now) ? 'only last resorts are left' : 'no endpoint may take reads');
  else if (left === 1 && chain.pool.records.length > 1) found.push('no spare left: one usable endpoint');
  return found;
}

/** Endpoints that would fail together; client software as they told it. */
export function redundancyNotes(chain: Chain, facts: StatusFacts): readonly string[] {
  const placed = chain.pool.records.map(record => ({
    name: record.settings.name,
    host: new URL(record.settings.url).hostname,
    labels: record.settings.labels,
    client: facts.clientOf(record),
  }));
  return redundancy(chain.family.name, placed).notes;
}

export function timeFrom(clock: Clock): Time {
  const now = clock.now();
  const wall = clock.wall();
  return at => (at === undefined || !Number.isFinite(at) ? null : new Date(wall - (now - at)).toISOString());
}

export function endpointStatus(chain: Chain, member: Member, facts: StatusFacts): EndpointStatus {
  const time = timeFrom(facts.clock);
  const { record, stats } = member;
  const { settings, head } = record;
  const now = facts.clock.now();
  turn(stats, facts.clock.wall());
  const state = stateOf(record, now);
  const gates = gatesOf(record, undefined, now).map(gate => gateStatus(gate, record, time));
  return {
    name: settings.name,
    chain: chain.settings.name,
    host: shownUrl(settings.url),
    origin: settings.origin,
    state: state.state,
    stateText: state.label,
    progress: state.progress ?? null,
    reason: state.reason === '' ? null : state.reason,
    since: time(state.since),
    until: time(state.until),
    next:
      gates.find(({ reason }) => reason === state.reason)?.next ?? (state.next === '' ? null : state.next),
    weight: record.weight,
    score: round(record.read.score),
    success: round(record.read.success, 4),
    latencyMs: latency([member]),
    head: head.height < 0 ? null : head.height,
    lag: head.height < 0 ? null : head.lag,
    inFlight: record.inFlight,
    requestsPerSecond: round(requestsPerSecond(stats)),
    requests: stats.requests,
    verdicts: { ...stats.verdicts },
    probesToday: stats.probesToday,
    history: historyText(record),
    client: facts.clientOf(record) ?? null,
    labels: { ...settings.labels },
    roles: [...settings.roles],
    broadcast: settings.broadcast,
    gates,
    terms: classes.map(workClass => {
      const terms = explainScore(chain.pool, record, workClass, now);
      return {
        class: workClass,
        success: round(terms.success, 4),
        latencyMs: terms.latencyMs === undefined ? null : round(terms.latencyMs),
        poolMedianMs: terms.medianLatencyMs === undefined ? null : round(terms.medianLatencyMs),
        latencyPenalty: round(terms.latencyPenalty),
        weight: terms.weight,
        score: round(terms.score),
      };
    }),
  };
}

export function gateStatus(
  gate: Gate,
  { settings, chain }: EndpointRecord,
  time: Time,
): EndpointStatus['gates'][number] {
  const { name, class: workClass, hard, reason, since, until } = gate;
  const where = { chain: chain.name, name: settings.name, origin: settings.origin };
  return {
    name: workClass === undefined ? name : `${name} (${workClass})`,
    hard,
    reason,
    since: time(since),
    until: time(until),
    next: nextFor(gate, where),
  };
}

/** How far back it reaches, by what was probed or configured. */
export function historyText(record: EndpointRecord): string {
  const kinds = ['state', 'blocks', 'transactions'] as const;
  const known = kinds.map(kind => keptFrom(record, kind));
  if (known.every(from => from === 0)) return 'full';
  if (known.every(from => from === undefined)) return 'not known yet';
  return kinds
    .flatMap((kind, at) => {
      const from = known[at];
      return from === undefined ? [] : [from === 0 ? `${kind} full` : `${kind} from ${from}`];
    })
    .join(', ');
}

function latency(members: readonly Member[]): EndpointStatus['latencyMs'] {
  const { p50, p95, p99 } = recentLatency(members.map(member => member.stats));
  return {
    p50: p50 === null ? null : round(p50),
    p95: p95 === null ? null : round(p95),
    p99: p99 === null ? null : round(p99),
  };
}

function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
