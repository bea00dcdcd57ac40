import type { EventRow } from '../api/contract.ts';
import { type CommandContext, option } from './context.ts';
import { span, whole } from './values.ts';

export async function run(context: CommandContext): Promise<number> {
  const only = pick(context, ['kind', 'chain', 'endpoint']);
  const sinceMs = Date.now() - (span(context, 'since') ?? 86_400_000);
  const limit = whole(context, 'limit', 1, 10_000) ?? 200;
  const { events } = await context.api.ask('events', { ...only, sinceMs, limit });
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

export function line(event: EventRow): string {
  const name = event.endpoint === null ? event.chain : `${event.chain}/${event.endpoint}`;
  const where = name === '' ? 'rpcgw' : name;
  const mark = event.level === 'alarm' ? '!!' : event.level === 'warn' ? '! ' : '  ';
  return `${event.time}  ${mark} ${event.kind.padEnd(14)} ${where}  ${event.text}`;
}
