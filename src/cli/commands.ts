/** Every command as data: help texts, the reference page, completion and the man page are readings of this table. */

import type { CommandModule } from './context.ts';

export interface ArgSpec {
  /** As commander takes it: `<needed>`, `[optional]`, `[many...]`. */
  readonly name: string;
  readonly help: string;
}

export interface OptionSpec {
  readonly flags: string;
  readonly help: string;
  readonly value?: string;
}

export interface CommandSpec {
  /** `status`, or with its group `endpoint add`. */
  readonly path: string;
  readonly summary: string;
  readonly args: readonly ArgSpec[];
  readonly options: readonly OptionSpec[];
  /** What to type, and what it does. */
  readonly examples: readonly (readonly [line: string, says: string])[];
  /** Loaded when run, so that a quick command stays quick. */
  readonly load: () => Promise<CommandModule>;
}

export const globalOptions: readonly OptionSpec[] = [
  { flags: '--json', help: 'print JSON for scripts; errors as JSON on stderr' },
  { flags: '--socket <path>', help: "the daemon's socket (default: as the config and the environment say)" },
  { flags: '--config <file>', help: 'the config file' },
  { flags: '--color <when>', help: 'auto, always or never', value: 'auto' },
];

const chain: ArgSpec = { name: '<chain>', help: 'a chain of the config, for example ethereum' };

export const commands: readonly CommandSpec[] = [
  {
    path: 'init',
    summary: 'write a commented starter config with public endpoints of the six chains',
    args: [],
    options: [
      { flags: '--file <path>', help: 'where to write it', value: 'rpcgw.yaml' },
      { flags: '--force', help: 'replace a file that is there' },
    ],
    examples: [
      ['rpcgw init', 'writes ./rpcgw.yaml, never over a file that is there'],
      ['rpcgw init --file /etc/rpcgw/rpcgw.yaml', 'writes it where the service looks for it'],
    ],
    load: () => import('./init.ts'),
  },
  {
    path: 'check',
    summary: 'say all that is wrong with a config, offline',
    args: [{ name: '[file]', help: 'a config file (default: where `serve` would find it)' }],
    options: [],
    examples: [
      ['rpcgw check', 'checks the config that `serve` would take'],
      ['rpcgw check ./rpcgw.yaml --json', 'every problem with line, key and what was expected'],
    ],
    load: () => import('./check.ts'),
  },
  {
    path: 'config show',
    summary: 'the config as it is understood, defaults filled in, secrets left out',
    args: [{ name: '[file]', help: 'a config file' }],
    options: [],
    examples: [['rpcgw config show --json', 'for scripts']],
    load: () => import('./config-show.ts'),
  },
  {
    path: 'config schema',
    summary: 'the JSON Schema of the config, for editors',
    args: [],
    options: [],
    examples: [['rpcgw config schema > rpcgw.schema.json', 'name it in the first line of the config']],
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
    summary: 'the daemon, in the foreground',
    args: [],
    options: [{ flags: '--log-level <level>', help: 'debug, info, warn or error' }],
    examples: [
      ['rpcgw serve', 'takes the config it finds, says where it listens'],
      ['rpcgw serve --config ./rpcgw.yaml', 'takes this one'],
    ],
    load: () => import('./serve.ts'),
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
    ],
    examples: [
      ['rpcgw demo', 'the tour: every fault once, told line by line'],
      ['rpcgw demo --scenario lagging --once', 'one story, then the end'],
    ],
    load: () => import('./demo.ts'),
  },
  {
    path: 'status',
    summary: 'the pools: every chain and endpoint in one word, with the reason',
    args: [{ name: '[chain]', help: 'only this chain' }],
    options: [],
    examples: [
      ['rpcgw status', 'a line a chain, then what needs you'],
      ['rpcgw status ethereum --json', 'for scripts'],
    ],
    load: () => import('./status.ts'),
  },
  {
    path: 'scores',
    summary: "each endpoint's score term by term, and every gate with its reason",
    args: [{ name: '[chain]', help: 'only this chain' }],
    options: [],
    examples: [['rpcgw scores ethereum', 'why the first is first, and what holds the others']],
    load: () => import('./scores.ts'),
  },
  {
    path: 'endpoint add',
    summary: 'add an endpoint to the running daemon; its host must be on the allowlist',
    args: [chain, { name: '<url>', help: 'the RPC URL, or - to read it from stdin' }],
    options: [
      { flags: '--name <name>', help: 'its name in the pool' },
      { flags: '--weight <n>', help: '1 to 20 (default 10)' },
      { flags: '--history <kind>', help: 'full, recent or auto' },
      { flags: '--broadcast <rule>', help: 'prefer, allow or never' },
      { flags: '--dry-run', help: 'say what would happen and change nothing' },
    ],
    examples: [
      ['rpcgw endpoint add ethereum https://rpc.ankr.com/eth --name ankr', 'starts in quarantine'],
      [
        'pass show rpc-url | rpcgw endpoint add ethereum - --name paid',
        'keeps the URL out of the shell history',
      ],
    ],
    load: () => import('./endpoint-add.ts'),
  },
  {
    path: 'endpoint list',
    summary: 'all endpoints with state, score and origin',
    args: [{ name: '[chain]', help: 'only this chain' }],
    options: [],
    examples: [['rpcgw endpoint list ethereum', 'worst state first']],
    load: () => import('./endpoint-list.ts'),
  },
  {
    path: 'endpoint remove',
    summary: 'remove an endpoint that was added at runtime',
    args: [chain, { name: '<name>', help: "the endpoint's name" }],
    options: [
      { flags: '-y, --yes', help: 'do not ask' },
      { flags: '--force', help: "even when it is the chain's last usable one" },
      { flags: '--dry-run', help: 'say what would happen and change nothing' },
    ],
    examples: [['rpcgw endpoint remove ethereum ankr --yes', 'in a script']],
    load: () => import('./endpoint-remove.ts'),
  },
  {
    path: 'call',
    summary: 'send one request through the gateway and print the answer',
    args: [
      chain,
      { name: '<method>', help: 'the method; for TRON a path such as /wallet/getnowblock' },
      { name: '[params...]', help: 'each JSON, or plain text' },
    ],
    options: [{ flags: '-v, --verbose', help: 'who answered, after how many attempts' }],
    examples: [
      ['rpcgw call ethereum eth_blockNumber', 'the head'],
      [
        'rpcgw call ethereum eth_getBalance 0x0000000000000000000000000000000000000000 latest',
        'plain words are strings',
      ],
      [
        'rpcgw call xrpl account_info \'{"account":"rrrrrrrrrrrrrrrrrrrrrhoLvTp"}\'',
        'XRPL and TRON take one object',
      ],
    ],
    load: () => import('./call.ts'),
  },
  {
    path: 'classify',
    summary: 'read an upstream answer and print the verdict and the rule that gave it; needs no daemon',
    args: [],
    options: [
      {
        flags: '--jsonl',
        help: 'read cases as JSON Lines from stdin (the corpus form), write one line each',
      },
      { flags: '--family <name>', help: 'evm, solana, xrpl or tron', value: 'evm' },
      { flags: '--chain <name>', help: "the chain, where a rule is one chain's habit", value: 'ethereum' },
      { flags: '--method <method>', help: 'the method that was asked; for TRON a path' },
      { flags: '--params <json>', help: 'its params as JSON' },
      { flags: '--status <code>', help: 'the HTTP status', value: '200' },
      { flags: '--header <line...>', help: 'a response header, "name: value"' },
      { flags: '--body <text>', help: 'the body (default: stdin; a saved `curl -i` text is understood)' },
      { flags: '--transport <kind>', help: 'no answer at all: connect_refused, dns, tls, timeout, reset' },
    ],
    examples: [
      ['curl -si https://… -d … | rpcgw classify --method eth_call', 'a saved or piped `curl -i` text'],
      ['rpcgw classify --jsonl < fixtures/corpus/evm.jsonl', 'one line for each case'],
    ],
    load: () => import('./classify.ts'),
  },
  {
    path: 'events',
    summary: 'what happened: gates that opened and closed, alarms, answers no rule knew',
    args: [],
    options: [
      { flags: '--follow', help: 'go on as they happen' },
      { flags: '--kind <kind>', help: 'only this kind, for example unclassified' },
      { flags: '--chain <chain>', help: 'only this chain' },
      { flags: '--endpoint <name>', help: 'only this endpoint' },
      { flags: '--since <span>', help: 'how far back, for example 1h', value: '24h' },
      { flags: '--limit <n>', help: 'at most so many', value: '200' },
    ],
    examples: [
      ['rpcgw events --follow', 'a live tail'],
      ['rpcgw events --kind unclassified', 'answers to turn into corpus lines'],
    ],
    load: () => import('./events.ts'),
  },
];
