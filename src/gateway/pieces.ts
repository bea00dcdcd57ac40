/**
 * A body as it comes in, from a client or an endpoint. Kept as it came while it comes in proper pieces; small pieces are
 * put together, because each would cost far more memory than the bytes in it, and whoever sends chooses how small they are.
 */

import { joined } from '../wire/bytes.ts';

const proper = 16 * 1024;
const smallestSlab = 1024;
const nothing = new Uint8Array();

export class Pieces {
  /** Most bodies are one chunk: what came first, while nothing else did. */
  #first: Uint8Array | undefined = undefined;
  #kept: Uint8Array[] | undefined = undefined;
  #slab: Uint8Array | undefined = undefined;
  #used = 0;
  bytes = 0;

  /** What keeping this chunk will cost, bytes; with all the others twice their own and one slab at most. */
  costOf(chunk: Uint8Array): number {
    if (this.#keeps(chunk)) return chunk.length;
    return this.#fits(chunk) ? 0 : this.#nextSlab(chunk);
  }

  add(chunk: Uint8Array): void {
    if (this.bytes === 0) {
      this.#first = chunk;
    } else if (this.#keeps(chunk)) {
      this.#close();
      this.#keep(chunk);
    } else {
      if (!this.#fits(chunk)) {
        this.#close();
        this.#slab = new Uint8Array(this.#nextSlab(chunk));
      }
      this.#slab?.set(chunk, this.#used);
      this.#used += chunk.length;
    }
    this.bytes += chunk.length;
  }

  /** One piece from then on. Without a copy when it came as one. */
  whole(): Uint8Array {
    this.#close();
    if (this.#kept !== undefined) {
      this.#first = joined(this.#kept);
      this.#kept = undefined;
    }
    return this.#first ?? nothing;
  }

  clear(): void {
    this.#first = undefined;
    this.#kept = undefined;
    this.#slab = undefined;
    this.#used = 0;
    this.bytes = 0;
  }

  /** Most bodies are one chunk, whatever its size. */
  #keeps(chunk: Uint8Array): boolean {
    return chunk.length >= proper || this.bytes === 0;
  }

  #keep(chunk: Uint8Array): void {
    if (this.#kept !== undefined) this.#kept.push(chunk);
    else this.#kept = this.#first === undefined ? [chunk] : [this.#first, chunk];
    this.#first = undefined;
  }

  #fits(chunk: Uint8Array): boolean {
    return this.#slab !== undefined && this.#slab.length - this.#used >= chunk.length;
  }

  #nextSlab(chunk: Uint8Array): number {
    return Math.max(chunk.length, Math.min(proper, Math.max(smallestSlab, this.bytes)));
  }

  #close(): void {
    if (this.#slab === undefined) return;
    this.#keep(this.#slab.subarray(0, this.#used));
    this.#slab = undefined;
    this.#used = 0;
  }
}
