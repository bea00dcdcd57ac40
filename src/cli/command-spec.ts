/** What a command is, as data: help texts, completion, the man page and the reference page are readings of it. */

import type { CommandModule } from './context.ts';

/** What an argument or an option's value may be, for completion. A list: these words. */
export type Completes = 'chain' | 'endpoint' | 'file' | readonly string[];

export interface ArgSpec {
  /** As commander takes it: `<needed>`, `[optional]`, `[many...]`. */
  readonly name: string;
  readonly help: string;
  readonly completes?: Completes;
}

export interface OptionSpec {
  readonly flags: string;
  readonly help: string;
  /** When it is not given. */
  readonly value?: string;
  readonly completes?: Completes;
}

export interface CommandSpec {
  /** `status`, or with its group `endpoint add`. */
  readonly path: string;
  readonly summary: string;
  readonly args: readonly ArgSpec[];
  readonly options: readonly OptionSpec[];
  /** What to type, and what it does. */
  readonly examples: readonly (readonly [line: string, says: string])[];
  /** Exit codes that mean something particular here; those of every command stand in `exit-codes.ts`. */
  readonly exits?: readonly (readonly [code: number, says: string])[];
  /** The shape that `--json` prints, by its name in `json-shapes.ts`. Absent: what is printed is no JSON. */
  readonly json?: string;
  /** For programs, not for people: in no help and no document. */
  readonly hidden?: true;
  /** Loaded when run, so that a quick command stays quick. */
  readonly load: () => Promise<CommandModule>;
}

export const globalOptions: readonly OptionSpec[] = [
  { flags: '--json', help: 'print JSON for scripts; errors as JSON on stderr' },
  {
    flags: '--socket <path>',
    help: "the daemon's socket (default: as the config and the environment say)",
    completes: 'file',
  },
  { flags: '--config <file>', help: 'the config file', completes: 'file' },
  { flags: '--color <when>', help: 'auto, always or never', completes: ['auto', 'always', 'never'] },
];

export const chainArg: ArgSpec = {
  name: '<chain>',
  help: 'a chain of the config, for example ethereum',
  completes: 'chain',
};
export const onlyChainArg: ArgSpec = { name: '[chain]', help: 'only this chain', completes: 'chain' };
export const endpointArg: ArgSpec = {
  name: '<name>',
  help: "the endpoint's name",
  completes: 'endpoint',
};
export const chainOption: OptionSpec = {
  flags: '--chain <chain>',
  help: 'only this chain',
  completes: 'chain',
};
export const dryRunOption: OptionSpec = {
  flags: '--dry-run',
  help: 'say what would happen and change nothing',
};
export const forceOption: OptionSpec = {
  flags: '--force',
  help: "even when it is the chain's last usable one",
};
