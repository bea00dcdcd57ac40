import { arg, type CommandContext } from './context.ts';
import { withoutControls } from './format.ts';

export async function run(context: CommandContext): Promise<number> {
  const result = await context.api.ask('call', {
    chain: arg(context, 0),
    method: arg(context, 1),
    params: requestParams(context),
  });
  if (context.json) context.out(JSON.stringify(result));
  else context.out(process.stdout.isTTY ? withoutControls(pretty(result.body)) : result.body);
  if (context.options.verbose === true && !context.json) {
    for (const [name, text] of Object.entries(result.headers)) context.note(`${name}: ${text}`);
  }
  return failed(result.status, result.body) ? 1 : 0;
}

export function requestParams(context: CommandContext): readonly unknown[] {
  const given = context.args[2];
  return Array.isArray(given) ? given.map(value) : [];
}

/** JSON where it is JSON, else the word as it stands: `latest` needs no quotes, and a long number stays text. */
function value(text: string): unknown {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'number' && String(read) !== text ? text : read;
  } catch {
    return text;
  }
}

/** Indented only when that loses nothing: numbers past 2^53 would change. */
function pretty(body: string): string {
  if (/\d{16}/.test(body)) return body;
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}

function failed(status: number, body: string): boolean {
  if (status !== 200) return true;
  try {
    const read = JSON.parse(body) as {
      error?: unknown;
      Error?: unknown;
      result?: { status?: unknown };
    } | null;
    return read !== null && ((read.error ?? read.Error) !== undefined || read.result?.status === 'error');
  } catch {
    return true;
  }
}
