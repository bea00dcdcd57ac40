import type { Database } from 'better-sqlite3';
import { add, createHistogram, quantile } from '../core/histogram.ts';
import { verdicts } from '../core/verdict.ts';
import {
  addUp,
  countsOf,
  readRow,
  type StoredTraffic,
  spansMs,
  type Traffic,
  type TrafficRow,
  type TrafficTable,
} from './traffic.ts';

export interface ReportFilter {
  /** Wall clock, ms. */
  readonly since: number;
  readonly until?: number;
  readonly chain?: string;
}

/** One endpoint over the whole span; an endpoint whose URL changed has a line for each. */
export interface ReportLine extends Traffic {
  readonly chain: string;
  readonly endpoint: string;
  readonly identityKey: string;
  /** Wall clock, ms: the first and the end of the last minute that was counted. */
  readonly from: number;
  readonly to: number;
  /** Answers that were the endpoint's fault, and their share of all, 0–1. */
  readonly errors: number;
  readonly errorRate: number;
  /** Latency, ms; null when nothing was answered. */
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

export function reportReads(db: Database) {
  const select = (table: TrafficTable) =>
    db.prepare<[object], TrafficRow>(
      `SELECT * FROM ${table} WHERE start > @since - ${spansMs[table]} AND start < @until
        AND (@chain IS NULL OR chain = @chain) ORDER BY start`,
    );
  const hours = select('hour');
  const minutes = select('minute');
  return {
    report({ since, until = Number.MAX_SAFE_INTEGER, chain }: ReportFilter): ReportLine[] {
      const bound = { since, until, chain: chain ?? null };
      const parts = [
        ...hours.all(bound).map(row => readRow(row, 'hour')),
        ...minutes.all(bound).map(row => readRow(row, 'minute')),
      ];
      const byKey = Map.groupBy(parts, part => part.identityKey);
      return [...byKey.values()]
        .map(line)
        .sort(
          (a, b) => a.chain.localeCompare(b.chain) || a.endpoint.localeCompare(b.endpoint) || a.from - b.from,
        );
    },
  };
}

function line(parts: StoredTraffic[]): ReportLine {
  const total = addUp(parts);
  const newest = parts.reduce((a, b) => (b.start > a.start ? b : a));
  const errors = countsOf(total.verdicts)
    .filter(([verdict]) => verdicts[verdict].fault === 'endpoint')
    .reduce((sum, [, count]) => sum + count, 0);
  const latency = createHistogram();
  add(latency, total.latency);
  return {
    ...total,
    chain: newest.chain,
    endpoint: newest.endpoint,
    identityKey: newest.identityKey,
    from: Math.min(...parts.map(part => part.start)),
    to: newest.start + newest.spanMs,
    errors,
    errorRate: total.requests === 0 ? 0 : errors / total.requests,
    p50: quantile(latency, 0.5),
    p95: quantile(latency, 0.95),
    p99: quantile(latency, 0.99),
  };
}
