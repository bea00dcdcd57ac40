import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { chance } from '../../src/io/chance.ts';
import { clock } from '../../src/io/clock.ts';

const elapsed = (ms: number) => new Promise<void>(resolve => clock.after(ms, resolve));

describe('the clock', () => {
  it('never runs before now() says that the time has come', async () => {
    for (const ms of [0, 0.4, 1, 1.5, 3, 7, 20]) {
      const due = clock.now() + ms;
      await elapsed(ms);
      expect(clock.now()).toBeGreaterThanOrEqual(due);
    }
  });

  it('does not run what was cancelled', async () => {
    let ran = false;
    const timer = clock.after(1, () => {
      ran = true;
    });
    timer.cancel();
    await elapsed(2);
    await elapsed(2);
    expect(ran).toBe(false);
  });

  it('does not take a span that is too long for the runtime for none at all', async () => {
    let ran = false;
    const timer = clock.after(2 ** 31 + 1000, () => {
      ran = true;
    });
    await elapsed(5);
    expect(ran).toBe(false);
    timer.cancel();
  });

  it('runs equal spans in the order they were asked for', async () => {
    const order: number[] = [];
    await Promise.all([1, 2, 3, 4, 5].map(n => elapsed(4).then(() => order.push(n))));
    expect(order).toEqual([1, 2, 3, 4, 5]);
  });

  it('tells wall time in milliseconds since 1970', () => {
    const before = Date.now();
    const wall = clock.wall();
    expect(wall).toBeGreaterThanOrEqual(before);
    expect(wall).toBeLessThanOrEqual(Date.now());
  });

  it('does not hold the process with a pending timer', async () => {
    const module = fileURLToPath(new URL('../../src/io/clock.ts', import.meta.url));
    const script = `import { clock } from ${JSON.stringify(module)}; clock.after(3_600_000, () => process.exit(1));`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' });
    expect((await once(child, 'exit'))[0]).toBe(0);
  });
});

it('chance is at least 0 and under 1', () => {
  for (let i = 0; i < 1000; i++) {
    const n = chance.next();
    expect(n).toBeGreaterThanOrEqual(0);
    expect(n).toBeLessThan(1);
  }
});
