/** The signed transaction within a submit: which it is, and whether two submits are the same. */

import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Work } from '../../core/work.ts';
import { hexAt } from '../../wire/hex.ts';
import { memberOf, type Span, valueAt } from '../../wire/scan.ts';
import { textOf } from '../../wire/text.ts';
import type { Call, SignedTransaction } from '../family.ts';
import { sha256Of } from '../hashing.ts';
import { readBlob } from './blob.ts';
import type { Expiry } from './follow-up.ts';
import { type Members, paramsOfCall } from './request.ts';

/** Networks up to this one share transactions: their id is never signed. */
const lastUnsigned = 1024;

export function* transaction(call: Call): Work<SignedTransaction> {
  const { text } = call;
  const params = paramsOfCall(call);
  const blob = params.get('tx_blob');
  const json = params.get('tx_json');
  const options = optionsOf(text, params);
  if (blob !== undefined) return { ...(yield* fromBlob(text, blob)), options };
  if (json !== undefined) return { ...(yield* fromJson(text, json)), options };
  return { digest: yield* sha256Of(call.text), options };
}

function* fromBlob(text: Uint8Array, span: Span): Work<Omit<SignedTransaction, 'options'>> {
  const bytes = yield* hexAt(text, span, 'never');
  if (bytes === undefined) return { digest: yield* sha256Of(text.subarray(span.at, span.end)) };
  const { id, networkId, lastLedger } = yield* readBlob(bytes);
  return {
    ...(id === undefined ? {} : { id }),
    digest: yield* sha256Of(bytes),
    ...signedFor(networkId),
    ...(lastLedger === undefined ? {} : { facts: JSON.stringify({ lastLedger } satisfies Expiry) }),
  };
}

/**
 * `submit_multisigned` takes the signed transaction as JSON; its bytes, and so its id, exist only in the node. Two texts
 * that differ in blanks or in the order of members are the same.
 */
function* fromJson(text: Uint8Array, span: Span): Work<Omit<SignedTransaction, 'options'>> {
  const networkId = text[span.at] === 0x7b ? memberOf(text, span.at, 'NetworkID') : undefined;
  const named = networkId === undefined ? undefined : valueAt(text, networkId);
  return {
    digest: yield* sha256Of(utf8ToBytes(canonical(valueAt(text, span)))),
    ...signedFor(typeof named === 'number' ? named : undefined),
  };
}

function signedFor(networkId: number | undefined): { signedFor?: string } {
  return networkId === undefined || networkId <= lastUnsigned ? {} : { signedFor: String(networkId) };
}

/** Amounts and hashes are strings in XRPL's JSON, and its numbers have 32 bits: nothing is lost in a double. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, own]) => `${JSON.stringify(key)}:${canonical(own)}`).join(',')}}`;
}

/** What is about the envelope, or carries the transaction, makes no other broadcast. */
const noOptions = new Set(['tx_blob', 'tx_json', 'id', 'command', 'jsonrpc', 'ripplerpc', 'api_version']);

function optionsOf(text: Uint8Array, params: Members): string {
  const members = [...params]
    .filter(([key]) => !noOptions.has(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { at, end }]) => `${JSON.stringify(key)}:${textOf(text, at, end)}`);
  return `{${members.join(',')}}`;
}
