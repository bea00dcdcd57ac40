import type { Done } from '../api/contract.ts';
import type { CommandContext } from './context.ts';

/** How every command that changes something ends: the state reached, or that it was so already. */
export function done(context: CommandContext, result: Done): number {
  if (context.json) context.out(JSON.stringify(result));
  else {
    context.out(result.text);
    for (const note of result.notes) context.note(`note: ${note}`);
  }
  return 0;
}
