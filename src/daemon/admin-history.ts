/** What has happened: events, reports, traces, the audit. Read back from the store, or from the memory of requests. */

import type { ReportRow, AuditEntry as ShownRow, Trace } from '../api/history-shapes.ts';
import type { Handlers } from '../api/server.ts';
import { OperatorError } from '../core/errors.ts';
import { add, createHistogram, quantile } from '../core/histogram.ts';
import { verdicts } from '../core/verdict.ts';
import type { RequestSeen } from '../gateway/ports.ts';
import type { AuditRow } from '../store/audit.ts';
import type { StoredEvent } from '../store/events.ts';
import type { ReportLine } from '../store/report.ts';
import { addUp, countsOf, type MinuteRow } from '../store/traffic.ts';
import type { Desk } from './admin-desk.ts';
import { pause } from './pause.ts';
import { redundancyNotes } from './status.ts';

const followEveryMs = 300;
const minuteMs = 60_000;

type Served = 'events' | 'eventsStream' | 'report' | 'trace' | 'auditList' | 'auditVerify';

export function historyHandlers(desk: Desk): Pick<Handlers, Served> {
  const { store, clock, counters, minutes } = desk.facts;
  return {
    async events({ sinceMs, kind, chain, endpoint, limit }) {
      const rows = await store.events.list({
        limit,
        ...(sinceMs === undefined ? {} : { since: sinceMs }),
        ...(kind === undefined ? {} : { kind }),
        ...(chain === undefined ? {} : { chain }),
        ...(endpoint === undefined ? {} : { endpoint }),
      });
      return { events: rows.map(eventRow) };
    },

    async *eventsStream({ kind, chain }) {
      const newest = await store.events.list({ limit: 1 });
      let after = newest.at(-1)?.id ?? 0;
      const only = { ...(kind === undefined ? {} : { kind }), ...(chain === undefined ? {} : { chain }) };
      for (;;) {
        // Read back from the store: what a follower sees is what is kept.
        for (const row of await store.events.list({ after, limit: 1000, ...only })) {
          after = row.id;
          yield eventRow(row);
        }
        await pause(clock, followEveryMs);
      }
    },

    async report({ sinceMs, chain }) {
      if (chain !== undefined) desk.chain(chain);
      const now = clock.wall();
      const filter = { since: sinceMs, ...(chain === undefined ? {} : { chain }) };
      const kept = await store.report(filter);
      const running = minutes.running().filter(row => chain === undefined || row.chain === chain);
      const chains = [...desk.facts.roster().chains.values()].filter(
        each => chain === undefined || each.settings.name === chain,
      );
      return {
        since: iso(sinceMs),
        until: iso(now),
        rows: withRunning(kept, running, now).map(reportRow),
        notes: chains.flatMap(each =>
          redundancyNotes(each, desk.statusFacts).map(text => ({ chain: each.settings.name, text })),
        ),
      };
    },

    trace({ requestId }) {
      const found = counters.trace(requestId);
      if (found.length > 0) return { requestId, requests: found.map(tracedRow) };
      throw new OperatorError('no_such_request', `no request ${requestId} is remembered`, {
        why: ['the last 8,192 requests of this process are; the id stands in the rpcgw-request-id header'],
        next: ['rpcgw call CHAIN METHOD --verbose'],
      });
    },

    async auditList({ after, limit }) {
      if (after !== undefined) return { rows: (await store.audit.list({ after, limit })).map(auditRow) };
      // The newest so many: read to the end, keeping what may still be among them.
      let last: readonly AuditRow[] = [];
      for (let from = 0; ; ) {
        const page = await store.audit.list({ after: from, limit: 1000 });
        last = [...last, ...page].slice(-limit);
        if (page.length < 1000) return { rows: last.map(auditRow) };
        from = page.at(-1)?.id ?? from;
      }
    },

    async auditVerify({ head }) {
      const verdict = await store.audit.verify(head);
      return verdict.sound
        ? {
            sound: true,
            rows: verdict.rows,
            head: verdict.head,
            fault: null,
            row: null,
            text: `${verdict.rows} rows, each with the hash of the one before`,
          }
        : {
            sound: false,
            rows: null,
            head: null,
            fault: verdict.fault,
            row: verdict.row ?? null,
            text: verdict.text,
          };
    },
  };
}

/** The minute that is not over yet, added to what is kept: a report right after the start is not empty. */
function withRunning(
  kept: readonly ReportLine[],
  running: readonly MinuteRow[],
  nowMs: number,
): readonly ReportLine[] {
  const byKey = new Map(running.map(row => [row.identityKey, row]));
  const merged = kept.map(line => {
    const row = byKey.get(line.identityKey);
    byKey.delete(line.identityKey);
    if (row === undefined) return line;
    const parts = [
      { ...line, spanMs: line.to - line.from },
      { ...row, spanMs: Math.max(1, nowMs - row.start) },
    ];
    return lineOf(row, parts, Math.min(line.from, row.start), Math.max(line.to, nowMs));
  });
  const fresh = [...byKey.values()].map(row =>
    lineOf(row, [{ ...row, spanMs: minuteMs }], row.start, Math.max(nowMs, row.start)),
  );
  return [...merged, ...fresh].sort(
    (a, b) => a.chain.localeCompare(b.chain) || a.endpoint.localeCompare(b.endpoint) || a.from - b.from,
  );
}

function lineOf(
  { chain, endpoint, identityKey }: MinuteRow,
  parts: Parameters<typeof addUp>[0],
  from: number,
  to: number,
): ReportLine {
  const total = addUp(parts);
  const errors = countsOf(total.verdicts)
    .filter(([verdict]) => verdicts[verdict].fault === 'endpoint')
    .reduce((sum, [, count]) => sum + count, 0);
  const latency = createHistogram();
  add(latency, total.latency);
  return {
    ...total,
    chain,
    endpoint,
    identityKey,
    from,
    to,
    errors,
    errorRate: total.requests === 0 ? 0 : errors / total.requests,
    p50: quantile(latency, 0.5),
    p95: quantile(latency, 0.95),
    p99: quantile(latency, 0.99),
  };
}

function reportRow(line: ReportLine): ReportRow {
  return {
    chain: line.chain,
    endpoint: line.endpoint,
    from: iso(line.from),
    to: iso(line.to),
    requests: line.requests,
    p50Ms: rounded(line.p50),
    p95Ms: rounded(line.p95),
    p99Ms: rounded(line.p99),
    lagMedian: line.lagMedian ?? null,
    lagWorst: line.lagWorst ?? null,
    verdicts: Object.fromEntries(countsOf(line.verdicts)),
    errors: line.errors,
    errorRate: Math.round(line.errorRate * 1e6) / 1e6,
    circuitOpenings: line.circuitOpenings,
    outMs: line.outMs,
    probes: line.probes,
  };
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10) / 10;
}

function tracedRow(seen: RequestSeen): Trace['requests'][number] {
  const { chain, method, class: workClass, outcome, attempts, ms, endedAt } = seen;
  return {
    chain,
    method,
    class: workClass,
    outcome,
    startedAt: iso(endedAt - ms),
    ms: Math.round(ms * 10) / 10,
    attempts: attempts.map(each => ({ ...each })),
  };
}

function auditRow(row: AuditRow): ShownRow {
  const { id, time, who, action, chain, target, result, before, after, note, hash } = row;
  return {
    id,
    time: iso(time),
    who,
    whoProven: false,
    action,
    chain: chain ?? null,
    target: target ?? null,
    result,
    before: before === undefined ? null : { ...before },
    after: after === undefined ? null : { ...after },
    note: note ?? null,
    hash,
  };
}

export function eventRow(row: StoredEvent) {
  const { id, time, kind, chain, endpoint, level, text, detail } = row;
  return { id, time: iso(time), kind, chain, endpoint: endpoint ?? null, level, text, detail: { ...detail } };
}

function iso(wallMs: number): string {
  return new Date(wallMs).toISOString();
}
