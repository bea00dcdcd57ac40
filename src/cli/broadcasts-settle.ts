import { OperatorError } from '../core/errors.ts';
import { broadcastId } from './broadcast-id.ts';
import { arg, type CommandContext, option } from './context.ts';
import { who } from './who.ts';

export async function run(context: CommandContext): Promise<number> {
  const note = option(context, 'note');
  if (note === undefined || note.trim() === '') {
    throw new OperatorError('usage', 'settling needs a note', {
      why: ['somebody will want to know how you knew'],
      next: ['add --note "in block …, checked with …"'],
    });
  }
  const id = await broadcastId(context.api, arg(context, 0));
  const result = await context.api.ask('broadcastSettle', { id, note, who: who() });
  context.out(context.json ? JSON.stringify(result) : result.text);
  return 0;
}
