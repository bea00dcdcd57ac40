/** Options that mean a span, a number, one of several words, pairs: read, or refused in words. */

import { spanMs } from '../config/units.ts';
import { OperatorError } from '../core/errors.ts';
import { type CommandContext, option } from './context.ts';

type Options = Pick<CommandContext, 'options'> & CommandContext;

/** Ms; undefined when it is not given. */
export function span(context: Options, name: string): number | undefined {
  const text = option(context, name);
  if (text === undefined) return undefined;
  const ms = spanMs(text);
  if (ms === undefined)
    throw new OperatorError('usage', `${flag(name)} takes a span such as 30s, 15m or 24h, not ${text}`);
  return ms;
}

/** A whole number. */
export function whole(context: Options, name: string, least: number, most: number): number | undefined {
  const text = option(context, name);
  if (text === undefined) return undefined;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new OperatorError(
      'usage',
      `${flag(name)} takes a whole number from ${least} to ${most}, not ${text}`,
    );
  return value;
}

export function choice<Value extends string>(
  context: Options,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = option(context, name);
  if (text === undefined) return undefined;
  const value = values.find(each => each === text);
  if (value === undefined)
    throw new OperatorError('usage', `${flag(name)} is one of ${values.join(', ')}, not ${text}`);
  return value;
}

/** `key=value`, given any number of times; undefined when not at all. */
export function pairs(context: Options, name: string): Record<string, string> | undefined {
  const given = context.options[name];
  if (!Array.isArray(given)) return undefined;
  return Object.fromEntries(
    given.map(String).map(text => {
      const at = text.indexOf('=');
      if (at < 1) throw new OperatorError('usage', `${flag(name)} takes name=value, not ${text}`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

/** `maxInFlight` as it is typed. */
function flag(name: string): string {
  return `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
}
