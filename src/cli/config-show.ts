import { stringify } from 'yaml';
import { problemText } from '../config/problem.ts';
import { shownConfig } from '../config/show.ts';
import { OperatorError } from '../core/errors.ts';
import { configFileOf } from './config-file.ts';
import type { CommandContext } from './context.ts';

export async function run(context: CommandContext): Promise<number> {
  const { path, loaded } = configFileOf(context);
  if (!loaded.ok) {
    throw new OperatorError('config_invalid', `${path} is not valid`, {
      why: loaded.problems.map(problem => problemText(path, problem)),
    });
  }
  const shown = shownConfig(loaded.config);
  context.out(context.json ? JSON.stringify(shown) : stringify(shown).trimEnd());
  return 0;
}
