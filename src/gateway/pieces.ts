/**
 * A body as it comes in, from a client or an endpoint. Kept as it came while it comes in proper pieces; small pieces are
 * put together, because each would cost far more memory than the bytes in it, and whoever sends chooses how small they are.
 */

const proper = 16 * 1024;
const smallestSlab = 1024;

export class Pieces {
  #kept: Uint8Array[] = [];
  #slab: Uint8Array | undefined;
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
      this.#kept.push(chunk);
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
    const [first] = this.#kept;
    if (first !== undefined && this.#kept.length === 1) return first;
    const whole = joined(this.#kept, this.bytes);
    this.#kept = [whole];
    return whole;
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
    this.#kept.push(this.#slab.subarray(0, this.#used));
    this.#slab = undefined;
    this.#used = 0;
  }
}

export function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
