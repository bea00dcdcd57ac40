/** What a command says of an endpoint that was or is to be added at runtime, and of its secrets. */

import { readFileSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { OperatorError } from '../core/errors.ts';
import { type CommandContext, option } from './context.ts';
import { choice, pairs, whole } from './values.ts';

const roleWords = ['read', 'broadcast', 'history'] as const;
type Role = (typeof roleWords)[number];

export interface Given {
  history?: 'full' | 'recent' | 'auto';
  broadcast?: 'prefer' | 'allow' | 'never';
  roles?: Role[];
  labels?: Record<string, string>;
  maxInFlight?: number;
}

/** Only what was asked for. */
export function givenSettings(context: CommandContext): Given {
  const history = choice(context, 'history', ['full', 'recent', 'auto']);
  const broadcast = choice(context, 'broadcast', ['prefer', 'allow', 'never']);
  const roles = option(context, 'roles')?.split(',').map(roleOf);
  const labels = pairs(context, 'label');
  const maxInFlight = whole(context, 'maxInFlight', 1, 10_000);
  return {
    ...(history === undefined ? {} : { history }),
    ...(broadcast === undefined ? {} : { broadcast }),
    ...(roles === undefined ? {} : { roles }),
    ...(labels === undefined ? {} : { labels }),
    ...(maxInFlight === undefined ? {} : { maxInFlight }),
  };
}

function roleOf(text: string): Role {
  const role = roleWords.find(each => each === text.trim());
  if (role === undefined)
    throw new OperatorError('usage', `--roles is a list of ${roleWords.join(', ')}, not ${text}`);
  return role;
}

/** `none`: no limit. */
export function givenRps(context: CommandContext): number | null | undefined {
  const text = option(context, 'rps');
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  const value = Number(text);
  if (!(value > 0 && value <= 1_000_000))
    throw new OperatorError('usage', `--rps takes a number above 0, or none, not ${text}`);
  return value;
}

/** The URL argument, or what is piped in for `-`. */
export async function givenUrl(context: CommandContext, text: string): Promise<string> {
  if (text === '-') return (await readAll(process.stdin)).trim();
  // A key in the arguments is visible to every user of the host, and stays in the shell's history.
  if (/[?]|\/[\w-]{20,}/.test(text)) {
    context.note(
      'warning: a URL with a key in the arguments is visible in `ps` and in the shell history; pass - and pipe it in',
    );
  }
  return text;
}

/** A value in the arguments would be seen, so headers come from elsewhere. */
export function givenHeaders(context: CommandContext): Record<string, string> {
  const sources = pairs(context, 'headerFrom') ?? {};
  return Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, valueFrom(name, source)]));
}

function valueFrom(name: string, source: string): string {
  const [, kind, place = ''] = /^(env|file):(.+)$/.exec(source) ?? [];
  if (kind === 'env') {
    const value = process.env[place];
    if (value !== undefined && value !== '') return value;
    throw new OperatorError('usage', `--header-from ${name}: ${place} is not set`);
  }
  if (kind === 'file') {
    try {
      return readFileSync(place, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      throw new OperatorError('usage', `--header-from ${name}: ${place} cannot be read`, {
        why: [error instanceof Error && 'code' in error ? String(error.code) : String(error)],
      });
    }
  }
  throw new OperatorError('usage', `--header-from ${name}: expected env:VAR or file:PATH`, {
    why: ['a value in the arguments would be visible in `ps` and in the shell history'],
  });
}
