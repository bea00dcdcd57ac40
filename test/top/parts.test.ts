import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stateWords } from '../../src/core/state.ts';
import { isNarrow, localeIsUtf8, toAscii } from '../../src/top/ascii.ts';
import { type Column, cells, heads, lay } from '../../src/top/columns.ts';
import { readFilter } from '../../src/top/filter.ts';
import { type Rooms, roomsOf } from '../../src/top/layout.ts';
import { spansWidth } from '../../src/top/line.tsx';
import { endpointRows } from '../../src/top/rows.ts';
import { signs } from '../../src/top/signs.ts';
import { sorts } from '../../src/top/sort.ts';
import { bar, spark } from '../../src/top/spark.ts';
import { clean, cut, pad, percent, widthOf, wrap } from '../../src/top/text.ts';
import { extend, noTrail } from '../../src/top/trail.ts';
import { shownWindow } from '../../src/top/window.ts';
import { fakeEndpoint, troubledStatus } from '../kit/fake-status.ts';
import { scene } from './scenes.ts';

describe('a filter', () => {
  const stale = fakeEndpoint({
    name: 'quick-1',
    chain: 'bnb',
    state: 'stale',
    lag: 9,
    reason: '9 blocks behind',
    latencyMs: { p50: 20, p95: 250, p99: null },
    labels: { provider: 'infura', region: 'eu-west' },
  });

  it.each([
    ['', true],
    ['quick', true],
    ['QUICK bnb', true],
    ['behind', true],
    ['slow', false],
    ['!slow', true],
    ['state:stale', true],
    ['state:healthy', false],
    ['!state:healthy', true],
    ['p95>200', true],
    ['p95>=250', true],
    ['p95<250', false],
    ['lag=9', true],
    ['p99>1', false],
    ['provider:infura', true],
    ['tag:eu', true],
    ['provider:alchemy', false],
    ['colour:red', false],
    ['state:stale p95>200 tag:eu', true],
    ['state:stale p95>300', false],
  ])('%j', (text, holds) => {
    expect(readFilter(text)).toMatchObject({ problem: undefined });
    expect(readFilter(text).match(stale)).toBe(holds);
  });

  it.each([
    ['p95>', 'p95> needs a number'],
    ['p95>fast', 'p95> needs a number'],
    ['speed>3', 'speed is none of p50 p95 p99 lag score ok weight rps inflight probes'],
    ['!p95>', 'p95> needs a number'],
  ])('says of %j what cannot be read, and takes the rest', (text, problem) => {
    expect(readFilter(text).problem).toBe(problem);
    expect(readFilter(`${text} quick`).match(stale)).toBe(true);
    expect(readFilter(`${text} other`).match(stale)).toBe(false);
  });

  it('takes words of a state with a space or without', () => {
    const wrong = fakeEndpoint({ name: 'a', chain: 'b', state: 'wrong_network' });
    for (const text of ['state:wrong', 'state:wrong_network', 'state:WRONG'])
      expect(readFilter(text).match(wrong)).toBe(true);
  });
});

describe('an order of rows', () => {
  const order = (sort: string, reverse = false): string[] =>
    endpointRows(scene({ view: { sort: sorts.findIndex(({ title }) => title === sort), reverse } })).map(
      ({ label }) => label,
    );

  it('has the worst state first, and the largest share among equals', () => {
    expect(order('state')).toEqual(['eth-new', 'eth-public', 'own-archive', 'alchemy', 'infura']);
    expect(order('state', true)).toEqual(['own-archive', 'alchemy', 'infura', 'eth-public', 'eth-new']);
  });

  it.each([
    ['share', 'own-archive'],
    ['req/s', 'own-archive'],
    ['ok%', 'infura'],
    ['lag', 'infura'],
    ['score', 'own-archive'],
    ['name', 'alchemy'],
  ])('by %s begins with %s', (sort, first) => {
    expect(order(sort)[0]).toBe(first);
  });

  it('has what is not known last', () => {
    expect(order('p95').at(-1)).toBe('eth-new');
  });

  it('gives shares that add up to one', () => {
    const shares = endpointRows(scene()).map(({ share }) => share ?? 0);
    expect(shares.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1);
  });
});

describe('columns', () => {
  const columns: readonly Column<number>[] = [
    { title: 'A', cell: value => 'a'.repeat(value), min: 3, max: 12 },
    { title: 'BBBB', cell: String, right: true, drop: 2 },
    { title: 'CC', cell: () => 'x', min: 6, drop: 1 },
    { title: 'NOTE', cell: value => 'n'.repeat(value * 3), min: 8, grow: true },
  ];
  const titles = (width: number): string[] => lay(columns, [5], width).laid.map(({ column }) => column.title);

  it('stand closer before one goes, and the least important goes first', () => {
    expect(lay(columns, [5], 40).gap).toBe(2);
    expect(lay(columns, [5], 26).gap).toBe(1);
    expect(titles(26)).toEqual(['A', 'BBBB', 'CC', 'NOTE']);
    expect(titles(25)).toEqual(['A', 'BBBB', 'NOTE']);
    expect(titles(18)).toEqual(['A', 'NOTE']);
  });

  it('are as wide as the room, and their heads stand over their cells', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(20), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 18, max: 200 }),
        (rows, width) => {
          const layout = lay(columns, rows, width);
          for (const row of rows) {
            expect(spansWidth(cells(layout, row))).toBe(width);
            expect(spansWidth(heads(layout))).toBe(width);
          }
        },
      ),
    );
  });

  it('cut nothing where there is no edge', () => {
    const layout = lay(columns, [20], Infinity);
    expect(cells(layout, 20).map(({ text }) => text.trim())).toEqual([
      'a'.repeat(20),
      '20',
      'x',
      'n'.repeat(60),
    ]);
  });
});

describe('rooms', () => {
  const wants = fc.record({
    rows: fc.integer({ min: 10, max: 120 }),
    foot: fc.integer({ min: 1, max: 5 }),
    chains: fc.integer({ min: 0, max: 30 }),
    endpoints: fc.integer({ min: 0, max: 80 }),
    reasons: fc.integer({ min: 0, max: 80 }),
    broadcasts: fc.integer({ min: 0, max: 100 }),
    unknown: fc.integer({ min: 0, max: 10 }),
  });
  const used = ({ chains, endpoints, reasons, broadcasts, events }: Rooms): number =>
    (chains > 0 ? 2 + chains : 0) +
    2 +
    endpoints +
    reasons +
    (broadcasts > 0 ? 2 + broadcasts : 0) +
    (events > 0 ? 1 + events : 0);

  it('never take more than there is', () => {
    fc.assert(
      fc.property(wants, each => {
        expect(3 + each.foot + used(roomsOf(each))).toBeLessThanOrEqual(each.rows);
      }),
    );
  });

  it('keep a place for an unknown broadcast on any screen that is not tiny', () => {
    fc.assert(
      fc.property(wants, each => {
        const unknown = Math.max(1, each.unknown);
        expect(roomsOf({ ...each, rows: Math.max(20, each.rows), unknown }).broadcasts).toBeGreaterThan(0);
      }),
    );
  });

  it('give endpoints what they need before broadcasts and events grow', () => {
    const rooms = roomsOf({
      rows: 24,
      foot: 1,
      chains: 6,
      endpoints: 5,
      reasons: 1,
      broadcasts: 9,
      unknown: 0,
    });
    expect(rooms).toEqual({ chains: 6, endpoints: 5, reasons: 1, broadcasts: 0, events: 3 });
  });
});

describe('a window of a list', () => {
  it('has its row in sight and no row that is not there', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(30), fc.nat(59), (total, room, at) => {
        const { from, to } = shownWindow(total, room, Math.min(at, Math.max(0, total - 1)));
        expect(to - from).toBe(Math.min(total, room));
        expect(from).toBeGreaterThanOrEqual(0);
        expect(to).toBeLessThanOrEqual(total);
        if (to > from) expect(Math.min(at, total - 1)).toSatisfy((each: number) => each >= from && each < to);
      }),
    );
  });
});

describe('drawn values', () => {
  it.each([
    [[0, 1, 2, 4, 8], 5, '▁▂▃▅█'],
    [[2, 2, 2, 9, 2], 5, '▂▂▂█▂'],
    [[1, 1], 4, '  ▅▅'],
    [[0, 0], 2, '▁▁'],
    [[5, null, 5], 3, '▅ ▅'],
    [[1, 2, 3], 2, '▃▅'],
    [[], 3, '   '],
  ])('%j over %i columns are %j', (values, width, text) => {
    expect(spark(values, width)).toBe(text);
  });

  it('are bars of a share', () => {
    expect([0, 0.5, 1, 7].map(share => bar(share, 4))).toEqual(['    ', '██  ', '████', '████']);
  });
});

describe('text', () => {
  it.each([
    [1, 2, '100'],
    [0.99999, 2, '99.99'],
    [0.5, 0, '50'],
    [null, 1, '-'],
    [0, 1, '0.0'],
  ])('%d with %i digits is %s percent', (share, digits, text) => {
    expect(percent(share, digits)).toBe(text);
  });

  it('is cut and filled to its width, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), fc.boolean(), (text, width, right) => {
        expect(widthOf(pad(text, width, right))).toBe(width);
        expect(widthOf(cut(text, width))).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('is wrapped without losing a word', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom(...'abcdé'), minLength: 1, maxLength: 30 })),
        fc.integer({ min: 3, max: 40 }),
        (words, width) => {
          const lines = wrap(words.join(' '), width);
          for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
          expect(lines.join('').replaceAll(' ', '')).toBe(words.join(''));
        },
      ),
    );
  });

  it('cannot steer the terminal, however a node writes it', () => {
    const bell = String.fromCharCode(7);
    const esc = String.fromCharCode(27);
    const turnedAround = String.fromCodePoint(0x202e);
    expect(clean(`Geth${esc}[2J${bell}\n${turnedAround}v1`)).toBe('Geth?[2J???v1');
  });

  it('has a plain letter for every sign of its own', () => {
    for (const { sign } of Object.values(signs)) expect(toAscii(sign)).toMatch(/^[!-~]$/);
    expect(toAscii('é→\u{1f600}')).toBe('?>?');
    expect(isNarrow('▸ ● ok')).toBe(true);
    expect(isNarrow('日本')).toBe(false);
  });

  it('has a sign for every state, and not the same for what is well and what is not', () => {
    for (const state of Object.keys(stateWords)) {
      // The keys of the table of words are the states.
      const { sign } = signs[state as keyof typeof signs];
      expect(sign === signs.healthy.sign).toBe(state === 'healthy');
      expect(toAscii(sign) === toAscii(signs.healthy.sign)).toBe(state === 'healthy');
    }
  });

  it.each([
    [{ LANG: 'en_US.UTF-8' }, true],
    [{ LANG: 'C.utf8' }, true],
    [{ LANG: 'C' }, false],
    [{}, false],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, false],
    [{ LANG: 'C', LC_CTYPE: 'C.UTF-8' }, true],
    [{ LANG: 'en_US.UTF-8', LC_ALL: '' }, true],
  ])('in the locale %j may have more than ASCII: %s', (env, utf8) => {
    expect(localeIsUtf8(env)).toBe(utf8);
  });
});

describe('what is remembered', () => {
  it('is the last minute, and nothing of an endpoint that is gone', () => {
    let trail = noTrail;
    for (let second = 0; second < 100; second += 1) trail = extend(trail, troubledStatus());
    expect(trail.total).toHaveLength(60);
    expect(trail.rows.get('ethereum/alchemy')).toHaveLength(60);
    const { chains, ...rest } = troubledStatus();
    trail = extend(trail, { ...rest, chains: chains.slice(0, 1) });
    expect([...trail.rows.keys()].filter(key => !key.startsWith('ethereum'))).toEqual([]);
  });
});
