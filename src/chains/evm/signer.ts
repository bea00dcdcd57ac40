/**
 * Who signed a transaction, and with which nonce. Finding the sender takes a thousand times as long as reading the bytes,
 * and is needed only when a transaction got lost; so what it is found from is kept, and the sum is done then.
 */

import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import type { Work } from '../../core/work.ts';
import { keccakOf } from '../hashing.ts';
import { integerOf } from './rlp.ts';
import { publicKeyOf } from './secp256k1.ts';
import type { Signed } from './signed.ts';

/** Numbers in hex with `0x`. */
export interface SignerFacts {
  readonly nonce: string;
  /** What was signed: the hash of the transaction without its signature. */
  readonly digest: string;
  readonly r: string;
  readonly s: string;
  readonly odd: boolean;
}

/** Undefined when nonce or signature are no numbers. `bytes`: what `signed` was read out of. */
export function* signerFacts(
  bytes: Uint8Array,
  { legacy, fields }: Pick<Signed, 'legacy' | 'fields'>,
): Work<SignerFacts | undefined> {
  const [v, r, s] = fields.slice(-3).map(item => integerOf(bytes, item));
  const unsigned = fields.slice(0, -3);
  const nonce = integerOf(bytes, unsigned[legacy ? 0 : 1]!);
  if (v === undefined || r === undefined || s === undefined || nonce === undefined) return undefined;
  const body = bytes.subarray(unsigned[0]!.at, unsigned.at(-1)!.to);
  const chain = legacy ? signedChain(v) : new Uint8Array();
  const type = legacy ? new Uint8Array() : bytes.subarray(0, 1);
  const head = concatBytes(type, listHeader(body.length + chain.length));
  return {
    nonce: hex(nonce),
    digest: `0x${yield* keccakOf(head, body, chain)}`,
    r: hex(r),
    s: hex(s),
    odd: legacy ? (v < 35n ? v === 28n : (v - 35n) % 2n === 1n) : v === 1n,
  };
}

/** EIP-155: the chain id and two zeros are signed behind the fields. */
function signedChain(v: bigint): Uint8Array {
  return v < 35n ? new Uint8Array() : concatBytes(number((v - 35n) / 2n), Uint8Array.of(0x80, 0x80));
}

/** The address, small letters; undefined when the signature is none. */
export function senderOf({ digest, r, s, odd }: SignerFacts): string | undefined {
  const key = publicKeyOf(BigInt(digest), { r: BigInt(r), s: BigInt(s), odd });
  return key === undefined ? undefined : `0x${bytesToHex(keccak_256(key).subarray(12))}`;
}

function number(value: bigint): Uint8Array {
  const digits = bigEndian(value);
  if (digits.length === 1 && digits[0]! < 0x80) return digits;
  return concatBytes(Uint8Array.of(0x80 + digits.length), digits);
}

function listHeader(length: number): Uint8Array {
  if (length < 56) return Uint8Array.of(0xc0 + length);
  const digits = bigEndian(BigInt(length));
  return concatBytes(Uint8Array.of(0xf7 + digits.length), digits);
}

/** Without leading zeros; zero is no byte at all. */
function bigEndian(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array();
  const text = value.toString(16);
  const even = text.length % 2 === 0 ? text : `0${text}`;
  return Uint8Array.from({ length: even.length / 2 }, (_, at) =>
    Number.parseInt(even.slice(2 * at, 2 * at + 2), 16),
  );
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
