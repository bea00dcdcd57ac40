/** The metrics page, read from the records when it is asked for. Labels come from closed sets and names of the config. */

import { gateRows } from '../core/gates.ts';
import { cumulative, type Histogram } from '../core/histogram.ts';
import { stateOf, stateWords } from '../core/state.ts';
import { verdicts } from '../core/verdict.ts';
import type { Clock } from '../gateway/ports.ts';
import type { Chain, Member, Roster } from '../gateway/roster.ts';
import { exposition, type HistogramMetric, type Metric, type Sample } from './exposition.ts';
import { usable } from './status.ts';
import type { Counters } from './telemetry.ts';

export interface MetricFacts {
  readonly roster: Roster;
  readonly counters: Counters;
  readonly clock: Clock;
  readonly version: string;
  readonly startedAtMs: number;
  readonly ready: boolean;
  readonly store: {
    readonly ok: boolean;
    readonly commits: number;
    readonly rows: number;
    readonly lost: number;
    readonly waiting: number;
  };
  /** The last reload, when there was one. */
  readonly reload?: { readonly ok: boolean; readonly atMs: number };
  readonly heldBytes: number;
  /** Mean delay of the event loop since the last scrape, and its 99th percentile, seconds. */
  readonly loopDelay: { readonly mean: number; readonly p99: number };
  unknownBroadcasts(chain: string): number;
}

const classes = ['read', 'heavy', 'broadcast'] as const;

export function metricsPage(facts: MetricFacts): string {
  const { roster, counters, clock } = facts;
  const now = clock.now();
  const chains = [...roster.chains.values()];
  const perChain = (value: (chain: Chain) => number): Sample[] =>
    chains.map(chain => ({ labels: { chain: chain.settings.name }, value: value(chain) }));
  const members = chains.flatMap(chain => [...chain.members.values()].map(member => ({ chain, member })));
  const perEndpoint = (value: (member: Member) => number | undefined): Sample[] =>
    members.flatMap(({ chain, member }) => {
      const found = value(member);
      return found === undefined ? [] : [{ labels: labelsOf(chain, member), value: found }];
    });

  const page: (Metric | HistogramMetric)[] = [
    gauge('rpcgw_build_info', 'The version that runs.', [
      { labels: { version: facts.version, node: process.version }, value: 1 },
    ]),
    gauge('rpcgw_start_time_seconds', 'When the process started, unix time.', [
      one(facts.startedAtMs / 1000),
    ]),
    gauge('rpcgw_ready', '1 when at least one chain may take reads and nothing drains.', [
      one(facts.ready ? 1 : 0),
    ]),
    gauge(
      'rpcgw_config_last_reload_successful',
      '0 after a reload that was refused: the old config is in use.',
      [one(facts.reload?.ok === false ? 0 : 1)],
    ),
    gauge(
      'rpcgw_config_last_reload_timestamp_seconds',
      'When a reload was asked for last, unix time; the start when none was.',
      [one((facts.reload?.atMs ?? facts.startedAtMs) / 1000)],
    ),
    gauge('rpcgw_store_ok', '1 when rows can be written; 0 refuses broadcasts.', [
      one(facts.store.ok ? 1 : 0),
    ]),
    counter('rpcgw_store_commits_total', 'Transactions of the store, each one fsync.', [
      one(facts.store.commits),
    ]),
    counter('rpcgw_store_rows_total', 'Rows written to the store.', [one(facts.store.rows)]),
    counter('rpcgw_store_rows_lost_total', 'Rows that were given up.', [one(facts.store.lost)]),
    gauge('rpcgw_store_waiting_rows', 'Rows that wait for the disk.', [one(facts.store.waiting)]),
    gauge('rpcgw_held_bytes', 'Bytes of bodies held in memory.', [one(facts.heldBytes)]),
    gauge('rpcgw_event_loop_delay_seconds', 'Delay of the event loop since the last scrape.', [
      { labels: { quantile: 'mean' }, value: facts.loopDelay.mean },
      { labels: { quantile: '0.99' }, value: facts.loopDelay.p99 },
    ]),
    counter(
      'rpcgw_requests_total',
      'Client requests by what the client got.',
      counters.requestCounts().map(({ chain, class: workClass, outcome, count }) => ({
        labels: { chain, class: workClass, outcome },
        value: count,
      })),
    ),
    histogram(
      'rpcgw_request_duration_seconds',
      'Client requests that got a usable answer.',
      chains.flatMap(chain => series({ chain: chain.settings.name }, chain.stats)),
    ),
    gauge(
      'rpcgw_requests_in_flight',
      'Client requests in flight.',
      perChain(chain => chain.pool.requests),
    ),
    gauge(
      'rpcgw_requests_in_retry',
      'Client requests in a second or later attempt.',
      perChain(chain => chain.pool.retries),
    ),
    gauge(
      'rpcgw_chain_endpoints_usable',
      'Endpoints that nothing holds back from reads.',
      perChain(chain => usable(chain, now)),
    ),
    gauge(
      'rpcgw_chain_endpoints',
      'Endpoints of the pool.',
      perChain(chain => chain.pool.records.length),
    ),
    gauge(
      'rpcgw_chain_head_height',
      'The head the pool agrees on.',
      perChain(chain => Math.max(0, chain.pool.head.median)),
    ),
    gauge(
      'rpcgw_chain_old_head',
      '1 when the whole chain stands still.',
      perChain(chain => (chain.pool.head.oldSince === undefined ? 0 : 1)),
    ),
    counter(
      'rpcgw_broadcasts_total',
      'Broadcast attempts by what is known of the transaction.',
      counters
        .broadcastCounts()
        .map(({ chain, outcome, count }) => ({ labels: { chain, outcome }, value: count })),
    ),
    gauge(
      'rpcgw_broadcasts_unknown_open',
      'Broadcasts of unknown outcome that are not settled.',
      perChain(chain => facts.unknownBroadcasts(chain.settings.name)),
    ),
    counter(
      'rpcgw_attempts_total',
      'Upstream attempts by verdict.',
      members.flatMap(({ chain, member }) =>
        Object.keys(verdicts).map(verdict => ({
          labels: { ...labelsOf(chain, member), verdict },
          value: member.stats.verdicts[verdict as keyof typeof verdicts],
        })),
      ),
    ),
    histogram(
      'rpcgw_attempt_duration_seconds',
      'Upstream attempts that brought a usable answer.',
      members.flatMap(({ chain, member }) => series(labelsOf(chain, member), member.stats)),
    ),
    counter(
      'rpcgw_probes_total',
      "The gateway's own requests.",
      perEndpoint(member => member.stats.probes),
    ),
    counter(
      'rpcgw_unclassified_answers_total',
      'Answers that no rule knew.',
      counters
        .unclassifiedCounts()
        .map(({ chain, endpoint, count }) => ({ labels: { chain, endpoint }, value: count })),
    ),
    gauge(
      'rpcgw_endpoint_score',
      'Score by class of work.',
      members.flatMap(({ chain, member }) =>
        classes.map(workClass => ({
          labels: { ...labelsOf(chain, member), class: workClass },
          value: member.record[workClass].score,
        })),
      ),
    ),
    gauge(
      'rpcgw_endpoint_weight',
      'Weight in force.',
      perEndpoint(({ record }) => record.weight),
    ),
    gauge(
      'rpcgw_endpoint_in_flight',
      'Requests in flight.',
      perEndpoint(({ record }) => record.inFlight),
    ),
    gauge(
      'rpcgw_endpoint_head_height',
      'Last height shown.',
      perEndpoint(({ record }) => (record.head.height < 0 ? undefined : record.head.height)),
    ),
    gauge(
      'rpcgw_endpoint_head_lag_blocks',
      'Blocks behind the pool.',
      perEndpoint(({ record }) => (record.head.height < 0 ? undefined : record.head.lag)),
    ),
    gauge(
      'rpcgw_endpoint_cooldown_seconds',
      'Seconds until a cooldown ends; 0: none.',
      perEndpoint(({ record }) => Math.max(0, record.cooldown.until - now) / 1000),
    ),
    gauge(
      'rpcgw_endpoint_state',
      'State set: 1 for the one state the endpoint is in.',
      members.flatMap(({ chain, member }) => {
        const { state } = stateOf(member.record, now);
        return Object.keys(stateWords).map(word => ({
          labels: { ...labelsOf(chain, member), state: word },
          value: word === state ? 1 : 0,
        }));
      }),
    ),
    gauge(
      'rpcgw_endpoint_gate',
      '1 for each gate that holds the endpoint back.',
      members.flatMap(({ chain, member }) =>
        gateRows.flatMap(row => {
          if (row.level === undefined) return [];
          const gate = row.class === undefined ? row.name : `${row.name}_${row.class}`;
          const shut = row.held(member.record, undefined, now) !== undefined;
          return [{ labels: { ...labelsOf(chain, member), gate }, value: shut ? 1 : 0 }];
        }),
      ),
    ),
    counter(
      'rpcgw_endpoint_circuit_openings_total',
      'How often a circuit opened.',
      members.flatMap(({ chain, member }) =>
        classes.map(workClass => ({
          labels: { ...labelsOf(chain, member), class: workClass },
          value: member.record[workClass].openings,
        })),
      ),
    ),
  ];
  return exposition(page);
}

function labelsOf(chain: Chain, member: Member): { chain: string; endpoint: string } {
  return { chain: chain.settings.name, endpoint: member.record.settings.name };
}

function one(value: number): Sample {
  return { labels: {}, value };
}

function gauge(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, type: 'gauge', help, samples };
}

function counter(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, type: 'counter', help, samples };
}

function histogram(name: string, help: string, all: HistogramMetric['series']): HistogramMetric {
  return { name, type: 'histogram', help, series: all };
}

function series(
  labels: Readonly<Record<string, string>>,
  stats: {
    readonly latency: Record<(typeof classes)[number], Histogram>;
    readonly latencySumMs: Record<(typeof classes)[number], number>;
  },
): HistogramMetric['series'] {
  return classes.map(workClass => ({
    labels: { ...labels, class: workClass },
    rows: cumulative(stats.latency[workClass]),
    sumMs: stats.latencySumMs[workClass],
  }));
}
