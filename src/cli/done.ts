import type { Done } from '../api/contract.ts';
import type { CommandContext } from './context.ts';

/** How every command that changes something ends: the state reached, or that it was so already. */
export function done(context: CommandContext, result: Done): number {
  context.out(context.json ? JSON.stringify(result) : result.text);
  return 0;
}
