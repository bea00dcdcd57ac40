import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setSwitches } from '../../src/core/facts.ts';
import { objections, type Proposed, proposedOf } from '../../src/core/guard.ts';
import { at, newPool, probeFails, times } from './pool-fixture.ts';

const rules = (
  pool: ReturnType<typeof newPool>,
  position: number,
  after: Partial<Proposed> | 'gone',
  now = 0,
) => {
  const record = at(pool, position);
  const { origin } = record.settings;
  const proposed = after === 'gone' ? undefined : { ...proposedOf(record), ...after };
  return objections(pool.records, { record, origin, after: proposed }, now).map(({ rule }) => rule);
};

const file = { origin: 'file' } as const;
const runtime = { origin: 'runtime', weight: 10 } as const;

describe('the last usable endpoint', () => {
  it.each([
    ['drained', { draining: true }],
    ['disabled', { disabled: true }],
    ['given weight 0', { weight: 0 }],
    ['removed', 'gone'],
  ] as const)('is not %s without more ado', (_, after) => {
    const pool = newPool({ endpoints: [file, file] });
    expect(rules(pool, 0, after)).toEqual([]);
    setSwitches(pool, at(pool, 1), { draining: true }, 0);
    expect(rules(pool, 0, after)).toEqual(['last_usable']);
  });

  it('counts as the last when the others are switched on and down', () => {
    const pool = newPool({ endpoints: [file, file] });
    times(5, n => probeFails(pool, at(pool, 1), 'node_failure', n));
    expect(rules(pool, 0, { draining: true }, 5)).toEqual(['last_usable']);
    expect(rules(pool, 1, { draining: true }, 5)).toEqual([]);
  });

  it('of broadcasts is one, too', () => {
    const pool = newPool({ endpoints: [file, { ...file, broadcast: 'never' }] });
    expect(rules(pool, 0, { draining: true })).toEqual(['last_usable']);
    expect(rules(pool, 1, { draining: true })).toEqual([]);
  });

  it('loses its role no more easily than its switch', () => {
    const pool = newPool({ endpoints: [runtime] });
    expect(rules(pool, 0, { forReads: false })).toEqual(['last_usable']);
  });

  it('lowering a weight that stays above 0 takes nothing away', () => {
    const pool = newPool({ endpoints: [file] });
    expect(rules(pool, 0, { weight: 1 })).toEqual([]);
  });
});

describe('runtime endpoints alone', () => {
  it('are never left to a chain that has endpoints in the file', () => {
    const pool = newPool({ endpoints: [file, file, runtime] });
    expect(rules(pool, 0, { draining: true })).toEqual([]);
    setSwitches(pool, at(pool, 1), { disabled: true }, 0);
    expect(rules(pool, 0, { draining: true })).toEqual(['runtime_alone']);
    expect(rules(pool, 0, { weight: 0 })).toEqual(['runtime_alone']);
  });

  it('not by switching off the last one that works, either', () => {
    const pool = newPool({ endpoints: [file, file, runtime] });
    times(5, n => probeFails(pool, at(pool, 1), 'node_failure', n));
    expect(rules(pool, 0, { draining: true }, 5)).toEqual(['runtime_alone']);
  });

  it('not for broadcasts, either', () => {
    const pool = newPool({ endpoints: [file, { ...file, broadcast: 'never' }, runtime] });
    expect(rules(pool, 0, { draining: true })).toEqual(['runtime_alone']);
  });

  it('not in two steps: one that is off counts, because it may come back', () => {
    const pool = newPool({ endpoints: [file, runtime] });
    setSwitches(pool, at(pool, 1), { weight: 0 }, 0);
    expect(rules(pool, 0, { draining: true })).toEqual(['runtime_alone', 'last_usable']);
  });

  it('not by adding or enabling one while the file is switched off', () => {
    const pool = newPool({ endpoints: [file, runtime] });
    setSwitches(pool, at(pool, 0), { disabled: true }, 0);
    const after = { disabled: false, draining: false, weight: 10, forReads: true, forBroadcasts: true };
    const added = objections(pool.records, { origin: 'runtime', after }, 0);
    expect(added.map(({ rule }) => rule)).toEqual(['runtime_alone']);
    setSwitches(pool, at(pool, 1), { disabled: true }, 0);
    expect(rules(pool, 1, { disabled: false })).toEqual(['runtime_alone']);
  });

  it('may be removed and switched off whatever the file is', () => {
    const pool = newPool({ endpoints: [file, runtime, runtime] });
    setSwitches(pool, at(pool, 0), { disabled: true }, 0);
    expect(rules(pool, 1, 'gone')).toEqual([]);
    expect(rules(pool, 1, { draining: true })).toEqual([]);
  });

  it('are the way to rescue a chain whose own endpoints are down', () => {
    const pool = newPool({ endpoints: [file] });
    times(5, n => probeFails(pool, at(pool, 0), 'node_failure', n));
    const after = { disabled: false, draining: false, weight: 10, forReads: true, forBroadcasts: true };
    expect(objections(pool.records, { origin: 'runtime', after }, 5)).toEqual([]);
  });

  it('make up a chain that the file gives no endpoints', () => {
    const pool = newPool({ endpoints: [runtime, runtime] });
    expect(rules(pool, 0, { draining: true })).toEqual([]);
  });

  it('no order of permitted commands, forced where that helps, leaves a chain to them', () => {
    const command = fc.record({
      at: fc.nat(3),
      what: fc.constantFrom('draining' as const, 'disabled' as const, 'weight' as const),
      value: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), commands => {
        const pool = newPool({ endpoints: [file, file, runtime, runtime] });
        for (const { at: position, what, value } of commands) {
          const after = what === 'weight' ? { weight: value ? 10 : 0 } : { [what]: value };
          if (rules(pool, position, after).includes('runtime_alone')) continue;
          setSwitches(pool, at(pool, position), after, 0);
          const on = (n: number) => {
            const { disabled, draining, weight } = at(pool, n);
            return !disabled && !draining && weight > 0;
          };
          expect(on(0) || on(1) || !(on(2) || on(3))).toBe(true);
        }
      }),
    );
  });
});
