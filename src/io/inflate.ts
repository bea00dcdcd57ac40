import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';
import type { Inflate } from '../gateway/ports.ts';

// Synchronous on purpose: for what is held (64 KiB at most as a rule) the thread pool never pays, and a limit on the
// output stops a bomb.
const undo: Readonly<Record<string, (bytes: Uint8Array, maxBytes: number, flush?: number) => Uint8Array>> = {
  gzip: (bytes, maxOutputLength, finishFlush = constants.Z_FINISH) => gunzipSync(bytes, { maxOutputLength, finishFlush }),
  'x-gzip': (bytes, maxOutputLength, finishFlush = constants.Z_FINISH) =>
    gunzipSync(bytes, { maxOutputLength, finishFlush }),
  deflate: (bytes, maxOutputLength, finishFlush = constants.Z_FINISH) =>
    inflateSync(bytes, { maxOutputLength, finishFlush }),
  br: (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength }),
};

function attempt(encoding: string, bytes: Uint8Array, maxBytes: number, flush?: number): Uint8Array | undefined {
  try {
    return undo[encoding.toLowerCase()]?.(bytes, maxBytes, flush);
  } catch {
    // Broken or too large: the caller judges the answer unusable, which is all there is to say of it.
    return undefined;
  }
}

export const inflate: Inflate = {
  whole: (encoding, bytes, maxBytes) => attempt(encoding, bytes, maxBytes),
  // 512 compressed bytes are enough to see how a text begins, and cannot outgrow the limit by much.
  beginning: (encoding, bytes, maxBytes) => attempt(encoding, bytes.subarray(0, 512), maxBytes, constants.Z_SYNC_FLUSH),
};
