import { filter } from './broadcasts.ts';
import type { CommandContext } from './context.ts';

const page = 1000;

/** A line a row, whether `--json` is given or not: nothing else would be whole. */
export async function run(context: CommandContext): Promise<number> {
  const asked = filter(context);
  for (let before: number | undefined; ; ) {
    const { broadcasts } = await context.api.ask('broadcasts', {
      ...asked,
      limit: page,
      ...(before === undefined ? {} : { before }),
    });
    for (const row of broadcasts) context.out(JSON.stringify(row));
    const last = broadcasts.at(-1);
    if (last === undefined || broadcasts.length < page) return 0;
    before = last.id;
  }
}
