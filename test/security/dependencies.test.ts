import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The page that names every package, held against what npm would install. */

interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
// npm writes both files.
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
const manifest = JSON.parse(read('package.json')) as {
  dependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};
const page = read('docs/dependencies.md');

/** Rows of the table under a heading, cell by cell. */
function rows(heading: string): string[][] {
  const section = page.split(/^## /m).find(each => each.startsWith(heading)) ?? '';
  return section
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim().replaceAll('`', '')),
    );
}

const locked = Object.entries(packages).filter(([path]) => path !== '');
const runs = locked.filter(([, { dev, devOptional }]) => !dev && !devOptional);
const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Where `name` is found from `path`, as Node.js looks for it. */
function resolved(path: string, name: string): string | undefined {
  for (let base = path; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const at = `${base === '' ? '' : `${base}/`}node_modules/${name}`;
    if (at in packages) return at;
    if (base === '') return undefined;
    if (!base.includes('/node_modules/')) base = '';
  }
}

/** All that a package brings. */
function broughtBy(path: string, found = new Set<string>()): Set<string> {
  const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {};
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const at = resolved(path, name);
    if (at === undefined || found.has(at) || !runs.some(([each]) => each === at)) continue;
    found.add(at);
    broughtBy(at, found);
  }
  return found;
}

describe('what runs that is not ours', () => {
  it('is named with its reason, package by package, and with how many others each brings', () => {
    const told = rows('Run time');
    expect(told.map(([name]) => name).sort()).toEqual(Object.keys(manifest.dependencies).sort());
    for (const [name = '', purpose, reason, brings] of told) {
      expect([name, purpose === '', reason === '']).toEqual([name, false, false]);
      expect([name, Number(brings)]).toEqual([name, broughtBy(`node_modules/${name}`).size]);
    }
    const named = Object.keys(manifest.dependencies).length;
    expect(page).toContain(`${named} packages that we name; ${runs.length} with all that they bring`);
  });

  it('is all reached from what we name', () => {
    const all = new Set(
      Object.keys(manifest.dependencies).flatMap(name => [
        `node_modules/${name}`,
        ...broughtBy(`node_modules/${name}`),
      ]),
    );
    expect([...all].sort()).toEqual(runs.map(([path]) => path).sort());
  });

  it('has no install script', () => {
    expect(runs.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
  });
});

describe('what is installed', () => {
  it('is the very bytes that were reviewed', () => {
    const unsure = locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
    expect(unsure.map(([path]) => path)).toEqual([]);
  });

  it('runs the scripts at install that the page lists, and no other', () => {
    const withScript = locked
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => nameOf(path));
    const told = rows('Install scripts').map(([name = '', , does]) => [name, does === 'yes'] as const);
    expect(told.map(([name]) => name).sort()).toEqual([...new Set(withScript)].sort());
    const { 'better-sqlite3': store, ...allowed } = manifest.allowScripts;
    expect(store).toBe(false);
    expect(Object.fromEntries(told)).toEqual(allowed);
  });
});
