import { confirm } from './confirm.ts';
import type { CommandContext } from './context.ts';
import { done } from './done.ts';
import { change } from './endpoint-switch.ts';

export async function run(context: CommandContext): Promise<number> {
  const wanted = change(context);
  if (!(await confirm(context, `remove ${wanted.chain}/${wanted.name}`))) {
    context.note('nothing was changed');
    return 1;
  }
  return done(context, await context.api.ask('endpointRemove', wanted));
}
