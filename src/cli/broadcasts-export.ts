import type { Broadcast } from '../api/history-shapes.ts';
import { OperatorError } from '../core/errors.ts';
import { filter } from './broadcasts.ts';
import { type CommandContext, isSet } from './context.ts';
import { csvLine } from './csv.ts';

const page = 1000;

/** A line a row, whether `--json` is given or not: nothing else would be whole. */
export async function run(context: CommandContext): Promise<number> {
  const csv = isSet(context, 'csv');
  if (context.json && csv) throw new OperatorError('usage', '--json and --csv contradict each other');
  const asked = filter(context);
  if (csv) context.out(csvLine(Object.keys(columns)));
  for (let before: number | undefined; ; ) {
    const { broadcasts } = await context.api.ask('broadcasts', {
      ...asked,
      limit: page,
      ...(before === undefined ? {} : { before }),
    });
    for (const row of broadcasts) context.out(csv ? csvOf(row) : JSON.stringify(row));
    const last = broadcasts.at(-1);
    if (last === undefined || broadcasts.length < page) return 0;
    before = last.id;
  }
}

/** Every member, under its name in the JSON. */
const columns: Readonly<Record<string, (row: Broadcast) => string | number | null>> = {
  id: row => row.id,
  chain: row => row.chain,
  method: row => row.method,
  txId: row => row.txId,
  digest: row => row.digest,
  endpoint: row => row.endpoint,
  requestId: row => row.requestId,
  attempt: row => row.attempt,
  earlier: row => row.earlier,
  began: row => row.began,
  ended: row => row.ended,
  outcome: row => row.outcome,
  reached: row => row.reached,
  ms: row => row.ms,
  rule: row => row.rule,
  'followUp.reason': ({ followUp }) => followUp?.reason ?? null,
  'followUp.opened': ({ followUp }) => followUp?.opened ?? null,
  'followUp.looks': ({ followUp }) => followUp?.looks ?? null,
  'followUp.lastLook': ({ followUp }) => followUp?.lastLook ?? null,
  'followUp.latest': ({ followUp }) => followUp?.latest ?? null,
  'followUp.height': ({ followUp }) => followUp?.height ?? null,
  'followUp.firstSeen': ({ followUp }) => followUp?.firstSeen ?? null,
  'followUp.settled.at': ({ followUp }) => followUp?.settled?.at ?? null,
  'followUp.settled.how': ({ followUp }) => followUp?.settled?.how ?? null,
  'followUp.settled.note': ({ followUp }) => followUp?.settled?.note ?? null,
  'followUp.settled.who': ({ followUp }) => followUp?.settled?.who ?? null,
};

function csvOf(row: Broadcast): string {
  return csvLine(Object.values(columns).map(value => value(row)));
}
