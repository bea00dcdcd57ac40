import { type CommandSpec, globalOptions, type OptionSpec } from './command-spec.ts';
import { commands } from './commands.ts';
import type { CommandContext } from './context.ts';
import { exitCodes } from './exit-codes.ts';

export async function run(context: CommandContext): Promise<number> {
  context.out(commandsPage());
  return 0;
}

function commandsPage(): string {
  const shown = commands.filter(({ hidden }) => !hidden);
  const list = shown.map(each => `| [\`rpcgw ${each.path}\`](#${anchor(each)}) | ${cell(each.summary)} |`);
  return `# Commands

<!-- Made by \`rpcgw docs commands\` from the table of commands; not written by hand. -->

Data goes to stdout, everything else to stderr. Nothing needs a terminal. Doing a thing twice says \`already\` and exits 0.
Tables are cut to the width of a terminal and never elsewhere. \`NO_COLOR\` and \`--color never\` turn colour off; no colour says what the words do not say.
What \`--json\` prints stands in [json.md](json.md). Completion: \`rpcgw completion bash|zsh|fish\`.

| command | what it does |
| --- | --- |
${list.join('\n')}

## Options of every command

${options(globalOptions)}

The socket is that of \`--socket\`, of the config's \`socket\`, of \`$RPCGW_SOCKET\`, in \`$RUNTIME_DIRECTORY\`, in \`$XDG_RUNTIME_DIR\`, in the
state folder, or \`/run/rpcgw/rpcgw.sock\`: the first that answers. \`RPCGW_DEBUG=1\` shows the trace of a fault.

## Exit codes

| code | meaning |
| --- | --- |
${exitCodes.map(([code, says]) => `| ${code} | ${cell(says)} |`).join('\n')}

An error says what, why, and what to type next; with \`--json\` it is an object on stderr with a stable \`code\`:

\`\`\`json
{"error":{"code":"no_such_chain","message":"there is no chain etherium","why":["the config has ethereum"],"next":["did you mean ethereum?"],"exit":3}}
\`\`\`

${shown.map(section).join('\n')}`.trimEnd();
}

function section(command: CommandSpec): string {
  const { path, summary, args, options: own, examples, exits, json } = command;
  const usage = [
    'rpcgw',
    path,
    ...args.map(({ name }) => name),
    ...(own.length === 0 ? [] : ['[options]']),
  ].join(' ');
  const parts = [`## rpcgw ${path}`, '', `${capital(summary)}.`, '', '```', usage, '```', ''];
  if (args.length > 0)
    parts.push(
      table(
        'argument',
        args.map(({ name, help }) => [name, help]),
      ),
      '',
    );
  if (own.length > 0) parts.push(options(own), '');
  if (examples.length > 0) {
    parts.push('```sh', ...examples.map(([line, says]) => `${line}    # ${says}`), '```', '');
  }
  if (exits !== undefined && exits.length > 0)
    parts.push(`Exits besides 0, 2 and 5: ${exits.map(([code, says]) => `${code} ${says}`).join('; ')}.`, '');
  if (json !== undefined) parts.push(`\`--json\` prints [${json}](json.md#${json.toLowerCase()}).`, '');
  return parts.join('\n');
}

function options(list: readonly OptionSpec[]): string {
  return table(
    'option',
    list.map(({ flags, help, value }) => [flags, value === undefined ? help : `${help} (default: ${value})`]),
  );
}

function table(head: string, rows: readonly (readonly [string, string])[]): string {
  return [
    `| ${head} | |`,
    '| --- | --- |',
    ...rows.map(([name, says]) => `| \`${cell(name)}\` | ${cell(says)} |`),
  ].join('\n');
}

function anchor({ path }: CommandSpec): string {
  return `rpcgw-${path.replaceAll(' ', '-')}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
