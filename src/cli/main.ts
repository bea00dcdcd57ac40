/** The program's door: reads the command line, runs one command, turns what it throws into words and an exit code. */

import { existsSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { errorObject } from '../api/error-object.ts';
import { findConfig, socketPaths } from '../config/locate.ts';
import { OperatorError } from '../core/errors.ts';
import { type CommandSpec, globalOptions, type OptionSpec } from './command-spec.ts';
import { commands, groups } from './commands.ts';
import { createContext } from './context.ts';
import { version } from './version.ts';

export async function run(argv: readonly string[]): Promise<void> {
  // `rpcgw status | head -1` is no error.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', error => process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1));
  const json = argv.includes('--json');
  try {
    process.exitCode = await parse(argv);
  } catch (error) {
    process.exitCode = report(error, json);
  }
}

async function parse(argv: readonly string[]): Promise<number> {
  let exit = 0;
  let said = '';
  const program = new Command('rpcgw')
    .description('Blockchain RPC gateway: every request to the best endpoint, no transaction sent twice')
    .version(version, versionFlags.join(', '))
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeErr: text => (said += text) });
  for (const spec of globalOptions) program.addOption(optionOf(spec));
  for (const spec of asked(argv)) {
    const command = leaf(program, spec.path, spec.hidden === true);
    describe(command, spec);
    command.action(async (...given: unknown[]) => {
      const args = given.slice(0, spec.args.length) as (string | string[] | undefined)[];
      const options = optionsOf(command);
      const module = await spec.load();
      exit = await module.run(createContext(args, options, () => sockets(options)));
    });
  }
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version are no errors; help that nobody asked for goes where errors go.
    if (error.exitCode === 0) return 0;
    if (error.code === 'commander.help') {
      process.stderr.write(said);
      return 2;
    }
    throw misused(error, argv);
  }
  return exit;
}

const versionFlags = ['-V', '--version'];

/** What the first word leaves to be run or told of: its own group, nothing for the version, else all. Each takes time. */
function asked([, , first = '']: readonly string[]): readonly CommandSpec[] {
  if (versionFlags.includes(first)) return [];
  const group = commands.filter(({ path }) => path.split(' ')[0] === first);
  return group.length === 0 ? commands : group;
}

/** commander's own words, in the form of every other error. */
function misused(error: CommanderError, argv: readonly string[]): OperatorError {
  const [message = '', ...more] = error.message.replace(/^error: /, '').split('\n');
  const why = more.map(line => line.replace(/^\((.*)\)$/, '$1')).filter(line => line !== '');
  const words = argv.slice(2).filter(word => /^[a-z][a-z-]*$/.test(word));
  const known = [2, 1].map(count => words.slice(0, count).join(' '));
  const path = known.find(each => commands.some(command => command.path === each) || each in groups);
  return new OperatorError('usage', message, { why, next: [`rpcgw ${path ? `${path} ` : ''}--help`] });
}

/** Global options may stand before the command, too; what stands nearer counts. */
function optionsOf(command: Command): Record<string, unknown> {
  const own: Record<string, unknown> = { ...command.opts() };
  for (let above = command.parent; above !== null; above = above.parent) {
    for (const { flags } of globalOptions) {
      const key = new Option(flags).attributeName();
      if (above.getOptionValueSource(key) !== 'cli' || command.getOptionValueSource(key) === 'cli') continue;
      own[key] = above.getOptionValue(key);
    }
  }
  return own;
}

/** Where the daemon may listen: as told, as the config it would take says, and the usual places. */
async function sockets(options: Record<string, unknown>): Promise<readonly string[]> {
  const { socket, config } = options;
  if (typeof socket === 'string') return socketPaths(process.env, socket);
  const found = findConfig(typeof config === 'string' ? config : undefined, process.env, existsSync);
  if (found.path === undefined) return socketPaths(process.env);
  const { configuredPlaces } = await import('../config/places.ts');
  return socketPaths(process.env, undefined, configuredPlaces(found.path, process.env));
}

/** The command at `endpoint add`, its groups made on the way. */
function leaf(program: Command, path: string, hidden: boolean): Command {
  const words = path.split(' ');
  return words.reduce((parent, word, at) => {
    const there = parent.commands.find(command => command.name() === word);
    if (there !== undefined) return there;
    const made = parent.command(word, { hidden }).copyInheritedSettings(parent).enablePositionalOptions();
    const about = groups[words.slice(0, at + 1).join(' ')];
    if (at < words.length - 1 && about !== undefined) made.description(about);
    return made;
  }, program);
}

function describe(command: Command, spec: CommandSpec): void {
  command.description(spec.summary);
  for (const { name, help } of spec.args) command.argument(name, help);
  for (const each of [...spec.options, ...globalOptions]) command.addOption(optionOf(each));
  const examples = spec.examples.map(([line, says]) => `  ${line}\n      ${says}`).join('\n');
  const exits = (spec.exits ?? []).map(([code, says]) => `  ${code}  ${says}`);
  const ends = exits.length === 0 ? '' : `\nExit codes besides 0, 2 and 5:\n${exits.join('\n')}\n`;
  command.addHelpText('after', `\nExamples:\n${examples}\n${ends}`);
}

function optionOf({ flags, help, value }: OptionSpec): Option {
  const option = new Option(flags, help);
  return value === undefined ? option : option.default(value);
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
