/**
 * The pool's head by the contract: "The median is the upper one, over endpoints that are verified, out of quarantine,
 * enabled, and have a recent height." Where it is unclear for a moment who has a voice, both are possible.
 */

import type { ChainSettings } from '../../../src/core/chain.ts';
import type { Truth } from '../truth.ts';
import type { Shadow } from './endpoint.ts';

export type Maybe = 'yes' | 'no' | 'maybe';

/** What time alone changes may take the gateway this long to see. */
export const noticeMs = 1_000;

export class ShadowPool {
  readonly chain: ChainSettings;
  readonly shadows: Shadow[] = [];
  readonly truth: Truth;
  /** Highest median so far, and since when: surely, and possibly. */
  agreed: { height: number; at: number } | undefined;
  agreedMost = { height: -1, at: 0 };

  constructor(chain: ChainSettings, truth: Truth) {
    this.chain = chain;
    this.truth = truth;
  }

  /** "height every 5 s per endpoint … capped by probes.maxPerDay": spread over the day, with room for other questions. */
  get probeEveryMs(): number {
    const { probeIntervalMs, probesMaxPerDay } = this.chain;
    return probesMaxPerDay === undefined
      ? probeIntervalMs
      : Math.max(probeIntervalMs, 86_400_000 / (0.8 * probesMaxPerDay));
  }

  /** Blocks of lag that are allowed, between these: "others: 10 s of the measured block time, at least 2". */
  allowedLag(now: number): { readonly least: number; readonly most: number } {
    const { staleBlocks } = this.chain;
    if (staleBlocks !== undefined) return { least: staleBlocks, most: staleBlocks };
    const { blockTimeMs } = this.truth;
    const least = Math.floor(10_000 / (blockTimeMs * this.measuredAtMost(now)));
    return { least: Math.max(2, least), most: Math.max(2, Math.ceil((1.5 * 10_000) / blockTimeMs)) };
  }

  /** How many times the true block time may have been measured. */
  measuredAtMost(now: number): number {
    return this.truth.isDisturbed(now) ? 5 : 1.5;
  }

  voice(shadow: Shadow, now: number): Maybe {
    const { head, quarantine } = shadow;
    if (shadow.identity !== 'verified' || shadow.disabled || head.height < 0) return 'no';
    const silentAt = head.at + 4 * this.probeEveryMs;
    if (now > silentAt + noticeMs) return 'no';
    if (quarantine !== undefined && !quarantine.perhapsOver) return 'no';
    if (head.suspect === 'yes') return 'no';
    if (now >= silentAt || quarantine !== undefined || head.suspect === 'maybe') return 'maybe';
    return now - shadow.voiceChangedAt < noticeMs ? 'maybe' : 'yes';
  }

  /** The upper median, between these; undefined: perhaps nobody has a voice. */
  median(now: number): { readonly least: number; readonly most: number; readonly sure: boolean } | undefined {
    const sure: number[] = [];
    const perhaps: number[] = [];
    for (const shadow of this.shadows) {
      const voice = this.voice(shadow, now);
      if (voice === 'yes') sure.push(shadow.head.height);
      else if (voice === 'maybe') perhaps.push(shadow.head.height);
    }
    if (sure.length === 0 && perhaps.length === 0) return undefined;
    if (perhaps.length === 0) {
      const only = upperMedian(sure);
      return { least: only, most: only, sure: true };
    }
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let mask = 0; mask < 1 << perhaps.length; mask += 1) {
      const heights = [...sure, ...perhaps.filter((_, at) => (mask & (1 << at)) !== 0)];
      if (heights.length === 0) continue;
      const median = upperMedian(heights);
      least = Math.min(least, median);
      most = Math.max(most, median);
    }
    return { least, most, sure: sure.length > 0 };
  }

  /** An endpoint showed a height. */
  shows(shadow: Shadow, height: number, now: number): void {
    const { head } = shadow;
    const jumped = head.height >= 0 && Math.abs(height - head.height) > this.#farBlocks(now - head.at, now);
    const before = this.voice(shadow, now);
    head.height = height;
    head.at = now;
    head.suspect = this.#isAheadOfReason(shadow, now);
    if (head.suspect !== 'yes') this.#second(shadow, now);
    if (this.voice(shadow, now) !== before) shadow.voiceChangedAt = now;
    if (jumped) shadow.jumpedAt ??= now;
    const median = this.median(now);
    if (median === undefined) {
      head.lagLeast = 0;
      head.lagMost = 0;
      return;
    }
    head.lagLeast = median.sure ? Math.max(0, median.least - height) : 0;
    head.lagMost = Math.max(0, median.most - height);
    if (median.sure && (this.agreed === undefined || median.least > this.agreed.height)) {
      this.agreed = { height: median.least, at: now };
    }
    if (median.most > this.agreedMost.height) this.agreedMost = { height: median.most, at: now };
  }

  /** It is not believed now. */
  suspected(shadow: Shadow, now: number): Maybe {
    if (shadow.identity !== 'verified') return 'maybe';
    const { suspect } = shadow.head;
    if (suspect === 'no') return this.#nobodyIsFarBelow(shadow, now) ? 'no' : 'maybe';
    return suspect === 'yes' && !this.#isSeconded(shadow, now) ? 'yes' : 'maybe';
  }

  /** "further ahead than three times what the block time allows since the last agreed one": far, or surely not. */
  #isAheadOfReason(shadow: Shadow, now: number): Maybe {
    const { height } = shadow.head;
    if (this.#nobodyIsFarBelow(shadow, now) && this.#isAllowed(height, now)) {
      // A liar that nobody contradicts yet may be doubted as soon as somebody does.
      return height <= this.truth.heightAt(now) ? 'no' : 'maybe';
    }
    const others = this.shadows.filter(
      other => other !== shadow && this.voice(other, now) === 'yes' && other.head.height <= height,
    );
    const agreed = this.agreed;
    if (agreed === undefined) return 'maybe';
    const near = others.filter(
      other => Math.abs(other.head.height - agreed.height) <= this.allowedLag(now).least,
    );
    const { height: highest, at } = this.agreedMost;
    const tooFar = height - highest > this.#farBlocks(now - at, now);
    return tooFar && near.length >= 2 && !this.#isSeconded(shadow, now) ? 'yes' : 'maybe';
  }

  #isAllowed(height: number, now: number): boolean {
    if (this.agreed === undefined) return true;
    const { height: agreed, at } = this.agreed;
    return height - agreed <= this.allowedLag(now).least + (now - at) / this.truth.blockTimeMs;
  }

  #farBlocks(ms: number, now: number): number {
    return 50 + 3 * (this.allowedLag(now).most + (3 * ms) / this.truth.blockTimeMs);
  }

  #nobodyIsFarBelow(shadow: Shadow, now: number): boolean {
    return this.shadows.every(
      other =>
        other === shadow ||
        this.voice(other, now) === 'no' ||
        // Each was asked at its own time.
        other.head.height >=
          shadow.head.height -
            this.allowedLag(now).least -
            Math.max(0, shadow.head.at - other.head.at) / this.truth.blockTimeMs,
    );
  }

  /** "until a second endpoint comes near it" */
  #isSeconded(shadow: Shadow, now: number): boolean {
    const near = this.#farBlocks(2 * this.probeEveryMs, now);
    return this.shadows.some(
      other =>
        other !== shadow &&
        other.identity === 'verified' &&
        !other.disabled &&
        other.head.at + 4 * this.probeEveryMs + noticeMs > now &&
        Math.abs(other.head.height - shadow.head.height) <= near,
    );
  }

  #second(shadow: Shadow, now: number): void {
    for (const other of this.shadows) {
      if (other !== shadow && other.head.suspect === 'yes' && this.#isSeconded(other, now)) {
        other.head.suspect = 'maybe';
        other.voiceChangedAt = now;
      }
    }
  }
}

function upperMedian(heights: readonly number[]): number {
  const sorted = [...heights].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? -1;
}
