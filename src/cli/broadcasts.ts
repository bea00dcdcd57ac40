import type { Broadcast } from '../api/history-shapes.ts';
import { recordedOutcomes } from '../core/broadcast.ts';
import { type CommandContext, isSet, option } from './context.ts';
import { span as ago, ms, table } from './format.ts';
import { choice, span, whole } from './values.ts';

export async function run(context: CommandContext): Promise<number> {
  const limit = whole(context, 'limit', 1, 10_000) ?? 50;
  const found = await context.api.ask('broadcasts', { ...filter(context), limit });
  if (context.json) context.out(JSON.stringify(found));
  else if (found.broadcasts.length === 0)
    context.note(`no broadcast${isSet(context, 'unknown') ? ' is open' : ''}`);
  else context.out(listText(found.broadcasts, Date.parse(found.now), context.width));
  return 0;
}

/** What `broadcasts` and its export are asked with. */
export function filter(context: CommandContext): {
  chain?: string;
  outcome?: (typeof recordedOutcomes)[number];
  tx?: string;
  sinceMs?: number;
  unknown: boolean;
} {
  const [chain, tx, spanMs] = [option(context, 'chain'), option(context, 'tx'), span(context, 'since')];
  const outcome = choice(context, 'outcome', recordedOutcomes);
  return {
    ...(chain === undefined ? {} : { chain }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(tx === undefined ? {} : { tx }),
    ...(spanMs === undefined ? {} : { sinceMs: Math.max(0, Date.now() - spanMs) }),
    unknown: isSet(context, 'unknown'),
  };
}

function listText(rows: readonly Broadcast[], now: number, width: number | undefined): string {
  return table(
    rows,
    [
      { title: 'ID', value: row => String(row.id), right: true },
      { title: 'AGE', value: row => ago(now - Date.parse(row.began)), right: true },
      { title: 'CHAIN', value: row => row.chain },
      { title: 'TX', value: row => row.txId ?? `digest ${row.digest}`, cut: true },
      { title: 'OUTCOME', value: row => (isOpen(row) ? `! ${row.outcome}` : row.outcome) },
      { title: 'ENDPOINT', value: row => row.endpoint },
      { title: 'REACHED', value: row => row.reached?.replaceAll('_', ' ') ?? '-', drop: 2 },
      { title: 'TIME', value: row => ms(row.ms), right: true, drop: 3 },
      { title: 'SINCE THEN', value: sinceThen, drop: 1 },
    ],
    width,
  );
}

/** Nobody knows yet what became of it. */
function isOpen({ outcome, followUp }: Broadcast): boolean {
  return outcome === 'pending' || (outcome === 'unknown' && followUp?.settled == null);
}

/** What was found out since it was sent, in a few words. */
export function sinceThen({ followUp }: Broadcast): string {
  if (followUp === null) return '';
  const { settled, latest, height, looks } = followUp;
  if (settled !== null) return `settled: ${settled.how}`;
  if (latest === 'block') return `in block ${height ?? '?'}`;
  if (latest === 'pool') return 'in a pool';
  return looks === 0 ? 'being looked up' : `not seen, ${looks} looks`;
}
