import { text as readAll } from 'node:stream/consumers';
import { OperatorError } from '../core/errors.ts';
import { arg, type CommandContext, option } from './context.ts';
import { done } from './done.ts';

export async function run(context: CommandContext): Promise<number> {
  const given = arg(context, 1);
  const url = given === '-' ? (await readAll(process.stdin)).trim() : given;
  const name = option(context, 'name');
  if (name === undefined)
    throw new OperatorError('usage', 'an endpoint needs a name', { next: ['add --name NAME'] });
  // A key in the arguments is visible to every user of the host, and stays in the shell's history.
  if (given !== '-' && /[?]|\/[\w-]{20,}/.test(given)) {
    context.note(
      'warning: a URL with a key in the arguments is visible in `ps` and in the shell history; pass - and pipe it in',
    );
  }
  return done(
    context,
    await context.api.ask('endpointAdd', {
      who: who(),
      chain: arg(context, 0),
      name,
      url,
      ...weight(context),
      ...choice(context, 'history', ['full', 'recent', 'auto'] as const),
      ...choice(context, 'broadcast', ['prefer', 'allow', 'never'] as const),
      dryRun: context.options.dryRun === true,
    }),
  );
}

/** Stated, not proven: Node cannot read who is at the other end of a socket. */
export function who(): string {
  return process.env.SUDO_USER ?? process.env.USER ?? 'unknown';
}

function weight(context: CommandContext): { weight?: number } {
  const text = option(context, 'weight');
  if (text === undefined) return {};
  const value = Number(text);
  if (!Number.isInteger(value))
    throw new OperatorError('usage', `--weight takes a whole number, not ${text}`);
  return { weight: value };
}

function choice<Key extends string, Value extends string>(
  context: CommandContext,
  key: Key,
  values: readonly Value[],
): Partial<Record<Key, Value>> {
  const text = option(context, key);
  if (text === undefined) return {};
  const value = values.find(each => each === text);
  if (value === undefined)
    throw new OperatorError('usage', `--${key} is one of ${values.join(', ')}, not ${text}`);
  const chosen: Partial<Record<Key, Value>> = {};
  chosen[key] = value;
  return chosen;
}
