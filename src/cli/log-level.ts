import { OperatorError } from '../core/errors.ts';
import type { CommandContext } from './context.ts';
import { span } from './values.ts';
import { who } from './who.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const;

export async function run(context: CommandContext): Promise<number> {
  const [given] = context.args;
  const forMs = span(context, 'for');
  const level = levels.find(each => each === given);
  if (given !== undefined && level === undefined)
    throw new OperatorError('usage', `the level is one of ${levels.join(', ')}, not ${String(given)}`);
  if (level === undefined && forMs !== undefined)
    throw new OperatorError('usage', '--for says how long a level holds');
  const result = await context.api.ask('logLevel', {
    who: who(),
    ...(level === undefined ? {} : { level }),
    ...(forMs === undefined ? {} : { forMs }),
  });
  context.out(context.json ? JSON.stringify(result) : result.text);
  return 0;
}
