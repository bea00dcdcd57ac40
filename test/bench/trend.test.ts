import { describe, expect, it } from 'vitest';
import { drift, floors } from '../../bench/kit/trend.ts';

/** Whether the soak would call it flat. */
const flat = (values: readonly number[]): boolean => {
  const { slope, error } = drift(values);
  return slope <= 2 * error;
};
/** Up and down by half a MiB, the same each time. */
const wobble = (n: number): number => [0, 0.5, 0.1, 0.4, 0.2, 0.5, 0.3, 0][n % 8] ?? 0;
const stretches = Array.from({ length: 24 }, (_, n) => n);

describe('the drift of a level', () => {
  it('is none while the level only wobbles', () => {
    expect(flat(stretches.map(n => 180 + wobble(n)))).toBe(true);
  });

  it('is none for one step up that stays, nor for one back and one up', () => {
    expect(flat(stretches.map(n => (n < 12 ? 180 : 183) + wobble(n)))).toBe(true);
    expect(flat(stretches.map(n => (n < 6 ? 182 : n < 18 ? 177 : 183) + wobble(n)))).toBe(true);
  });

  it.each([0.25, 0.5, 1])('is found when %s MiB more stay in each stretch', more => {
    expect(flat(stretches.map(n => 180 + more * n + wobble(n)))).toBe(false);
  });

  it('is found when each tenth of the time takes a step up', () => {
    expect(flat(stretches.map(n => 180 + 2 * Math.floor(n / 2.4)))).toBe(false);
  });
});

it('the floor of a stretch is the least seen in it', () => {
  const samples = [3, 1, 2, 9, 7, 8].map((value, at) => ({ at, value }));
  expect(floors(samples, 3)).toEqual([
    { at: 1, value: 1 },
    { at: 4, value: 7 },
  ]);
});
