/** What every command gets: its words, where it prints, and the daemon. */

import type { ApiClient } from '../api/client.ts';
import { OperatorError } from '../core/errors.ts';

export interface CommandContext {
  /** Positional arguments in order; absent optional ones are undefined. */
  readonly args: readonly (string | readonly string[] | undefined)[];
  /** Options by their camel-case name, global ones included. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  readonly color: boolean;
  /** Columns of the terminal; undefined when stdout is none, and then nothing is cut. */
  readonly width: number | undefined;
  /** Data, to stdout, with a line end. */
  out(text: string): void;
  /** Everything else, to stderr. */
  note(text: string): void;
  readonly api: ApiClient;
}

export interface CommandModule {
  /** Resolves to the exit code; throws an OperatorError for what has a code of its own. */
  run(context: CommandContext): Promise<number>;
}

export function createContext(
  args: CommandContext['args'],
  options: CommandContext['options'],
  sockets: () => Promise<readonly string[]>,
): CommandContext {
  return {
    args,
    options,
    json: options.json === true,
    color: wantsColor(options.color),
    width: process.stdout.isTTY ? process.stdout.columns : undefined,
    out: text => void process.stdout.write(`${text}\n`),
    note: text => void process.stderr.write(`${text}\n`),
    api: lazyClient(sockets),
  };
}

/** Loads HTTP when something is asked: half of what a command costs that asks nothing. */
function lazyClient(sockets: () => Promise<readonly string[]>): ApiClient {
  let client: ApiClient | undefined;
  const load = async (): Promise<ApiClient> => {
    const { apiClient } = await import('../api/client.ts');
    client ??= apiClient(sockets);
    return client;
  };
  return {
    get socket() {
      return client?.socket ?? '';
    },
    ask: async (name, input, signal) => (await load()).ask(name, input, signal),
    async *watch(name, input, signal) {
      yield* (await load()).watch(name, input, signal);
    },
  };
}

function wantsColor(option: unknown): boolean {
  if (option === 'always') return true;
  if (option !== undefined && option !== 'never' && option !== 'auto')
    throw new OperatorError('usage', `--color is auto, always or never, not ${String(option)}`);
  if (option === 'never' || process.env.NO_COLOR || process.env.TERM === 'dumb') return false;
  return process.stdout.isTTY === true || Boolean(process.env.FORCE_COLOR);
}

/** A positional argument that commander has already made sure is there. */
export function arg(context: CommandContext, index: number): string {
  const value = context.args[index];
  return typeof value === 'string' ? value : '';
}

export function option(context: CommandContext, name: string): string | undefined {
  const value = context.options[name];
  return typeof value === 'string' ? value : undefined;
}

export function isSet(context: CommandContext, name: string): boolean {
  return context.options[name] === true;
}
