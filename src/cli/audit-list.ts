import type { AuditEntry } from '../api/history-shapes.ts';
import type { CommandContext } from './context.ts';
import { table } from './format.ts';
import { whole } from './values.ts';

export async function run(context: CommandContext): Promise<number> {
  const after = whole(context, 'after', 0, 999_999_999);
  const limit = whole(context, 'limit', 1, 10_000) ?? 200;
  const found = await context.api.ask('auditList', { limit, ...(after === undefined ? {} : { after }) });
  if (context.json) context.out(JSON.stringify(found));
  else if (found.rows.length === 0) context.note('nothing was done yet');
  else context.out(listText(found.rows, context.width));
  return 0;
}

function listText(rows: readonly AuditEntry[], width: number | undefined): string {
  return table(
    rows,
    [
      { title: 'ROW', value: row => String(row.id), right: true },
      { title: 'TIME', value: row => row.time },
      { title: 'WHO?', value: row => row.who },
      { title: 'ACTION', value: row => row.action },
      { title: 'WHERE', value: where },
      { title: 'RESULT', value: row => row.result },
      { title: 'WHAT', value: what, cut: true, drop: 1 },
    ],
    width,
  );
}

function where({ chain, target }: AuditEntry): string {
  return [chain, target].filter(part => part !== null).join('/') || '-';
}

/** What became another one, else the note. */
function what({ before, after, note }: AuditEntry): string {
  const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = keys.filter(key => before?.[key] !== after?.[key]);
  const words = changed.map(key => {
    const [was, is] = [before?.[key], after?.[key]];
    if (was === undefined) return `${key} ${String(is)}`;
    return is === undefined ? `${key} was ${String(was)}` : `${key} ${String(was)} → ${String(is)}`;
  });
  return words.join(', ') || note || '';
}
