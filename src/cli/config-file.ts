import { existsSync } from 'node:fs';
import { type Loaded, loadConfig } from '../config/load.ts';
import { findConfig } from '../config/locate.ts';
import { OperatorError } from '../core/errors.ts';
import { type CommandContext, option } from './context.ts';

/** The config a command is about: its argument, or the one that `serve` would take. */
export function configFileOf(context: CommandContext): { readonly path: string; readonly loaded: Loaded } {
  const [given] = context.args;
  const found = findConfig(
    typeof given === 'string' ? given : option(context, 'config'),
    process.env,
    existsSync,
  );
  if (found.path === undefined) {
    throw new OperatorError('config_invalid', 'there is no config', {
      why: found.tried.map(path => `looked at ${path}`),
      next: ['rpcgw init', 'or name one: rpcgw check FILE'],
    });
  }
  return { path: found.path, loaded: loadConfig(found.path, process.env) };
}
