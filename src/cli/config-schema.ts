import { configJsonSchema } from '../config/json-schema.ts';
import type { CommandContext } from './context.ts';

export async function run(context: CommandContext): Promise<number> {
  context.out(JSON.stringify(configJsonSchema(), undefined, context.json ? 0 : 2));
  return 0;
}
