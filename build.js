/**
 * `src/` to `dist/`, each file in its place, and each of a few packages joined into one file. `zod` and `yaml` come as 170
 * files, and finding and opening those was half of what a short command took (docs/performance.md). Types are tsc's matter.
 */

import { globSync, readFileSync } from 'node:fs';
import { build } from 'rolldown';

/** All others are loaded from where npm put them. */
const joined = ['commander', 'fast-uri', 'ipaddr.js', 'yaml', 'zod'];

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const apart = Object.keys(dependencies).filter(name => !joined.includes(name));
const nameOf = file => file.slice('src/'.length).replace(/\.tsx?$/, '');

/**
 * Importing a built-in module makes Node.js read each of its exports, and some of those load more: `http` the whole of its
 * WebSocket, `process` opens stdin, `util` compiles four others. Every command took up to a third longer for it.
 */
const builtin = (name, ...exports) =>
  `export const { ${exports.join(', ')} } = process.getBuiltinModule('${name}');`;
const leanFor = {
  '/src/': {
    'node:http': builtin('node:http', 'createServer', 'IncomingMessage', 'request', 'ServerResponse'),
  },
  '/node_modules/commander/': {
    'node:process': 'export default process;',
    'node:util': builtin('node:util', 'stripVTControlCharacters'),
    'node:child_process':
      "export default { spawn: (...given) => process.getBuiltinModule('node:child_process').spawn(...given) };",
  },
};
const lean = Object.assign({}, ...Object.values(leanFor));
const leanBuiltins = {
  name: 'lean built-ins',
  resolveId(id, importer) {
    const [, own] = Object.entries(leanFor).find(([folder]) => importer?.includes(folder)) ?? [];
    return own !== undefined && id in own ? `\0${id}` : undefined;
  },
  load: id => lean[id.slice(1)],
};

await build({
  input: Object.fromEntries(globSync('src/**/*.{ts,tsx}').map(file => [nameOf(file), file])),
  platform: 'node',
  plugins: [leanBuiltins],
  tsconfig: 'tsconfig.build.json',
  external: id => apart.some(name => id === name || id.startsWith(`${name}/`)),
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'joined/[name].js',
    codeSplitting: {
      groups: joined.map(name => ({ name, test: id => id.includes(`/node_modules/${name}/`) })),
    },
  },
});
