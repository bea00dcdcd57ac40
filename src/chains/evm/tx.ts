/** The transaction inside a broadcast: the id the network will know it by, what it was signed for, and what makes it the same. */

import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { elementsOf, memberOf, type Span, stringAt, valueAt } from '../../wire/scan.ts';
import type { Call, SignedTransaction } from '../family.ts';
import type { EvmMethod } from './methods.ts';
import { type Item, integerOf, itemsOf, wholeItem } from './rlp.ts';

interface Signed {
  readonly id: string;
  /** Chain id in decimal; absent where the signature names none. */
  readonly signedFor?: string;
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

/** What a broadcast carries. */
export function transactionOf(call: Call, method: EvmMethod): SignedTransaction {
  if (call.paramsAt < 0) return wholeOf('null', []);
  const params = elementsOf(call.text, call.paramsAt);
  const first = params[0];
  if (first !== undefined && method.carries === 'raw') {
    const bytes = hexAt(call.text, first);
    if (bytes !== undefined)
      return rawOf(
        bytes,
        params.slice(1).map(span => valueAt(call.text, span)),
      );
  }
  if (first !== undefined && method.carries === 'private') {
    const at = memberOf(call.text, first.at, 'tx');
    const bytes = at && hexAt(call.text, at);
    if (bytes !== undefined) return rawOf(bytes, privateOptions(call.text, params));
  }
  const all = valueAt(call.text, { at: call.paramsAt, end: call.paramsEnd });
  return wholeOf(canonical(all), signedWithin(all));
}

function rawOf(bytes: Uint8Array, options: unknown): SignedTransaction {
  const signed = readSigned(bytes);
  return {
    ...(signed === undefined ? {} : signed),
    digest: bytesToHex(sha256(bytes)),
    options: canonical(options),
  };
}

/** Bundles, user operations, and whatever cannot be read: the request as a whole is the same or is not. */
function wholeOf(params: string, within: readonly Signed[]): SignedTransaction {
  // One transaction for a foreign chain spoils the bundle; two chains together equal no chain's identity.
  const chains = [...new Set(within.flatMap(signed => signed.signedFor ?? []))];
  return {
    ...(chains.length === 0 ? {} : { signedFor: chains.join(' and ') }),
    digest: bytesToHex(sha256(encoder.encode(params))),
    options: '[]',
  };
}

const encoder = new TextEncoder();

function privateOptions(text: Uint8Array, params: readonly Span[]): unknown {
  const values = params.map(span => valueAt(text, span));
  const [first, ...more] = values;
  if (typeof first !== 'object' || first === null) return values;
  const { tx: _, ...rest } = { tx: undefined, ...first };
  return [rest, ...more];
}

/** JSON with sorted keys; bytes in hex are the same in either case. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'string') return /^0x[0-9a-f]*$/i.test(member) ? member.toLowerCase() : member;
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}

/** Every signed transaction that stands as hex anywhere in a bundle. */
function signedWithin(value: unknown): readonly Signed[] {
  if (typeof value === 'string') {
    const bytes = value.length > 100 ? hexBytes(encoder.encode(value), 0, value.length) : undefined;
    const signed = bytes && readSigned(bytes);
    return signed === undefined ? [] : [signed];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(signedWithin) : [];
}

/** Undefined when the bytes are no signed transaction of a type whose id is known to be the hash of its bytes. */
export function readSigned(bytes: Uint8Array): Signed | undefined {
  const formed = formedOf(bytes);
  if (formed === undefined) return undefined;
  const { hashed, signedFor } = formed;
  const id = `0x${bytesToHex(keccak_256(hashed))}`;
  return signedFor === undefined ? { id } : { id, signedFor };
}

/** As `readSigned`, without the hash, which takes 30 ns a byte. */
interface Formed {
  /** What the id is the hash of. */
  readonly hashed: Uint8Array;
  readonly signedFor?: string;
}

export function formedOf(bytes: Uint8Array): Formed | undefined {
  const type = bytes[0];
  if (type === undefined) return undefined;
  return type >= 0xc0 ? legacy(bytes) : typed(bytes, type);
}

function legacy(bytes: Uint8Array): Formed | undefined {
  const list = wholeItem(bytes, 0);
  const items = list && itemsOf(bytes, list);
  if (items === undefined || formOf(items) !== legacyForm) return undefined;
  const v = integerOf(bytes, items[6]!);
  if (v === undefined) return undefined;
  // EIP-155: v is 35 or 36 plus twice the chain id; 27 and 28 name no chain.
  return v < 35n ? { hashed: bytes } : { hashed: bytes, signedFor: String((v - 35n) / 2n) };
}

function typed(bytes: Uint8Array, type: number): Formed | undefined {
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
function sidecarred(bytes: Uint8Array, items: readonly Item[]): Formed | undefined {
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
  items: readonly Item[] | undefined,
  type: number,
  hashed: Uint8Array,
): Formed | undefined {
  if (items === undefined || !outer.list || formOf(items) !== forms[type]) return undefined;
  const chain = integerOf(bytes, items[0]!);
  return chain === undefined ? undefined : { hashed, signedFor: String(chain) };
}

function formOf(items: readonly Item[]): string {
  return items.map(item => (item.list ? 'L' : '.')).join('');
}

/** The bytes of a hex string, `0x` before it or not. */
export function hexAt(text: Uint8Array, span: Span): Uint8Array | undefined {
  const plain = hexBytes(text, span.at + 1, span.end - 1);
  if (plain !== undefined && text[span.at] === 0x22) return plain;
  // An escape in it, as one may write any text.
  const spelled = stringAt(text, span);
  if (spelled === undefined) return undefined;
  const bytes = encoder.encode(spelled);
  return hexBytes(bytes, 0, bytes.length);
}

function hexBytes(text: Uint8Array, at: number, end: number): Uint8Array | undefined {
  const from = text[at] === 0x30 && (text[at + 1] === 0x78 || text[at + 1] === 0x58) ? at + 2 : at;
  if (from >= end || (end - from) % 2 !== 0) return undefined;
  const bytes = new Uint8Array((end - from) / 2);
  for (let i = 0; i < bytes.length; i++) {
    const high = digit(text[from + 2 * i]!);
    const low = digit(text[from + 2 * i + 1]!);
    if (high < 0 || low < 0) return undefined;
    bytes[i] = high * 16 + low;
  }
  return bytes;
}

function digit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
