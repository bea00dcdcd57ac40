/** Hashes of transactions, in slices where they are long: the largest are 1 MB, and would hold up everybody else for 40 ms. */

import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Work } from '../core/work.ts';

/** Bytes at a time, whole blocks of the hash: a quarter of a millisecond each, or half of one on a slow machine. */
export const keccakSlice = 60 * 136;
export const sha256Slice = 512 * 64;
export const sha512Slice = 128 * 128;

/** Keccak-256 of these bytes one after the other, in hex. */
export function* keccakOf(...parts: readonly Uint8Array[]): Work<string> {
  const hash = keccak_256.create();
  yield* feed(hash, parts, keccakSlice);
  return bytesToHex(hash.digest());
}

/** SHA-256, in hex. */
export function* sha256Of(bytes: Uint8Array): Work<string> {
  const hash = sha256.create();
  yield* feed(hash, [bytes], sha256Slice);
  return bytesToHex(hash.digest());
}

/** SHA-512 of these bytes one after the other, in hex. */
export function* sha512Of(...parts: readonly Uint8Array[]): Work<string> {
  const hash = sha512.create();
  yield* feed(hash, parts, sha512Slice);
  return bytesToHex(hash.digest());
}

function* feed(
  hash: { update(bytes: Uint8Array): unknown },
  parts: readonly Uint8Array[],
  slice: number,
): Work<void> {
  let room = slice;
  for (const part of parts) {
    for (let at = 0; at < part.length; ) {
      if (room === 0) {
        yield;
        room = slice;
      }
      const end = Math.min(part.length, at + room);
      hash.update(part.subarray(at, end));
      room -= end - at;
      at = end;
    }
  }
}
