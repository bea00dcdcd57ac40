import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bestShown,
  type Finding,
  impossible,
  inOneBlock,
  lookAgainMs,
  type Shown,
} from '../../src/core/follow-up.ts';

const block = (hash: string): Finding => ({ found: 'block', height: 7, block: hash });
const gone: Finding = { found: 'impossible', why: 'its time is over' };
const pool: Finding = { found: 'pool' };
const absent: Finding = { found: 'not_seen' };
const shown = (...findings: readonly Finding[]): Shown[] =>
  findings.map((finding, at) => ({ endpoint: `e${at}`, finding }));

const finding = fc.constantFrom(block('x'), block('y'), gone, pool, absent);
const round = fc.array(finding, { maxLength: 5 }).map(findings => shown(...findings));

describe('the next look', () => {
  test('comes ever later', () => {
    expect(Array.from({ length: 10 }, (_, looks) => lookAgainMs(looks, true) / 1_000)).toEqual([
      2, 5, 10, 30, 60, 300, 900, 3_600, 3_600, 3_600,
    ]);
  });

  test('after a round without any answer comes within half a minute', () => {
    expect([0, 1, 5, 100].map(looks => lookAgainMs(looks, false) / 1_000)).toEqual([2, 5, 30, 30]);
  });
});

describe('a round', () => {
  test.each<[string, readonly Finding[], unknown, unknown]>([
    [
      'one block, two endpoints',
      [block('x'), absent, block('x')],
      { how: 'final', note: 'in block 7, as e0 and e2 say' },
      undefined,
    ],
    ['one endpoint alone', [block('x'), absent], undefined, undefined],
    ['two blocks of one height', [block('x'), block('y')], undefined, undefined],
    [
      'two blocks, and a third that agrees with one',
      [block('x'), block('y'), block('y')],
      { how: 'final', note: 'in block 7, as e1 and e2 say' },
      undefined,
    ],
    [
      'two say that it can never be',
      [gone, absent, gone],
      undefined,
      { how: 'impossible', note: 'its time is over, as e0 and e2 say' },
    ],
    ['one says so', [gone, absent], undefined, undefined],
    ['two say so, and a third has it', [gone, gone, pool], undefined, undefined],
    ['nobody said anything', [], undefined, undefined],
  ])('%s', (_, findings, final, never) => {
    expect(inOneBlock(shown(...findings))).toEqual(final);
    expect(impossible(shown(...findings))).toEqual(never);
  });

  test('never settles by fewer than two, and never as impossible what somebody has', () => {
    fc.assert(
      fc.property(round, findings => {
        if (findings.length < 2) {
          expect(inOneBlock(findings)).toBeUndefined();
          expect(impossible(findings)).toBeUndefined();
        }
        const there = findings.some(one => one.finding.found === 'block' || one.finding.found === 'pool');
        if (there) expect(impossible(findings)).toBeUndefined();
      }),
    );
  });

  test('is remembered by the best of what was shown', () => {
    expect(bestShown([])).toBeUndefined();
    expect(bestShown(shown(absent, pool, gone))?.finding).toBe(pool);
    expect(bestShown(shown(gone, absent))?.finding).toBe(absent);
    expect(bestShown(shown(pool, block('x')))?.endpoint).toBe('e1');
  });
});
