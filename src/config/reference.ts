/** The reference page of the config, read out of its schema and of the known chains. */

import type { z } from 'zod/mini';
import { familyFacts, presets } from '../chains/presets.ts';
import { configJsonSchema } from './json-schema.ts';
import { isTable } from './table.ts';
import { spanText } from './units.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

interface Row {
  readonly key: string;
  readonly type: string;
  readonly standard: string;
  readonly meaning: string;
}

const chainPath = 'chains.<name>';
const endpointPath = `${chainPath}.endpoints[]`;

export function configReference(): string {
  const rows = rowsOf(configJsonSchema(), '', true);
  const below = (path: string) => (row: Row) => row.key.startsWith(`${path}.`);
  const inEndpoint = rows.filter(below(endpointPath));
  const inChain = rows.filter(row => below(chainPath)(row) && !inEndpoint.includes(row));
  const inProcess = rows.filter(row => !below(chainPath)(row));
  const short = (path: string) => (row: Row) => ({ ...row, key: row.key.slice(path.length + 1) });
  return `${intro}
## The process

Only a restart changes these.

${table(inProcess)}

## A chain: \`${chainPath}\`

${table(inChain.map(short(chainPath)))}

## An endpoint: \`${endpointPath}\`

${table(inEndpoint.map(short(endpointPath)))}

## Known chains

They bring family, identity, block time and lag limit; \`blockTime\` and \`staleBlocks\` may be set all the same.

| name | family | identity | block time | stale past |
| --- | --- | --- | --- | --- |
${Object.entries(presets)
  .map(
    ([name, chain]) =>
      `| \`${name}\` | ${chain.family} | \`${chain.identity}\` | ${spanText(chain.blockTimeMs)} | ${chain.staleBlocks} blocks |`,
  )
  .join('\n')}

Other chains name their family and their identity:

| family | identity | block time | repeat window |
| --- | --- | --- | --- |
${Object.entries(familyFacts)
  .map(
    ([name, facts]) =>
      `| ${name} | \`${facts.identityKey}\`: ${facts.identityName} | ${spanText(facts.blockTimeMs)} | ${spanText(facts.repeatWindowMs)} |`,
  )
  .join('\n')}
`;
}

const intro = `# Configuration

<!-- Made by \`rpcgw config docs\` from the schema; not written by hand. -->

The config is YAML 1.2. It is taken from \`--config\`, \`$RPCGW_CONFIG\`, \`./rpcgw.yaml\`, \`$XDG_CONFIG_HOME/rpcgw/rpcgw.yaml\` or
\`/etc/rpcgw/rpcgw.yaml\`, the first that there is; one that was named must be there. \`rpcgw init\` writes one to start with,
\`rpcgw check\` says all that is wrong with one, \`rpcgw config schema\` prints a JSON Schema for editors.

- An unknown key is an error that names the nearest known one.
- Spans and sizes have their unit: \`500ms\`, \`30s\`, \`5m\`, \`1h\`, \`7d\`; \`64KiB\`, \`10MiB\`, \`1GiB\`; shares \`1%\`. A bare number is an error.
- In any value, \`\${VAR}\` is a variable of the environment, \`\${file:/path}\` the content of a file (its last line break left out), \`\${credential:name}\`
  a systemd credential. One that is missing or empty is an error. \`$\${\` is a plain \`\${\`. Inside \`[ ]\` and \`{ }\` YAML wants quotes around it.
- Relative paths are meant from the folder of the file.
`;

function rowsOf(schema: JsonSchema, key: string, required: boolean): Row[] {
  const items = isTable(schema.items) ? tableOf(schema.items) : undefined;
  if (items !== undefined) return [rowOf(schema, key, required), ...membersOf(items, `${key}[]`)];
  const table = tableOf(schema);
  if (table === undefined) return [rowOf(schema, key, required)];
  const named = isTable(table.additionalProperties) ? tableOf(table.additionalProperties) : undefined;
  if (named !== undefined) return [rowOf(schema, key, required), ...membersOf(named, `${key}.<name>`)];
  return membersOf(table, key);
}

function membersOf(table: JsonSchema, key: string): Row[] {
  return Object.entries(table.properties ?? {}).flatMap(([name, member]) =>
    isTable(member)
      ? rowsOf(member, key === '' ? name : `${key}.${name}`, table.required?.includes(name) ?? false)
      : [],
  );
}

/** A form of it with keys of its own, known ones or named ones. */
function tableOf(schema: JsonSchema): JsonSchema | undefined {
  const forms: readonly JsonSchema[] = schema.anyOf ?? [schema];
  return forms.find(
    form =>
      form.properties !== undefined ||
      (isTable(form.additionalProperties) && tableOf(form.additionalProperties)),
  );
}

function rowOf(schema: JsonSchema, key: string, required: boolean): Row {
  const standard = schema.default === undefined ? '' : textOf(schema.default);
  return {
    key,
    type: typeOf(schema),
    standard: required ? 'required' : standard,
    meaning: schema.description ?? '',
  };
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '' : `\`[${value.join(', ')}]\``;
  if (isTable(value)) return '';
  return `\`${String(value)}\``;
}

function typeOf(schema: JsonSchema): string {
  if (schema.title !== undefined) return schema.title;
  if (schema.enum !== undefined) return schema.enum.map(word => `\`${word}\``).join(', ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(', ');
  if (schema.type === 'array') return isTable(schema.items) ? `list of ${typeOf(schema.items)}` : 'list';
  if (schema.type === 'object') return 'table';
  if (schema.type === 'string') return 'text';
  if (schema.type === 'boolean') return '`true`, `false`';
  if (schema.type === 'integer') return range(schema);
  return String(schema.type ?? 'any');
}

function range({ minimum, maximum }: JsonSchema): string {
  return maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER
    ? `${minimum} or more`
    : `${minimum}–${maximum}`;
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    row => `| \`${row.key}\` | ${row.type} | ${row.standard} | ${row.meaning.replaceAll('|', '\\|')} |`,
  );
  return ['| key | type | default | meaning |', '| --- | --- | --- | --- |', ...lines].join('\n');
}
