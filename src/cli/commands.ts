/** Every command, in the order of the help. */

import type { CommandSpec } from './command-spec.ts';
import { daemonCommands } from './commands-daemon.ts';
import { endpointCommands } from './commands-endpoint.ts';
import { pastCommands } from './commands-past.ts';
import { poolCommands } from './commands-pool.ts';

export const commands: readonly CommandSpec[] = [
  ...daemonCommands,
  ...poolCommands,
  ...endpointCommands,
  ...pastCommands,
];

/** What a group of commands is about; some groups are commands themselves. */
export const groups: Readonly<Record<string, string>> = {
  config: 'the config: shown, its schema, its reference page',
  endpoint: 'endpoints of the running daemon: added, switched, looked at',
  audit: 'the record of what operators did',
  docs: 'the pages in docs/, made from the program itself',
};
