/** Copies of the sources with one rule broken, and what the simulator says of them. */

import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Campaign } from './campaign.ts';
import { workingTree } from './code.ts';
import type { Mutation } from './mutations.ts';

export interface Caught {
  readonly mutation: Mutation;
  /** The invariants that broke, or that the play itself stopped; empty: it lives. */
  readonly by: readonly string[];
  /** Where it showed first: scenario and seed. */
  readonly where: string;
  readonly hours: number;
  /** Of CPU. */
  readonly seconds: number;
}

export interface Play {
  readonly hours: number;
  readonly seed: number;
  readonly only?: string;
}

export function copyOfSources(): string {
  const root = mkdtempSync(join(tmpdir(), 'rpcgw-mutants-'));
  cpSync(workingTree, root, { recursive: true });
  return root;
}

export function removeCopy(root: string): void {
  rmSync(root, { recursive: true, force: true });
}

/** How often the text to be replaced stands in the sources: once, or the mutation has rotted. */
export function timesFound({ file, find }: Mutation): number {
  return readFileSync(join(workingTree, file), 'utf8').split(find).length - 1;
}

/** The copy is sound again afterwards. */
export async function tryMutation(root: string, mutation: Mutation, play: Play): Promise<Caught> {
  const path = join(root, mutation.file);
  const sound = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    sound.replace(mutation.find, () => mutation.replace),
  );
  try {
    const { broken, hours, seconds } = await playAgainst(root, play);
    const [first] = broken;
    const where = first === undefined ? '' : `${first.scenario}, seed ${first.seed}`;
    const by = [...new Set(broken.map(({ violation }) => violation.invariant))];
    return { mutation, by, where, hours, seconds };
  } catch (error) {
    return { mutation, by: ['stopped'], where: whatStopped(error), hours: 0, seconds: 0 };
  } finally {
    writeFileSync(path, sound);
  }
}

/** In a process of its own, because a module is loaded once a process. */
function playAgainst(root: string, play: Play): Promise<Campaign & { readonly seconds: number }> {
  const run = fileURLToPath(new URL('run.ts', import.meta.url));
  const args = [
    run,
    '--root',
    root,
    '--hours',
    `${play.hours}`,
    '--seed',
    `${play.seed}`,
    '--enough',
    '1',
    '--json',
  ];
  if (play.only !== undefined) args.push('--only', play.only);
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
    child.on('error', reject);
    child.on('close', () => {
      if (out === '') reject(new Error(err));
      else resolve(JSON.parse(out));
    });
  });
}

function whatStopped(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n').find(line => line.includes('Error')) ?? text;
}
