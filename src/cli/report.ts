import type { Report, ReportRow } from '../api/history-shapes.ts';
import { OperatorError } from '../core/errors.ts';
import { verdicts } from '../core/verdict.ts';
import { type CommandContext, isSet, option } from './context.ts';
import { csvLine } from './csv.ts';
import { span as ago, type Column, orDash, table } from './format.ts';
import { span } from './values.ts';

export async function run(context: CommandContext): Promise<number> {
  if (context.json && isSet(context, 'csv'))
    throw new OperatorError('usage', '--json and --csv contradict each other');
  const chain = option(context, 'chain');
  const sinceMs = Math.max(0, Date.now() - (span(context, 'since') ?? 86_400_000));
  const found = await context.api.ask('report', { sinceMs, ...(chain === undefined ? {} : { chain }) });
  if (context.json) context.out(JSON.stringify(found));
  else if (isSet(context, 'csv')) context.out(csv(found));
  else context.out(text(found, context.width));
  return 0;
}

const name: Column<ReportRow> = {
  title: 'ENDPOINT',
  value: row => `${row.chain}/${row.endpoint}`,
  cut: true,
};

const numbers: readonly Column<ReportRow>[] = [
  name,
  { title: 'REQUESTS', value: row => String(row.requests), right: true },
  { title: 'ERR%', value: row => (row.errorRate * 100).toFixed(2), right: true },
  { title: 'P50', value: row => orDash(row.p50Ms, 0), right: true },
  { title: 'P95', value: row => orDash(row.p95Ms, 0), right: true },
  { title: 'P99', value: row => orDash(row.p99Ms, 0), right: true, drop: 1 },
  { title: 'LAG', value: row => orDash(row.lagMedian), right: true },
  { title: 'WORST', value: row => orDash(row.lagWorst), right: true, drop: 3 },
  { title: 'OPENED', value: row => String(row.circuitOpenings), right: true },
  { title: 'OUT', value: row => ago(row.outMs), right: true },
  { title: 'PROBES', value: row => String(row.probes), right: true, drop: 2 },
];

/** Short, so that all of them fit: the heads are the verdicts' words without their endings. */
const heads: Readonly<Record<keyof typeof verdicts, string>> = {
  ok: 'OK',
  app_error: 'APP_ERR',
  missing_history: 'MISSING',
  unsupported: 'UNSUPP',
  rate_limited: 'LIMITED',
  node_failure: 'FAILURE',
  auth_refused: 'AUTH',
  transport: 'TRANSP',
};

const byVerdict: readonly Column<ReportRow>[] = [
  name,
  ...Object.entries(heads).map(
    ([verdict, title]): Column<ReportRow> => ({
      title,
      value: row => String(row.verdicts[verdict] ?? 0),
      right: true,
    }),
  ),
];

function text(found: Report, width: number | undefined): string {
  const notes = found.notes.map(({ chain, text: says }) => `! ${chain}: ${says}`);
  const head = `since ${found.since}, until ${found.until}`;
  if (found.rows.length === 0) return [head, 'no endpoint was in use', ...notes].join('\n');
  return [
    head,
    table(found.rows, numbers, width),
    '',
    table(found.rows, byVerdict, width),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ].join('\n');
}

/** Every number, the names of the JSON as heads. */
function csv({ rows }: Report): string {
  const plain = [
    'chain',
    'endpoint',
    'from',
    'to',
    'requests',
    'p50Ms',
    'p95Ms',
    'p99Ms',
    'lagMedian',
    'lagWorst',
    'errors',
    'errorRate',
    'circuitOpenings',
    'outMs',
    'probes',
  ] as const;
  const words = Object.keys(verdicts);
  const lines = rows.map(row =>
    csvLine([...plain.map(key => row[key]), ...words.map(word => row.verdicts[word] ?? 0)]),
  );
  return [csvLine([...plain, ...words]), ...lines].join('\n');
}
