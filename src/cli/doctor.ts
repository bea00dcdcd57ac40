import { lookup } from 'node:dns/promises';
import { existsSync, statSync } from 'node:fs';
import type { Diagnosis, Finding } from '../api/advice-shapes.ts';
import { loadConfig } from '../config/load.ts';
import { dataDirOf, findConfig } from '../config/locate.ts';
import { problemText } from '../config/problem.ts';
import { OperatorError } from '../core/errors.ts';
import { type CommandContext, option } from './context.ts';
import { isAway } from './wait.ts';
import { wordTable } from './word-table.ts';

const marks: Readonly<Record<Finding['level'], string>> = { fault: 'FAULT', warn: 'WARN', note: 'note' };

export async function run(context: CommandContext): Promise<number> {
  const found = await diagnose(context);
  context.out(context.json ? JSON.stringify(found) : text(found));
  return found.ok ? 0 : 1;
}

function text({ ok, findings, checked }: Diagnosis): string {
  const lines = findings.length === 0 ? [] : [wordTable(findings.map(rowOf))];
  const next = findings.flatMap(({ level, subject, next: says }) =>
    says === null || level === 'note' ? [] : [`  ${subject}: ${says}`],
  );
  const count = (level: Finding['level']): number => findings.filter(each => each.level === level).length;
  const sum = ok
    ? `nothing is wrong; looked at ${checked.join(', ')}`
    : `${plural(count('fault'), 'fault')}, ${plural(count('warn'), 'warning')}; looked at ${checked.join(', ')}`;
  return [
    ...lines,
    ...(next.length === 0 ? [] : ['', 'next:', ...next]),
    ...(lines.length === 0 ? [] : ['']),
    sum,
  ].join('\n');
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function rowOf({ level, subject, text: says }: Finding): readonly [string, string, string] {
  return [marks[level], subject, says];
}

/** The daemon sees most; without it, what can be seen from here. */
async function diagnose(context: CommandContext): Promise<Diagnosis> {
  try {
    const found = await context.api.ask('doctor', {});
    const config = await fileFindings(context);
    return sorted([...config, ...found.findings], ['config', ...found.checked]);
  } catch (error) {
    if (!(error instanceof OperatorError) || !(isAway(error) || error.code === 'no_permission')) throw error;
    const daemon: Finding = {
      level: 'fault',
      subject: 'daemon',
      text: `${error.message} (${error.why.join('; ')})`,
      next: error.next[0] ?? null,
    };
    return sorted([daemon, ...(await withoutDaemon(context))], ['daemon', 'config', 'state', 'names']);
  }
}

function sorted(findings: readonly Finding[], checked: readonly string[]): Diagnosis {
  const order = Object.keys(marks);
  return {
    ok: findings.every(({ level }) => level === 'note'),
    findings: [...findings].sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level)),
    checked: [...checked],
  };
}

/** The daemon's own file as it is now, which may not be what runs. */
async function fileFindings(context: CommandContext): Promise<Finding[]> {
  try {
    const { changes, text: says } = await context.api.ask('plan', {});
    if (changes.length === 0) return [];
    const next = 'rpcgw check --against-running';
    return [{ level: 'note', subject: 'config', text: `the file is not what runs: ${says}`, next }];
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const [first] = error.why;
    const more = error.why.length > 1 ? ` and ${error.why.length - 1} more` : '';
    const says = `${error.message}: the next start or reload would fail (${first ?? 'no reason given'}${more})`;
    return [{ level: 'fault', subject: 'config', text: says, next: error.next[0] ?? null }];
  }
}

async function withoutDaemon(context: CommandContext): Promise<Finding[]> {
  const found = findConfig(option(context, 'config'), process.env, existsSync);
  if (found.path === undefined) {
    const says = `there is no config; looked at ${found.tried.join(', ')}`;
    return [{ level: 'fault', subject: 'config', text: says, next: 'rpcgw init' }];
  }
  const file = found.path;
  const loaded = loadConfig(file, process.env);
  if (!loaded.ok) {
    const next = `rpcgw check ${file}`;
    return loaded.problems.map(problem => ({
      level: 'fault',
      subject: 'config',
      text: problemText(file, problem),
      next,
    }));
  }
  const { gateway, chains } = loaded.config;
  const hosts = new Set(
    chains.flatMap(({ endpoints }) =>
      endpoints.map(({ url }) => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')),
    ),
  );
  const names = await Promise.all([...hosts].map(nameFindings));
  return [...stateFindings(dataDirOf(gateway, process.env)), ...names.flat()];
}

function stateFindings(dataDir: string | undefined): Finding[] {
  if (dataDir === undefined)
    return [
      {
        level: 'fault',
        subject: 'state',
        text: 'there is no place for it',
        next: 'set dataDir in the config',
      },
    ];
  const mode = statSync(dataDir, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || (mode & 0o077) === 0) return [];
  const says = `others can look into ${dataDir} (mode ${(mode & 0o777).toString(8)})`;
  return [{ level: 'fault', subject: 'state', text: says, next: `chmod 700 ${dataDir}` }];
}

async function nameFindings(host: string): Promise<Finding[]> {
  try {
    await lookup(host);
    return [];
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return [
      {
        level: 'fault',
        subject: host,
        text: `its name is not resolved: ${why}`,
        next: 'look at the resolver',
      },
    ];
  }
}
