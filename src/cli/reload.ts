import { type CommandContext, isSet } from './context.ts';
import { planText } from './plan-text.ts';
import { who } from './who.ts';

export async function run(context: CommandContext): Promise<number> {
  const plan = isSet(context, 'dryRun')
    ? await context.api.ask('plan', {})
    : await context.api.ask('reload', { who: who() });
  context.out(context.json ? JSON.stringify(plan) : planText(plan));
  return 0;
}
