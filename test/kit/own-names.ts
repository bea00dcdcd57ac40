import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from './gateway.ts';

/** Names for the programs of a place (`names.ts`), and the names they asked for. */
export function ownNames(place: Place, names: Readonly<Record<string, readonly string[]>>) {
  const file = join(place.dir, 'names.json');
  const asked = join(place.dir, 'names-asked');
  writeFileSync(file, JSON.stringify(names));
  writeFileSync(asked, '');
  Object.assign(place.env, {
    TEST_NAMES: file,
    TEST_NAMES_ASKED: asked,
    NODE_OPTIONS: `--import=${new URL('./names.ts', import.meta.url).href}`,
  });
  return {
    set: (next: Readonly<Record<string, readonly string[]>>): void =>
      writeFileSync(file, JSON.stringify(next)),
    asked: (): readonly string[] =>
      readFileSync(asked, 'utf8')
        .split('\n')
        .filter(name => name !== ''),
  };
}
