/** Commands about what has happened: events, requests, numbers, broadcasts, and what operators did. */

import { recordedOutcomes } from '../core/broadcast.ts';
import { type CommandSpec, chainOption, type OptionSpec } from './command-spec.ts';

const since = (value: string): OptionSpec => ({
  flags: '--since <span>',
  help: 'how far back, for example 15m, 24h or 7d',
  value,
});
const broadcastId = { name: '<id>', help: 'the number in the list, or the transaction id' };
const outcomeOption: OptionSpec = {
  flags: '--outcome <word>',
  help: `only with this outcome: ${recordedOutcomes.slice(0, -1).join(', ')} or ${recordedOutcomes.at(-1)}`,
  completes: recordedOutcomes,
};

export const pastCommands: readonly CommandSpec[] = [
  {
    path: 'events',
    summary: 'what happened: gates that opened and closed, alarms, answers no rule knew',
    args: [],
    options: [
      { flags: '--follow', help: 'go on as they happen' },
      { flags: '--kind <kind>', help: 'only this kind, for example unclassified' },
      chainOption,
      { flags: '--endpoint <name>', help: 'only this endpoint', completes: 'endpoint' },
      since('24h'),
      { flags: '--limit <n>', help: 'at most so many', value: '200' },
    ],
    examples: [
      ['rpcgw events --follow', 'a live tail'],
      ['rpcgw events --kind unclassified', 'answers to turn into corpus lines'],
    ],
    json: 'event',
    load: () => import('./events.ts'),
  },
  {
    path: 'trace',
    summary: 'every attempt of one recent request, with its times',
    args: [{ name: '<request-id>', help: 'as in the rpcgw-request-id header' }],
    options: [],
    examples: [['rpcgw trace 8f2c-41', 'who was tried, what each said, how long it took']],
    exits: [[3, 'it is not remembered']],
    json: 'trace',
    load: () => import('./trace.ts'),
  },
  {
    path: 'report',
    summary: 'numbers of each endpoint: latency, lag, verdicts, errors, time out of rotation',
    args: [],
    options: [
      since('24h'),
      chainOption,
      { flags: '--csv', help: 'comma-separated values instead of a table' },
    ],
    examples: [
      ['rpcgw report --since 7d', 'last week, an endpoint a line'],
      ['rpcgw report --since 24h --csv > day.csv', 'for a spreadsheet'],
    ],
    json: 'report',
    load: () => import('./report.ts'),
  },
  {
    path: 'broadcasts',
    summary: 'the record of every transaction that was sent, newest first',
    args: [],
    options: [
      { flags: '--unknown', help: 'only those whose outcome is not known' },
      outcomeOption,
      chainOption,
      { flags: '--tx <id>', help: 'only this transaction' },
      { flags: '--since <span>', help: 'how far back, for example 15m, 24h or 7d' },
      { flags: '--limit <n>', help: 'at most so many', value: '50' },
    ],
    examples: [
      ['rpcgw broadcasts --unknown', 'the first page of the runbook'],
      ['rpcgw broadcasts --tx 0x9f3a… --json', 'was it sent, where, with what outcome'],
    ],
    json: 'broadcasts',
    load: () => import('./broadcasts.ts'),
  },
  {
    path: 'broadcasts show',
    summary: 'one transaction: all attempts, what the nodes said, where it was seen since',
    args: [broadcastId],
    options: [],
    examples: [
      ['rpcgw broadcasts show 41', 'by its number in the list'],
      ['rpcgw broadcasts show 0x9f3a…', 'by its transaction id'],
    ],
    exits: [[3, 'never sent through this gateway']],
    json: 'broadcastStory',
    load: () => import('./broadcasts-show.ts'),
  },
  {
    path: 'broadcasts settle',
    summary: 'say what became of a transaction whose outcome is not known; audited',
    args: [broadcastId],
    options: [{ flags: '--note <text>', help: 'how you know' }],
    examples: [
      ['rpcgw broadcasts settle 41 --note "in block 21904112, checked with two explorers"', 'ends the alarm'],
    ],
    exits: [
      [3, 'no such broadcast'],
      [7, 'there is nothing to settle'],
    ],
    json: 'settled',
    load: () => import('./broadcasts-settle.ts'),
  },
  {
    path: 'broadcasts export',
    summary: 'the whole record as JSON Lines or CSV, newest first',
    args: [],
    options: [
      { flags: '--csv', help: 'comma-separated values instead of JSON Lines' },
      outcomeOption,
      chainOption,
      { flags: '--since <span>', help: 'how far back (default: all of it)' },
      { flags: '--unknown', help: 'only those whose outcome is not known' },
    ],
    examples: [
      ['rpcgw broadcasts export --since 30d > broadcasts.jsonl', 'for the books, a JSON object a line'],
      ['rpcgw broadcasts export --csv --outcome accepted > sent.csv', 'for a spreadsheet'],
    ],
    json: 'broadcast',
    load: () => import('./broadcasts-export.ts'),
  },
  {
    path: 'audit list',
    summary: 'what operators did, oldest first',
    args: [],
    options: [
      { flags: '--after <row>', help: 'only rows after this one, instead of the newest' },
      { flags: '--limit <n>', help: 'at most so many', value: '200' },
    ],
    examples: [
      [
        'rpcgw audit list',
        'who (as the command stated it: unproven), what, on which endpoint, with what result',
      ],
    ],
    json: 'auditList',
    load: () => import('./audit-list.ts'),
  },
  {
    path: 'audit verify',
    summary: 'whether the audit is whole: no row changed, missing or cut off',
    args: [],
    options: [
      { flags: '--head <hash>', help: 'a hash from the log: rows cut off at the end are noticed too' },
    ],
    examples: [
      ['rpcgw audit verify', 'every row against the hash of the one before'],
      ['rpcgw audit verify --head 5f1d…', 'with the newest hash that the log has'],
    ],
    exits: [[1, 'it is not whole']],
    json: 'auditVerdict',
    load: () => import('./audit-verify.ts'),
  },
];
