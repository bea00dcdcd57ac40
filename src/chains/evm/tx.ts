/** The transaction inside a broadcast: the id the network will know it by, what it was signed for, and what makes it the same. */

import type { Work } from '../../core/work.ts';
import { hexAt } from '../../wire/hex.ts';
import { elementsOf, memberOf, type Span } from '../../wire/scan.ts';
import type { Call, SignedTransaction } from '../family.ts';
import { keccakOf, sha256Of } from '../hashing.ts';
import { canonical, canonicalBut } from './canonical.ts';
import type { EvmMethod } from './methods.ts';
import { readSigned } from './signed.ts';
import { signerFacts } from './signer.ts';

/** Bytes from which on a request is read on in the next turn. */
const longRequest = 64 * 1024;

/** What a broadcast carries. */
export function* transactionOf(call: Call, method: EvmMethod): Work<SignedTransaction> {
  const { text, paramsAt, paramsEnd } = call;
  if (paramsAt < 0) return { digest: yield* sha256Of(nothing), options: '[]' };
  // It has just been put together and read for the envelope, which took its time too.
  if (text.length > longRequest) yield;
  const [first, ...more] = elementsOf(text, paramsAt);
  if (first !== undefined && (method.carries === 'raw' || method.carries === 'private')) {
    const span = method.carries === 'raw' ? first : memberOf(text, first.at, 'tx');
    const bytes = span && (yield* hexAt(text, span, 'may'));
    if (bytes !== undefined) {
      const options = method.carries === 'raw' ? [] : [yield* canonicalBut('tx', text, first)];
      for (const option of more) options.push(yield* canonical(text, option));
      return yield* rawOf(bytes, `[${options.join(',')}]`);
    }
  }
  return yield* wholeOf(text, { at: paramsAt, end: paramsEnd });
}

function* rawOf(bytes: Uint8Array, options: string): Work<SignedTransaction> {
  const same = { digest: yield* sha256Of(bytes), options };
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

const encoder = new TextEncoder();
/** No parameters are the same as these. */
const nothing = encoder.encode('null');

/** Bundles, user operations, and whatever cannot be read: the request as a whole is the same or is not. */
function* wholeOf(text: Uint8Array, params: Span): Work<SignedTransaction> {
  // One transaction for a foreign chain spoils the bundle; two chains together equal no chain's identity.
  const chains = new Set<string>();
  const same = yield* canonical(text, params, function* (span) {
    const chain = yield* chainAt(text, span);
    if (chain !== undefined) chains.add(chain);
  });
  const digest = yield* sha256Of(encoder.encode(same));
  return { ...(chains.size === 0 ? {} : { signedFor: [...chains].join(' and ') }), digest, options: '[]' };
}

/** Bytes of text; a signature alone has more. */
const shortestSigned = 100;

/** What the transaction was signed for that this text is, if it is one. */
function* chainAt(text: Uint8Array, span: Span): Work<string | undefined> {
  const bytes = span.end - span.at > shortestSigned ? yield* hexAt(text, span, 'may') : undefined;
  return bytes && readSigned(bytes)?.signedFor;
}
