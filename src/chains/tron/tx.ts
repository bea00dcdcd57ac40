/**
 * The transaction in a broadcast. Its id is the SHA-256 of `raw_data`'s bytes. `broadcasthex` carries those bytes;
 * `broadcasttransaction` carries JSON, of which the node reads `raw_data` and nothing else, so `raw_data_hex` and `txID`
 * prove nothing until the JSON, encoded as the node would, gives the same bytes (contract 6.7).
 */

import type { Work } from '../../core/work.ts';
import { joined } from '../../wire/bytes.ts';
import { hexAt } from '../../wire/hex.ts';
import { elementsOf, type Span, strictBody } from '../../wire/scan.ts';
import { spells, textOf } from '../../wire/text.ts';
import type { Call, SignedTransaction } from '../family.ts';
import { sha256Of } from '../hashing.ts';
import { raw } from './contracts.ts';
import { expiryOf } from './follow-up.ts';
import { encodeJson, fieldsOf, isCanonical, lengthDelimited } from './protobuf.ts';

const bodyKeys = ['visible', 'txID', 'raw_data', 'raw_data_hex', 'signature', 'transaction'];

interface Signed {
  readonly raw: Uint8Array;
  readonly signatures: readonly Uint8Array[];
  /** The node will hash these very bytes. */
  readonly proven: boolean;
}

export function* transaction(call: Call): Work<SignedTransaction> {
  const { signed, options } = yield* signedIn(call);
  // Nothing is certain but the text: only the very same text is the same broadcast.
  if (signed === undefined) return { digest: yield* sha256Of(call.text), options };
  const digest = yield* sha256Of(wholeOf(signed));
  if (!signed.proven) return { digest, options };
  const expiry = expiryOf(signed.raw);
  const id = yield* sha256Of(signed.raw);
  return { id, digest, options, ...(expiry === undefined ? {} : { facts: JSON.stringify(expiry) }) };
}

function* signedIn(call: Call): Work<{ readonly signed: Signed | undefined; readonly options: string }> {
  const read = strictBody(call.text, bodyKeys, Number.POSITIVE_INFINITY);
  if ('refused' in read) return { signed: undefined, options: '{}' };
  const { members } = read;
  if (call.method === '/wallet/broadcasthex')
    return { signed: yield* fromHex(call.text, members), options: '{}' };
  const visible = literal(call.text, members.get('visible'));
  const options = visible === 'true' ? '{"visible":true}' : '{}';
  return { signed: yield* fromJson(call.text, members, visible), options };
}

/** `protocol.Transaction` without its results, which no signature covers. */
function wholeOf({ raw: signedBytes, signatures }: Signed): Uint8Array {
  return joined([lengthDelimited(1, signedBytes), ...signatures.map(one => lengthDelimited(2, one))]);
}

function* fromHex(json: Uint8Array, members: ReadonlyMap<string, Span>): Work<Signed | undefined> {
  const bytes = yield* bytesAt(json, members.get('transaction'));
  const fields = bytes === undefined ? undefined : fieldsOf(bytes);
  if (fields === undefined) return undefined;
  const raws: Uint8Array[] = [];
  const signatures: Uint8Array[] = [];
  for (const { number, value } of fields) {
    if (typeof value === 'bigint') return undefined;
    if (number === 1) raws.push(value);
    else if (number === 2) signatures.push(value);
  }
  const [only] = raws;
  // Two `raw_data` are merged into one by protobuf: neither's hash is the id.
  if (only === undefined || raws.length > 1) return undefined;
  return { raw: only, signatures, proven: isCanonical(only, raw) };
}

function* fromJson(
  json: Uint8Array,
  members: ReadonlyMap<string, Span>,
  visible: string | undefined,
): Work<Signed | undefined> {
  // java-tron also takes a field by its number: `"1"` would be another raw_data.
  for (const name of members.keys()) if (/^\d/.test(name)) return undefined;
  const rawAt = members.get('raw_data');
  const told = yield* bytesAt(json, members.get('raw_data_hex'));
  const signatures = yield* signaturesAt(json, members.get('signature'));
  if (rawAt === undefined || told === undefined || signatures === undefined) return undefined;
  if (visible !== undefined && visible !== 'true' && visible !== 'false') return undefined;
  const encoded = encodeJson(json, rawAt, raw, visible === 'true');
  if (encoded === undefined || !equal(encoded, told)) return undefined;
  return { raw: encoded, signatures, proven: true };
}

function* signaturesAt(json: Uint8Array, span: Span | undefined): Work<Uint8Array[] | undefined> {
  if (span === undefined) return [];
  if (json[span.at] !== 0x5b) return undefined;
  const signatures: Uint8Array[] = [];
  for (const element of elementsOf(json, span.at)) {
    const one = yield* bytesAt(json, element);
    if (one === undefined) return undefined;
    signatures.push(one);
  }
  return signatures;
}

function* bytesAt(json: Uint8Array, span: Span | undefined): Work<Uint8Array | undefined> {
  if (span === undefined) return undefined;
  return spells(json, span.at, span.end, '""') ? new Uint8Array() : yield* hexAt(json, span, 'never');
}

function literal(json: Uint8Array, span: Span | undefined): string | undefined {
  return span === undefined ? undefined : textOf(json, span.at, span.end);
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
