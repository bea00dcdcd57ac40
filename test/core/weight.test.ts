import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EndpointSettings } from '../../src/core/chain.ts';
import { inForce, type Override, serves } from '../../src/core/switches.ts';
import {
  orderedWeight,
  parseWeight,
  runtimeWeight,
  runtimeWeightCap,
  weightBound,
} from '../../src/core/weight.ts';
import { newEndpoint } from './pool-fixture.ts';

function endpoint(name: string, origin: 'file' | 'runtime', weight: number, more = {}): EndpointSettings {
  return newEndpoint(name, { origin, weight, ...more }).settings;
}

describe('the most an endpoint may weigh at runtime', () => {
  it.each([
    ['20 and no more, however heavy the file', [100, 60], 20],
    ['below the highest weight of the file', [15, 5], 14],
    ['nothing beside a file that gives 1', [1], 0],
    ['nothing beside a file that gives 0', [0], 0],
    ['20 where the file has no endpoint', [], 20],
  ])('%s', (_, weights, cap) => {
    const pool = weights.map((weight, at) => endpoint(`f${at}`, 'file', weight));
    expect(runtimeWeightCap(pool)).toBe(cap);
    expect(runtimeWeight(pool)).toBe(Math.min(10, cap));
    expect(weightBound(endpoint('r', 'runtime', 10), pool)).toBe(cap);
  });

  it('a file endpoint may have what the file gives it, or what any endpoint may have at runtime', () => {
    const pool = [endpoint('heavy', 'file', 60), endpoint('light', 'file', 5)];
    expect(pool.map(each => weightBound(each, pool))).toEqual([60, 20]);
  });

  it('other runtime endpoints do not lift the bound', () => {
    const pool = [endpoint('f', 'file', 10), endpoint('r', 'runtime', 100)];
    expect(runtimeWeightCap(pool)).toBe(9);
  });
});

describe('what an operator writes after --weight', () => {
  it.each([
    ['20', 50, 60, 20],
    ['0', 50, 60, 0],
    ['+10', 5, 60, 15],
    ['-10', 50, 60, 40],
    ['-10', 5, 60, -5],
    ['50%', 10, 60, 30],
    ['50%', 10, 25, 13],
    ['1%', 10, 25, 1],
    ['0%', 10, 25, 0],
    ['100%', 10, 60, 60],
  ])('%s of an endpoint at %d, configured with %d, is %d', (text, inForceNow, configured, expected) => {
    const order = parseWeight(text);
    expect(order && orderedWeight(order, inForceNow, configured)).toBe(expected);
  });

  it.each(['', 'x', '1.5', '--5', '+', '%', '+10%', '5 ', '1e1', '1000', '0x10', '-', '٣'])(
    'refuses %j',
    text => {
      expect(parseWeight(text)).toBeUndefined();
    },
  );
});

describe('weights in force', () => {
  const heavy = endpoint('heavy', 'file', 60);
  const light = endpoint('light', 'file', 5);
  const added = endpoint('added', 'runtime', 10);

  it('are those of the settings when nobody switched anything', () => {
    expect(inForce([heavy, light, added], [], 0).map(({ weight }) => weight)).toEqual([60, 5, 10]);
  });

  it('go back by themselves at the end of an override', () => {
    const overrides: Override[] = [{ endpoint: 'heavy', what: 'weight', value: 3, until: 100 }];
    expect(inForce([heavy, light], overrides, 99)[0]?.weight).toBe(3);
    expect(inForce([heavy, light], overrides, 100)[0]?.weight).toBe(60);
  });

  it('a runtime endpoint stays below the highest of the file as it is now, so lowering those does not lift it', () => {
    const lowered: Override[] = [
      { endpoint: 'heavy', what: 'weight', value: 4 },
      { endpoint: 'light', what: 'weight', value: 2 },
    ];
    expect(inForce([heavy, light, added], lowered, 0)[2]?.weight).toBe(3);
    const drained: Override[] = [{ endpoint: 'heavy', what: 'draining', value: 1 }];
    expect(inForce([heavy, light, added], drained, 0)[2]?.weight).toBe(4);
  });

  it('a config that was lowered under what was given at runtime before lowers that too', () => {
    const config = endpoint('heavy', 'file', 8);
    const overrides: Override[] = [{ endpoint: 'heavy', what: 'weight', value: 60 }];
    expect(inForce([config, added], overrides, 0).map(({ weight }) => weight)).toEqual([8, 7]);
  });

  it('hold their bounds whatever was switched, in any order, at any time', () => {
    const names = ['f0', 'f1', 'r0', 'r1'];
    const override = fc.record({
      endpoint: fc.constantFrom(...names),
      what: fc.constantFrom('weight' as const, 'disabled' as const, 'draining' as const),
      value: fc.nat(200),
      until: fc.option(fc.nat(100), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        fc.array(fc.nat(100), { minLength: 4, maxLength: 4 }),
        fc.array(override, { maxLength: 20 }),
        fc.nat(100),
        (weights, given, now) => {
          const pool = names.map((name, at) => endpoint(name, at < 2 ? 'file' : 'runtime', weights[at] ?? 0));
          const overrides = given.map(({ until, ...rest }) =>
            until === undefined ? rest : { ...rest, until },
          );
          const [f0, f1, ...runtime] = inForce(pool, overrides, now);
          const file = [f0, f1].filter(each => each !== undefined);
          const highest = Math.max(0, ...file.filter(serves).map(({ weight }) => weight));
          for (const { weight } of runtime) {
            expect(weight).toBeLessThanOrEqual(20);
            expect(weight).toBeLessThanOrEqual(Math.max(0, highest - 1));
            expect(weight).toBeLessThanOrEqual(Math.max(0, Math.max(weights[0] ?? 0, weights[1] ?? 0) - 1));
          }
          file.forEach(({ weight }, at) => {
            expect(weight).toBeLessThanOrEqual(Math.max(weights[at] ?? 0, 20));
          });
        },
      ),
    );
  });
});
