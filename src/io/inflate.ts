import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';
import type { Inflate } from '../gateway/ports.ts';
import { codeOf } from './faults.ts';

// Synchronous on purpose: for what is held (64 KiB at most as a rule) the thread pool never pays, and a limit on the
// output stops a bomb.
const undo: Readonly<Record<string, (bytes: Uint8Array, maxBytes: number, flush?: number) => Uint8Array>> = {
  gzip: (bytes, maxOutputLength, finishFlush = constants.Z_FINISH) =>
    gunzipSync(bytes, { maxOutputLength, finishFlush }),
  'x-gzip': (bytes, maxOutputLength, finishFlush = constants.Z_FINISH) =>
    gunzipSync(bytes, { maxOutputLength, finishFlush }),
  deflate: (bytes, maxOutputLength, finishFlush = constants.Z_FINISH) =>
    inflateSync(bytes, { maxOutputLength, finishFlush }),
  br: (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength }),
};

function attempt(
  encoding: string,
  bytes: Uint8Array,
  maxBytes: number,
  flush?: number,
): Uint8Array | 'too_large' | undefined {
  try {
    return undo[encoding.toLowerCase()]?.(bytes, maxBytes, flush);
  } catch (error) {
    // Otherwise it is broken, and the caller judges the answer unusable, which is all there is to say of it.
    return codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : undefined;
  }
}

/** So many compressed bytes show how a text begins, and deflate makes at most 1032 times as much of them. */
const beginningBytes = 512;
const mostOfBeginning = beginningBytes * 1032;

export const inflate: Inflate = {
  whole: (encoding, bytes, maxBytes) => attempt(encoding, bytes, maxBytes),
  beginning(encoding, bytes, maxBytes) {
    const first = attempt(
      encoding,
      bytes.subarray(0, beginningBytes),
      mostOfBeginning,
      constants.Z_SYNC_FLUSH,
    );
    return first === 'too_large' ? undefined : first?.subarray(0, maxBytes);
  },
};
