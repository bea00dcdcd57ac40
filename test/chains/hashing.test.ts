import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  keccakOf,
  keccakSlice,
  sha256Of,
  sha256Slice,
  sha512Of,
  sha512Slice,
} from '../../src/chains/hashing.ts';
import { worked } from '../kit/work.ts';

const node = (name: string) => (bytes: Uint8Array) => createHash(name).update(bytes).digest('hex');
const whole = (bytes: Uint8Array) => bytesToHex(keccak_256(bytes));
const bytesOf = (length: number) => new Uint8Array(length).map((_, at) => at * 31 + (at >> 8));

const hashes = [
  { name: 'Keccak-256', of: keccakOf, slice: keccakSlice, block: 136, want: whole },
  { name: 'SHA-256', of: sha256Of, slice: sha256Slice, block: 64, want: node('sha256') },
  { name: 'SHA-512', of: sha512Of, slice: sha512Slice, block: 128, want: node('sha512') },
];

describe.each(hashes)('$name in slices', ({ of, slice, block, want }) => {
  test('is that of the whole, at every length around a slice and a block', () => {
    const borders = [0, block, slice - block, slice, 2 * slice, 3 * slice];
    for (const border of borders) {
      for (const length of [border - 1, border, border + 1].filter(one => one >= 0)) {
        const bytes = bytesOf(length);
        const { value, breaks } = worked(of(bytes));
        expect(value).toBe(want(bytes));
        expect(breaks).toBe(Math.max(0, Math.ceil(length / slice) - 1));
      }
    }
  });

  test('of any length, at any place in memory', () => {
    const lengths = fc.integer({ min: 0, max: 3 * slice });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 0, max: 9 }), (length, at) => {
        const bytes = bytesOf(length + at).subarray(at);
        expect(worked(of(bytes)).value).toBe(want(bytes));
      }),
      { numRuns: 30 },
    );
  });
});

test.each([
  { name: 'Keccak-256', of: keccakOf, slice: keccakSlice, want: whole },
  { name: 'SHA-512', of: sha512Of, slice: sha512Slice, want: node('sha512') },
])(
  '$name of parts is that of all of them in a row, and slices are filled over their borders',
  ({ of, slice, want }) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3 * slice }),
        fc.array(fc.nat(), { maxLength: 4 }),
        (length, cuts) => {
          const bytes = bytesOf(length);
          const places = [0, ...cuts.map(cut => cut % (length + 1)).sort((a, b) => a - b), length];
          const parts = places.slice(1).map((place, at) => bytes.subarray(places[at], place));
          const { value, breaks } = worked(of(...parts));
          expect(value).toBe(want(bytes));
          expect(breaks).toBe(Math.max(0, Math.ceil(length / slice) - 1));
        },
      ),
      { numRuns: 30 },
    );
  },
);
