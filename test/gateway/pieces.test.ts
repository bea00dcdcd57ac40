import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pieces } from '../../src/gateway/pieces.ts';

describe('a body as it comes in', () => {
  it('is what was sent, however it is cut, and costs at most twice its bytes and one slab', () => {
    const size = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 70_000 }));
    fc.assert(
      fc.property(fc.array(size, { maxLength: 40 }), sizes => {
        const body = new Pieces();
        let cost = 0;
        let next = 0;
        const sent = sizes.map(bytes => Uint8Array.from({ length: bytes }, () => (next = (next + 7) % 256)));
        for (const chunk of sent) {
          cost += body.costOf(chunk);
          body.add(chunk);
        }
        const bytes = sizes.reduce((sum, each) => sum + each, 0);
        expect(body.bytes).toBe(bytes);
        expect(Buffer.compare(body.whole(), Buffer.concat(sent))).toBe(0);
        // A slab is left for the next only when a chunk comes that is larger than the room in it, so what stays empty is
        // less than what comes next; only in the last nothing comes next.
        expect(cost).toBeLessThanOrEqual(2 * bytes + Math.max(1024, Math.min(16 * 1024, bytes)));
      }),
      { numRuns: 300 },
    );
  });

  it('of one byte and a slab full, over and over, costs no more than that (a bound without the last slab failed here)', () => {
    const body = new Pieces();
    let cost = 0;
    for (const bytes of [1, 1, 1024, 1, 1026, 2]) {
      const chunk = new Uint8Array(bytes);
      cost += body.costOf(chunk);
      body.add(chunk);
    }
    expect([body.bytes, cost]).toEqual([2055, 6155]);
    expect(cost).toBeLessThanOrEqual(2 * 2055 + 2055);
  });

  it('can be looked at whole while it comes in', () => {
    const body = new Pieces();
    for (const text of ['ab', 'c', 'def']) {
      body.add(new TextEncoder().encode(text));
      body.whole();
    }
    expect(new TextDecoder().decode(body.whole())).toBe('abcdef');
  });

  it('in one piece is that very piece', () => {
    const body = new Pieces();
    const chunk = new Uint8Array(10);
    body.add(chunk);
    expect(body.whole()).toBe(chunk);
  });

  it('a million bytes one by one cost what a million bytes cost', () => {
    const body = new Pieces();
    const byte = Uint8Array.of(65);
    let pieces = 0;
    let cost = 0;
    for (let n = 0; n < 1_000_000; n += 1) {
      const more = body.costOf(byte);
      if (more > 0) pieces += 1;
      cost += more;
      body.add(byte);
    }
    expect(cost).toBeLessThan(1_100_000);
    expect(pieces).toBeLessThan(100);
    expect(body.whole().length).toBe(1_000_000);
  });
});
