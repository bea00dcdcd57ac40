import { z } from 'zod/mini';
import { OperatorError } from '../core/errors.ts';
import { commands } from './commands.ts';
import { type CommandContext, option } from './context.ts';
import { jsonShapes, sharedShapes } from './json-shapes.ts';
import { typeText } from './type-text.ts';

export async function run(context: CommandContext): Promise<number> {
  const name = option(context, 'schema');
  context.out(name === undefined ? jsonPage() : JSON.stringify(schemaOf(name), undefined, 2));
  return 0;
}

/** The shape as a JSON Schema, for programs. */
function schemaOf(name: string): unknown {
  const known = Object.hasOwn(jsonShapes, name) ? jsonShapes[name] : undefined;
  if (known !== undefined) return z.toJSONSchema(known.shape);
  throw new OperatorError('usage', `there is no shape ${name}`, {
    why: [Object.keys(jsonShapes).join(', ')],
  });
}

function jsonPage(): string {
  const names = Object.keys(jsonShapes);
  const rows = names.map(name => {
    const by = commands
      .filter(({ json, hidden }) => json === name && !hidden)
      .map(({ path }) => `\`rpcgw ${path}\``);
    return `| [${name}](#${name.toLowerCase()}) | ${by.join(', ') || 'every command that fails, on stderr'} |`;
  });
  const types = typesByName();
  const section = (name: string, says: string): string =>
    `## ${name}\n\n${says}\n\n\`\`\`ts\n${types.get(name) ?? 'unknown'}\n\`\`\`\n`;
  return `# What --json prints

<!-- Made by \`rpcgw docs json\` from the shapes that the daemon and the commands are held to; not written by hand. -->

A field here is a promise: fields are only added, none is renamed or changes its meaning, so unknown ones are to be ignored.
Unknown values are \`null\`, times are RFC 3339 in UTC, spans are numbers of ms (\`…Ms\`), shares are 0 to 1, heights are numbers.
\`rpcgw docs json --schema NAME\` prints one of them as a JSON Schema.

| shape | printed by |
| --- | --- |
${rows.join('\n')}

${names.map(name => section(name, saysOf(name))).join('\n')}
# Parts of them

${Object.entries(sharedShapes)
  .map(([name, { says }]) => section(name, says))
  .join('\n')}`.trimEnd();
}

function saysOf(name: string): string {
  const known = jsonShapes[name];
  return known === undefined ? '' : `${known.says}${known.form === 'lines' ? ' One value a line.' : ''}`;
}

/** Parts that several shapes have are named, not repeated. */
function typesByName(): ReadonlyMap<string, string> {
  const registry = z.registry<{ id: string }>();
  for (const [id, { shape }] of Object.entries({ ...jsonShapes, ...sharedShapes })) {
    if (!registry.has(shape)) registry.add(shape, { id });
  }
  const { schemas } = z.toJSONSchema(registry, { uri: id => id });
  return new Map(Object.entries(schemas).map(([id, schema]) => [id, typeText(schema, '')]));
}
