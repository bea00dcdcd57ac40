import { getHeapSpaceStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { youngCollection } from '../../src/daemon/engine.ts';
import { outsideGarbage } from '../../src/io/outside-garbage.ts';

const MiB = 1024 * 1024;

it('each 32 MiB that are read have the young garbage collected, however they come', () => {
  let collections = 0;
  const passed = outsideGarbage(() => {
    collections += 1;
  });
  for (let piece = 1; piece < 512; piece += 1) passed(MiB / 16);
  expect(collections).toBe(0);
  passed(MiB / 16);
  expect(collections).toBe(1);
  passed(40 * MiB);
  expect(collections).toBe(2);
  passed(32 * MiB - 1);
  expect(collections).toBe(2);
  passed(1);
  expect(collections).toBe(3);
});

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_used_size ?? 0;

it('this Node.js gives a young collection to who asks for it, and to nobody else', () => {
  const collect = youngCollection();
  collect();
  const empty = youngBytes();
  let last: unknown;
  for (let n = 0; n < 10_000; n += 1) last = { n };
  expect(last).toEqual({ n: 9_999 });
  const full = youngBytes();
  expect(full).toBeGreaterThan(empty);
  collect();
  expect(youngBytes()).toBeLessThan(full);
  expect('gc' in globalThis).toBe(false);
});
