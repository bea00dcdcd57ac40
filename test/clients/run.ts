/**
 * `npm run clients`: the matrix of client libraries from the command line. Without names it measures the installed ones;
 * `name@version` is put into a folder of its own and measured beside the installed one; `--write` writes docs/clients.md.
 */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { differencesText } from './differences.ts';
import type { Row } from './session.ts';
import { takeFrom } from './version.ts';

const run = promisify(execFile);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    // For the processes it starts itself: where to write the rows, and where the library is.
    rows: { type: 'string' },
    from: { type: 'string' },
  },
});

if (values.rows !== undefined) await writeRows(values.rows);
else if (values.write) await writePage();
else if (positionals.length === 0) report(await measured([]));
else for (const spec of positionals) await tryVersion(spec).catch((error: unknown) => gaveUp(spec, error));

async function measured(names: readonly string[]): Promise<readonly Row[]> {
  // Not before it is clear where the libraries come from.
  const { measure } = await import('./measure.ts');
  return measure(names);
}

async function writeRows(file: string): Promise<void> {
  const [name = ''] = positionals;
  if (values.from !== undefined) takeFrom(values.from, name);
  await writeFile(file, JSON.stringify(await measured([name])));
}

async function writePage(): Promise<void> {
  const { clientsPage } = await import('./page.ts');
  const rows = await measured([]);
  report(rows);
  await writeFile(new URL('../../docs/clients.md', import.meta.url), clientsPage(rows));
}

async function tryVersion(spec: string): Promise<void> {
  const name = /^@?[^@]+/.exec(spec)?.[0] ?? spec;
  const folder = await mkdtemp(join(tmpdir(), 'rpcgw-clients-'));
  try {
    const installing = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', spec];
    const { npm_execpath: npm } = process.env;
    if (npm === undefined) await run('npm', installing);
    else await run(process.execPath, [npm, ...installing]);
    const before = await rowOf(name, join(folder, 'installed.json'));
    const now = await rowOf(name, join(folder, 'tried.json'), folder);
    report([now]);
    const ends = [...new Set([...before.errors, ...now.errors])].filter(
      call => before.errors.includes(call) !== now.errors.includes(call),
    );
    const missing = before.calls.filter(call => !now.calls.includes(call));
    if (ends.length + missing.length === 0) return;
    process.exitCode = 1;
    print(`otherwise than with ${before.version}: ${[...ends, ...missing].join('; ')}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One that cannot be had, or has other calls than these, does not end the others. */
function gaveUp(spec: string, error: unknown): void {
  process.exitCode = 1;
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  const [line = text] = /^(?:npm error|\w*Error:).*$/m.exec(text) ?? [];
  print(`${spec}: ${line.trim()}`);
}

/** In a process of its own, which has one version of the library and no other. */
async function rowOf(name: string, file: string, from?: string): Promise<Row> {
  const own = [fileURLToPath(import.meta.url), '--rows', file];
  await run(process.execPath, [...own, ...(from === undefined ? [] : ['--from', from]), name], {
    maxBuffer: 16 << 20,
  });
  const [row] = JSON.parse(await readFile(file, 'utf8')) as Row[];
  if (row === undefined) throw new Error(`there are no calls for ${name}`);
  return row;
}

function report(rows: readonly Row[]): void {
  const cells = rows.map(({ client, version, calls, errors, differences }) => [
    client,
    version,
    `${calls.length} calls`,
    `${errors.length} end in an error`,
    differences.length === 0 ? 'no differences' : `${differences.length} differences`,
  ]);
  const widths = cells[0]?.map((_, at) => Math.max(...cells.map(row => row[at]?.length ?? 0))) ?? [];
  for (const row of cells)
    print(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  if (rows.every(({ differences }) => differences.length === 0)) return;
  process.exitCode = 1;
  print(differencesText(rows));
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
