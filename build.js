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

await build({
  input: Object.fromEntries(globSync('src/**/*.{ts,tsx}').map(file => [nameOf(file), file])),
  platform: 'node',
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
