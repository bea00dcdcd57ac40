import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import type { Broadcast } from '../../src/api/history-shapes.ts';
import { run } from '../../src/cli/broadcasts-export.ts';
import { csvLine } from '../../src/cli/csv.ts';

function rowOf(id: number): Broadcast {
  const time = '2026-01-02T03:04:05.678Z';
  const settled = { at: time, how: 'operator', note: 'paid, "by hand"', who: null };
  const followUp = {
    reason: 'unknown',
    opened: time,
    looks: 3,
    lastLook: time,
    latest: 'block',
    height: 7,
    firstSeen: time,
    settled,
  };
  return {
    id,
    chain: 'ethereum',
    method: 'eth_sendRawTransaction',
    txId: `0x${id}`,
    digest: 'ab',
    endpoint: 'a',
    requestId: 'r',
    attempt: 1,
    earlier: null,
    began: time,
    ended: null,
    outcome: 'unknown',
    reached: 'handed_over',
    ms: 1.5,
    rule: null,
    followUp: id % 2 === 0 ? followUp : null,
  };
}

/** A record of `count` rows behind a client that hands out a page at a time. */
async function exported(count: number, options: Readonly<Record<string, unknown>> = {}) {
  const asked: unknown[] = [];
  const lines: string[] = [];
  const all = Array.from({ length: count }, (_, at) => rowOf(count - at));
  const client: Pick<ApiClient, 'ask'> = {
    async ask(_name, input) {
      asked.push(input);
      const { before = count + 1, limit = 0 } = input as { before?: number; limit?: number };
      const broadcasts = all.filter(({ id }) => id < before).slice(0, limit);
      // The only route that is asked here.
      return { now: '', broadcasts } as never;
    },
  };
  const code = await run({
    args: [],
    options,
    json: options.json === true,
    color: false,
    width: undefined,
    out: text => void lines.push(text),
    note: () => undefined,
    // The export asks and does nothing else with it.
    api: client as ApiClient,
  });
  return { code, lines, asked };
}

describe('the export of the record', () => {
  it.each([0, 1, 999, 1000, 1001, 2500])('of %i rows has each once, newest first', async count => {
    const { lines } = await exported(count);
    expect(lines.map(line => (JSON.parse(line) as Broadcast).id)).toEqual(
      Array.from({ length: count }, (_, at) => count - at),
    );
  });

  it('asks for what is wanted, on every page', async () => {
    const { asked } = await exported(1001, { chain: 'ethereum', outcome: 'unknown', unknown: true });
    const wanted = { chain: 'ethereum', outcome: 'unknown', unknown: true, limit: 1000 };
    expect(asked).toEqual([wanted, { ...wanted, before: 2 }]);
  });

  it('as CSV: every member of the JSON is a column, in the same order', async () => {
    const { lines } = await exported(2, { csv: true });
    expect(lines).toEqual([
      'id,chain,method,txId,digest,endpoint,requestId,attempt,earlier,began,ended,outcome,reached,ms,rule,' +
        'followUp.reason,followUp.opened,followUp.looks,followUp.lastLook,followUp.latest,followUp.height,followUp.firstSeen,' +
        'followUp.settled.at,followUp.settled.how,followUp.settled.note,followUp.settled.who',
      '2,ethereum,eth_sendRawTransaction,0x2,ab,a,r,1,,2026-01-02T03:04:05.678Z,,unknown,handed_over,1.5,,' +
        'unknown,2026-01-02T03:04:05.678Z,3,2026-01-02T03:04:05.678Z,block,7,2026-01-02T03:04:05.678Z,' +
        '2026-01-02T03:04:05.678Z,operator,"paid, ""by hand""",',
      '1,ethereum,eth_sendRawTransaction,0x1,ab,a,r,1,,2026-01-02T03:04:05.678Z,,unknown,handed_over,1.5,,,,,,,,,,,,',
    ]);
    const paths = (value: object, above: string): string[] =>
      Object.entries(value).flatMap(([name, inner]) =>
        inner !== null && typeof inner === 'object' ? paths(inner, `${above}${name}.`) : [`${above}${name}`],
      );
    expect(lines[0]?.split(',')).toEqual(paths(rowOf(2), ''));
  });

  it('is one of the two forms', async () => {
    await expect(exported(1, { csv: true, json: true })).rejects.toMatchObject({ code: 'usage' });
    await expect(exported(1, { outcome: 'lost' })).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('a row of comma-separated values', () => {
  it.each([
    [['a', 1, null, 'b'], 'a,1,,b'],
    [['a,b', 'say "x"', 'two\nlines', 'two\rlines'], '"a,b","say ""x""","two\nlines","two\rlines"'],
    // A spreadsheet would run these; a number stays one.
    [['=1+1', '+1', '-1', '@x', '\tx', '=1,"2"'], `'=1+1,'+1,'-1,'@x,'\tx,"'=1,""2"""`],
    [[-1.5], '-1.5'],
  ] as const)('%j', (values, line) => {
    expect(csvLine(values)).toBe(line);
  });
});
