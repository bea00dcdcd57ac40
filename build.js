/**
 * `src/` to `dist/`: what is always needed together becomes one file, with the packages it uses. Finding, opening and linking
 * 288 files of ours and 130 of packages was half of what a start of the daemon took (docs/performance.md). Types are tsc's
 * matter.
 */

import { createRequire } from 'node:module';
import { build } from 'rolldown';

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

await build({
  input: Object.fromEntries(entries.map(name => [name.split('/').pop(), `src/${name}.ts`])),
  platform: 'node',
  plugins: [leanModules],
  tsconfig: 'tsconfig.build.json',
  external: isApart,
  output: {
    // As deep as a file of `src/`: `fixtures/` and `package.json` are found from both.
    dir: 'dist/rpcgw',
    cleanDir: true,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  },
});
