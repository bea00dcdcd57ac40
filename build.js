/**
 * `src/` to `dist/`, twice; types are tsc's matter (docs/performance.md has what it saves).
 *
 * - `dist/rpcgw/`: the whole program. What is always needed together becomes one file, with the packages it uses: finding, opening
 *   and linking 288 files of ours and 130 of packages was half of what a start of the daemon took.
 * - `dist/script/`: the short commands as one script and the daemon as another, and what V8 makes of each while it runs.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { build } from 'rolldown';
import { scripts } from './bin/compiled.js';
import { newEnough } from './bin/new-enough.js';

/** What is started by name. Commands are reached from `main` and stay apart, each with what no other needs. */
const entries = ['cli/main', 'store/writer-thread', 'store/reader-thread'];

/**
 * Loaded from where npm put them: machine code; a logger that looks for files beside its own; the list of public suffixes, for a
 * wildcard only; the screen, for `top` alone. Of undici the part that `fetch` is made of: nothing of ours comes there.
 */
const apart = ['better-sqlite3', 'pino', 'tldts', 'ink', 'react', 'undici/lib/web'];
const isApart = id => apart.some(name => id === name || id.startsWith(`${name}/`));

const pathOf = createRequire(import.meta.url).resolve;

/**
 * Importing a built-in module makes Node.js read each of its exports, and some of those load more: `http` the whole of its
 * WebSocket, `process` opens stdin, `util` compiles four others. Every command took up to a third longer for it. Of undici two
 * of a hundred files are asked for, and HTTP/2 is switched off: it gets what it takes itself where Node.js has none.
 */
const builtin = (name, ...exports) =>
  `export const { ${exports.join(', ')} } = process.getBuiltinModule('${name}');`;
const leanFor = {
  '/src/': {
    'node:http': builtin('node:http', 'createServer', 'IncomingMessage', 'request', 'ServerResponse'),
    undici: `
      export { default as Client } from ${JSON.stringify(pathOf('undici/lib/dispatcher/client.js'))};
      export { default as errors } from ${JSON.stringify(pathOf('undici/lib/core/errors.js'))};`,
  },
  '/node_modules/commander/': {
    'node:process': 'export default process;',
    'node:util': builtin('node:util', 'stripVTControlCharacters'),
    'node:child_process':
      "export default { spawn: (...given) => process.getBuiltinModule('node:child_process').spawn(...given) };",
  },
  '/node_modules/undici/': {
    'node:http2': 'export const constants = {};',
  },
};
const lean = Object.assign({}, ...Object.values(leanFor));
const leanModules = {
  name: 'lean modules',
  resolveId(id, importer) {
    const [folder, own] = Object.entries(leanFor).find(([each]) => importer?.includes(each)) ?? [];
    if (own !== undefined && id in own) return `\0${id}`;
    const web = folder === '/node_modules/undici/' ? /(?:^|\/)(web\/.*)$/.exec(id)?.[1] : undefined;
    return web === undefined ? undefined : { id: `undici/lib/${web}`, external: true };
  },
  load: id => lean[id.slice(1)],
};

/** A command that is not in a script never gets there (`bin/compiled.js`). */
const withCommands = isIn => ({
  name: 'with these commands',
  resolveId: (id, _, { kind }) =>
    kind === 'dynamic-import' && !isIn(basename(id)) ? '\0left out' : undefined,
  load: id =>
    id === '\0left out'
      ? 'export function run() { throw new Error("this command is not in the script"); }'
      : undefined,
});

/** One script would ask for all of Node.js at once, and its readers of lines and names take time: each is got by who uses it. */
const lateBuiltins = {
  name: 'late built-ins',
  resolveId: id => (isBuiltin(id) ? `\0late ${id}` : undefined),
  load: id =>
    id.startsWith('\0late ') ? `module.exports = process.getBuiltinModule('${id.slice(6)}');` : undefined,
};

/** Each letter beyond ASCII as its escape: with a single one of them V8 keeps the whole text at two bytes a letter. */
const plain = text => {
  // There an escape would mean something else.
  if (/\\[^\0-\x7f]|String\.raw/.test(text))
    throw new Error('a letter beyond ASCII after a backslash, or raw text');
  return text.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
};

const shared = { platform: 'node', tsconfig: 'tsconfig.build.json', external: isApart };

await build({
  ...shared,
  input: Object.fromEntries(entries.map(name => [name.split('/').pop(), `src/${name}.ts`])),
  plugins: [leanModules],
  output: {
    // As deep as a file of `src/`: `fixtures/` and `package.json` are found from both.
    dir: 'dist/rpcgw',
    cleanDir: true,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  },
});

rmSync('dist/script', { recursive: true, force: true });
for (const [name, isIn] of Object.entries(scripts)) {
  await build({
    ...shared,
    input: { [name]: 'src/cli/main.ts' },
    plugins: [withCommands(isIn), leanModules, lateBuiltins],
    output: { dir: 'dist/script', format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
  });
  // A function round it, as Node.js puts one round a module, and as strict as one of ours.
  const script = `dist/script/${name}.cjs`;
  const inside = plain(readFileSync(script, 'utf8'));
  writeFileSync(script, `(function (exports, require, __filename) { 'use strict';${inside}})\n`);
}

/** For the Node.js that builds, and for the one that npm was started with, which may be the one to run it. */
const runtimes = new Set([process.execPath, process.env.npm_node_execpath ?? process.execPath]);
for (const runtime of runtimes) {
  const { stdout } = spawnSync(runtime, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  if (!newEnough(stdout)) continue;
  for (const name of Object.keys(scripts)) {
    // In a process of its own, whose output is nobody's, and without options and supervisors of the one that builds.
    const options = { stdio: 'ignore', env: { TMPDIR: tmpdir() } };
    const { status } = spawnSync(runtime, ['compile.js', name], options);
    if (status !== 0) throw new Error(`${runtime} compile.js ${name} ended with ${status}`);
  }
}
