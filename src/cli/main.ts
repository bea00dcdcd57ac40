/** The program's door: reads the command line, runs one command, turns what it throws into words and an exit code. */

import { existsSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { errorObject } from '../api/error-object.ts';
import { configuredPlaces } from '../config/load.ts';
import { findConfig, socketPaths } from '../config/locate.ts';
import { OperatorError } from '../core/errors.ts';
import { type CommandSpec, commands, globalOptions } from './commands.ts';
import { createContext } from './context.ts';
import { version } from './version.ts';

export async function run(argv: readonly string[]): Promise<void> {
  // `rpcgw status | head -1` is no error.
  process.stdout.on('error', error => process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1));
  const json = argv.includes('--json');
  try {
    process.exitCode = await parse(argv);
  } catch (error) {
    process.exitCode = report(error, json);
  }
}

async function parse(argv: readonly string[]): Promise<number> {
  let exit = 0;
  const program = new Command('rpcgw')
    .description('Blockchain RPC gateway: every request to the best endpoint, no transaction sent twice')
    .version(version, '-V, --version')
    .showHelpAfterError('(add --help for how it is used)')
    .exitOverride();
  for (const spec of commands) {
    const command = leaf(program, spec.path);
    describe(command, spec);
    command.action(async (...given: unknown[]) => {
      const args = given.slice(0, spec.args.length) as (string | string[] | undefined)[];
      const options = command.optsWithGlobals();
      const module = await spec.load();
      exit = await module.run(createContext(args, options, () => sockets(options)));
    });
  }
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    // commander has printed its own words already; help and version are no errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
  return exit;
}

/** Where the daemon may listen: as told, as the config it would take says, and the usual places. */
function sockets(options: { readonly socket?: string; readonly config?: string }): readonly string[] {
  const found = findConfig(options.config, process.env, existsSync);
  const places = found.path === undefined ? {} : configuredPlaces(found.path, process.env);
  return socketPaths(process.env, options.socket, places);
}

/** The command at `endpoint add`, its groups made on the way. */
function leaf(program: Command, path: string): Command {
  const words = path.split(' ');
  return words.reduce((parent, word, at) => {
    const there = parent.commands.find(command => command.name() === word);
    if (there !== undefined) return there;
    const made = parent.command(word).exitOverride();
    if (at < words.length - 1) made.description(`${word} commands`);
    return made;
  }, program);
}

function describe(command: Command, spec: CommandSpec): void {
  command.description(spec.summary).showHelpAfterError('(add --help for how it is used)');
  for (const { name, help } of spec.args) command.argument(name, help);
  for (const { flags, help, value } of [...spec.options, ...globalOptions]) {
    const option = new Option(flags, help);
    if (value !== undefined) option.default(value);
    command.addOption(option);
  }
  const examples = spec.examples.map(([line, says]) => `  ${line}\n      ${says}`).join('\n');
  command.addHelpText('after', `\nExamples:\n${examples}\n`);
}

function report(error: unknown, json: boolean): number {
  if (error instanceof OperatorError) {
    process.stderr.write(`${json ? JSON.stringify(errorObject(error)) : inWords(error)}\n`);
    return error.exit;
  }
  const text =
    error instanceof Error ? (process.env.RPCGW_DEBUG ? error.stack : error.message) : String(error);
  process.stderr.write(`error: a fault of rpcgw itself: ${text}\n`);
  if (!process.env.RPCGW_DEBUG)
    process.stderr.write('  next: run it again with RPCGW_DEBUG=1 for the whole trace\n');
  return 1;
}

function inWords(error: OperatorError): string {
  const more = (label: string, lines: readonly string[]): string[] =>
    lines.map((line, at) => (at === 0 ? `  ${label}: ${line}` : `  ${' '.repeat(label.length + 2)}${line}`));
  return [`error: ${error.message}`, ...more('why', error.why), ...more('next', error.next)].join('\n');
}
