/**
 * A request's body as it comes in. Kept as it came while it comes in proper pieces; small pieces are put together, because
 * each would cost far more memory than the bytes in it, and a client chooses how small they are.
 */

const proper = 16 * 1024;
const smallestSlab = 1024;

export class Body {
  readonly #chunks: Uint8Array[] = [];
  #slab: Buffer | undefined;
  #used = 0;
  bytes = 0;

  /** What keeping this chunk will cost, bytes; with all the others about twice their own at most. */
  costOf(chunk: Uint8Array): number {
    if (this.#keeps(chunk)) return chunk.length;
    return this.#fits(chunk) ? 0 : this.#nextSlab(chunk);
  }

  add(chunk: Uint8Array): void {
    if (this.#keeps(chunk)) {
      this.#close();
      this.#chunks.push(chunk);
    } else {
      if (!this.#fits(chunk)) {
        this.#close();
        this.#slab = Buffer.allocUnsafeSlow(this.#nextSlab(chunk));
      }
      this.#slab?.set(chunk, this.#used);
      this.#used += chunk.length;
    }
    this.bytes += chunk.length;
  }

  whole(): Uint8Array {
    this.#close();
    const [only] = this.#chunks;
    return this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.bytes);
  }

  /** Most bodies are one chunk, whatever its size. */
  #keeps(chunk: Uint8Array): boolean {
    return chunk.length >= proper || this.bytes === 0;
  }

  #fits(chunk: Uint8Array): boolean {
    return this.#slab !== undefined && this.#slab.length - this.#used >= chunk.length;
  }

  #nextSlab(chunk: Uint8Array): number {
    return Math.max(chunk.length, Math.min(proper, Math.max(smallestSlab, this.bytes)));
  }

  #close(): void {
    if (this.#slab === undefined) return;
    this.#chunks.push(this.#slab.subarray(0, this.#used));
    this.#slab = undefined;
    this.#used = 0;
  }
}
