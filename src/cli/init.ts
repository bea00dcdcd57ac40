import { existsSync, writeFileSync } from 'node:fs';
import { starterConfig } from '../config/starter.ts';
import { OperatorError } from '../core/errors.ts';
import { type CommandContext, option } from './context.ts';

export async function run(context: CommandContext): Promise<number> {
  const file = option(context, 'file') ?? 'rpcgw.yaml';
  if (existsSync(file) && context.options.force !== true) {
    throw new OperatorError('conflict', `${file} is there already`, {
      next: ['rpcgw init --file ANOTHER', 'or replace it with --force'],
    });
  }
  try {
    // It will hold references to secrets, and perhaps secrets.
    writeFileSync(file, starterConfig(), { mode: 0o600 });
  } catch (error) {
    throw new OperatorError('usage', `${file} cannot be written`, { why: [String(error)] });
  }
  if (context.json) context.out(JSON.stringify({ file }));
  else context.out(`${file} is written; next: rpcgw check ${file}, then rpcgw serve --config ${file}`);
  return 0;
}
