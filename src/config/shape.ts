/** A value against the schema, and what the schema says against it in words for people. */

import { z } from 'zod/mini';
import { nearest } from './nearest.ts';
import { type Finding, type PathPart, shownKey } from './problem.ts';
import { type ConfigFile, configSchema } from './schema.ts';
import { isTable } from './table.ts';

type Path = readonly PathPart[];
type Issue = z.core.$ZodIssue;

/** Below these keys even a number is not shown. */
const secretPlaces = new Set<PathPart>(['url', 'headers', 'keys', 'key']);

export interface Shaped {
  /** Absent when there is a finding. */
  readonly file?: ConfigFile;
  readonly findings: readonly Finding[];
}

export function shaped(value: unknown): Shaped {
  // Read once: compiling the schema first would take longer than it saves.
  const parsed = configSchema.safeParse(value, { error: generalWords, jitless: true });
  if (parsed.success) return { file: parsed.data, findings: [] };
  return { findings: parsed.error.issues.flatMap(issue => findingsOf(issue, [], value)) };
}

/** For what the schema has no words of its own. */
function generalWords(issue: { readonly code?: string }): string {
  return issue.code === 'invalid_type' ? 'expected a table of keys' : '';
}

function findingsOf(issue: Issue, above: Path, value: unknown): Finding[] {
  const path = [...above, ...issue.path.map(part => (typeof part === 'number' ? part : String(part)))];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map(key => unknownKey(path, key));
    case 'invalid_key':
      return [{ path, atKey: true, message: issue.issues[0]?.message ?? 'not a valid name' }];
    case 'invalid_union': {
      if (issue.message !== '') break;
      // The form that the value comes nearest to is the one whose words help.
      const fits = issue.errors.find(
        errors => !errors.some(error => error.code === 'invalid_type' && error.path.length === 0),
      );
      return (fits ?? issue.errors[0] ?? []).flatMap(error => findingsOf(error, path, value));
    }
    case 'invalid_value': {
      const given = valueAt(value, path);
      const words = issue.values.filter(word => typeof word === 'string');
      const meant = typeof given === 'string' ? nearest(given, words) : undefined;
      return [{ path, message: inWords(issue, path, value), hint: meant && `did you mean "${meant}"?` }];
    }
  }
  return [{ path, message: inWords(issue, path, value) }];
}

/** Numbers and truth values are shown as found; a text is not, wherever it stands: it may be a secret in a wrong place. */
function inWords(issue: Issue, path: Path, value: unknown): string {
  const found = valueAt(value, path);
  if (found === undefined) return `missing: ${issue.message}`;
  if (found === null) return `${issue.message}, found nothing`;
  if (typeof found === 'boolean') return `${issue.message}, found ${found}`;
  if (typeof found !== 'number' || path.some(part => secretPlaces.has(part))) return issue.message;
  return `${issue.message}, found the number ${found}`;
}

function unknownKey(path: Path, key: string): Finding {
  const known = keysAt(path);
  const meant = nearest(key, known);
  return {
    path: [...path, key],
    atKey: true,
    message: `unknown key "${shownKey(key)}"`,
    hint: meant === undefined ? `known here are ${known.join(', ')}` : `did you mean "${meant}"?`,
  };
}

function keysAt(path: Path): readonly string[] {
  let schema: z.core.SomeType | undefined = configSchema;
  for (const part of path) schema = schema && below(bare(schema), part);
  const table = schema && bare(schema);
  return table instanceof z.ZodMiniObject ? Object.keys(table.shape) : [];
}

function below(schema: z.core.SomeType, part: PathPart): z.core.SomeType | undefined {
  if (schema instanceof z.ZodMiniArray) return schema.def.element;
  if (schema instanceof z.ZodMiniRecord) return schema.def.valueType;
  return schema instanceof z.ZodMiniObject ? schema.shape[part] : undefined;
}

/** Without default, option and what is made of it; of several forms the one that is a table. */
function bare(schema: z.core.SomeType): z.core.SomeType {
  if (schema instanceof z.ZodMiniPipe) return bare(schema.def.in);
  if (schema instanceof z.ZodMiniUnion)
    return schema.def.options.map(bare).find(form => form instanceof z.ZodMiniObject) ?? schema;
  const wrapped =
    schema instanceof z.ZodMiniDefault ||
    schema instanceof z.ZodMiniPrefault ||
    schema instanceof z.ZodMiniOptional;
  return wrapped ? bare(schema.def.innerType) : schema;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, key) => {
    if (Array.isArray(part)) return part[Number(key)];
    return isTable(part) && Object.hasOwn(part, key) ? part[key] : undefined;
  }, value);
}
