/** A family's page in the docs, read from its tables: what its replies mean, and what its methods are. */

import { verdicts } from '../core/verdict.ts';
import type { Family, Method, MethodKind } from './family.ts';
import type { RuleRow, Stage } from './rules.ts';

const titles: Readonly<Record<Family['name'], string>> = {
  evm: 'EVM chains',
  solana: 'Solana',
  xrpl: 'XRP Ledger',
  tron: 'TRON',
};

const stages: Readonly<Record<Stage, string>> = {
  structure: 'Structure: is it an answer of this protocol at all?',
  field: 'Codes and fields',
  words: 'Words: only where no field has decided',
};

const kinds: Readonly<Record<MethodKind, string>> = {
  read: 'Forwarded as reads',
  heavy: 'Forwarded as heavy reads, with a circuit, timeout and deadline of their own',
  broadcast: 'Broadcasts: recorded first, sent to one endpoint',
  local: 'Answered by the gateway itself',
  refused: 'Never forwarded',
};

export function familyReference(family: Family): string {
  const lines = [
    `# ${titles[family.name]}: verdicts and methods`,
    '',
    `<!-- Made by: rpcgw docs family ${family.name} -->`,
    '',
    'The rules are tried from the top; the first that fits decides. `rpcgw classify` names the rule for a recorded answer.',
    '',
    ...Object.keys(stages).flatMap(stage => section(stage as Stage, family.rules)),
    '## Methods',
    '',
    ...Object.keys(kinds).flatMap(kind => methodSection(kind as MethodKind, family.methods)),
    ...markedSection(
      'About no block: never held to freshness or to what the client wrote',
      family.methods,
      method => method.timeless,
    ),
    ...markedSection(
      'After a broadcast, asked first of the endpoint that took the transaction, where they are about the head',
      family.methods,
      method => method.own,
    ),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function section(stage: Stage, rules: readonly RuleRow[]): string[] {
  const rows = rules.filter(rule => rule.stage === stage);
  if (rows.length === 0) return [];
  return [
    `## ${stages[stage]}`,
    '',
    '| rule | signal | only | verdict | why |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(rule => row([`\`${rule.id}\``, rule.signal, rule.only ?? '', verdictText(rule), rule.why])),
    '',
  ];
}

/** The verdict, with what else the rule says. */
function verdictText(rule: RuleRow): string {
  const more = [
    ...(rule.tx === undefined ? [] : [`broadcast: ${rule.tx}`]),
    ...(rule.quota ? ['used-up quota: a failure too'] : []),
    ...(rule.wholeMethod ? ['remembered for the method'] : []),
    ...(rule.disguised ? ['the client gets `missing_history`'] : []),
    ...(rule.unclassified ? ['counted as unclassified'] : []),
  ];
  const { next } = verdicts[rule.verdict];
  const then = next === 'return' ? 'returned' : 'goes elsewhere';
  return [`**${rule.verdict}**`, then, ...more].join('; ');
}

function methodSection(kind: MethodKind, methods: Readonly<Record<string, Method>>): string[] {
  const rows = Object.entries(methods).filter(([, method]) => method.kind === kind);
  if (rows.length === 0) return [];
  const names = ([name]: [string, Method]): string => `\`${name}\``;
  const head = [`### ${kinds[kind]}`, ''];
  if (kind !== 'refused') return [...head, `${rows.map(names).join(', ')}.`, ''];
  const byReason = Map.groupBy(rows, ([, method]) => method.why ?? '');
  return [
    ...head,
    '| why | methods |',
    '| --- | --- |',
    ...[...byReason].map(([why, list]) => row([why, list.map(names).join(', ')])),
    '',
  ];
}

function markedSection(
  title: string,
  methods: Readonly<Record<string, Method>>,
  isMarked: (method: Method) => true | undefined,
): string[] {
  const names = Object.entries(methods).flatMap(([name, method]) =>
    isMarked(method) ? [`\`${name}\``] : [],
  );
  return names.length === 0 ? [] : [`### ${title}`, '', `${names.join(', ')}.`, ''];
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;
}
