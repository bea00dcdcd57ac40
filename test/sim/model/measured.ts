/** The last latencies of an endpoint: so many that what was before them has no share in any average that forgets. */

const remembered = 80;

export class Measured {
  readonly #ms: number[] = [];
  #looked: { readonly least: number; readonly most: number } | undefined;
  /** When the last one was measured. */
  at = Number.NEGATIVE_INFINITY;

  /** Whether there are so many that older ones have no share. */
  get isFull(): boolean {
    return this.#ms.length >= remembered;
  }

  get least(): number {
    return this.#look().least;
  }

  get most(): number {
    return this.#look().most;
  }

  take(ms: number, at: number): void {
    this.at = at;
    this.#ms.push(ms);
    if (this.#ms.length > 4 * remembered) this.#ms.splice(0, 3 * remembered);
    this.#looked = undefined;
  }

  #look(): { readonly least: number; readonly most: number } {
    this.#looked ??= spanOf(this.#ms);
    return this.#looked;
  }
}

function spanOf(all: readonly number[]): { readonly least: number; readonly most: number } {
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let at = Math.max(0, all.length - remembered); at < all.length; at += 1) {
    const ms = all[at] ?? 0;
    least = Math.min(least, ms);
    most = Math.max(most, ms);
  }
  return { least, most };
}
