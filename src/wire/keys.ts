/** Which keys an object may have that gateway and node must read alike. */

import { hasEscape, textOf } from './text.ts';
import type { Walk } from './walk.ts';

/** No request has so many: what is compared and folded stays within bounds. */
export const maxKeys = 64;
export const tooManyKeys = `more than ${maxKeys} keys in one object`;
const shownLength = 40;

/** Why a key that is none of the known ones must not be there; undefined when it is merely unknown. Names are ASCII. */
export function keyFlaw(bytes: Uint8Array, walk: Walk, known: readonly string[]): string | undefined {
  const { keyAt, keyEnd } = walk;
  const key = textOf(bytes, keyAt, keyEnd);
  if (hasEscape(bytes, keyAt, keyEnd)) return `the key ${shown(key)} is written with an escape`;
  const folded = fold(key);
  const name = known.find(one => one.toLowerCase() === folded);
  return name === undefined ? undefined : `the key ${shown(key)} can be taken for "${name}"`;
}

export function repeats(key: string): string {
  return `the key ${shown(key)} repeats`;
}

/** What the most lenient reader could take a key for: NFKC, case folding, and nothing that cannot be seen. */
function fold(key: string): string {
  const lower = key.toLowerCase();
  // An ASCII key folds to nothing else.
  if (!/[^\0-\x7f]/.test(key)) return lower;
  return key
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC');
}

function shown(key: string): string {
  return JSON.stringify(key.length > shownLength ? `${key.slice(0, shownLength)}…` : key);
}
