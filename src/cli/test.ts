import type { Check, Examination } from '../api/advice-shapes.ts';
import { arg, type CommandContext } from './context.ts';
import { givenHeaders, givenUrl } from './endpoint-settings.ts';
import { whole } from './values.ts';
import { wordTable } from './word-table.ts';

const marks: Readonly<Record<Check['result'], string>> = {
  pass: 'PASS',
  warn: 'WARN',
  fail: 'FAIL',
  info: 'INFO',
};

export async function run(context: CommandContext): Promise<number> {
  const samples = whole(context, 'samples', 1, 40) ?? 10;
  const headers = givenHeaders(context);
  const given = arg(context, 1);
  const what = isName(given) ? { name: given } : { url: await givenUrl(context, given) };
  const found = await context.api.ask('test', { chain: arg(context, 0), ...what, headers, samples });
  context.out(context.json ? JSON.stringify(found) : text(found));
  return found.verdict === 'bad' ? 1 : 0;
}

/** No URL, and `-` is stdin: an endpoint that is in the pool. */
function isName(text: string): boolean {
  return /^[A-Za-z0-9][\w.-]*$/.test(text);
}

function text(found: Examination): string {
  const lines = wordTable(found.checks.map(({ name, result, text: says }) => [marks[result], name, says]));
  const count = (result: Check['result']): number =>
    found.checks.filter(each => each.result === result).length;
  const sum = `${found.verdict}: ${plural(count('fail'), 'failure')}, ${plural(count('warn'), 'warning')}, ${plural(found.calls, 'call')} made to ${found.host}`;
  const next = found.next === null ? [] : [`next: ${found.next}`];
  return [lines, sum, ...next].join('\n');
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
