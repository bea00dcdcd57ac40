/** One line of the bench: what was to be reached, what was measured, and whether it was reached. */

import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { cpus, loadavg, release, totalmem } from 'node:os';
import type { Trio } from './trio.ts';

export interface Finding {
  readonly what: string;
  /** Absent: a figure for comparison. */
  readonly goal?: string;
  readonly measured: string;
  readonly met?: boolean;
}

export interface Depth {
  /** Times that slices are repeated. */
  readonly rounds: number;
  /** Of one slice. */
  readonly seconds: number;
  readonly quick: boolean;
  /** Started, and warmed, once for all rows that compare with the floor. */
  trio(): Promise<Trio>;
}

export type Row = (depth: Depth) => Promise<readonly Finding[]>;

function versionOf(program: string, ...args: string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch {
    return '';
  }
}

export function machine(): string {
  const [cpu] = cpus();
  const { version: undici } = createRequire(import.meta.url)('undici/package.json') as { version: string };
  return [
    `${cpus().length} cores (${cpu?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}`,
    `Node ${process.version} (V8 ${process.versions.v8}, undici ${undici}), rpcgw ${versionOf(process.execPath, 'bin/rpcgw.js', '--version')}`,
  ].join('\n');
}

/** Others on the machine make caches cold and waits long, and not for all rows alike. */
export function busy(): string {
  const [load = 0] = loadavg();
  const others = load > cpus().length + 1 ? ', more than it has cores: spans and ratios are too high' : '';
  return `load of the machine ${load.toFixed(1)}${others}`;
}

export function tableOf(name: string, findings: readonly Finding[]): string {
  const wide = Math.max(...findings.map(({ what }) => what.length));
  const lines = findings.map(({ what, goal, measured, met }) => {
    const mark = met === undefined ? '   ' : met ? 'met' : 'NOT';
    return `  ${mark}  ${what.padEnd(wide)}  ${measured}${goal === undefined ? '' : `   (goal: ${goal})`}`;
  });
  return [name, ...lines].join('\n');
}
