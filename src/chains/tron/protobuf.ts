/**
 * Protobuf as far as a transaction needs it. java-tron takes a transaction as JSON, encodes it anew and signs the result's
 * hash, so the id of a JSON transaction is only certain when we encode it ourselves and get the very same bytes.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import { joined } from '../../wire/bytes.ts';
import { elementsOf, type Span, strictObject, stringAt } from '../../wire/scan.ts';
import { textOf } from '../../wire/text.ts';
import { isHex } from './message.ts';

/** How a value stands in java-tron's JSON. `address` and `name` are hex too, unless the request says `visible: true`. */
export type Kind =
  | 'hex'
  | 'address'
  | 'name'
  | 'string'
  | 'int'
  | 'bool'
  /** The names of an enum by its numbers; empty where a number is not used. */
  | { readonly names: readonly string[] }
  | { readonly message: Schema }
  | { readonly many: Kind }
  /** A message whose JSON form has rules of its own; `message` is its wire form. */
  | { readonly encode: Encoder; readonly message: Schema };

/** Fields in the order of their numbers, which is the order java-tron writes them in. */
export type Schema = readonly (readonly [number: number, key: string, kind: Kind])[];

/** The bytes of the JSON value at `span`; undefined when it cannot be said what the node would make of it. */
export type Encoder = (json: Uint8Array, span: Span, visible: boolean) => Uint8Array | undefined;

/** A value's bytes without its tag; undefined where they cannot be said, `absent` where the node leaves the field out. */
type Encoded = { readonly wire: 0 | 2; readonly bytes: Uint8Array; readonly absent: boolean };

const base58check = createBase58check(sha256);
const utf8 = new TextEncoder();
const addressBytes = 21;
const addressPrefix = 0x41;

export function encodeJson(
  json: Uint8Array,
  span: Span,
  schema: Schema,
  visible: boolean,
): Uint8Array | undefined {
  const read = strictObject(
    json,
    span.at,
    schema.map(([, key]) => key),
    Number.POSITIVE_INFINITY,
  );
  if ('refused' in read) return undefined;
  const parts: Uint8Array[] = [];
  let known = 0;
  for (const [number, key, kind] of schema) {
    const value = read.members.get(key);
    if (value === undefined) continue;
    known += 1;
    if (!put(parts, number, json, value, kind, visible)) return undefined;
  }
  // A key the schema does not have may be a field of a newer node, or a field by its number.
  return known === read.members.size ? joined(parts) : undefined;
}

function put(
  parts: Uint8Array[],
  number: number,
  json: Uint8Array,
  span: Span,
  kind: Kind,
  visible: boolean,
): boolean {
  if (typeof kind === 'object' && 'many' in kind) {
    if (json[span.at] !== 0x5b) return false;
    for (const element of elementsOf(json, span.at)) {
      const one = encode(json, element, kind.many, visible);
      if (one === undefined) return false;
      write(parts, number, one);
    }
    return true;
  }
  const one = encode(json, span, kind, visible);
  if (one === undefined) return false;
  if (!one.absent) write(parts, number, one);
  return true;
}

function write(parts: Uint8Array[], number: number, { wire, bytes }: Encoded): void {
  parts.push(varint(BigInt(number * 8 + wire)));
  if (wire === 2) parts.push(varint(BigInt(bytes.length)));
  parts.push(bytes);
}

function encode(json: Uint8Array, span: Span, kind: Kind, visible: boolean): Encoded | undefined {
  if (kind === 'int') return integer(textOf(json, span.at, span.end));
  if (kind === 'bool') {
    const text = textOf(json, span.at, span.end);
    return text === 'true' || text === 'false' ? number(text === 'true' ? 1n : 0n) : undefined;
  }
  if (typeof kind === 'object') {
    if ('encode' in kind) return message(kind.encode(json, span, visible));
    if ('message' in kind) return message(encodeJson(json, span, kind.message, visible));
    if ('names' in kind) return named(json, span, kind.names);
    return undefined;
  }
  const text = stringAt(json, span);
  return text === undefined ? undefined : bytes(textBytes(text, kind, visible));
}

function textBytes(
  text: string,
  kind: 'hex' | 'address' | 'name' | 'string',
  visible: boolean,
): Uint8Array | undefined {
  if (kind === 'string' || (kind === 'name' && visible)) return utf8.encode(text);
  if (kind === 'address' && visible) return addressOf(text);
  return isHex(text) ? hexToBytes(text) : undefined;
}

/** The 21 bytes of a base58 address; undefined when it is none. */
export function addressOf(text: string): Uint8Array | undefined {
  let decoded: Uint8Array;
  try {
    decoded = base58check.decode(text);
  } catch {
    return undefined; // Wrong letters or a wrong checksum: no address.
  }
  return decoded.length === addressBytes && decoded[0] === addressPrefix ? decoded : undefined;
}

/** Canonical decimals only: java-tron reads a leading zero as octal, and takes `0x`. */
function integer(text: string): Encoded | undefined {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? number(value) : undefined;
}

/** Enum names as java-tron reads them: one in small letters gets a capital. */
function named(json: Uint8Array, span: Span, names: readonly string[]): Encoded | undefined {
  const text = stringAt(json, span);
  if (text === undefined || text === '') return undefined;
  const name = /^[a-z]+$/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  const value = names.indexOf(name);
  return value < 0 ? undefined : number(BigInt(value));
}

function number(value: bigint): Encoded {
  return { wire: 0, bytes: varint(BigInt.asUintN(64, value)), absent: value === 0n };
}

function bytes(value: Uint8Array | undefined): Encoded | undefined {
  return value === undefined ? undefined : { wire: 2, bytes: value, absent: value.length === 0 };
}

/** A message that stands in the JSON is set, be it empty. */
function message(value: Uint8Array | undefined): Encoded | undefined {
  return value === undefined ? undefined : { wire: 2, bytes: value, absent: false };
}

function varint(value: bigint): Uint8Array {
  const out: number[] = [];
  let rest = value;
  while (rest > 0x7fn) {
    out.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  out.push(Number(rest));
  return Uint8Array.from(out);
}

/** A field with its length, as it stands in a message. */
export function lengthDelimited(number: number, value: Uint8Array): Uint8Array {
  return joined([varint(BigInt(number * 8 + 2)), varint(BigInt(value.length)), value]);
}

/** One field on the wire: a number, or a range of bytes. */
interface WireField {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

/** The fields of a message in the order they stand; undefined when it is none, or uses what transactions never use. */
export function fieldsOf(message: Uint8Array): WireField[] | undefined {
  const fields: WireField[] = [];
  let at = 0;
  while (at < message.length) {
    const tag = varintAt(message, at);
    if (tag === undefined || tag.value > 0xffffffffn) return undefined;
    const field = Number(tag.value >> 3n);
    const wire = Number(tag.value & 7n);
    if (field === 0 || (wire !== 0 && wire !== 2)) return undefined;
    const read = varintAt(message, tag.end);
    if (read === undefined) return undefined;
    if (wire === 0) {
      fields.push({ number: field, value: read.value });
      at = read.end;
      continue;
    }
    at = read.end + Number(read.value);
    if (read.value > BigInt(message.length) || at > message.length) return undefined;
    fields.push({ number: field, value: message.subarray(read.end, at) });
  }
  return fields;
}

/** Shortest form only: the node would write another one, and hash that. */
function varintAt(message: Uint8Array, at: number): { value: bigint; end: number } | undefined {
  let value = 0n;
  for (let i = 0; i < 10; i++) {
    const byte = message[at + i];
    if (byte === undefined) return undefined;
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte < 0x80) {
      const shortest = i === 0 || byte !== 0;
      return shortest && BigInt.asUintN(64, value) === value ? { value, end: at + i + 1 } : undefined;
    }
  }
  return undefined;
}

/** True when the node, having read this message, would write the very same bytes again. */
export function isCanonical(bytes: Uint8Array, schema: Schema): boolean {
  const fields = fieldsOf(bytes);
  if (fields === undefined) return false;
  let last = 0;
  for (const { number, value } of fields) {
    const row = schema.find(([candidate]) => candidate === number);
    if (row === undefined) return false;
    const many = typeof row[2] === 'object' && 'many' in row[2];
    if (number < last || (number === last && !many)) return false;
    last = number;
    if (!isCanonicalValue(value, many ? innerOf(row[2]) : row[2], many)) return false;
  }
  return true;
}

function innerOf(kind: Kind): Kind {
  return typeof kind === 'object' && 'many' in kind ? kind.many : kind;
}

function isCanonicalValue(value: bigint | Uint8Array, kind: Kind, many: boolean): boolean {
  const numeric = kind === 'int' || kind === 'bool' || (typeof kind === 'object' && 'names' in kind);
  if (typeof value === 'bigint') return numeric && value !== 0n;
  if (numeric) return false;
  if (typeof kind === 'object' && 'message' in kind) return isCanonical(value, kind.message);
  return many || value.length > 0;
}
