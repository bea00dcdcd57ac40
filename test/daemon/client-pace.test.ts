import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientPace } from '../../src/daemon/client-pace.ts';

describe('how often a client may ask', () => {
  it('as often as it likes where nothing is said', () => {
    const pace = clientPace(undefined);
    for (let n = 0; n < 1000; n += 1) expect(pace.take('a', 0)).toBe(0);
  });

  it('a second’s worth at once, then at its rate, and is told for how long', () => {
    const pace = clientPace(10);
    for (let n = 0; n < 10; n += 1) expect(pace.take('a', 0)).toBe(0);
    expect(pace.take('a', 0)).toBe(100);
    expect(pace.take('a', 99)).toBe(1);
    expect(pace.take('a', 100)).toBe(0);
    expect(pace.take('a', 100)).toBe(100);
    // A long silence earns a second's worth and no more.
    for (let n = 0; n < 10; n += 1) expect(pace.take('a', 60_000)).toBe(0);
    expect(pace.take('a', 60_000)).toBe(100);
  });

  it('a batch counts call by call: who asked a hundred at once waits for a hundred', () => {
    const pace = clientPace(10);
    expect(pace.take('a', 0)).toBe(0);
    pace.owe('a', 99, 0);
    expect(pace.take('a', 0)).toBe(9100);
    expect(pace.take('a', 9099)).toBe(1);
    expect(pace.take('a', 9100)).toBe(0);
  });

  it('each for itself', () => {
    const pace = clientPace(1);
    expect(pace.take('a', 0)).toBe(0);
    expect(pace.take('a', 0)).toBe(1000);
    expect(pace.take('b', 0)).toBe(0);
  });

  it('a rate under one lets one through, and then one every so often', () => {
    const pace = clientPace(0.5);
    expect(pace.take('a', 0)).toBe(0);
    expect(pace.take('a', 1000)).toBe(1000);
    expect(pace.take('a', 2000)).toBe(0);
  });

  it('never more than its rate over any span, but for the second at the beginning', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), gaps, (rps, waits) => {
        const pace = clientPace(rps);
        let now = 0;
        let made = 0;
        for (const wait of waits) {
          now += wait;
          if (pace.take('a', now) === 0) made += 1;
          expect(made).toBeLessThanOrEqual(rps + (now * rps) / 1000 + 1e-6);
        }
      }),
    );
  });

  it('clients beyond counting cost no memory beyond bound', () => {
    const pace = clientPace(1);
    expect(pace.take('first', 0)).toBe(0);
    for (let n = 0; n < 70_000; n += 1) pace.take(`address-${n}`, 0);
    // It has not asked for longest, and is forgotten: it may begin anew.
    expect(pace.take('first', 0)).toBe(0);
    expect(pace.take('address-69999', 0)).toBe(1000);
  });
});
