import { ms, thousands } from '../cli/format.ts';
import type { Column } from './columns.ts';
import type { Span } from './line.tsx';
import type { EndpointRow } from './rows.ts';
import { isTrouble, signs } from './signs.ts';
import { bar, spark } from './spark.ts';
import { percent, percentText, since, until } from './text.ts';

/** In the order in which they are read; `drop` tells what goes first. `now` is the daemon's clock, ms. */
export function endpointColumns(now: number): readonly Column<EndpointRow>[] {
  return [
    { title: 'ENDPOINT', cell: name, min: 12, max: 26 },
    { title: 'STATE', cell: state, min: 15 },
    { title: 'LEFT', cell: left, right: true, min: 4, drop: 10 },
    { title: 'SCORE', cell: row => thousands(Math.round(row.endpoint.score)), right: true, min: 6, drop: 9 },
    { title: 'OK%', cell: success, right: true, min: 5, drop: 11 },
    { title: 'P50', cell: row => ms(row.endpoint.latencyMs.p50), right: true, min: 5, drop: 3 },
    { title: 'P95', cell: row => ms(row.endpoint.latencyMs.p95), right: true, min: 6, drop: 12 },
    { title: 'LATENCY', cell: (row, width) => spark(row.latencies, width), min: 10, drop: 2 },
    { title: 'LAG', cell: lag, right: true, min: 3 },
    { title: 'INFL', cell: row => String(row.endpoint.inFlight), right: true, min: 4, drop: 4 },
    { title: 'REQ/S', cell: row => row.endpoint.requestsPerSecond.toFixed(1), right: true, min: 6 },
    {
      title: 'SHARE',
      cell: row => percentText(row.share, 0),
      right: true,
      min: 5,
      drop: 8,
    },
    { title: '', cell: (row, width) => bar(row.share ?? 0, width), min: 6, drop: 1 },
    { title: 'WGT', cell: row => String(row.endpoint.weight), right: true, min: 3, drop: 7 },
    { title: 'PROBES', cell: row => thousands(row.endpoint.probesToday), right: true, min: 6, drop: 6 },
    { title: 'SINCE', cell: row => since(row.endpoint.since, now), right: true, min: 5, drop: 5 },
  ];

  function left({ endpoint }: EndpointRow): Span {
    return endpoint.until === null
      ? { text: '' }
      : { text: until(endpoint.until, now), tone: signs[endpoint.state].tone };
  }
}

/** What is well is dim: only what differs has colour. */
function name({ endpoint, label }: EndpointRow): Span {
  return endpoint.state === 'healthy' || endpoint.state === 'disabled'
    ? { text: label, tone: 'quiet' }
    : { text: label };
}

function state({ endpoint }: EndpointRow): Span {
  const { sign, tone } = signs[endpoint.state];
  return { text: `${sign} ${endpoint.stateText}`, tone };
}

function success({ endpoint }: EndpointRow): Span {
  const text = percent(endpoint.success, 1);
  return endpoint.success < 0.9 ? { text, tone: 'warn' } : { text };
}

function lag({ endpoint }: EndpointRow): Span {
  const text = endpoint.lag === null ? '-' : String(endpoint.lag);
  return endpoint.state === 'stale' ? { text, tone: 'warn' } : { text };
}

export function hasReason({ endpoint }: EndpointRow): boolean {
  return endpoint.reason !== null;
}

/** The line under a row that is not well: why, and what to do. */
export function reasonSpans({ endpoint }: EndpointRow, now: number): readonly Span[] {
  const { reason, next, state: word, since: from } = endpoint;
  const idle = next === null || next.startsWith('nothing to do') || !isTrouble(endpoint);
  const asked = idle ? '' : ` → ${next}`;
  return [
    { text: `      ${reason ?? ''}`, tone: signs[word].tone },
    { text: `${asked}${from === null ? '' : `  (${since(from, now)})`}`, tone: 'quiet' },
  ];
}
