import type { Explanation } from '../api/advice-shapes.ts';
import { requestParams } from './call.ts';
import { arg, type CommandContext } from './context.ts';
import { thousands } from './format.ts';
import { wordTable } from './word-table.ts';

export async function run(context: CommandContext): Promise<number> {
  const found = await context.api.ask('explain', {
    chain: arg(context, 0),
    method: arg(context, 1),
    params: requestParams(context),
  });
  context.out(context.json ? JSON.stringify(found) : text(found));
  return found.chosen === null && found.kind !== 'local' ? 1 : 0;
}

const words: Readonly<Record<Explanation['endpoints'][number]['place'], string>> = {
  chosen: 'chosen',
  next: 'then',
  last_resort: 'last resort',
  unfit: 'unfit',
  held: 'not',
};

function text(found: Explanation): string {
  const rows: (readonly [string, string, string])[] = found.endpoints.map(
    ({ name, place, reason, gates }) => [
      words[place],
      name,
      gates.length > 1
        ? `${reason}; also: ${gates
            .slice(1)
            .map(gate => gate.name)
            .join(', ')}`
        : reason,
    ],
  );
  const sum = found.text === null ? [] : [found.text];
  return [`class  ${classText(found)}`, ...sum, ...(rows.length === 0 ? [] : [wordTable(rows)])].join('\n');
}

function classText(found: Explanation): string {
  const parts: string[] = [found.kind];
  if (found.height !== null) parts.push(`names height ${thousands(found.height)}`);
  if (found.history !== null) parts.push(`needs ${found.history.kind} at ${thousands(found.history.height)}`);
  if (found.unplaced !== null) parts.push(`needs ${found.unplaced} that cannot be placed in time`);
  if (found.unknownMethod) parts.push('stands in no table: sent once');
  return parts.join(', ');
}
