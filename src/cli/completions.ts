/** What could come next on a command line, read out of the table of commands. Names come from the daemon, if it is quick. */

import { type ArgSpec, type CommandSpec, globalOptions, type OptionSpec } from './command-spec.ts';

export interface Candidate {
  readonly word: string;
  readonly says: string;
}

/** `files`: whatever the shell knows of files. */
export type Completion = readonly Candidate[] | 'files';

export interface LiveNames {
  chains(): Promise<readonly string[]>;
  /** Undefined: of any chain. */
  endpoints(chain: string | undefined): Promise<readonly string[]>;
}

/** `words`: those after the program's name; the last one is being typed, perhaps not begun. */
export async function completionsFor(
  words: readonly string[],
  commands: readonly CommandSpec[],
  groups: Readonly<Record<string, string>>,
  names: LiveNames,
): Promise<Completion> {
  const current = words.at(-1) ?? '';
  const read = readWords(words.slice(0, -1), commands);
  if (read.open !== undefined) return values(read.open, current, read, names);
  if (current.startsWith('-')) {
    const options = [...(read.command?.options ?? []), ...globalOptions];
    return beginning(
      current,
      options.map(each => ({ word: longOf(each), says: each.help })),
    );
  }
  const next = nextWords(read.path, commands, groups);
  const arg = read.command === undefined ? undefined : argAt(read.command, read.positional.length);
  // A command that is a group too (`broadcasts`) may go on either way.
  if (read.positional.length === 0 && next.length > 0) return beginning(current, next);
  return arg === undefined ? [] : values(arg, current, read, names);
}

interface ReadWords {
  readonly path: string;
  readonly command: CommandSpec | undefined;
  readonly positional: readonly string[];
  readonly given: ReadonlyMap<string, string>;
  /** An option that still waits for its value. */
  readonly open: OptionSpec | undefined;
}

function readWords(words: readonly string[], commands: readonly CommandSpec[]): ReadWords {
  const given = new Map<string, string>();
  const positional: string[] = [];
  let path = '';
  let open: OptionSpec | undefined;
  for (const word of words) {
    if (open !== undefined) {
      given.set(longOf(open), word);
      open = undefined;
      continue;
    }
    if (word.startsWith('-')) {
      const options = [...(commandAt(path, commands)?.options ?? []), ...globalOptions];
      const [name, value] = word.split('=', 2);
      const option = options.find(({ flags }) => flags.split(/[\s,]+/).includes(name ?? ''));
      if (option !== undefined && value !== undefined) given.set(longOf(option), value);
      else if (option?.flags.includes('<')) open = option;
      continue;
    }
    const longer = path === '' ? word : `${path} ${word}`;
    if (
      positional.length === 0 &&
      commands.some(each => each.path === longer || each.path.startsWith(`${longer} `))
    )
      path = longer;
    else positional.push(word);
  }
  return { path, command: commandAt(path, commands), positional, given, open };
}

function commandAt(path: string, commands: readonly CommandSpec[]): CommandSpec | undefined {
  return commands.find(each => each.path === path);
}

/** The words that may follow in a command's path. */
function nextWords(
  path: string,
  commands: readonly CommandSpec[],
  groups: Readonly<Record<string, string>>,
): readonly Candidate[] {
  const before = path === '' ? [] : path.split(' ');
  const found = new Map<string, string>();
  for (const command of commands) {
    const words = command.path.split(' ');
    const word = words[before.length];
    if (command.hidden || word === undefined || before.some((each, at) => words[at] !== each)) continue;
    const whole = words.slice(0, before.length + 1).join(' ');
    if (!found.has(word)) found.set(word, command.path === whole ? command.summary : (groups[whole] ?? ''));
  }
  return [...found].map(([word, says]) => ({ word, says }));
}

function argAt({ args }: CommandSpec, at: number): ArgSpec | undefined {
  const last = args.at(-1);
  return args[at] ?? (last?.name.includes('...') ? last : undefined);
}

async function values(
  { completes, help }: ArgSpec | OptionSpec,
  current: string,
  { positional, given }: ReadWords,
  names: LiveNames,
): Promise<Completion> {
  if (completes === undefined) return [];
  if (completes === 'file') return 'files';
  const words =
    completes === 'chain'
      ? await names.chains()
      : completes === 'endpoint'
        ? await names.endpoints(positional[0] ?? given.get('--chain'))
        : completes;
  return beginning(
    current,
    words.map(word => ({ word, says: typeof completes === 'string' ? help : '' })),
  );
}

function beginning(current: string, all: readonly Candidate[]): readonly Candidate[] {
  return all.filter(({ word }) => word.startsWith(current));
}

function longOf({ flags }: OptionSpec): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags;
}
