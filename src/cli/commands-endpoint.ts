/** Commands that change a pool at runtime, and those that look at one endpoint. */

import {
  type ArgSpec,
  type CommandSpec,
  chainArg,
  dryRunOption,
  endpointArg,
  forceOption,
  type OptionSpec,
  onlyChainArg,
} from './command-spec.ts';

const url: ArgSpec = { name: '<url>', help: 'the RPC URL, or - to read it from stdin' };
const forOption: OptionSpec = {
  flags: '--for <span>',
  help: 'goes back by itself after so long, also over a restart; for example 30m',
};

/** What an endpoint that is added at runtime can be given. */
const settings: readonly OptionSpec[] = [
  {
    flags: '--history <kind>',
    help: 'full, recent or auto',
    completes: ['full', 'recent', 'auto'],
  },
  {
    flags: '--broadcast <rule>',
    help: 'whether transactions go there: allow or never; prefer stands in the config alone',
    completes: ['allow', 'never'],
  },
  { flags: '--roles <list>', help: 'what it is for: read,broadcast,history' },
  { flags: '--label <key=value...>', help: 'a label, for people and for failure domains' },
  { flags: '--rps <n>', help: 'requests a second, or none for no limit' },
  { flags: '--max-in-flight <n>', help: 'requests at a time' },
];

const refused = [7, 'refused by a safety rule, or a conflict'] as const;
const missing = [3, 'no such chain or endpoint'] as const;

export const endpointCommands: readonly CommandSpec[] = [
  {
    path: 'endpoint add',
    summary: 'add an endpoint to the running daemon; its host must be on the allowlist',
    args: [chainArg, url],
    options: [
      { flags: '--name <name>', help: 'its name in the pool' },
      { flags: '--weight <n>', help: '0 to 20, and below the highest of the config (default 10)' },
      ...settings,
      { flags: '--header-from <name=source...>', help: 'a header, its value from env:VAR or file:PATH' },
      dryRunOption,
    ],
    examples: [
      ['rpcgw endpoint add ethereum https://rpc.ankr.com/eth --name ankr', 'starts in quarantine'],
      [
        'pass show rpc-url | rpcgw endpoint add ethereum - --name paid',
        'keeps the URL out of the shell history',
      ],
    ],
    exits: [missing, refused],
    json: 'done',
    load: () => import('./endpoint-add.ts'),
  },
  {
    path: 'endpoint list',
    summary: 'all endpoints with state, score and origin',
    args: [onlyChainArg],
    options: [
      { flags: '--watch', help: 'go on: a line for each endpoint whose state changes' },
      { flags: '--interval <span>', help: 'how often --watch looks', value: '1s' },
    ],
    examples: [
      ['rpcgw endpoint list ethereum', 'worst state first'],
      ['rpcgw endpoint list --watch', 'every change of a state, until Ctrl-C'],
    ],
    json: 'endpointList',
    load: () => import('./endpoint-list.ts'),
  },
  {
    path: 'endpoint show',
    summary: 'one endpoint in full: settings, switches, gates, score, what happened lately',
    args: [chainArg, endpointArg],
    options: [],
    examples: [
      ['rpcgw endpoint show ethereum ankr', 'all there is to know but the URL'],
      ['rpcgw endpoint show ethereum ankr --json', 'for scripts'],
    ],
    exits: [missing],
    json: 'endpointDetail',
    load: () => import('./endpoint-show.ts'),
  },
  {
    path: 'endpoint set',
    summary: 'another weight, for good or for a while; other settings of one added at runtime',
    args: [chainArg, endpointArg],
    options: [
      {
        flags: '--weight <n>',
        help: 'a number; +10 or -10, of what it is now; 50%, of what it was configured with; 0 drains',
      },
      forOption,
      { flags: '--reset', help: 'back to what the config says, or what it was added with' },
      ...settings,
      forceOption,
      dryRunOption,
    ],
    examples: [
      ['rpcgw endpoint set ethereum infura --weight 50% --for 30m', 'half as much, back by itself'],
      ['rpcgw endpoint set ethereum infura --weight -10', 'a step down'],
      ['rpcgw endpoint set ethereum infura --reset', 'as the config says'],
      ['rpcgw endpoint set ethereum ankr --rps 20 --label provider=ankr', 'one that was added at runtime'],
    ],
    exits: [missing, refused],
    json: 'done',
    load: () => import('./endpoint-set.ts'),
  },
  {
    path: 'endpoint drain',
    summary: 'no new traffic for an endpoint; what is in flight may end',
    args: [chainArg, endpointArg],
    options: [
      { flags: '--wait', help: 'end when nothing is in flight any more' },
      { flags: '--timeout <span>', help: 'how long --wait waits', value: '60s' },
      forOption,
      forceOption,
      dryRunOption,
    ],
    examples: [
      ['rpcgw endpoint drain ethereum own-node --wait', 'before maintenance, in a script'],
      ['rpcgw endpoint drain ethereum own-node --for 2h', 'comes back by itself'],
    ],
    exits: [missing, refused, [8, 'still in flight after --timeout; it stays drained']],
    json: 'done',
    load: () => import('./endpoint-drain.ts'),
  },
  {
    path: 'endpoint enable',
    summary: 'end a drain or a disable',
    args: [chainArg, endpointArg],
    options: [dryRunOption],
    examples: [['rpcgw endpoint enable ethereum own-node', 'back into the pool']],
    exits: [missing, refused],
    json: 'done',
    load: () => import('./endpoint-enable.ts'),
  },
  {
    path: 'endpoint disable',
    summary: 'no traffic and no probes for an endpoint',
    args: [chainArg, endpointArg],
    options: [forOption, forceOption, dryRunOption],
    examples: [
      ['rpcgw endpoint disable ethereum infura', 'as if it were not there, until it is enabled'],
      ['rpcgw endpoint disable ethereum infura --for 1h', 'comes back by itself'],
    ],
    exits: [missing, refused],
    json: 'done',
    load: () => import('./endpoint-disable.ts'),
  },
  {
    path: 'endpoint remove',
    summary: 'remove an endpoint that was added at runtime',
    args: [chainArg, endpointArg],
    options: [{ flags: '-y, --yes', help: 'do not ask' }, forceOption, dryRunOption],
    examples: [['rpcgw endpoint remove ethereum ankr --yes', 'in a script']],
    exits: [missing, refused],
    json: 'done',
    load: () => import('./endpoint-remove.ts'),
  },
];
