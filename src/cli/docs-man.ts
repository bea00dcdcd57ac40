import { type CommandSpec, globalOptions, type OptionSpec } from './command-spec.ts';
import { commands } from './commands.ts';
import type { CommandContext } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { version } from './version.ts';

export async function run(context: CommandContext): Promise<number> {
  context.out(manPage());
  return 0;
}

function manPage(): string {
  const shown = commands.filter(({ hidden }) => !hidden);
  return [
    `.TH RPCGW 1 "" "rpcgw ${version}" "User Commands"`,
    '.SH NAME',
    'rpcgw \\- blockchain RPC gateway: every request to the best endpoint, no transaction sent twice',
    '.SH SYNOPSIS',
    '.B rpcgw',
    '.I command',
    '[\\fIarguments\\fR] [\\fIoptions\\fR]',
    '.SH DESCRIPTION',
    roff(
      'rpcgw serve is the daemon; every other command asks it over a Unix socket, or needs no daemon. Data goes to stdout, everything else to stderr. Doing a thing twice says already and exits 0.',
    ),
    '.SH COMMANDS',
    ...shown.flatMap(command),
    '.SH OPTIONS OF EVERY COMMAND',
    ...globalOptions.flatMap(option),
    '.SH EXIT STATUS',
    ...exitCodes.flatMap(([code, says]) => ['.TP', `.B ${code}`, roff(says)]),
    '.SH ENVIRONMENT',
    ...environment.flatMap(([name, says]) => ['.TP', `.B ${name}`, roff(says)]),
    '.SH FILES',
    ...files.flatMap(([name, says]) => ['.TP', `.I ${roff(name)}`, roff(says)]),
    '.SH EXAMPLES',
    ...examples.flatMap(([line, says]) => ['.TP', `.B ${roff(line)}`, roff(says)]),
  ].join('\n');
}

const environment: readonly (readonly [string, string])[] = [
  ['RPCGW_CONFIG', 'the config file, when --config is not given'],
  ['RPCGW_SOCKET', "the daemon's socket, when neither --socket nor the config says"],
  ['NO_COLOR', 'no colour'],
  ['RPCGW_DEBUG', 'shows the trace of a fault of rpcgw itself'],
];

const files: readonly (readonly [string, string])[] = [
  ['rpcgw.yaml', 'the config: in the folder it is called from, in $XDG_CONFIG_HOME/rpcgw, in /etc/rpcgw'],
  ['rpcgw.db', 'the state, in dataDir: broadcasts, events, numbers, switches, the audit'],
  ['/run/rpcgw/rpcgw.sock', "the daemon's socket, where nothing else is said"],
];

const examples: readonly (readonly [string, string])[] = [
  ['rpcgw status --wait ready', 'after a start, in a script'],
  ['rpcgw doctor', 'what is wrong, most important first'],
  ['rpcgw broadcasts --unknown', 'transactions whose outcome is not known'],
  ['rpcgw endpoint drain ethereum own-node --wait', 'before maintenance'],
];

function command({ path, summary, args, options, exits, examples: own }: CommandSpec): string[] {
  const usage = ['rpcgw', path, ...args.map(({ name }) => name)].join(' ');
  return [
    `.SS ${roff(usage)}`,
    roff(`${summary}.`),
    ...args.flatMap(({ name, help }) => ['.TP', `.I ${roff(name)}`, roff(help)]),
    ...options.flatMap(option),
    ...(exits ?? []).flatMap(([code, says]) => ['.TP', `exit ${code}`, roff(says)]),
    ...(own.length === 0
      ? []
      : ['.PP', ...own.flatMap(([line, says]) => [`.B ${roff(line)}`, '.br', roff(says), '.br'])]),
  ];
}

function option({ flags, help, value }: OptionSpec): string[] {
  return ['.TP', `.B ${roff(flags)}`, roff(value === undefined ? help : `${help} (default: ${value})`)];
}

/** A line of text as roff takes it: no escapes of its own, and no dot or quote at its beginning. */
function roff(text: string): string {
  const plain = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll("'", '\\(aq');
  return /^[.]/.test(plain) ? `\\&${plain}` : plain;
}
