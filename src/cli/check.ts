import { realpathSync } from 'node:fs';
import type { Plan } from '../api/advice-shapes.ts';
import { problemText } from '../config/problem.ts';
import type { Config } from '../config/settings.ts';
import { errors, OperatorError } from '../core/errors.ts';
import { redundancy } from '../core/redundancy.ts';
import { configFileOf } from './config-file.ts';
import { type CommandContext, isSet } from './context.ts';
import { planText } from './plan-text.ts';

export async function run(context: CommandContext): Promise<number> {
  if (isSet(context, 'againstRunning')) return againstRunning(context);
  const { path, loaded } = configFileOf(context);
  const problems = loaded.ok ? [] : loaded.problems;
  const notes = loaded.ok ? notesOn(loaded.config) : [];
  if (context.json) {
    context.out(JSON.stringify({ file: path, ok: loaded.ok, problems, notes, plan: null }));
  } else if (loaded.ok) {
    const endpoints = loaded.config.chains.reduce((sum, chain) => sum + chain.endpoints.length, 0);
    context.out(`${path} is valid: ${loaded.config.chains.length} chains, ${endpoints} endpoints`);
    for (const { chain, text } of notes) context.out(`! ${chain}: ${text}`);
  } else {
    for (const problem of problems) context.out(problemText(path, problem));
    context.note(`${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`);
  }
  return loaded.ok ? 0 : errors.config_invalid.exit;
}

/** The daemon reads its file itself: it alone has the secrets that the file names. */
async function againstRunning(context: CommandContext): Promise<number> {
  const [given] = context.args;
  const plan: Plan = await context.api.ask('plan', {});
  if (typeof given === 'string' && !isSameFile(given, plan.file)) {
    throw new OperatorError('usage', `the daemon runs on ${plan.file}, not on ${given}`, {
      why: ['it reads no other file for anybody: a file could name secrets that whoever asks must not see'],
      next: [
        `rpcgw check ${given}`,
        `put it in the place of ${plan.file}, and run this again: nothing changes before a reload`,
      ],
    });
  }
  if (context.json) context.out(JSON.stringify({ file: plan.file, ok: true, problems: [], notes: [], plan }));
  else context.out(planText(plan));
  return 0;
}

/** Without asking the network: what names and labels say. */
function notesOn(config: Config): { chain: string; text: string }[] {
  return config.chains.flatMap(({ settings, endpoints }) => {
    const placed = endpoints.map(({ name, url, labels }) => ({ name, host: new URL(url).hostname, labels }));
    return redundancy(settings.family, placed).notes.map(text => ({ chain: settings.name, text }));
  });
}

function isSameFile(a: string, b: string): boolean {
  const real = (path: string): string => {
    try {
      return realpathSync(path);
    } catch {
      return path; // Not there: then it is only itself.
    }
  };
  return real(a) === real(b);
}
