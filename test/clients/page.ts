/** docs/clients.md: what was measured of the client libraries, and what they do on the gateway's errors. */

import { type ClientReason, errors } from '../../src/core/errors.ts';
import { advice } from './advice.ts';
import { type Reactions, reactions } from './reactions.ts';
import type { Row } from './session.ts';

const introduction = `# Client libraries behind rpcgw

<!-- Made by: npm run clients -- --write -->

Each library does its calls twice: at a node, and through the built gateway in front of the same node. The node is a real
one for Ethereum (anvil), the real runtime behind a thin face for Solana (litesvm), and one that answers as recorded for
TRON and the XRP Ledger. What the program gets must be the same, and so must be every request, status, content type, body
and id on the wire. A test holds this page to what it measures.`;

const reactionsIntroduction = `## What they do on the gateway’s errors

Each library gets the error, byte for byte as the gateway writes it, on each of its requests. The number is how many
requests it makes for one call of the program. A reason is what stands in \`data.reason\` (\`rpcgw.reason\` for TRON and
XRPL); [errors](errors.md) says what each means.`;

const tryIt = `## Trying another version

\`\`\`sh
npm run clients -- viem@latest              # one or several: name@version, as npm writes it
npm run clients                             # the installed ones
npm run clients -- --write                  # measures, and writes this page
\`\`\`

The version goes into a folder of its own that is removed afterwards; nothing in the checkout changes. Printed are the
version, the number of calls, what differs through the gateway, and which calls end otherwise than with the installed
version (in an error, or no longer in one). It exits with 1 when anything does.`;

export function clientsPage(rows: readonly Row[]): string {
  const parts = [
    introduction,
    '## The matrix',
    matrix(rows),
    headersText(rows),
    '## Different on purpose',
    onPurpose(rows),
    '## The calls',
    'A call with a star ends in an error, the same one at the node and through the gateway.',
    ...rows.map(calls),
    reactionsIntroduction,
    '### A read',
    counts('read'),
    '### A broadcast',
    'The first four are about the transaction: no library sends it again. The others are said before anything of the ' +
      'body was read, so that nothing was sent by then, and whoever asks again sends it once.',
    counts('send'),
    '## Library by library',
    ...Object.keys(advice).map(library),
    tryIt,
  ];
  return `${parts.join('\n\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

function matrix(rows: readonly Row[]): string {
  return table(
    ['library', 'version', 'calls', 'differences', 'on purpose'],
    rows.map(({ client, version, calls: names, differences, onPurpose: meant }) => [
      client,
      version || 'the machine’s own',
      String(names.length),
      differences.length === 0 ? 'none' : String(differences.length),
      String(Object.keys(meant).length),
    ]),
  );
}

function headersText(rows: readonly Row[]): string {
  // Of a last resort only, which no call here is meant to need.
  const names = (of: (row: Row) => readonly string[]): string[] =>
    [...new Set(rows.flatMap(of))].filter(name => name !== 'rpcgw-degraded').sort();
  const list = (all: readonly string[]): string => all.map(name => `\`${name}\``).join(', ');
  return (
    `Headers added: ${list(names(row => row.added))}. Headers of the nodes that stay behind: ` +
    `${list(names(row => row.leftBehind))}.`
  );
}

function onPurpose(rows: readonly Row[]): string {
  return table(
    ['library', 'call', 'why'],
    rows.flatMap(({ client, onPurpose: meant }) =>
      Object.entries(meant).map(([call, why]) => [client, call, why]),
    ),
  );
}

function calls({ client, version, calls: names, errors: failing }: Row): string {
  const list = names.map(name => (failing.includes(name) ? `${name}\\*` : name)).join('; ');
  return `**${`${client} ${version}`.trim()}**: ${list}.`;
}

function groupOf(groups: readonly Reactions[] | undefined, reason: ClientReason): Reactions | undefined {
  return groups?.find(({ on }) => on.includes(reason));
}

function counts(kind: 'read' | 'send'): string {
  const askers = Object.entries(reactions[kind]);
  const measured = new Set(askers.flatMap(([, groups]) => groups.flatMap(({ on }) => on)));
  // What is said of a transaction is said under 200, and comes first here.
  const later = (reason: ClientReason): number => Number(kind === 'send' && errors[reason].http !== 200);
  return table(
    ['reason', 'HTTP', ...askers.map(([name]) => name)],
    [...measured]
      .sort((a, b) => later(a) - later(b))
      .map(reason => [
        `\`${reason}\``,
        String(errors[reason].http),
        ...askers.map(([, groups]) => String(groupOf(groups, reason)?.requests ?? '–')),
      ]),
  );
}

function library(name: string): string {
  const parts = [`### ${name}`, advice[name] ?? ''];
  const lines = (['read', 'send'] as const).flatMap(kind => shownBy(name, kind));
  if (lines.length > 0) parts.push(table(['asked by', 'on', 'requests', 'shows', 'reason at'], lines));
  return parts.join('\n\n');
}

/** Ways to ask that come out alike share a line. */
function shownBy(name: string, kind: 'read' | 'send'): string[][] {
  const asked = new Map<string, { readonly by: string[]; readonly cells: readonly string[] }>();
  for (const [asker, groups] of Object.entries(reactions[kind])) {
    if (asker !== name && !asker.startsWith(`${name}, `)) continue;
    for (const { on, requests, shows, reasonAt } of groups) {
      const cells = [
        on.map(reason => `\`${reason}\``).join(', '),
        String(requests),
        shows.startsWith('returns') ? shows : `\`${shows}\``,
        reasonAt === '' ? '–' : reasonAt.replace(/^[\w.]+/, path => `\`${path}\``),
      ];
      const same = asked.get(cells.join());
      if (same === undefined) asked.set(cells.join(), { by: [asker], cells });
      else same.by.push(asker);
    }
  }
  const what = kind === 'read' ? '' : ': a broadcast';
  return [...asked.values()].map(({ by, cells }) => [`${by.join('; ')}${what}`, ...cells]);
}
