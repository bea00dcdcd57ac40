/** A value against the schema, and what the schema says against it in words for people. */

import type { z } from 'zod/mini';
import { nearest } from './nearest.ts';
import { type Finding, type PathPart, shownKey } from './problem.ts';
import { type ConfigFile, configJsonSchema, configSchema } from './schema.ts';
import { isTable } from './table.ts';

type Path = readonly PathPart[];
type Issue = z.core.$ZodIssue;
type JsonSchema = z.core.JSONSchema.BaseSchema;

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
  let schema: unknown = configJsonSchema();
  for (const part of path) {
    const { items, properties = {}, additionalProperties } = tableIn(schema);
    if (typeof part === 'number') schema = items;
    else schema = Object.hasOwn(properties, part) ? properties[part] : additionalProperties;
  }
  return Object.keys(tableIn(schema).properties ?? {});
}

/** Of several forms the one that is a table. */
function tableIn(schema: unknown): JsonSchema {
  if (!isTable(schema)) return {};
  const table: JsonSchema = schema;
  return table.anyOf?.find(form => form.type === 'object') ?? table;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, key) => {
    if (Array.isArray(part)) return part[Number(key)];
    return isTable(part) && Object.hasOwn(part, key) ? part[key] : undefined;
  }, value);
}
