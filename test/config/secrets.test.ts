import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { expand } from '../../src/config/secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'rpcgw-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: string | Buffer) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const reference = (text: string) => `\${${text}}`;

const key = file('key', 'from-file\n');
const env = { KEY: 'from-env', EMPTY: '', CREDENTIALS_DIRECTORY: folder };

describe('references', () => {
  it.each([
    ['a variable', reference('KEY'), 'from-env'],
    ['a variable inside a text', `https://h/${reference('KEY')}/x`, 'https://h/from-env/x'],
    ['two of them', `${reference('KEY')}${reference('KEY')}`, 'from-envfrom-env'],
    ['a file, its last line break left out', reference(`file:${key}`), 'from-file'],
    ['a credential', reference('credential:key'), 'from-file'],
    ['none', 'a$b $KEY {KEY} $$ $', 'a$b $KEY {KEY} $$ $'],
    ['an escaped one', `$${reference('KEY')}`, reference('KEY')],
    [
      'an escaped one in front of a real one',
      `$${reference('KEY')}${reference('KEY')}`,
      `${reference('KEY')}from-env`,
    ],
  ])('%s', (_what, text, value) => {
    expect(expand({ a: [text] }, env)).toMatchObject({ value: { a: [value] }, findings: [] });
  });

  it('what a secret holds is no reference and no YAML', () => {
    expect(expand(reference('A'), { A: `${reference('KEY')}: [` })).toMatchObject({
      value: `${reference('KEY')}: [`,
      findings: [],
    });
  });

  it('keys are left as they stand, and what is no text too', () => {
    const value = { [reference('KEY')]: 1, b: true, c: null, d: [1.5] };
    expect(expand(value, env)).toMatchObject({ value, findings: [] });
  });

  it('a file behind a link, as containers mount them', () => {
    symlinkSync(key, join(folder, 'link'));
    expect(expand(reference(`file:${join(folder, 'link')}`), env)).toMatchObject({
      value: 'from-file',
      findings: [],
    });
  });

  mkdirSync(join(folder, 'sub'));
  it.each([
    ['a variable that is not set', 'NONE', 'the variable NONE is not set, or empty'],
    ['a variable that is empty', 'EMPTY', 'the variable EMPTY is not set, or empty'],
    [
      'a file that is not there',
      'file:/nonexistent/key',
      'the file /nonexistent/key cannot be read: it does not exist',
    ],
    ['a folder', `file:${folder}/sub`, `the file ${folder}/sub is no regular file`],
    ['a device', 'file:/dev/zero', 'the file /dev/zero is no regular file'],
    ['an empty file', `file:${file('empty', '\n')}`, `the file ${folder}/empty is empty`],
    [
      'a file too large',
      `file:${file('large', Buffer.alloc(65_537, 97))}`,
      `the file ${folder}/large is larger than 64 KiB`,
    ],
    [
      'a file that is not UTF-8',
      `file:${file('latin1', Buffer.from([0xfc]))}`,
      `the file ${folder}/latin1 cannot be read: it is not UTF-8`,
    ],
    ['a relative file', 'file:key', 'expected '],
    [
      'a credential that is not there',
      'credential:none',
      'the credential none cannot be read: it does not exist',
    ],
    ['a credential outside its folder', 'credential:../key', 'expected '],
    ['a default', 'KEY:-x', 'expected '],
    ['nothing', '', 'expected '],
    ['an unknown kind', 'vault:key', 'expected '],
  ])('%s', (_what, name, message) => {
    const { findings, hides } = expand({ a: { b: [reference(name)] } }, env);
    expect(findings).toEqual([
      expect.objectContaining({ path: ['a', 'b', 0], message: expect.stringMatching(/^./) }),
    ]);
    expect(findings[0]?.message.slice(0, message.length)).toBe(message);
    expect(hides(['a', 'b', 0])).toBe(true);
    expect(hides(['a', 'b'])).toBe(false);
  });

  it('a reference without an end', () => {
    expect(expand('${KEY', env).findings[0]?.message).toBe('a reference that begins with ${ has no end');
  });

  it('a credential without systemd', () => {
    expect(expand(reference('credential:key'), {}).findings[0]).toMatchObject({
      message: 'the credential key cannot be read: CREDENTIALS_DIRECTORY is not set',
    });
  });

  it('all that are missing are named', () => {
    const { findings } = expand({ a: `${reference('A')}${reference('B')}`, b: reference('A') }, {});
    expect(findings.map(finding => [finding.path, finding.message.slice(0, 14)])).toEqual([
      [['a'], 'the variable A'],
      [['a'], 'the variable B'],
      [['b'], 'the variable A'],
    ]);
  });

  it('of a URL that lacks only what follows the host, the rest can be judged', () => {
    const { hides, value } = expand([`http://h/${reference('A')}`, `http://${reference('A')}/x`], {});
    expect([hides([0]), hides([1])]).toEqual([false, true]);
    expect(value).toEqual([expect.stringMatching(/^http:\/\/h\/unset/), expect.anything()]);
  });

  it('a text without a dollar comes back as it is', () => {
    fc.assert(
      fc.property(
        fc
          .jsonValue()
          .filter(
            value => !JSON.stringify(value).includes('$') && !JSON.stringify(value).includes('__proto__'),
          ),
        value => {
          expect(expand(value, env)).toMatchObject({ value, findings: [] });
        },
      ),
    );
  });
});
