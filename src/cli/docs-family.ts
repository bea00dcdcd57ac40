import { families } from '../chains/index.ts';
import { familyReference } from '../chains/reference.ts';
import { OperatorError } from '../core/errors.ts';
import { arg, type CommandContext } from './context.ts';

export async function run(context: CommandContext): Promise<number> {
  const name = arg(context, 0);
  const family = Object.values(families).find(each => each.name === name);
  if (family === undefined) {
    const why = [`there are ${Object.keys(families).join(', ')}`];
    throw new OperatorError('usage', `there is no family ${name}`, { why });
  }
  const page = familyReference(family);
  context.out(context.json ? JSON.stringify({ page }) : page.trimEnd());
  return 0;
}
