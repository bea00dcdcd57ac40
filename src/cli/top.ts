import { spanMs } from '../config/units.ts';
import { OperatorError } from '../core/errors.ts';
import { localeIsUtf8 } from '../top/ascii.ts';
import { type CommandContext, option } from './context.ts';
import { who } from './who.ts';

export async function run(context: CommandContext): Promise<number> {
  const { api, json, options, color, width, args } = context;
  const [chain] = args;
  if (json) {
    context.out(JSON.stringify(await api.ask('status', typeof chain === 'string' ? { chain } : {})));
    return 0;
  }
  // React reads it when it is imported, and its other build is several times slower.
  process.env.NODE_ENV = 'production';
  const { frameOnce, watchOnTerminal } = await import('../top/run.tsx');
  const top = {
    api,
    chain: typeof chain === 'string' ? chain : undefined,
    intervalMs: interval(option(context, 'interval') ?? '1s'),
    who: `${who()} in top`,
    look: { colour: color, ascii: options.ascii === true || !localeIsUtf8(process.env) },
  };
  if (options.once !== true && canRedraw()) return watchOnTerminal(top, process);
  context.out(await frameOnce(top, width));
  return 0;
}

/** Keys need a terminal on one side, and frames one on the other that knows how to move its cursor. */
function canRedraw(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true && process.env.TERM !== 'dumb';
}

function interval(text: string): number {
  const ms = spanMs(text);
  if (ms === undefined || ms < 200 || ms > 60_000) {
    throw new OperatorError('usage', `--interval takes a span from 200ms to 60s, not ${text}`);
  }
  return ms;
}
