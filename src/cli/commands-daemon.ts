/** Commands about the program itself: its config, its life, its health, its documents. */

import type { CommandSpec } from './command-spec.ts';

export const daemonCommands: readonly CommandSpec[] = [
  {
    path: 'init',
    summary: 'write a commented starter config with public endpoints of the six chains',
    args: [],
    options: [
      { flags: '--file <path>', help: 'where to write it', value: 'rpcgw.yaml', completes: 'file' },
      { flags: '--force', help: 'replace a file that is there' },
    ],
    examples: [
      ['rpcgw init', 'writes ./rpcgw.yaml, never over a file that is there'],
      ['rpcgw init --file /etc/rpcgw/rpcgw.yaml', 'writes it where the service looks for it'],
    ],
    exits: [[7, 'the file is there already']],
    json: 'init',
    load: () => import('./init.ts'),
  },
  {
    path: 'check',
    summary: 'say all that is wrong with a config, offline; or what a reload would change',
    args: [
      { name: '[file]', help: 'a config file (default: where `serve` would find it)', completes: 'file' },
    ],
    options: [
      {
        flags: '--against-running',
        help: "the plan of changes between the daemon's file as it is now and what runs",
      },
    ],
    examples: [
      ['rpcgw check', 'checks the config that `serve` would take'],
      ['rpcgw check ./rpcgw.yaml --json', 'every problem with line, key and what was expected'],
      ['rpcgw check --against-running', 'what `rpcgw reload` would do, and what needs a restart'],
    ],
    exits: [[4, 'something is wrong with it']],
    json: 'check',
    load: () => import('./check.ts'),
  },
  {
    path: 'config show',
    summary: 'the config as it is understood, defaults filled in, secrets left out',
    args: [{ name: '[file]', help: 'a config file', completes: 'file' }],
    options: [],
    examples: [
      ['rpcgw config show', 'in the form of the file'],
      ['rpcgw config show --json', 'for scripts'],
    ],
    exits: [[4, 'it is not valid']],
    json: 'configShow',
    load: () => import('./config-show.ts'),
  },
  {
    path: 'config schema',
    summary: 'the JSON Schema of the config, for editors',
    args: [],
    options: [],
    examples: [['rpcgw config schema > rpcgw.schema.json', 'name it in the first line of the config']],
    json: 'configSchema',
    load: () => import('./config-schema.ts'),
  },
  {
    path: 'config docs',
    summary: 'the reference page of the config, as Markdown',
    args: [],
    options: [],
    examples: [['rpcgw config docs > docs/configuration.md', 'how the page in docs/ is made']],
    load: () => import('./config-docs.ts'),
  },
  {
    path: 'serve',
    summary: 'the daemon, in the foreground; SIGTERM drains and ends it, SIGHUP reloads',
    args: [],
    options: [
      {
        flags: '--log-level <level>',
        help: 'debug, info, warn or error',
        completes: ['debug', 'info', 'warn', 'error'],
      },
    ],
    examples: [
      ['rpcgw serve', 'takes the config it finds, says where it listens'],
      ['rpcgw serve --config ./rpcgw.yaml', 'takes this one'],
    ],
    exits: [
      [4, 'the config is not valid'],
      [9, 'another daemon runs on this state or this socket'],
    ],
    load: () => import('./serve.ts'),
  },
  {
    path: 'reload',
    summary: 'take over a changed config without dropping a request; all of it or nothing',
    args: [],
    options: [{ flags: '--dry-run', help: 'the plan of changes, and change nothing' }],
    examples: [
      ['rpcgw reload --dry-run', 'what would change, and what needs a restart'],
      ['rpcgw reload', 'the same as SIGHUP, but says here what came of it'],
    ],
    exits: [
      [4, 'the config is not valid: what runs goes on'],
      [7, 'an endpoint added at runtime stands in the way'],
    ],
    json: 'plan',
    load: () => import('./reload.ts'),
  },
  {
    path: 'log-level',
    summary: 'the level of the log, or another one from now on',
    args: [
      {
        name: '[level]',
        help: 'debug, info, warn or error',
        completes: ['debug', 'info', 'warn', 'error'],
      },
    ],
    options: [{ flags: '--for <span>', help: 'goes back by itself after so long, for example 10m' }],
    examples: [
      ['rpcgw log-level', 'what it is'],
      ['rpcgw log-level debug --for 10m', 'more for a while'],
    ],
    json: 'logLevel',
    load: () => import('./log-level.ts'),
  },
  {
    path: 'doctor',
    summary: 'look at everything and say what is wrong, in order of importance',
    args: [],
    options: [],
    examples: [
      ['rpcgw doctor', 'daemon, config, store, rights, clock, file limits, names, every endpoint'],
      ['rpcgw doctor --json', 'for a monitor: exit 1 when something is wrong'],
    ],
    exits: [[1, 'something is wrong; notes alone are not']],
    json: 'diagnosis',
    load: () => import('./doctor.ts'),
  },
  {
    path: 'demo',
    summary: 'serve with simulated chains that misbehave on a script; needs no network',
    args: [],
    options: [
      { flags: '--scenario <name>', help: 'which story to play (--list names them)', value: 'tour' },
      { flags: '--list', help: 'name the scenarios' },
      { flags: '--port <port>', help: 'where to listen', value: '8600' },
      { flags: '--once', help: 'end after the story instead of going on' },
      { flags: '--restart', help: 'stop the daemon in the middle of the story, and start it again' },
    ],
    examples: [
      ['rpcgw demo', 'the tour: every fault once, told line by line'],
      ['rpcgw demo --scenario lagging --once', 'one story, then the end'],
      [
        'rpcgw demo --scenario wrong-network --once --restart',
        'what is known of an endpoint outlives the daemon',
      ],
    ],
    exits: [[1, 'a promise was broken']],
    json: 'demoLine',
    load: () => import('./demo.ts'),
  },
  {
    path: 'completion',
    summary: 'a script that teaches the shell the commands, with chains and endpoints as they are',
    args: [{ name: '<shell>', help: 'bash, zsh or fish', completes: ['bash', 'zsh', 'fish'] }],
    options: [],
    examples: [
      ['source <(rpcgw completion bash)', 'in ~/.bashrc'],
      ['rpcgw completion zsh > ~/.zfunc/_rpcgw', 'once, with ~/.zfunc in fpath'],
      ['rpcgw completion fish > ~/.config/fish/completions/rpcgw.fish', 'once'],
    ],
    load: () => import('./completion.ts'),
  },
  {
    path: 'complete',
    summary: 'what could come next on a command line; asked by the scripts of `completion`',
    args: [{ name: '[words...]', help: 'the words so far, the last one unfinished' }],
    options: [],
    examples: [],
    hidden: true,
    load: () => import('./complete.ts'),
  },
  {
    path: 'docs commands',
    summary: 'the reference page of the commands, as Markdown',
    args: [],
    options: [],
    examples: [['rpcgw docs commands > docs/commands.md', 'how the page in docs/ is made']],
    load: () => import('./docs-commands.ts'),
  },
  {
    path: 'docs json',
    summary: 'the reference page of what --json prints, as Markdown',
    args: [],
    options: [{ flags: '--schema <name>', help: 'one shape as a JSON Schema instead' }],
    examples: [
      ['rpcgw docs json > docs/json.md', 'how the page in docs/ is made'],
      ['rpcgw docs json --schema status', 'for a program that reads it'],
    ],
    load: () => import('./docs-json.ts'),
  },
  {
    path: 'docs family',
    summary: "the page of a family's verdicts and methods, as Markdown",
    args: [
      { name: '<family>', help: 'evm, solana, xrpl or tron', completes: ['evm', 'solana', 'xrpl', 'tron'] },
    ],
    options: [],
    examples: [['rpcgw docs family evm > docs/verdicts/evm.md', 'how the page in docs/ is made']],
    load: () => import('./docs-family.ts'),
  },
  {
    path: 'docs errors',
    summary: 'the page of every error code, as Markdown',
    args: [],
    options: [],
    examples: [['rpcgw docs errors > docs/errors.md', 'how the page in docs/ is made']],
    load: () => import('./docs-errors.ts'),
  },
  {
    path: 'docs man',
    summary: 'the manual page',
    args: [],
    options: [],
    examples: [
      ['rpcgw docs man | man -l -', 'read it'],
      ['rpcgw docs man > docs/rpcgw.1', 'how the page in docs/ is made'],
    ],
    load: () => import('./docs-man.ts'),
  },
];
