import type { CommandContext } from './context.ts';
import { done } from './done.ts';
import { change } from './endpoint-switch.ts';

export async function run(context: CommandContext): Promise<number> {
  return done(context, await context.api.ask('endpointEnable', change(context)));
}
