import { OperatorError } from '../core/errors.ts';
import { type CommandContext, option } from './context.ts';

export async function run(context: CommandContext): Promise<number> {
  const head = option(context, 'head');
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head)) {
    throw new OperatorError('usage', '--head takes a whole hash: 64 small hexadecimal digits', {
      next: ['grep audit in the log: the newest line has it'],
    });
  }
  const verdict = await context.api.ask('auditVerify', head === undefined ? {} : { head });
  if (context.json) context.out(JSON.stringify(verdict));
  else if (verdict.sound) context.out(`the audit is whole: ${verdict.text}\nhead ${verdict.head ?? '-'}`);
  else context.out(`THE AUDIT IS NOT WHOLE: ${verdict.text}`);
  return verdict.sound ? 0 : 1;
}
