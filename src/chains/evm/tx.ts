/** The transaction inside a broadcast: the id the network will know it by, what it was signed for, and what makes it the same. */

import type { Work } from '../../core/work.ts';
import { hexAt, hexIn } from '../../wire/hex.ts';
import { elementsOf, memberOf, type Span, valueAt } from '../../wire/scan.ts';
import { unescaped } from '../../wire/text.ts';
import { keyIs, newWalk, nextMember } from '../../wire/walk.ts';
import type { Call, SignedTransaction } from '../family.ts';
import { keccakOf, sha256Of } from '../hashing.ts';
import type { EvmMethod } from './methods.ts';
import { readSigned } from './signed.ts';
import { signerFacts } from './signer.ts';

/** Bytes; a millisecond has gone by with reading it. */
const longRequest = 256 * 1024;

/** What a broadcast carries. */
export function* transactionOf(call: Call, method: EvmMethod): Work<SignedTransaction> {
  const { text, paramsAt, paramsEnd } = call;
  if (paramsAt < 0) return yield* wholeOf(null);
  // It has just been read for the envelope, which took its time too.
  if (text.length > longRequest) yield;
  const params = elementsOf(text, paramsAt);
  const [first, ...more] = params;
  if (first !== undefined && (method.carries === 'raw' || method.carries === 'private')) {
    const span = method.carries === 'raw' ? first : memberOf(text, first.at, 'tx');
    const bytes = span && (yield* hexAt(text, span, 'may'));
    if (bytes !== undefined) {
      const own = method.carries === 'raw' ? [] : [membersBut('tx', text, first)];
      return yield* rawOf(bytes, [...own, ...more.map(value => valueAt(text, value))]);
    }
  }
  return yield* wholeOf(valueAt(text, { at: paramsAt, end: paramsEnd }));
}

function* rawOf(bytes: Uint8Array, options: readonly unknown[]): Work<SignedTransaction> {
  const same = { digest: yield* sha256Of(bytes), options: canonical(options) };
  const signed = readSigned(bytes);
  if (signed === undefined) return same;
  const { hashed, signedFor } = signed;
  const id = `0x${yield* keccakOf(hashed)}`;
  const facts = yield* signerFacts(bytes, signed);
  return {
    id,
    ...(signedFor === undefined ? {} : { signedFor }),
    ...same,
    ...(facts === undefined ? {} : { facts: JSON.stringify(facts) }),
  };
}

/** Bundles, user operations, and whatever cannot be read: the request as a whole is the same or is not. */
function* wholeOf(params: unknown): Work<SignedTransaction> {
  // One transaction for a foreign chain spoils the bundle; two chains together equal no chain's identity.
  const chains = [...new Set(yield* chainsWithin(params))];
  const digest = yield* sha256Of(encoder.encode(canonical(params)));
  return { ...(chains.length === 0 ? {} : { signedFor: chains.join(' and ') }), digest, options: '[]' };
}

const encoder = new TextEncoder();

function membersBut(name: string, text: Uint8Array, object: Span): unknown {
  const members: [string, unknown][] = [];
  const walk = newWalk(object.at);
  while (nextMember(text, walk, Number.POSITIVE_INFINITY) === 1)
    if (!keyIs(text, walk, name))
      members.push([unescaped(text, walk.keyAt, walk.keyEnd), valueAt(text, walk)]);
  return Object.fromEntries(members);
}

/** JSON with sorted keys; bytes in hex are the same in either case. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'string') return /^0x[0-9a-f]*$/i.test(member) ? member.toLowerCase() : member;
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}

/** What the signed transactions were signed for that stand as hex anywhere in a bundle. */
function* chainsWithin(value: unknown): Work<readonly string[]> {
  if (typeof value === 'string') {
    if (value.length <= shortestSigned) return [];
    const written = encoder.encode(value);
    const bytes = yield* hexIn(written, 'may');
    const signedFor = bytes && readSigned(bytes)?.signedFor;
    return signedFor === undefined ? [] : [signedFor];
  }
  if (typeof value !== 'object' || value === null) return [];
  const found: string[] = [];
  for (const member of Object.values(value)) found.push(...(yield* chainsWithin(member)));
  return found;
}

/** Characters; a signature alone has more. */
const shortestSigned = 100;
