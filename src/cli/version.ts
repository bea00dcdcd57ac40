import { readFileSync } from 'node:fs';

interface PackageJson {
  readonly version: string;
}

// package.json stands beside `dist` as it stands beside `src`.
const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

export const version = (JSON.parse(text) as PackageJson).version;
