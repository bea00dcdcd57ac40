import type { Trace } from '../api/history-shapes.ts';
import { arg, type CommandContext } from './context.ts';
import { ms, table } from './format.ts';

export async function run(context: CommandContext): Promise<number> {
  const found = await context.api.ask('trace', { requestId: arg(context, 0) });
  context.out(
    context.json
      ? JSON.stringify(found)
      : found.requests.map(request => text(request, context.width)).join('\n\n'),
  );
  return 0;
}

function text(request: Trace['requests'][number], width: number | undefined): string {
  const head = `${request.startedAt}  ${request.chain} ${request.method} (${request.class}): ${request.outcome} after ${ms(request.ms)}`;
  if (request.attempts.length === 0) return `${head}\n  no attempt was made`;
  const attempts = request.attempts.map((attempt, at) => ({ ...attempt, at: at + 1 }));
  const lines = table(
    attempts,
    [
      { title: 'ATTEMPT', value: ({ at }) => String(at), right: true },
      { title: 'ENDPOINT', value: ({ endpoint }) => endpoint },
      { title: 'VERDICT', value: ({ verdict }) => verdict },
      { title: 'TIME', value: attempt => ms(attempt.ms), right: true },
    ],
    width,
  );
  return `${head}\n${lines}`;
}
