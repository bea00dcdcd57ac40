import { confirm } from './confirm.ts';
import { arg, type CommandContext } from './context.ts';
import { done } from './done.ts';
import { who } from './endpoint-add.ts';

export async function run(context: CommandContext): Promise<number> {
  const chain = arg(context, 0);
  const name = arg(context, 1);
  if (!(await confirm(context, `remove ${chain}/${name}`))) {
    context.note('nothing was changed');
    return 1;
  }
  const force = context.options.force === true;
  const dryRun = context.options.dryRun === true;
  return done(context, await context.api.ask('endpointRemove', { who: who(), chain, name, force, dryRun }));
}
