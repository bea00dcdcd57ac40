/** The forms of signed transactions: which type the bytes are of, where their fields stand, and what their id is the hash of. */

import { type Item, integerOf, itemsOf, wholeItem } from './rlp.ts';

export interface Signed {
  /** Before the types of EIP-2718. */
  readonly legacy: boolean;
  /** What the id is the hash of. */
  readonly hashed: Uint8Array;
  /** Chain id in decimal; absent where the signature names none. */
  readonly signedFor?: string;
  /** The last three are the signature. */
  readonly fields: readonly Item[];
}

/** Fields of each type in order: `.` a text of bytes, `L` a list. https://eips.ethereum.org/EIPS/eip-2718 and the EIPs of the types */
const forms: Readonly<Record<number, string>> = {
  1: '.......L...',
  2: '........L...',
  3: '........L.L...',
  4: '........LL...',
};
const legacyForm = '.........';
const blobType = 3;

/** Undefined when the bytes are no signed transaction of a type whose id is known to be the hash of its bytes. */
export function readSigned(bytes: Uint8Array): Signed | undefined {
  const type = bytes[0];
  if (type === undefined) return undefined;
  return type >= 0xc0 ? legacy(bytes) : typed(bytes, type);
}

function legacy(bytes: Uint8Array): Signed | undefined {
  const list = wholeItem(bytes, 0);
  const fields = list && itemsOf(bytes, list);
  if (fields === undefined || formOf(fields) !== legacyForm) return undefined;
  const v = integerOf(bytes, fields[6]!);
  if (v === undefined) return undefined;
  const signed = { legacy: true, hashed: bytes, fields };
  // EIP-155: v is 35 or 36 plus twice the chain id; 27 and 28 name no chain.
  return v < 35n ? signed : { ...signed, signedFor: String((v - 35n) / 2n) };
}

function typed(bytes: Uint8Array, type: number): Signed | undefined {
  const form = forms[type];
  const outer = form && wholeItem(bytes, 1);
  if (!outer) return undefined;
  const items = itemsOf(bytes, outer);
  if (items?.[0]?.list) return type === blobType ? sidecarred(bytes, items) : undefined;
  return payload(bytes, outer, items, type, bytes);
}

/**
 * A blob transaction in network form: the payload, then blobs, commitments and proofs, since EIP-7594 with a version
 * before the blobs. Its id is the hash without all that. https://eips.ethereum.org/EIPS/eip-4844#networking
 */
function sidecarred(bytes: Uint8Array, items: readonly Item[]): Signed | undefined {
  const form = formOf(items);
  if (form !== 'LLLL' && form !== 'L.LLL') return undefined;
  const inner = items[0]!;
  const plain = new Uint8Array(1 + inner.to - inner.at);
  plain[0] = blobType;
  plain.set(bytes.subarray(inner.at, inner.to), 1);
  return payload(bytes, inner, itemsOf(bytes, inner), blobType, plain);
}

function payload(
  bytes: Uint8Array,
  outer: Item,
  fields: readonly Item[] | undefined,
  type: number,
  hashed: Uint8Array,
): Signed | undefined {
  if (fields === undefined || !outer.list || formOf(fields) !== forms[type]) return undefined;
  const chain = integerOf(bytes, fields[0]!);
  return chain === undefined ? undefined : { legacy: false, hashed, signedFor: String(chain), fields };
}

function formOf(items: readonly Item[]): string {
  return items.map(item => (item.list ? 'L' : '.')).join('');
}
