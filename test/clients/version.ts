import { readFileSync } from 'node:fs';

/** The installed version of a package, which need not export its own description. */
export function versionOf(name: string): string {
  const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
