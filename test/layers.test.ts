import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

// Reads the import lines of every source file and holds them against the floors of docs/architecture.md.

const src = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src');

interface Floor {
  /** Folders of src/ whose files may be imported, or single files. */
  readonly own: readonly string[];
  /** Built-in modules: none, all, or a list. */
  readonly node: 'none' | 'all';
  /** npm packages: none, all, or a list. */
  readonly packages: 'none' | 'all' | readonly string[];
}

const floors: Readonly<Record<string, Floor>> = {
  core: { own: ['core'], node: 'none', packages: 'none' },
  wire: { own: ['wire', 'core'], node: 'none', packages: 'none' },
  chains: { own: ['chains', 'wire', 'core'], node: 'none', packages: ['@noble/hashes', '@scure/base'] },
  gateway: { own: ['gateway', 'chains', 'wire', 'core'], node: 'none', packages: 'none' },
  config: {
    own: ['config', 'core', 'chains'],
    node: 'all',
    packages: ['zod', 'yaml', 'ipaddr.js', 'fast-uri', 'tldts'],
  },
  io: { own: ['io', 'gateway/ports.ts', 'chains', 'wire', 'core'], node: 'all', packages: 'all' },
  store: { own: ['store', 'gateway/ports.ts', 'chains', 'wire', 'core'], node: 'all', packages: 'all' },
  api: { own: ['api', 'core', 'config'], node: 'all', packages: 'all' },
  daemon: {
    own: ['daemon', 'api', 'store', 'io', 'config', 'gateway', 'chains', 'wire', 'core'],
    node: 'all',
    packages: 'all',
  },
  cli: {
    own: ['cli', 'api', 'config', 'core', 'chains', 'wire', 'daemon', 'top'],
    node: 'all',
    packages: 'all',
  },
  top: { own: ['top', 'api', 'config', 'core', 'cli/format.ts'], node: 'all', packages: 'all' },
};

/** Commands that may reach past the api: the ones that are the daemon, and the one that needs none. */
const cliMayStartTheDaemon = ['cli/serve.ts', 'cli/demo.ts'];
const cliMayKnowChains = [
  'cli/classify.ts',
  // Simulated nodes must answer as the chain they simulate.
  'cli/demo-nodes.ts',
  'cli/docs-family.ts',
];

interface ImportLine {
  readonly file: string;
  readonly target: string;
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

const imports: ImportLine[] = sources(src).flatMap(path => {
  const text = readFileSync(path, 'utf8');
  const found = text.matchAll(
    /^\s*(?:import|export)\b[^'"`;]*?from\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm,
  );
  return [...found].map(match => ({
    file: relative(src, path),
    target: match[1] ?? match[2] ?? match[3] ?? '',
  }));
});

function inside(path: string, allowed: readonly string[]): boolean {
  return allowed.some(entry => path === entry || path.startsWith(`${entry}/`));
}

function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}

function fault({ file, target }: ImportLine): string | undefined {
  const floorName = file.split('/')[0] ?? '';
  const floor = floors[floorName];
  if (floor === undefined) return `${file}: the folder ${floorName} has no floor`;
  if (target.startsWith('node:')) return floor.node === 'all' ? undefined : `${file} imports ${target}`;
  if (!target.startsWith('.')) {
    if (floor.packages === 'all' || (floor.packages !== 'none' && floor.packages.includes(packageOf(target))))
      return undefined;
    return `${file} imports the package ${target}`;
  }
  const to = relative(src, resolve(src, dirname(file), target));
  if (!inside(to, floor.own)) return `${file} imports ${to}`;
  if (floorName === 'cli' && inside(to, ['daemon']) && !cliMayStartTheDaemon.includes(file))
    return `${file} imports ${to}`;
  if (floorName === 'cli' && inside(to, ['chains', 'wire']) && !cliMayKnowChains.includes(file))
    return `${file} imports ${to}`;
  return undefined;
}

/** Families do not know each other; what they share stands beside their folders. */
function family(path: string): string | undefined {
  return /^chains\/(evm|solana|xrpl|tron)\//.exec(path)?.[1];
}

describe('the floors of the house', () => {
  it('finds import lines at all', () => {
    expect(imports.length).toBeGreaterThan(20);
  });

  it('lets every file import only what its floor may know', () => {
    expect(imports.map(fault).filter(found => found !== undefined)).toEqual([]);
  });

  it('keeps families apart', () => {
    const crossed = imports.filter(({ file, target }) => {
      const from = family(file);
      const to = family(relative(src, resolve(src, dirname(file), target)));
      return from !== undefined && to !== undefined && from !== to;
    });
    expect(crossed).toEqual([]);
  });

  it('keeps clock and chance off the ground floor and out of the use cases', () => {
    const ambient =
      /\b(Date\.now|performance\.now|Math\.random|setTimeout|setInterval|setImmediate|queueMicrotask|process\.)/;
    const found = sources(src)
      .filter(path => /^(core|wire|chains|gateway)\//.test(relative(src, path)))
      .filter(path => ambient.test(readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')));
    expect(found.map(path => relative(src, path))).toEqual([]);
  });
});
