import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/threats.md', root), 'utf8');

/** Titles of a test file: the first text of `it`, `test`, `describe` and their tables. */
function titlesOf(file: string): Set<string> {
  const text = readFileSync(new URL(file, root), 'utf8');
  const found = text.matchAll(
    /(?:\b(?:it|test|describe)|\]|\)|const)\s*\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")/g,
  );
  return new Set([...found].map(([, single, double]) => (single ?? double ?? '').replace(/\\(.)/g, '$1')));
}

const rows = page.split('\n').filter(line => line.startsWith('| ') && !/^\| (?:wants|---) /.test(line));
const named = [...page.matchAll(/`(test\/[\w./-]+\.test\.tsx?)` "([^"]*)"/g)].map(
  ([, file = '', title = '']) => ({ file, title }),
);

describe('the page of threats', () => {
  it('has every kind of attacker, and a test behind every row', () => {
    const attackers = page.split(/^## /m).slice(1);
    expect(attackers).toHaveLength(10);
    for (const each of attackers) expect(each).toContain('| wants | what stops them | test |');
    expect(rows.length).toBeGreaterThan(40);
    for (const row of rows) {
      const [wants = '', stops = '', test = ''] = row
        .split('|')
        .slice(1)
        .map(cell => cell.trim());
      expect([row, wants === '', stops === '']).toEqual([row, false, false]);
      expect(test).toMatch(/^`test\/[^`]+` "[^"]+"(?:, `test\/[^`]+` "[^"]+")*$/);
    }
  });

  it.each(named)('names what is there: $file, $title', ({ file, title }) => {
    expect([...titlesOf(file)]).toContain(title);
  });

  it('names every file of the tests of security', () => {
    const files = readdirSync(new URL('test/security', root)).filter(
      name => name.endsWith('.test.ts') && name !== 'threats.test.ts',
    );
    const told = new Set(named.map(({ file }) => file));
    expect(files.filter(name => !told.has(`test/security/${name}`))).toEqual([]);
  });
});
