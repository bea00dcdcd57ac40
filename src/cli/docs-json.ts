import { z } from 'zod';
import { commands } from './commands.ts';
import type { CommandContext } from './context.ts';
import { jsonShapes } from './json-shapes.ts';

export async function run(context: CommandContext): Promise<number> {
  context.out(jsonPage());
  return 0;
}

function jsonPage(): string {
  const names = Object.keys(jsonShapes);
  const rows = names.map(name => {
    const by = commands
      .filter(({ json, hidden }) => json === name && !hidden)
      .map(({ path }) => `\`rpcgw ${path}\``);
    return `| [${name}](#${name.toLowerCase()}) | ${by.join(', ') || 'every command that fails'} |`;
  });
  return `# What --json prints

<!-- Made by \`rpcgw docs json\` from the shapes that the daemon and the commands are held to; not written by hand. -->

A field here is a promise: fields are only added, none is renamed or changes its meaning, so unknown ones are to be ignored.
Unknown values are \`null\`, times are RFC 3339 in UTC, spans are numbers of ms (\`…Ms\`), shares are 0 to 1, heights are numbers.

| shape | printed by |
| --- | --- |
${rows.join('\n')}

${names.map(section).join('\n')}`.trimEnd();
}

function section(name: string): string {
  const known = jsonShapes[name];
  if (known === undefined) return '';
  const { shape, form, says } = known;
  // Integers without their technical bounds: they say nothing to a reader.
  const schema = z.toJSONSchema(shape, {
    io: 'output',
    override: ({ jsonSchema }) => {
      delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      delete jsonSchema.pattern;
    },
  });
  delete schema.$schema;
  const lines = form === 'lines' ? ' One value a line.' : '';
  return `## ${name}\n\n${says}${lines}\n\n\`\`\`json\n${JSON.stringify(schema, undefined, 2)}\n\`\`\`\n`;
}
