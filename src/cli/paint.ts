import { Chalk } from 'chalk';
import type { EndpointStatus } from '../api/contract.ts';

const chalk = new Chalk({ level: 1 });

/** Colour says nothing that the words do not say too. */
const tones: Readonly<Record<EndpointStatus['state'], (text: string) => string>> = {
  wrong_network: text => chalk.red.bold(text),
  api_only: text => chalk.red(text),
  not_verified: text => chalk.red(text),
  auth_refused: text => chalk.red(text),
  down: text => chalk.red(text),
  half_open: text => chalk.yellow(text),
  stale: text => chalk.yellow(text),
  cooling: text => chalk.yellow(text),
  quarantine: text => chalk.cyan(text),
  slow: text => chalk.yellow(text),
  busy: text => chalk.yellow(text),
  draining: text => chalk.blue(text),
  disabled: text => chalk.dim(text),
  healthy: text => chalk.green(text),
};

export function paint(text: string, state: EndpointStatus['state'] | undefined): string {
  return state === undefined ? text : tones[state](text);
}
