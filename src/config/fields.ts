/** The kinds of values a config is made of, each with the words that say what was expected. */

import { z } from 'zod/mini';
import { parseAddress, parseAllowedHost } from './hosts.ts';
import { share, sharePattern, sizeBytes, sizePattern, spanMs, spanPattern } from './units.ts';

/** What a key is for, as the JSON Schema and the reference page say it. Noted beside the schema, of which each key has its own. */
export function said<Schema extends z.core.$ZodType>(schema: Schema, description: string): Schema {
  z.globalRegistry.add(schema, { description });
  return schema;
}

function titled<Schema extends z.core.$ZodType>(schema: Schema, title: string): Schema {
  z.globalRegistry.add(schema, { title });
  return schema;
}

/** A key that may be absent, and then says nothing. */
export function optional<Schema extends z.core.SomeType>(schema: Schema, description: string) {
  return said(z.optional(schema), description);
}

/** A key with a default. */
export function byDefault<Schema extends z.core.SomeType>(
  schema: Schema,
  value: Parameters<typeof z._default<Schema>>[1],
  description: string,
) {
  return said(z._default(schema, value), description);
}

/** The same, the default as the file would have it: with its unit. */
export function written<Schema extends z.core.SomeType>(
  schema: Schema,
  value: z.core.input<Schema>,
  description: string,
) {
  return said(z.prefault(schema, value), description);
}

/** A text with a unit, and what reads it. Made once, whatever it is held between. */
function kindOf(title: string, like: string, pattern: RegExp, read: (text: string) => number | undefined) {
  const error = `expected a ${title} with its unit, such as ${like}`;
  return { title, read, shape: z.string({ error }).check(z.regex(pattern, { error, abort: true })) };
}

const spans = kindOf('span', '500ms, 30s or 5m', spanPattern, spanMs);
const sizes = kindOf('size', '64KiB or 10MiB', sizePattern, sizeBytes);
const parts = kindOf('share', '1% or 20%', sharePattern, share);

/** A value of a kind, held between two of its own. */
function between({ title, read, shape }: ReturnType<typeof kindOf>, least: string, most: string) {
  const [from = 0, to = 0] = [read(least), read(most)];
  const value = z.transform((text: string, context) => {
    const found = read(text);
    if (found !== undefined && found >= from && found <= to) return found;
    const message = `expected a ${title} from ${least} to ${most}`;
    context.issues.push({ code: 'custom', input: text, message });
    return z.NEVER;
  });
  return titled(z.pipe(shape, value), title);
}

export const span = (least: string, most: string) => between(spans, least, most);
export const size = (least: string, most: string) => between(sizes, least, most);
export const part = (least: string, most: string) => between(parts, least, most);

export function whole(least: number, most: number) {
  const error = `expected a whole number from ${least} to ${most}`;
  return z.int({ error }).check(z.minimum(least, { error }), z.maximum(most, { error }));
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `expected one of ${values.join(', ')}` });
}

export function text(pattern: RegExp, expected: string) {
  const error = `expected ${expected}`;
  return z.string({ error }).check(z.regex(pattern, { error }));
}

/** So many a second. */
export const rate = z
  .number({ error: 'expected a number above 0' })
  .check(
    z.positive({ error: 'expected a number above 0' }),
    z.maximum(1_000_000, { error: 'expected at most 1000000' }),
  );

/** Only true or false: YAML 1.2 reads `yes` and `on` as words. */
export const flag = z.boolean({ error: 'expected true or false' });

export const path = titled(
  text(/^(?!~)\P{Cc}+$/u, 'a path, absolute or beside this file; ~ is not known here'),
  'path',
);

export const address = titled(
  z.pipe(
    z.string({ error: 'expected an address and a port, such as 127.0.0.1:8600' }),
    z.transform((given: string, context) => {
      const found = parseAddress(given);
      if (found !== undefined) return found;
      context.issues.push({
        code: 'custom',
        input: given,
        message: 'expected a literal address (or localhost) and a port, such as 127.0.0.1:8600 or [::1]:8600',
      });
      return z.NEVER;
    }),
  ),
  'address',
);

export const endpointName = text(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  'a name of letters, digits, dots, dashes and underscores, at most 64',
);

export const clientName = text(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  'a name of letters, digits, dots, dashes and underscores',
);

/** RFC 6750 allows no other characters in a bearer token; shorter ones can be guessed. */
export const clientKey = text(
  /^[A-Za-z0-9._~+/-]{16,256}=*$/,
  'a key of 16 to 256 letters, digits and . _ ~ + / -',
);

export const headers = z.record(
  text(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'a header name'),
  text(/^[\t\x20-\x7e]*$/, 'a header value of printable ASCII on one line'),
  { error: 'expected a table of header names and values' },
);

export const labels = z.record(
  text(/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/, 'a label name of letters, digits, dots, dashes and underscores'),
  text(/^\P{Cc}{0,128}$/u, 'a text of one line, at most 128 characters'),
  { error: 'expected a table of label names and texts' },
);

const hostForm = z.union([
  z.string({ error: 'expected a host, such as rpc.example.com, or a table with host and allowPrivate' }),
  z.strictObject({
    host: said(
      z.string({ error: 'expected a host, such as rpc.example.com or 10.0.0.6:8545' }),
      'As in the short form.',
    ),
    allowPrivate: byDefault(flag, false, 'Allows plain http and private addresses there.'),
  }),
]);

export const allowedHost = titled(
  z.pipe(
    hostForm,
    z.transform((given: z.output<typeof hostForm>, context) => {
      const { host, allowPrivate } = typeof given === 'string' ? { host: given, allowPrivate: false } : given;
      const found = parseAllowedHost(host);
      if (typeof found !== 'string') return { ...found, allowPrivate };
      context.issues.push({ code: 'custom', input: given, message: found });
      return z.NEVER;
    }),
  ),
  'host',
);
