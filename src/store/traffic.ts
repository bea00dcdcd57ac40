import type { Database } from 'better-sqlite3';
import type { Verdict } from '../core/verdict.ts';

/** What one endpoint did in a span of time. */
export interface Traffic {
  readonly requests: number;
  readonly verdicts: Readonly<Partial<Record<Verdict, number>>>;
  /** Counts in the buckets of `core/histogram`. On disk for months: other bounds there need a schema step here. */
  readonly latency: readonly number[];
  /** Blocks; absent when no height was seen. */
  readonly lagMedian?: number;
  readonly lagWorst?: number;
  /** Time out of rotation, ms. */
  readonly outMs: number;
  /** The gateway's own requests. */
  readonly probes: number;
  readonly circuitOpenings: number;
}

export interface MinuteRow extends Traffic {
  /** Start of the minute, wall clock ms. */
  readonly start: number;
  readonly identityKey: string;
  readonly chain: string;
  readonly endpoint: string;
}

export interface StoredTraffic extends MinuteRow {
  readonly spanMs: number;
}

export type TrafficTable = 'minute' | 'hour';

export const spansMs: Readonly<Record<TrafficTable, number>> = { minute: 60_000, hour: 3_600_000 };

/** The median of lags becomes the median over time: each part counts as long as it lasted. */
export function addUp(parts: readonly (Traffic & { readonly spanMs: number })[]): Traffic {
  const verdicts: Partial<Record<Verdict, number>> = {};
  const latency: number[] = [];
  const lags: { lag: number; spanMs: number }[] = [];
  let lagWorst: number | undefined;
  const sum = { requests: 0, outMs: 0, probes: 0, circuitOpenings: 0 };
  for (const part of parts) {
    sum.requests += part.requests;
    sum.outMs += part.outMs;
    sum.probes += part.probes;
    sum.circuitOpenings += part.circuitOpenings;
    for (const [verdict, count] of countsOf(part.verdicts))
      verdicts[verdict] = (verdicts[verdict] ?? 0) + count;
    for (const [bucket, count] of part.latency.entries()) latency[bucket] = (latency[bucket] ?? 0) + count;
    if (part.lagMedian !== undefined) lags.push({ lag: part.lagMedian, spanMs: part.spanMs });
    if (part.lagWorst !== undefined) lagWorst = Math.max(lagWorst ?? part.lagWorst, part.lagWorst);
  }
  const lagMedian = median(lags);
  return {
    ...sum,
    verdicts,
    latency,
    ...(lagMedian === undefined ? {} : { lagMedian }),
    ...(lagWorst === undefined ? {} : { lagWorst }),
  };
}

export function countsOf(verdicts: Traffic['verdicts']): [Verdict, number][] {
  // Object.entries forgets the keys' type; they are the record's own.
  return Object.entries(verdicts) as [Verdict, number][];
}

function median(lags: { lag: number; spanMs: number }[]): number | undefined {
  lags.sort((a, b) => a.lag - b.lag);
  let left = lags.reduce((sum, { spanMs }) => sum + spanMs, 0) / 2;
  return lags.find(({ spanMs }) => {
    left -= spanMs;
    return left < 0;
  })?.lag;
}

export interface TrafficRow {
  start: number;
  identity_key: string;
  chain: string;
  endpoint: string;
  requests: number;
  verdicts: string;
  latency: string;
  lag_median: number | null;
  lag_worst: number | null;
  out_ms: number;
  probes: number;
  circuit_openings: number;
}

export function readRow(row: TrafficRow, table: TrafficTable): StoredTraffic {
  return {
    start: row.start,
    spanMs: spansMs[table],
    identityKey: row.identity_key,
    chain: row.chain,
    endpoint: row.endpoint,
    requests: row.requests,
    verdicts: JSON.parse(row.verdicts),
    latency: readCounts(row.latency),
    ...(row.lag_median === null ? {} : { lagMedian: row.lag_median }),
    ...(row.lag_worst === null ? {} : { lagWorst: row.lag_worst }),
    outMs: row.out_ms,
    probes: row.probes,
    circuitOpenings: row.circuit_openings,
  };
}

/** Most buckets of a minute are empty: only the others are written, as `{"bucket":count}`. */
function writeCounts(counts: readonly number[]): string {
  return JSON.stringify(Object.fromEntries([...counts.entries()].filter(([, count]) => count > 0)));
}

function readCounts(text: string): number[] {
  const counts: number[] = [];
  for (const [bucket, count] of Object.entries<number>(JSON.parse(text))) {
    while (counts.length < Number(bucket)) counts.push(0);
    counts[Number(bucket)] = count;
  }
  return counts;
}

/** Statements over one of the two tables. */
export function trafficTable(db: Database, table: TrafficTable) {
  const find = db.prepare<[number, string], TrafficRow>(
    `SELECT * FROM ${table} WHERE start = ? AND identity_key = ?`,
  );
  const put = db.prepare(
    `INSERT OR REPLACE INTO ${table} VALUES (@start, @identityKey, @chain, @endpoint, @requests, @verdicts, @latency,
      @lagMedian, @lagWorst, @outMs, @probes, @circuitOpenings)`,
  );
  return {
    /** Adds to what stands there: a restart within the minute, or an hour thinned in two goes. */
    add(row: MinuteRow): void {
      const before = find.get(row.start, row.identityKey);
      const total =
        before === undefined ? row : addUp([readRow(before, table), { ...row, spanMs: spansMs[table] }]);
      put.run({
        start: row.start,
        identityKey: row.identityKey,
        chain: row.chain,
        endpoint: row.endpoint,
        requests: total.requests,
        verdicts: JSON.stringify(total.verdicts),
        latency: writeCounts(total.latency),
        lagMedian: total.lagMedian ?? null,
        lagWorst: total.lagWorst ?? null,
        outMs: total.outMs,
        probes: total.probes,
        circuitOpenings: total.circuitOpenings,
      });
    },
  };
}

export function trafficWrites(db: Database) {
  const minutes = trafficTable(db, 'minute');
  return {
    minutes(rows: readonly MinuteRow[]): void {
      for (const row of rows) minutes.add(row);
    },
  };
}
