import { problemText } from '../config/problem.ts';
import { errors } from '../core/errors.ts';
import { configFileOf } from './config-file.ts';
import type { CommandContext } from './context.ts';

export async function run(context: CommandContext): Promise<number> {
  const { path, loaded } = configFileOf(context);
  const problems = loaded.ok ? [] : loaded.problems;
  if (context.json) context.out(JSON.stringify({ file: path, ok: loaded.ok, problems }));
  else if (loaded.ok) {
    const endpoints = loaded.config.chains.reduce((sum, chain) => sum + chain.endpoints.length, 0);
    context.out(`${path} is valid: ${loaded.config.chains.length} chains, ${endpoints} endpoints`);
  } else {
    for (const problem of problems) context.out(problemText(path, problem));
    context.note(`${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`);
  }
  return loaded.ok ? 0 : errors.config_invalid.exit;
}
