import type { EventRow } from '../api/contract.ts';
import { spanMs } from '../config/units.ts';
import { OperatorError } from '../core/errors.ts';
import { type CommandContext, option } from './context.ts';

export async function run(context: CommandContext): Promise<number> {
  const only = pick(context, ['kind', 'chain', 'endpoint']);
  const since = option(context, 'since') ?? '24h';
  const spanned = spanMs(since);
  if (spanned === undefined)
    throw new OperatorError('usage', `--since takes a span such as 15m or 24h, not ${since}`);
  const limit = Number(option(context, 'limit') ?? 200);
  const { events } = await context.api.ask('events', { ...only, sinceMs: Date.now() - spanned, limit });
  for (const event of events) context.out(context.json ? JSON.stringify(event) : line(event));
  if (context.options.follow !== true) return 0;
  for await (const event of context.api.watch('eventsStream', only)) {
    if (only.endpoint !== undefined && event.endpoint !== only.endpoint) continue;
    context.out(context.json ? JSON.stringify(event) : line(event));
  }
  return 5;
}

function pick(context: CommandContext, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = option(context, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function line(event: EventRow): string {
  const where = event.endpoint === null ? event.chain : `${event.chain}/${event.endpoint}`;
  const mark = event.level === 'alarm' ? '!!' : event.level === 'warn' ? '! ' : '  ';
  return `${event.time}  ${mark} ${event.kind.padEnd(14)} ${where}  ${event.text}`;
}
