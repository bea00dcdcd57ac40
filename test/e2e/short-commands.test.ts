import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

// What a command takes is mostly what it loads and runs, and that can be told without a clock.

const root = fileURLToPath(new URL('../../', import.meta.url));
const scripts = join(root, 'dist', 'script');
const script = join(scripts, 'short.cjs');
const execute = promisify(execFile);

/** Names every file that is loaded, on stderr, and at the end what was loaded of Node.js itself. */
const listing = `
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { writeSync(2, 'loads ' + url + '\\n'); return next(url, context); } });
process.on('exit', () => writeSync(2, process.moduleLoadList.map(name => 'loads ' + name + '\\n').join('')));
`;

/** Whether V8 refuses what lies beside this script. */
async function refused(name: string, options = ''): Promise<string> {
  const load = `require("./bin/compiled.js").load("${name}").refused`;
  const env = { ...process.env, NODE_OPTIONS: options };
  const { stdout } = await execute(process.execPath, ['-p', load], { cwd: root, env });
  return stdout.trim();
}

interface Run {
  readonly stderr: string;
  /** Within the program's folder. */
  readonly files: readonly string[];
  /** Of the script, those of which a function was called. */
  readonly sources: ReadonlySet<string>;
}

/** What a command loads and runs, however it ends. */
async function ran(...args: string[]): Promise<Run> {
  const hook = `data:text/javascript,${encodeURIComponent(listing)}`;
  const command = ['--import', hook, join(root, 'bin', 'rpcgw.js'), ...args];
  const counts = mkdtempSync(join(dir, 'counts-'));
  const env = { ...process.env, NODE_V8_COVERAGE: counts };
  const { stderr } = await execute(process.execPath, command, { env }).catch(
    (failed: { stderr: string }) => failed,
  );
  const files = [...stderr.matchAll(/^loads file:\/\/(.*)$/gm)].map(([, path = '']) => path);
  expect(files).toContain(join(root, 'bin', 'compiled.js'));
  return { stderr, files: files.map(path => path.slice(root.length)), sources: sourcesRun(counts) };
}

interface Counted {
  readonly url: string;
  readonly functions: readonly {
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

const sourceLine = /^\/\/ ((?:src|node_modules)\/.*)$/gm;

/** The build names each source above its code. */
function sourcesRun(counts: string): ReadonlySet<string> {
  const [file = ''] = readdirSync(counts);
  const { result } = JSON.parse(readFileSync(join(counts, file), 'utf8')) as { result: Counted[] };
  const counted = result.find(({ url }) => url === pathToFileURL(script).href);
  const text = readFileSync(script, 'utf8');
  const starts = [...text.matchAll(sourceLine)].map(({ index, 1: source = '' }) => ({ index, source }));
  const called = counted?.functions.flatMap(({ ranges: [whole] }) =>
    whole !== undefined && whole.count > 0 ? [whole.startOffset] : [],
  );
  return new Set(called?.map(offset => starts.findLast(({ index }) => index <= offset)?.source ?? ''));
}

const dir = mkdtempSync(join(tmpdir(), 'rpcgw-test-'));
afterAll(() => rmSync(dir, { recursive: true }));

function configWith(name: string, allowedHost: string): string {
  const file = join(dir, name);
  const endpoint = '{ name: a, url: "https://rpc.example.com" }';
  writeFileSync(
    file,
    `chains:\n  ethereum:\n    endpoints: [${endpoint}]\n    allowedHosts: ["${allowedHost}"]\n`,
  );
  return file;
}

const inPackages = (files: readonly string[]) => files.filter(path => path.includes('node_modules'));

describe('a short command', () => {
  it('is in one script with all others, which holds nothing of the daemon but what the families know', () => {
    const sources = [...readFileSync(script, 'utf8').matchAll(sourceLine)].map(([, source = '']) => source);
    expect(sources).toContain('src/cli/check.ts');
    expect(sources.filter(path => /^src\/(?:daemon|store|gateway|io|top)\//.test(path))).toEqual([]);
  });

  it('is read as it was written: a script has no letter beyond ASCII, and what it shows may have some', async () => {
    for (const name of ['short', 'daemon']) {
      const bytes = readFileSync(join(root, 'dist', 'script', `${name}.cjs`));
      expect(bytes.findIndex(byte => byte > 0x7f)).toBe(-1);
    }
    const help = [join(root, 'bin', 'rpcgw.js'), 'broadcasts', '--help'];
    expect((await execute(process.execPath, help)).stdout).toContain('--tx 0x9f3a… --json');
  });

  it('finds beside the script what V8 made of it', async () => {
    expect(await refused('short')).toBe('false');
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['damaged', bytes => bytes.fill(0xff, 100_000, 100_100)],
    ['cut off', bytes => bytes.subarray(0, 100_000)],
    ['empty', () => Buffer.alloc(0)],
    ['made of another script', bytes => bytes.fill(0, 0, 4)],
  ])('runs from the whole program when that is %s', async (how, spoil) => {
    const copy = join(dir, how);
    for (const part of ['bin', 'dist', 'package.json', 'fixtures']) {
      cpSync(join(root, part), join(copy, part), { recursive: true });
    }
    const beside = join(copy, 'dist', 'script', `short.${process.versions.v8}-${process.arch}.v8`);
    writeFileSync(beside, spoil(readFileSync(beside)));
    const { stdout } = await execute(process.execPath, [join(copy, 'bin', 'rpcgw.js'), '--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const load = 'typeof require("./bin/compiled.js").load("short")';
    const { stdout: loaded } = await execute(process.execPath, ['-p', load], { cwd: copy });
    expect(loaded.trim()).toBe('undefined');
  });

  it('that checks a config opens no package, only what the build has joined', async () => {
    const { files, sources } = await ran('check', configWith('one.yaml', 'rpc.example.org'));
    expect(inPackages(files)).toEqual([]);
    expect(sources).toContain('src/config/schema.ts');
  });

  it('loads the list of public suffixes for a wildcard, and only then', async () => {
    const { files } = await ran('check', configWith('two.yaml', '*.nodes.example.com'));
    const packages = inPackages(files);
    expect(packages.length).toBeGreaterThan(0);
    expect(packages.filter(path => !path.startsWith('node_modules/tldts/'))).toEqual([]);
  });

  it('that asks the daemon runs neither schemas nor YAML, nor anything of a family', async () => {
    const { files, sources } = await ran('status', '--socket', '/nowhere/rpcgw.sock');
    expect(inPackages(files)).toEqual([]);
    expect(sources).toContain('src/api/client.ts');
    const others = /^src\/chains\/|^node_modules\/(?!commander)/;
    expect([...sources].filter(path => others.test(path))).toEqual([]);
  });

  it('that asks the daemon loads of HTTP what it asks with, not the WebSocket that Node.js keeps beside it', async () => {
    const { stderr } = await ran('status', '--socket', '/nowhere/rpcgw.sock');
    expect(stderr).toContain('loads NativeModule _http_client');
    expect(stderr).not.toMatch(/^loads .*undici/m);
  });
});

/** What a daemon loads from its start to its end, its threads included. */
async function served(config: string): Promise<Pick<Run, 'files'>> {
  const hook = `data:text/javascript,${encodeURIComponent(listing)}`;
  const command = ['--import', hook, join(root, 'bin', 'rpcgw.js'), 'serve', '--config', config];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (piece: Buffer) => {
    const before = said.includes('"msg":"ready"');
    said += piece.toString();
    // A second signal would not wait for its end.
    if (!before && said.includes('"msg":"ready"')) child.kill('SIGTERM');
  });
  const [code] = await once(child, 'close');
  expect([code, said]).toEqual([0, expect.stringContaining('"msg":"stopped"')]);
  const files = [...said.matchAll(/^loads file:\/\/(.*)$/gm)].map(([, path = '']) => path);
  return { files: files.map(path => path.slice(root.length)) };
}

describe('the daemon', () => {
  it('is a script of its own, with no other command in it', () => {
    const sources = [...readFileSync(join(scripts, 'daemon.cjs'), 'utf8').matchAll(sourceLine)];
    const names = sources.map(([, source = '']) => source);
    expect(names).toContain('src/daemon/daemon.ts');
    expect(names).toContain('src/cli/serve.ts');
    expect(names.filter(path => /^src\/(?:top|cli\/(?:check|status|demo|init))/.test(path))).toEqual([]);
  });

  it('finds beside the script what V8 made of it, whatever the unit says of its young generation', async () => {
    expect(await refused('daemon')).toBe('false');
    expect(await refused('daemon', '--max-semi-space-size=8')).toBe('false');
  });

  it('runs from its script, and finds the threads of its store beside the whole program', async () => {
    const home = mkdtempSync(join(dir, 'home-'));
    const file = join(home, 'rpcgw.yaml');
    writeFileSync(
      file,
      `listen: 127.0.0.1:0\ndataDir: ${home}/data\nsocket: ${home}/rpcgw.sock\ndrain: { delay: 0s }
chains: { ethereum: { endpoints: [{ name: a, url: "http://127.0.0.1:9", allowPrivate: true }] } }
`,
    );
    const { files } = await served(file);
    expect(files).toContain('bin/compiled.js');
    expect(files).not.toContain('dist/rpcgw/main.js');
    expect(files).toContain('dist/rpcgw/writer-thread.js');
  });
});

describe('a command that stays', () => {
  it('is run from the whole program, with its packages', async () => {
    const { files } = await ran('top', '--help');
    expect(files).toContain('dist/rpcgw/main.js');
  });
});
