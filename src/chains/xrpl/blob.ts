/**
 * A signed XRPL transaction as bytes: a row of fields, each a header (type and field code) and a value whose length the
 * type tells (https://xrpl.org/docs/references/protocol/binary-format). Read only as far as the gateway needs.
 */

import type { Work } from '../../core/work.ts';
import { sha512Of } from '../hashing.ts';

export interface Blob {
  /** `NetworkID`: the network it was signed for; absent on networks up to 1024. */
  readonly networkId?: number;
  /** `LastLedgerSequence`: no later ledger may hold it. */
  readonly lastLedger?: number;
  /**
   * Upper-case hex, as the network writes it. Absent when the bytes are no transaction, and when their fields stand in
   * another order than the canonical one: nodes take such bytes but hash the fields in canonical order.
   */
  readonly id?: string;
}

const uint16 = 1;
const uint32 = 2;
const amount = 6;
const object = 14;
const array = 15;
/** Types whose values have one length, bytes. */
const fixed: Readonly<Record<number, number>> = {
  [uint16]: 2,
  [uint32]: 4,
  3: 8,
  4: 16,
  5: 32,
  9: 12,
  10: 4,
  11: 8,
  16: 1,
  17: 20,
  20: 12,
  21: 24,
  22: 48,
  23: 64,
  26: 20,
};
/** Types whose values begin with their own length: blob, account, vector of hashes. */
const prefixed = new Set([7, 8, 19]);
const transactionType = (uint16 << 8) | 2;
const networkIdField = (uint32 << 8) | 1;
const lastLedgerField = (uint32 << 8) | 27;
const endOfObject = (object << 8) | 1;
const endOfArray = (array << 8) | 1;
/** Nodes refuse deeper ones. */
const maxDepth = 10;

interface Walk {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  at: number;
  /** A type whose length we do not know: what follows cannot be read. */
  lost: boolean;
  ordered: boolean;
  networkId?: number;
  lastLedger?: number;
}

export function* readBlob(bytes: Uint8Array): Work<Blob> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const walk: Walk = { bytes, view, at: 0, lost: false, ordered: true };
  const first = readHeader({ ...walk });
  const sound = first === transactionType && walkFields(walk, 0);
  return {
    ...(walk.networkId === undefined ? {} : { networkId: walk.networkId }),
    ...(walk.lastLedger === undefined ? {} : { lastLedger: walk.lastLedger }),
    ...(sound && walk.ordered ? { id: yield* idOf(bytes) } : {}),
  };
}

/** False: the bytes end within a field, or nest wrongly. */
function walkFields(walk: Walk, depth: number): boolean {
  let before = 0;
  while (walk.at < walk.bytes.length) {
    const field = readHeader(walk);
    if (field === undefined) return false;
    if (field === endOfObject) return depth > 0;
    if (field <= before) walk.ordered = false;
    before = field;
    if (!walkValue(walk, field, depth)) return false;
    if (walk.lost) return true;
  }
  return depth === 0;
}

function walkValue(walk: Walk, field: number, depth: number): boolean {
  const { view, at } = walk;
  const type = field >> 8;
  if (type === object) return depth < maxDepth && walkFields(walk, depth + 1);
  if (type === array) return depth < maxDepth && walkItems(walk, depth + 1);
  const length = lengthOf(walk, type);
  if (length === undefined) {
    walk.lost = true;
    return true;
  }
  if (walk.at + length > walk.bytes.length) return false;
  walk.at += length;
  // A repeated field is refused by every node; the first is kept.
  if (depth === 0 && field === networkIdField) walk.networkId ??= view.getUint32(at);
  if (depth === 0 && field === lastLedgerField) walk.lastLedger ??= view.getUint32(at);
  return true;
}

function walkItems(walk: Walk, depth: number): boolean {
  while (walk.at < walk.bytes.length) {
    const field = readHeader(walk);
    if (field === undefined) return false;
    if (field === endOfArray) return true;
    if (field >> 8 !== object || depth >= maxDepth || !walkFields(walk, depth + 1)) return false;
    if (walk.lost) return true;
  }
  return false;
}

/** Type and field code as one number, in whose order canonical fields stand; undefined at the end of the bytes. */
function readHeader(walk: Walk): number | undefined {
  const first = walk.bytes[walk.at++];
  if (first === undefined) return undefined;
  const type = first >> 4 || walk.bytes[walk.at++];
  const code = first & 15 || walk.bytes[walk.at++];
  return type === undefined || code === undefined ? undefined : (type << 8) | code;
}

/** Undefined: a type of no known length. The position stands behind a length prefix afterwards. */
function lengthOf(walk: Walk, type: number): number | undefined {
  if (type === amount) return amountLength(walk.bytes[walk.at] ?? 0);
  return prefixed.has(type) ? readLength(walk) : fixed[type];
}

/** The first bits tell issued currency (bit 8 set), multi-purpose token (bit 6 set) and drops apart. */
function amountLength(first: number): number {
  if (first & 0x80) return 48;
  return first & 0x20 ? 33 : 8;
}

/** One to three bytes; what is past the end reads as longer than anything there is. */
function readLength(walk: Walk): number {
  const past = Number.POSITIVE_INFINITY;
  const next = () => walk.bytes[walk.at++] ?? past;
  const first = next();
  if (first <= 192) return first;
  if (first <= 240) return 193 + (first - 193) * 256 + next();
  if (first <= 254) return 12_481 + (first - 241) * 65_536 + next() * 256 + next();
  return past;
}

const idPrefix = new Uint8Array([0x54, 0x58, 0x4e, 0x00]);

function* idOf(bytes: Uint8Array): Work<string> {
  const digest = yield* sha512Of(idPrefix, bytes);
  return digest.slice(0, 64).toUpperCase();
}
