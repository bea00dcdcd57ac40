import { describe, expect, it } from 'vitest';
import { firstAsk } from '../../src/core/place.ts';
import { select } from '../../src/core/select.ts';
import { stateOf } from '../../src/core/state.ts';
import { at, attempt, newPool, read, times } from './pool-fixture.ts';

describe('select', () => {
  it('chooses the first of equals, and another when the first fails five times', () => {
    const pool = newPool();
    expect(select(pool, read, firstAsk, 1, 0)).toBe(at(pool, 0));
    times(5, n => attempt(pool, at(pool, 0), 'node_failure', 10 + n));
    expect(stateOf(at(pool, 0), 20).state).toBe('down');
    expect(select(pool, read, firstAsk, 20, 0)).toBe(at(pool, 1));
  });
});
