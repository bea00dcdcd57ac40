/** Contract section 3, gates "cooldown" and "auth". Jitter makes the end of a cooldown a span: never before, surely after. */

export class ShadowCooldown {
  /** Surely held before `earliest`, surely over from `latest` on. */
  earliest = Number.NEGATIVE_INFINITY;
  latest = Number.NEGATIVE_INFINITY;
  #nextMs = 5_000;

  /** "5 s, doubling to 60 s (once a cooldown, not once a parallel answer); a longer time named wins, up to 10 min". */
  cool(startedAt: number, askedMs: number, now: number): void {
    const asked = Math.min(600_000, askedMs);
    if (startedAt < this.earliest) {
      if (asked === 0) return;
      this.earliest = Math.max(this.earliest, now + asked);
      this.latest = Math.max(this.latest, now + 1.2 * asked);
      return;
    }
    const ms = Math.max(this.#nextMs, asked);
    this.earliest = now + ms;
    this.latest = now + 1.2 * ms;
    this.#nextMs = Math.min(60_000, 2 * this.#nextMs);
  }

  /** "The next success resets the doubling". */
  warm(startedAt: number): void {
    if (startedAt >= this.earliest) this.#nextMs = 5_000;
  }
}

export class ShadowAuth {
  held = false;
  until = Number.NEGATIVE_INFINITY;
  #holdMs = 0;

  /** "401, 402, 403, refused key: 1 min, doubling to 1 h". */
  refuse(startedAt: number, now: number): void {
    if (this.held && startedAt < this.until) return;
    this.#holdMs = this.held ? Math.min(3_600_000, 2 * this.#holdMs) : 60_000;
    this.held = true;
    this.until = now + this.#holdMs;
  }

  /** "a good probe" */
  goodProbe(startedAt: number): void {
    if (!this.held || startedAt < this.until) return;
    this.held = false;
    this.until = Number.NEGATIVE_INFINITY;
  }

  adopt(believed: { readonly holdMs: number; readonly until: number }): void {
    this.held = believed.holdMs > 0;
    this.#holdMs = believed.holdMs;
    this.until = believed.until;
  }
}
