import { errorsReference } from '../core/errors-reference.ts';
import type { CommandContext } from './context.ts';

export async function run(context: CommandContext): Promise<number> {
  const page = errorsReference();
  context.out(context.json ? JSON.stringify({ page }) : page.trimEnd());
  return 0;
}
