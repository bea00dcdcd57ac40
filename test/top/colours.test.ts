import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { stateWords } from '../../src/core/state.ts';
import { signs } from '../../src/top/signs.ts';
import type { View } from '../../src/top/view.ts';
import { fakeChain, fakeEndpoint, fakeStatus } from '../kit/fake-status.ts';
import { frame } from './frame.tsx';
import { feedWithUnknown, scene } from './scenes.ts';

const states = Object.keys(stateWords) as (keyof typeof stateWords)[];
const pages: readonly Partial<View>[] = [
  {},
  { chain: undefined },
  { page: 'endpoint', endpoint: 'ethereum/eth-new' },
  { page: 'broadcasts' },
  { page: 'events' },
  { page: 'help' },
  { foot: { is: 'filter', text: 'p95>' } },
];

const escapes = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m`, 'g');

describe('colour', () => {
  it.each(pages)('says nothing that the letters do not say: %j', view => {
    for (const [columns, rows] of [
      [120, 33],
      [80, 24],
      [59, 20],
    ] as const) {
      const of = (colour: boolean): string =>
        frame(scene({ feed: feedWithUnknown, view, display: { colour, columns, rows } }));
      expect(of(true)).toContain('\u001b[');
      expect(stripVTControlCharacters(of(true)).replaceAll(/ +$/gm, '')).toBe(of(false));
    }
  });

  it('is one of the sixteen basic ones, on the background of the terminal', () => {
    const codes = [...frame(scene({ feed: feedWithUnknown, display: { colour: true } })).matchAll(escapes)];
    // Bold, dim, inverse and their ends; foregrounds 30 to 37 and theirs.
    const allowed = new Set(['1', '2', '7', '22', '27', '31', '32', '33', '34', '36', '39']);
    expect(codes.map(([, code]) => code).filter(code => !allowed.has(code ?? ''))).toEqual([]);
  });

  it.each(states)('is not needed to tell %s: its word and its sign are there', state => {
    const endpoint = fakeEndpoint({ name: 'one', chain: 'ethereum', state, reason: `why ${state}` });
    const status = fakeStatus([fakeChain({ name: 'ethereum', endpoints: [endpoint] })]);
    for (const [columns, rows] of [
      [120, 33],
      [80, 24],
      [50, 20],
    ] as const)
      expect(frame(scene({ feed: { status }, display: { columns, rows } }))).toContain(
        `${signs[state].sign} ${stateWords[state]}`,
      );
    expect(frame(scene({ feed: { status } }))).toContain(`why ${state}`);
  });

  it('dims what is old, so that nobody takes it for fresh', () => {
    const lost = frame(
      scene({ feed: { link: { is: 'lost', since: 1_000, why: '' } }, display: { colour: true } }),
    );
    const body = lost.split('\n').slice(3, -1).join('\n');
    expect(
      [...body.matchAll(escapes)].map(([, code]) => code).filter(code => code !== '2' && code !== '22'),
    ).toEqual([]);
  });
});
