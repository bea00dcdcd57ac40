/** What passed through an endpoint or a chain, as numbers: for the screens, the metrics and the minute rows. */

import type { WorkClass } from './chain.ts';
import { add, bucketOf, createHistogram, type Histogram, quantile, record } from './histogram.ts';
import { type Verdict, verdicts } from './verdict.ts';

const minuteMs = 60_000;
const rateSeconds = 10;

/** One minute of an endpoint, as it is kept in the history. */
export interface Minute {
  readonly startMs: number;
  requests: number;
  probes: number;
  readonly verdicts: Record<Verdict, number>;
  readonly latency: Histogram;
}

export interface Stats {
  /** Since the start of the process. */
  requests: number;
  probes: number;
  /** Own requests since midnight UTC of `probesDay`. */
  probesToday: number;
  probesDay: number;
  readonly verdicts: Record<Verdict, number>;
  readonly latency: Record<WorkClass, Histogram>;
  /** Of what `latency` counts, ms. */
  readonly latencySumMs: Record<WorkClass, number>;
  minute: Minute;
  previous: Minute;
  /** Minutes that are over and not yet kept; whoever keeps them empties it. */
  readonly over: Minute[];
  /** Requests of each of the last seconds, as a ring over the second's number. */
  readonly perSecond: Uint32Array;
  second: number;
}

function noVerdicts(): Record<Verdict, number> {
  return Object.fromEntries(Object.keys(verdicts).map(verdict => [verdict, 0])) as Record<Verdict, number>;
}

function createMinute(nowMs: number): Minute {
  const startMs = nowMs - (nowMs % minuteMs);
  return { startMs, requests: 0, probes: 0, verdicts: noVerdicts(), latency: createHistogram() };
}

/** `wallMs` throughout: minutes and days are the wall clock's. */
export function createStats(wallMs: number): Stats {
  return {
    requests: 0,
    probes: 0,
    probesToday: 0,
    probesDay: dayOf(wallMs),
    verdicts: noVerdicts(),
    latency: { read: createHistogram(), broadcast: createHistogram(), heavy: createHistogram() },
    latencySumMs: { read: 0, broadcast: 0, heavy: 0 },
    minute: createMinute(wallMs),
    previous: createMinute(wallMs - minuteMs),
    over: [],
    perSecond: new Uint32Array(rateSeconds),
    second: Math.floor(wallMs / 1000),
  };
}

/** One finished attempt. */
export function count(
  stats: Stats,
  seen: {
    readonly class: WorkClass;
    readonly verdict: Verdict;
    readonly ms: number;
    readonly probe: boolean;
  },
  wallMs: number,
): void {
  turn(stats, wallMs);
  const { minute } = stats;
  if (seen.probe) {
    stats.probes += 1;
    stats.probesToday += 1;
    minute.probes += 1;
    return;
  }
  stats.requests += 1;
  stats.verdicts[seen.verdict] += 1;
  minute.requests += 1;
  minute.verdicts[seen.verdict] += 1;
  if (seen.verdict === 'ok' || seen.verdict === 'app_error') {
    const bucket = bucketOf(seen.ms);
    record(stats.latency[seen.class], bucket);
    record(minute.latency, bucket);
    stats.latencySumMs[seen.class] += seen.ms;
  }
  const at = stats.second % rateSeconds;
  stats.perSecond[at] = (stats.perSecond[at] ?? 0) + 1;
}

/** Moves minute, day and second on. */
export function turn(stats: Stats, wallMs: number): void {
  const second = Math.floor(wallMs / 1000);
  // Minutes and days begin with a second.
  if (second === stats.second) return;
  // A jump of the wall clock empties the ring rather than walking it.
  const steps = Math.min(rateSeconds, Math.abs(second - stats.second));
  for (let step = 1; step <= steps; step += 1) stats.perSecond[(stats.second + step) % rateSeconds] = 0;
  stats.second = second;
  const day = dayOf(wallMs);
  if (day !== stats.probesDay) {
    stats.probesDay = day;
    stats.probesToday = 0;
  }
  if (wallMs >= stats.minute.startMs && wallMs < stats.minute.startMs + minuteMs) return;
  const ended = stats.minute;
  stats.minute = createMinute(wallMs);
  stats.previous =
    stats.minute.startMs - ended.startMs === minuteMs ? ended : createMinute(wallMs - minuteMs);
  // Nobody keeps the minutes of an endpoint that left the pool; ten are more than a keeper's slowest turn.
  if (stats.over.push(ended) > 10) stats.over.shift();
}

/** Requests a second over the whole seconds that are behind us. */
export function requestsPerSecond(stats: Stats): number {
  const running = stats.second % rateSeconds;
  let sum = 0;
  for (let at = 0; at < rateSeconds; at += 1) if (at !== running) sum += stats.perSecond[at] ?? 0;
  return sum / (rateSeconds - 1);
}

export interface Quantiles {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** Latency of usable answers over the running minute and the one before, of one endpoint or several together. */
export function recentLatency(all: readonly Stats[]): Quantiles {
  const sum = createHistogram();
  for (const { minute, previous } of all) {
    add(sum, minute.latency);
    add(sum, previous.latency);
  }
  return { p50: quantile(sum, 0.5), p95: quantile(sum, 0.95), p99: quantile(sum, 0.99) };
}

function dayOf(wallMs: number): number {
  return Math.floor(wallMs / 86_400_000);
}
