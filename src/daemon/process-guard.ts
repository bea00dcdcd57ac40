/**
 * What the process must not do by itself: open a port for a debugger when it is signalled, and print what an error carries
 * when it ends by one. Errors of the runtime quote what they were given, whole URLs too.
 */

import { scrub } from '../core/redact.ts';
import { openProcessLogger } from './process-logger.ts';

/** `secrets`: of every endpoint there is; undefined while they are not known. */
export function guardProcess(secrets: () => readonly string[] | undefined): void {
  // With nobody listening, Node opens a port that takes any code from whoever reaches it.
  process.on('SIGUSR1', () => undefined);
  process.on('uncaughtException', (error: unknown) => {
    openProcessLogger('error').error('a fault of rpcgw itself ends it', told(error, secrets()));
    process.exit(1);
  });
}

function told(error: unknown, secrets: readonly string[] | undefined): Record<string, string> {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const frames = (stack ?? '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line.startsWith('at '));
  const shown = process.env.RPCGW_DEBUG ? frames : frames.slice(0, 1);
  return {
    fault: secrets === undefined ? name : scrub(`${name}: ${message}`, secrets).slice(0, 1000),
    at: shown.join(' < ').replaceAll(/at (?:async )?/g, ''),
  };
}
