import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commands, groups } from '../../src/cli/commands.ts';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { jsonShapes } from '../../src/cli/json-shapes.ts';
import { errors } from '../../src/core/errors.ts';

const root = new URL('../../', import.meta.url);
const shown = commands.filter(({ hidden }) => !hidden);

describe('the table of commands', () => {
  it('has every command of the contract', () => {
    const contract =
      'init, check, config show, config schema, config docs, serve, demo, status, scores, endpoint add, endpoint list, endpoint show, ' +
      'endpoint set, endpoint drain, endpoint enable, endpoint disable, endpoint remove, test, top, call, explain, classify, broadcasts, ' +
      'broadcasts show, broadcasts settle, broadcasts export, events, trace, report, audit list, audit verify, doctor, completion';
    const paths = commands.map(({ path }) => path);
    expect(contract.split(', ').filter(path => !paths.includes(path))).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it.each(shown.map(command => [command.path, command] as const))(
    '%s: has examples, a summary without an end, a module that runs, and JSON that is documented',
    async (path, command) => {
      expect(command.examples.length).toBeGreaterThan(0);
      expect(command.examples.some(([line]) => line.includes(`rpcgw ${path}`))).toBe(true);
      expect(command.summary).not.toMatch(/\.$/);
      expect(command.json === undefined || command.json in jsonShapes).toBe(true);
      const words = path.split(' ');
      if (words.length > 1) {
        const group = words.slice(0, -1).join(' ');
        expect(group in groups || commands.some(each => each.path === group)).toBe(true);
      }
      const name = { 'config show': 'config-show' }[path] ?? path.replaceAll(' ', '-');
      expect(existsSync(fileURLToPath(new URL(`src/cli/${name}.ts`, root)))).toBe(true);
    },
  );

  it('has no shape that no command prints', () => {
    const printed = new Set(shown.map(({ json }) => json));
    expect(Object.keys(jsonShapes).filter(name => name !== 'error' && !printed.has(name))).toEqual([]);
  });

  it('gives a parent its place before its own commands, so that both can be typed', () => {
    const paths = commands.map(({ path }) => path);
    for (const path of paths) {
      const parent = path.split(' ').slice(0, -1).join(' ');
      if (paths.includes(parent)) expect(paths.indexOf(parent)).toBeLessThan(paths.indexOf(path));
    }
  });

  it('explains every exit code that an error can have', () => {
    const known = exitCodes.map(([code]) => code);
    for (const row of Object.values(errors)) if ('exit' in row) expect(known).toContain(row.exit);
    for (const { exits = [] } of commands) for (const [code] of exits) expect(known).toContain(code);
  });

  it('is what the man page and the reference are made of', () => {
    const page = readFileSync(new URL('docs/commands.md', root), 'utf8');
    const man = readFileSync(new URL('docs/rpcgw.1', root), 'utf8');
    for (const { path } of shown) {
      expect(page).toContain(`## rpcgw ${path}\n`);
      expect(man).toContain(`.SS rpcgw ${path.replaceAll('-', '\\-')}`);
    }
  });
});
