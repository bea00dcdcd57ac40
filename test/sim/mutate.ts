/**
 * `node test/sim/mutate.ts [--only NAME] [--hours N] [--seed S]`: breaks each rule of `mutations.ts` in a copy of the
 * sources, lets the simulator play against the copy, and prints what caught it. Exits 1 when one lived.
 */

import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Caught, copyOfSources, removeCopy, tryMutation } from './mutants.ts';
import { mutations } from './mutations.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    hours: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
  },
});

const play = { hours: Number(values.hours), seed: Number(values.seed) };
const wanted = mutations.filter(({ name }) => values.only === undefined || name === values.only);
const waiting = [...wanted];
const caught: Caught[] = [];

async function work(): Promise<void> {
  const root = copyOfSources();
  try {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const one = await tryMutation(root, next, play);
      caught.push(one);
      process.stdout.write(line(one));
    }
  } finally {
    removeCopy(root);
  }
}

function line({ mutation, by, where, hours, seconds }: Caught): string {
  const what = by.length === 0 ? 'LIVES' : by.join(', ');
  return `${mutation.name.padEnd(38)} → ${what} (${where}; ${hours.toFixed(0)} h, ${seconds.toFixed(1)} s)\n`;
}

const began = performance.now();
await Promise.all(Array.from({ length: Math.min(2, availableParallelism(), wanted.length) }, work));
const alive = caught.filter(({ by }) => by.length === 0);
const took = ((performance.now() - began) / 1000).toFixed(0);
process.stdout.write(`${caught.length - alive.length} of ${wanted.length} caught, ${took} s\n`);
for (const { mutation } of alive) process.stdout.write(`  lives: ${mutation.name}: ${mutation.breaks}\n`);
process.exitCode = alive.length === 0 && caught.length > 0 ? 0 : 1;
