import { createInterface } from 'node:readline/promises';
import { OperatorError } from '../core/errors.ts';
import type { CommandContext } from './context.ts';

/** Asks before what hurts. Without a terminal and without `--yes` nothing is done, and yes is never the default. */
export async function confirm(context: CommandContext, effect: string): Promise<boolean> {
  if (context.options.yes === true || context.options.dryRun === true) return true;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new OperatorError('needs_terminal', `would ${effect}`, {
      next: ['pass --yes to do it without a question'],
    });
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question(`${effect}? [y/N] `);
  prompt.close();
  return /^y(es)?$/i.test(answer.trim());
}
