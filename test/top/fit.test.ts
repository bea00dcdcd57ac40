import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { View } from '../../src/top/view.ts';
import { frame, rowsOf } from './frame.tsx';
import { feedWithUnknown, scene } from './scenes.ts';

const told: Partial<View> = {
  foot: { is: 'told', outcome: { good: true, lines: ['one', 'a longer line '.repeat(9)] } },
};

const views: readonly Partial<View>[] = [
  {},
  { chain: undefined, pane: 'chains' },
  { filter: 'nothing-matches' },
  { page: 'endpoint', endpoint: 'ethereum/alchemy', scroll: 7 },
  { page: 'broadcasts', scroll: 3 },
  { page: 'events' },
  { page: 'help' },
  told,
  { foot: { is: 'filter', text: 'a very long filter '.repeat(9) } },
];

it('fits every window from 40x10 on, whatever it shows', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 40, max: 200 }),
      fc.integer({ min: 10, max: 60 }),
      fc.constantFrom(...views),
      fc.boolean(),
      (columns, rows, view, colour) => {
        const shown = rowsOf(
          frame(scene({ feed: feedWithUnknown, view, display: { columns, rows, colour } })),
        );
        expect(shown).toHaveLength(rows);
        for (const row of shown) expect([...row].length).toBeLessThanOrEqual(columns);
        // Who it is stands in the first row, what can be done in the last: nothing was pushed out.
        expect(shown[0]).toContain('rpcgw 0.1.0');
      },
    ),
    // Found by a run of many: ten rows, and a foot of four.
    { numRuns: 60, examples: [[60, 10, told, false]] },
  );
});

it('keeps its rows whole when a node sends letters of two columns', () => {
  const { status } = feedWithUnknown;
  const chains = status.chains.map(chain => ({
    ...chain,
    endpoints: chain.endpoints.map(endpoint => ({ ...endpoint, reason: '错误的网络'.repeat(40) })),
  }));
  const text = frame(scene({ feed: { status: { ...status, chains } }, display: { columns: 80, rows: 24 } }));
  expect(rowsOf(text)).toHaveLength(24);
  for (const row of rowsOf(text))
    expect([...row].filter(letter => letter > '⺀').length * 2).toBeLessThanOrEqual(80);
});
