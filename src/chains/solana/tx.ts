/** The signed transactions within a broadcast: which they are, and whether two broadcasts are the same. */

import { concatBytes } from '@noble/hashes/utils.js';
import type { Work } from '../../core/work.ts';
import { elementsOf, type Span, strictObject, stringAt } from '../../wire/scan.ts';
import { textOf } from '../../wire/text.ts';
import type { Call, SignedTransaction } from '../family.ts';
import { sha256Of } from '../hashing.ts';
import { blockhashOf, type Lifetime } from './follow-up.ts';
import { methodOf, optionText, param } from './params.ts';
import { decodeTransaction, transactionId } from './signature.ts';

export function* transaction(call: Call): Work<SignedTransaction> {
  const first = param(call, 0);
  const options = optionsOf(call);
  // An airdrop is signed by the faucet, anew each time: nothing tells two of them apart but what is asked for.
  if (first === undefined || call.method === 'requestAirdrop')
    return { digest: yield* sha256Of(paramsBytes(call)), options };
  const spans = call.method === 'sendBundle' ? elementsOf(call.text, first.at) : [first];
  const transactions: Decoded[] = [];
  for (const span of spans) {
    // Each takes about a millisecond, and nobody says how many there are.
    if (transactions.length > 0) yield;
    transactions.push(decoded(call, span));
  }
  const [only] = transactions;
  // A bundle is answered with an id of the block engine's making, and its transactions land or fail as one.
  const single = call.method === 'sendTransaction' && only?.read ? only.bytes : undefined;
  const id = single && transactionId(single);
  const blockhash = single && blockhashOf(single);
  return {
    ...(id === undefined ? {} : { id }),
    digest: yield* sha256Of(joined(transactions)),
    options,
    ...(blockhash === undefined ? {} : { facts: JSON.stringify({ blockhash } satisfies Lifetime) }),
  };
}

interface Decoded {
  readonly bytes: Uint8Array;
  /** False: the text is not of the encoding it is said to be, and stands for itself. */
  readonly read: boolean;
}

function decoded(call: Call, span: Span): Decoded {
  const text = stringAt(call.text, span);
  const bytes =
    text === undefined ? undefined : decodeTransaction(text, optionText(call, 'encoding') ?? 'base58');
  return bytes === undefined
    ? { bytes: call.text.subarray(span.at, span.end), read: false }
    : { bytes, read: true };
}

/** One stands for itself; several each with its length before it, so that no two bundles read alike. */
function joined(transactions: readonly Decoded[]): Uint8Array {
  const [only] = transactions;
  if (transactions.length === 1 && only !== undefined) return only.bytes;
  return concatBytes(
    ...transactions.flatMap(({ bytes }) => [Uint8Array.of(bytes.length >> 8, bytes.length & 255), bytes]),
  );
}

/** Encoding is how the bytes are written, and makes no other broadcast. */
function optionsOf(call: Call): string {
  const { options } = methodOf(call.method);
  const span = options === undefined ? undefined : param(call, options);
  const read =
    span === undefined ? undefined : strictObject(call.text, span.at, [], Number.POSITIVE_INFINITY);
  if (read === undefined || 'refused' in read) return '{}';
  const members = [...read.members]
    .filter(([key]) => key !== 'encoding')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { at, end }]) => `${JSON.stringify(key)}:${textOf(call.text, at, end)}`);
  return `{${members.join(',')}}`;
}

function paramsBytes(call: Call): Uint8Array {
  return call.paramsAt < 0 ? new Uint8Array() : call.text.subarray(call.paramsAt, call.paramsEnd);
}
