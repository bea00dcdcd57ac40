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
 * Importing a built-in module makes Node.js read each of its exports, and some of those load more: `process` opens stdin,
 * `util` compiles four others. `commander` wants a function of each, and every command took a tenth longer for it.
 */
const lean = {
  'node:process': 'export default process;',
  'node:util': "export const { stripVTControlCharacters } = process.getBuiltinModule('node:util');",
  'node:child_process':
    "export default { spawn: (...given) => process.getBuiltinModule('node:child_process').spawn(...given) };",
};
const leanBuiltins = {
  name: 'lean built-ins',
  resolveId: (id, importer) =>
    id in lean && importer?.includes('/node_modules/commander/') ? `\0${id}` : undefined,
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
