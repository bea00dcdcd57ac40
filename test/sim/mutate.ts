/**
 * `node test/sim/mutate.ts [--only NAME] [--hours N] [--seed S]`: breaks each rule of `mutations.ts` in a copy of the
 * sources, lets the simulator play against the copy, and prints what caught it. Exits 1 when one lived.
 */

import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Campaign } from './campaign.ts';
import { workingTree } from './code.ts';
import { type Mutation, mutations } from './mutations.ts';

interface Caught {
  readonly mutation: Mutation;
  readonly by: readonly string[];
  /** Where it showed first: scenario and seed. */
  readonly where: string;
  readonly hours: number;
  readonly seconds: number;
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    hours: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
  },
});

/** Plays in a process of its own, because a module is loaded once a process. */
function playAgainst(root: string): Promise<Campaign & { readonly seconds: number }> {
  const run = fileURLToPath(new URL('run.ts', import.meta.url));
  const args = [
    run,
    '--root',
    root,
    '--hours',
    values.hours,
    '--seed',
    values.seed,
    '--enough',
    '1',
    '--json',
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((resolve, reject) => {
    let out = '';
    let err = '';
    child.stdout.on('data', chunk => {
      out += chunk;
    });
    child.stderr.on('data', chunk => {
      err += chunk;
    });
    child.on('close', () => {
      if (out === '') reject(new Error(err));
      else resolve(JSON.parse(out));
    });
  });
}

async function tryOne(root: string, mutation: Mutation): Promise<Caught> {
  const path = join(root, mutation.file);
  const sound = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    sound.replace(mutation.find, () => mutation.replace),
  );
  try {
    const { broken, hours, seconds } = await playAgainst(root);
    const [first] = broken;
    const where = first === undefined ? '' : `${first.scenario}, seed ${first.seed}`;
    return {
      mutation,
      by: [...new Set(broken.map(({ violation }) => violation.invariant))],
      where,
      hours,
      seconds,
    };
  } catch (error) {
    // The copy did not get through: what it broke stopped the play itself.
    return { mutation, by: ['stopped'], where: firstLine(error), hours: 0, seconds: 0 };
  } finally {
    writeFileSync(path, sound);
  }
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n').find(line => line.includes('Error')) ?? text;
}

const wanted = mutations.filter(({ name }) => values.only === undefined || name === values.only);
const waiting = [...wanted];
const caught: Caught[] = [];

async function work(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'rpcgw-mutants-'));
  try {
    cpSync(workingTree, root, { recursive: true });
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const one = await tryOne(root, next);
      caught.push(one);
      process.stdout.write(line(one));
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function line({ mutation, by, where, hours, seconds }: Caught): string {
  const what = by.length === 0 ? 'LIVES' : by.join(', ');
  return `${mutation.name.padEnd(38)} → ${what.padEnd(34)} ${where}, ${hours.toFixed(0)} h, ${seconds.toFixed(1)} s\n`;
}

const began = performance.now();
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
const alive = caught.filter(({ by }) => by.length === 0);
const took = ((performance.now() - began) / 1000).toFixed(0);
process.stdout.write(`${caught.length - alive.length} of ${caught.length} caught, ${took} s\n`);
for (const { mutation } of alive) process.stdout.write(`  lives: ${mutation.name}: ${mutation.breaks}\n`);
process.exitCode = alive.length === 0 ? 0 : 1;
