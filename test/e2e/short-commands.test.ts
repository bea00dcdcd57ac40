import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

// What a command takes is mostly what it loads, and that can be told without a clock.

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** Names every file that is loaded, on stderr, and at the end what was loaded of Node.js itself. */
const listing = `
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { writeSync(2, 'loads ' + url + '\\n'); return next(url, context); } });
process.on('exit', () => writeSync(2, process.moduleLoadList.map(name => 'loads ' + name + '\\n').join('')));
`;

/** What a command loads, however it ends. */
async function stderrOf(...args: string[]): Promise<string> {
  const hook = `data:text/javascript,${encodeURIComponent(listing)}`;
  const command = ['--import', hook, join(root, 'bin', 'rpcgw.js'), ...args];
  const { stderr } = await run(process.execPath, command).catch((failed: { stderr: string }) => failed);
  return stderr;
}

/** Of it, the files within the program's folder. */
async function loadedBy(...args: string[]): Promise<string[]> {
  const stderr = await stderrOf(...args);
  const files = [...stderr.matchAll(/^loads file:\/\/(.*)$/gm)].map(([, path = '']) => path);
  expect(files).toContain(join(root, 'dist', 'rpcgw', 'main.js'));
  return files.map(path => path.slice(root.length));
}

/** The sources that the build put into these files: it names each above its code. */
function sourcesIn(files: readonly string[]): string[] {
  const built = files.filter(path => path.startsWith('dist/'));
  return built.flatMap(path =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/^\s*\/\/ ((?:src|node_modules)\/.*)$/gm)].map(
      ([, source = '']) => source,
    ),
  );
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

describe('a short command', () => {
  it('that checks a config opens no package, only what the build has joined', async () => {
    const files = await loadedBy('check', configWith('one.yaml', 'rpc.example.org'));
    expect(files.filter(path => path.includes('node_modules'))).toEqual([]);
    const sources = sourcesIn(files);
    expect(sources).toEqual(
      expect.arrayContaining(['src/config/schema.ts', expect.stringContaining('/zod/')]),
    );
    expect(sources.filter(path => /^src\/(?:daemon|store|gateway|io)\//.test(path))).toEqual([]);
  });

  it('loads the list of public suffixes for a wildcard, and only then', async () => {
    const files = await loadedBy('check', configWith('two.yaml', '*.nodes.example.com'));
    const packages = files.filter(path => path.includes('node_modules'));
    expect(packages.length).toBeGreaterThan(0);
    expect(packages.filter(path => !path.startsWith('node_modules/tldts/'))).toEqual([]);
  });

  it('that asks the daemon loads neither schemas nor YAML, nor anything of the daemon', async () => {
    const files = await loadedBy('status', '--socket', '/nowhere/rpcgw.sock');
    expect(files.filter(path => path.includes('node_modules'))).toEqual([]);
    const sources = sourcesIn(files);
    expect(sources).toContain('src/api/client.ts');
    const others = /^src\/(?:daemon|store|gateway|io|chains)\/|^node_modules\/(?!commander)/;
    expect(sources.filter(path => others.test(path))).toEqual([]);
  });

  it('that asks the daemon loads of HTTP what it asks with, not the WebSocket that Node.js keeps beside it', async () => {
    const stderr = await stderrOf('status', '--socket', '/nowhere/rpcgw.sock');
    expect(stderr).toContain('loads NativeModule _http_client');
    expect(stderr).not.toMatch(/^loads .*undici/m);
  });
});
