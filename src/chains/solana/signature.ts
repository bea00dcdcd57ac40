/** A Solana transaction as bytes: where its first signature stands, which is its id on the network. */

import { base58, base64 } from '@scure/base';

const signatureBytes = 64;
/** Version 1 (SIMD-0385) begins with this byte and keeps its signatures at the end; as a signature count it cannot occur. */
const versionOne = 129;
/** The largest transaction there is has 4,096 bytes. Base58 takes quadratic time, so longer text is not decoded. */
const maxText = 8_192;

/** Undefined: no such encoding, or the text is not of it. */
export function decodeTransaction(text: string, encoding: string): Uint8Array | undefined {
  const coder = encoding === 'base58' ? base58 : encoding === 'base64' ? base64 : undefined;
  if (coder === undefined || text.length > maxText) return undefined;
  try {
    return coder.decode(text);
  } catch {
    return undefined; // Not of this alphabet: the library says so by throwing.
  }
}

/** The id in base58; undefined when the bytes are no signed transaction. */
export function transactionId(bytes: Uint8Array): string | undefined {
  const at = bytes[0] === versionOne ? firstAtEnd(bytes) : firstAtStart(bytes);
  if (at === undefined || at + signatureBytes > bytes.length) return undefined;
  const signature = bytes.subarray(at, at + signatureBytes);
  return signature.every(byte => byte === 0) ? undefined : base58.encode(signature);
}

function firstAtEnd(bytes: Uint8Array): number | undefined {
  const signatures = bytes[1] ?? 0;
  const at = bytes.length - signatures * signatureBytes;
  return signatures > 0 && at > 1 ? at : undefined;
}

/** The count before the signatures is a compact-u16: seven bits a byte, the lowest first. */
function firstAtStart(bytes: Uint8Array): number | undefined {
  let count = 0;
  for (let at = 0; at < 3; at++) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    count |= (byte & 127) << (7 * at);
    if (byte < 128) return count > 0 && at + 1 + count * signatureBytes < bytes.length ? at + 1 : undefined;
  }
  return undefined;
}
