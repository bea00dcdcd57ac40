import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EndpointRecord } from '../../src/core/endpoint.ts';
import { gateRows, gatesOf } from '../../src/core/gates.ts';
import { bits, heldAlways, heldFor } from '../../src/core/held.ts';
import type { Need } from '../../src/core/need.ts';
import { firstAsk } from '../../src/core/place.ts';
import { select } from '../../src/core/select.ts';
import { stateOf } from '../../src/core/state.ts';
import { at, attempt, newPool, read, times } from './pool-fixture.ts';
import { chain, endpoints, life, live, need } from './random-life.ts';

describe('the two forms of the gates', () => {
  it('the short form holds exactly where the list says something, gate by gate, whatever happened', () => {
    fc.assert(
      fc.property(
        chain,
        endpoints,
        life,
        fc.array(need, { minLength: 1, maxLength: 3 }),
        (c, e, events, needs) => {
          live({ chain: c, endpoints: e }, events, (pool, now) => {
            for (const record of pool.records) {
              for (const asked of needs) same(masked(record, asked, now), heldFor(record, asked, now));
              same(masked(record, undefined, now) & ~bits.busy, heldAlways(record, now));
            }
          });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('every row has a bit of its own, and every gate can hold', () => {
    expect(new Set(gateRows.map(row => row.bit)).size).toBe(gateRows.length);
    expect(gateRows.reduce((mask, row) => mask | row.bit, 0)).toBe(
      Object.values(bits).reduce((mask, bit) => mask | bit, 0),
    );
  });
});

function masked(record: EndpointRecord, asked: Need | undefined, now: number): number {
  let mask = 0;
  for (const row of gateRows) if (row.held(record, asked, now) !== undefined) mask |= row.bit;
  return mask;
}

/** `expect` at each of a hundred thousand comparisons would be most of the time of this test. */
function same(list: number, short: number): void {
  if (list !== short) expect(names(list)).toEqual(names(short));
}

function names(mask: number): readonly string[] {
  return Object.entries(bits).flatMap(([name, bit]) => ((mask & bit) === 0 ? [] : [name]));
}

describe('hard gates', () => {
  it('are those of the contract', () => {
    expect(gateRows.filter(row => row.hard).map(row => row.name)).toEqual([
      'wrong_network',
      'api_only',
      'not_verified',
      'implausible_head',
      'auth',
      'cooldown',
      'quarantine',
      'draining',
      'weight_zero',
      'disabled',
      'role',
    ]);
  });

  it('select never returns an endpoint held by one, whatever happened and whatever is asked', () => {
    fc.assert(
      fc.property(chain, endpoints, life, need, fc.nat(99), (c, e, events, asked, chance) => {
        live({ chain: c, endpoints: e }, events, (pool, now) => {
          const ask = {
            ...firstAsk,
            waited: chance % 2 === 0,
            missing: chance % 3 === 0,
            highest: chance % 7 === 0,
          };
          const record = select(pool, asked, ask, now, chance / 100);
          if (record === undefined) return;
          const hard = gatesOf(record, asked, now).filter(gate => gate.hard);
          if (hard.length > 0) expect(hard).toEqual([]);
        });
      }),
      { numRuns: 200 },
    );
  });

  it('without a last resort select never returns one held by a soft one either, but for what nobody offers', () => {
    fc.assert(
      fc.property(endpoints, life, need, (e, events, asked) => {
        live({ chain: { lastResort: 'off' }, endpoints: e }, events, (pool, now) => {
          const record = select(pool, asked, firstAsk, now, 0);
          if (record === undefined) return;
          const others = gatesOf(record, asked, now).filter(
            gate => !['method', 'history', 'height'].includes(gate.name),
          );
          const trial = asked.class === 'broadcast' && others.every(gate => gate.class === 'broadcast');
          if (others.length > 0 && !trial) expect(others).toEqual([]);
        });
      }),
      { numRuns: 100 },
    );
  });
});

describe('what a gate tells', () => {
  it('reason, since when, until when and what to do', () => {
    const pool = newPool();
    times(5, n => attempt(pool, at(pool, 0), 'transport', n));
    attempt(pool, at(pool, 0), 'rate_limited', 10);
    expect(gatesOf(at(pool, 0), read, 20)).toEqual([
      {
        name: 'circuit',
        class: 'read',
        hard: false,
        reason: '5 reads failed in a row, the last by test.transport',
        since: 4,
        until: 30_004,
        next: expect.any(String),
      },
      {
        name: 'cooldown',
        hard: true,
        reason: 'it is rate limited',
        since: 10,
        until: 5_010,
        next: expect.any(String),
      },
    ]);
  });

  it('never a URL, whatever it holds', () => {
    const url = 'https://user:pass@host.example/v3/SECRET?key=SECRET';
    fc.assert(
      fc.property(chain, life, need, (c, events, asked) => {
        live({ chain: c, endpoints: [{ url }, { url }, { url }, { url }] }, events, (pool, now) => {
          for (const record of pool.records) {
            const text = JSON.stringify([gatesOf(record, asked, now), stateOf(record, now)]);
            if (text.includes('SECRET') || text.includes('://')) expect(text).toBe('');
          }
        });
      }),
      { numRuns: 30 },
    );
  });
});
