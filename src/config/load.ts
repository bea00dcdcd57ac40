/** A config file in, settings out, or everything that is wrong with it at once. */

import { dirname, resolve } from 'node:path';
import { crossChecks } from './checks.ts';
import { type ConfigProblem, pathText, problemText } from './problem.ts';
import { type Env, expand } from './secrets.ts';
import { type Config, settingsOf } from './settings.ts';
import { shaped } from './shape.ts';
import { readSource } from './source.ts';
import { readText } from './text.ts';

export type Loaded =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** Reads the file and the secrets it names; asks nothing of the network. */
export function loadConfig(path: string, env: Env): Loaded {
  const file = readText(path);
  if ('text' in file) return parseConfig(file.text, env, dirname(resolve(path)));
  const message = `the config cannot be read: ${file.fault}`;
  return {
    ok: false,
    problems: [{ path: '', line: 0, column: 0, message, hint: 'rpcgw init writes one to start with' }],
  };
}

/** `folder`: what relative paths in the text are meant from. */
export function parseConfig(text: string, env: Env, folder: string): Loaded {
  const source = readSource(text);
  if (!source.sound) return refused(source.problems);
  const { value, findings: unset, hides } = expand(source.value, env);
  const { file, findings: misshapen } = shaped(value);
  const findings = [...unset, ...[...misshapen, ...crossChecks(value)].filter(({ path }) => !hides(path))];
  if (file !== undefined && findings.length === 0 && source.problems.length === 0) {
    return { ok: true, config: settingsOf(file, folder) };
  }
  const located = findings.map(
    ({ path, atKey = false, message, hint }): ConfigProblem => ({
      path: pathText(path),
      ...source.place(path, atKey),
      message,
      ...(hint === undefined ? {} : { hint }),
    }),
  );
  return refused([...source.problems, ...located]);
}

/** In the order of the text, each once. */
function refused(problems: readonly ConfigProblem[]): Loaded {
  const once = new Map(problems.map(problem => [problemText('', problem), problem]));
  return { ok: false, problems: [...once.values()].sort((a, b) => a.line - b.line || a.column - b.column) };
}
