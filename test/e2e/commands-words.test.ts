import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { type Gateway, runCommand, until } from '../kit/gateway.ts';
import { expectShape } from '../kit/shapes.ts';
import { chainOf, stage } from '../kit/stage.ts';
import type { Upstream } from '../kit/upstream.ts';

const root = new URL('../../', import.meta.url);
const bin = fileURLToPath(new URL('bin/rpcgw.js', root));
const run = promisify(execFile);

describe('pages made from the program', () => {
  it.each([
    [['docs', 'commands'], 'docs/commands.md'],
    [['docs', 'json'], 'docs/json.md'],
    [['docs', 'man'], 'docs/rpcgw.1'],
  ])('rpcgw %s is what stands in %s', async (words, file) => {
    const { code, stdout } = await runCommand(words);
    expect(code).toBe(0);
    // Made anew with: rpcgw docs … > the file
    expect(stdout).toBe(readFileSync(new URL(file, root), 'utf8'));
  });

  it('a shape is there as a JSON Schema', async () => {
    const { stdout } = await runCommand(['docs', 'json', '--schema', 'status']);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'object', properties: { ready: { type: 'boolean' } } });
    expect((await runCommand(['docs', 'json', '--schema', 'none'])).code).toBe(2);
  });

  it('the help of every command opens with its use, has its examples, and ends with its exit codes', async () => {
    for (const path of ['status', 'endpoint drain', 'broadcasts', 'broadcasts settle']) {
      const { code, stdout, stderr } = await runCommand([...path.split(' '), '--help']);
      const spec = commands.find(each => each.path === path);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(new RegExp(`^Usage: rpcgw ${path} `));
      for (const [line] of spec?.examples ?? []) expect(stdout).toContain(line);
      for (const [exit, says] of spec?.exits ?? []) expect(stdout).toContain(`${exit}  ${says}`);
    }
    const { stdout } = await runCommand(['--help']);
    for (const { path } of commands.filter(({ hidden }) => !hidden))
      expect(stdout).toContain(path.split(' ')[0]);
    expect(stdout).not.toContain('complete ');
  });
});

describe('wrong use', () => {
  it.each([
    [['statsu'], 'Did you mean status?'],
    [['status', '--wiat', 'ready'], 'Did you mean --wait?'],
    [['endpoint', 'drain', 'ethereum'], "missing required argument 'name'"],
    [['status', 'a', 'b'], 'too many arguments'],
    [['status', '--color', 'sometimes'], 'auto, always or never'],
    [['status', '--wait', 'soon'], 'ready'],
    [['completion', 'csh'], 'bash, zsh, fish'],
  ])('%j ends with 2, in words and as JSON', async (words, says) => {
    const plain = await runCommand(words);
    expect([plain.code, plain.stdout]).toEqual([2, '']);
    expect(plain.stderr).toMatch(/^error: /);
    expect(plain.stderr).toContain(says);
    const json = await runCommand([...words, '--json']);
    expect(json.code).toBe(2);
    const error = JSON.parse(json.stderr) as { error: { code: string } };
    expectShape('error', error);
    expect(error.error.code).toBe('usage');
  });

  it('a daemon that is not there is told with every place that was looked at', async () => {
    const env = { RPCGW_CONFIG: '', RPCGW_SOCKET: '/nowhere/rpcgw.sock', XDG_RUNTIME_DIR: '/nowhere/run' };
    const { code, stderr } = await runCommand(['status'], { env, cwd: '/' });
    expect(code).toBe(5);
    expect(stderr).toContain('/nowhere/rpcgw.sock: is not there');
    expect(stderr).toContain('next: rpcgw serve');
  });
});

describe('at a shell', () => {
  const on = stage();
  let a: Upstream;
  let gateway: Gateway;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const [first, second] = (await on.upstreams(2)) as [Upstream, Upstream];
    a = first;
    gateway = await on.gateway({ chains: { local: chainOf({ alpha: a, beta: second }) } });
    // The program by its name, as the shell finds it.
    const path = join(gateway.dir, 'bin');
    await mkdir(path);
    const script = join(path, 'rpcgw');
    await writeFile(script, `#!/bin/sh\nexec ${process.execPath} ${bin} "$@"\n`);
    await chmod(script, 0o755);
    env = { ...gateway.place.env, PATH: `${path}:${process.env.PATH}` };
  });

  /** What bash would offer after this line. */
  async function offered(line: string): Promise<string[]> {
    const words = line.split(' ').map(word => `'${word}'`);
    const script = `source <(rpcgw completion bash)
      COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}
      _rpcgw; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await run('bash', ['-c', script], { env, cwd: gateway.dir });
    return stdout.split('\n').filter(word => word !== '');
  }

  it('bash completes commands, options, names as they are, and files', async () => {
    expect(await offered('rpcgw sta')).toEqual(['status']);
    // On a machine that is busy, names that are late are left out.
    const names = await until(async () => {
      const found = await offered('rpcgw endpoint drain local ');
      return found.length > 0 && found;
    });
    expect(names).toEqual(['alpha', 'beta']);
    expect(await offered('rpcgw status --wa')).toEqual(['--wait', '--watch']);
    expect(await offered('rpcgw check rpcgw.y')).toEqual(['rpcgw.yaml']);
  });

  it('without a daemon there are no names, and no noise', async () => {
    const { code, stdout, stderr } = await runCommand(
      ['complete', '--socket', '/nowhere.sock', '--', 'endpoint', 'drain', ''],
      { env: { RPCGW_CONFIG: '' } },
    );
    expect([code, stdout, stderr]).toEqual([0, '', '']);
  });

  it.each(['bash', 'zsh', 'fish'])('the script for %s asks the program itself', async shell => {
    const { code, stdout } = await runCommand(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toContain('complete --');
    if (shell === 'bash') await run('bash', ['-n', '-c', stdout]);
  });

  it('a pipe that closes early is no error', async () => {
    const { stdout } = await run('bash', ['-o', 'pipefail', '-c', 'rpcgw status | head -1 && echo well'], {
      env,
    });
    expect(stdout).toMatch(/^rpcgw .* READY .*\nwell\n$/);
  });

  it('a terminal of 80 columns gets no wider table', async () => {
    const line = (words: string): string => `stty cols 80; ${words}`;
    await gateway.api.ask('endpointDrain', { chain: 'local', name: 'beta' });
    await gateway.api.ask('endpointEnable', { chain: 'local', name: 'beta' });
    for (const words of [
      'rpcgw status',
      'rpcgw scores',
      'rpcgw report',
      'rpcgw endpoint list',
      'rpcgw audit list',
    ]) {
      const { stdout } = await run('script', ['-qec', line(words), '/dev/null'], {
        env: { ...env, NO_COLOR: '1' },
      });
      const tables = stdout.split('\n').filter(text => /^ *[A-Z]+ {2}|^(?:local|alpha|beta)\b/.test(text));
      expect(tables.length, words).toBeGreaterThan(0);
      for (const text of tables) expect([...text.trimEnd()].length, text).toBeLessThanOrEqual(80);
      expect(stdout).not.toContain('\u001b[3');
    }
  });

  it('colour is there when it is wanted, and says nothing that the words do not say', async () => {
    const plain = await runCommand(['endpoint', 'list', '--color', 'never'], { env });
    const coloured = await runCommand(['endpoint', 'list', '--color', 'always'], { env });
    expect(coloured.stdout).toContain('\u001b[32m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for
    const bare = coloured.stdout.replace(/\u001b\[\d*m/g, '');
    const words = (text: string): string[] => text.split(/\s+/).filter(word => !/\d/.test(word));
    expect(words(bare)).toEqual(words(plain.stdout));
  });

  it('status --wait ready waits for a daemon that is not there yet, and gives up with 8', async () => {
    const none = await runCommand(
      ['status', '--wait', 'ready', '--timeout', '300ms', '--socket', '/nowhere.sock', '--json'],
      { env: { RPCGW_CONFIG: '' } },
    );
    expect([none.code, JSON.parse(none.stderr)]).toMatchObject([8, { error: { code: 'wait_timeout' } }]);
    expect(await gateway.stop()).toBe(0);
    const waiting = gateway.command('status', '--wait', 'ready', '--json');
    await gateway.restart();
    const { code, stdout } = await waiting;
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { ready: true }]);
    expectShape('status', JSON.parse(stdout));
  });

  it('a wait that is interrupted ends with 130 and says what goes on', async () => {
    const child = spawn(process.execPath, [bin, 'status', '--wait', 'ready', '--socket', '/nowhere.sock'], {
      env: { ...env, RPCGW_CONFIG: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let told = '';
    child.stderr.on('data', chunk => (told += String(chunk)));
    const ended = new Promise<number | null>(resolve => child.once('close', resolve));
    // It takes the signal once it waits; before that the default ends it.
    const timer = setInterval(() => child.kill('SIGINT'), 400);
    const code = await ended;
    clearInterval(timer);
    if (code !== null) expect([code, told]).toEqual([130, 'not ready yet, look again with: rpcgw status\n']);
  });

  it('--watch goes on: a status each time, a line for each state that changes', async () => {
    const watch = (...words: readonly string[]) => {
      const child = spawn(process.execPath, [bin, ...words, '--json', '--interval', '200ms'], { env });
      const lines: string[] = [];
      child.stdout.on('data', chunk =>
        lines.push(
          ...String(chunk)
            .split('\n')
            .filter(line => line !== ''),
        ),
      );
      return { lines, stop: () => child.kill() };
    };
    const status = watch('status', '--watch');
    const list = watch('endpoint', 'list', '--watch');
    await until(async () => status.lines.length >= 2 && list.lines.length >= 2);
    await gateway.api.ask('endpointDrain', { chain: 'local', name: 'alpha' });
    const change = await until(async () => list.lines.find(line => line.includes('"draining"')));
    await gateway.api.ask('endpointEnable', { chain: 'local', name: 'alpha' });
    status.stop();
    list.stop();
    expectShape('status', JSON.parse(status.lines[0] ?? ''));
    expect(JSON.parse(change)).toMatchObject({ name: 'alpha', state: 'draining' });
  });

  it('every other shape that is documented is what is printed', async () => {
    for (const [shape, ...words] of [
      ['status', 'status', 'local'],
      ['scores', 'scores'],
      ['endpointList', 'endpoint', 'list'],
      ['callResult', 'call', 'local', 'eth_chainId'],
      ['configShow', 'config', 'show'],
      ['configSchema', 'config', 'schema'],
      ['check', 'check'],
    ] as const)
      expectShape(shape, await gateway.json(...words));
    const init = await gateway.json('init', '--file', 'fresh.yaml');
    expectShape('init', init);
    const one = await runCommand(['classify', '--status', '429', '--body', 'slow down', '--json']);
    expectShape('classification', JSON.parse(one.stdout));
    await symlink(gateway.place.file, join(gateway.dir, 'link.yaml'));
    expectShape('check', await gateway.json('check', 'link.yaml', '--against-running'));
  });
});
