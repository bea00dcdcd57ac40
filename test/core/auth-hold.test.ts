import { describe, expect, it } from 'vitest';
import { firstAsk, nowhere, placeOf } from '../../src/core/place.ts';
import { questionDue } from '../../src/core/probing.ts';
import { stateOf } from '../../src/core/state.ts';
import { at, attempt, head, newPool, read, show, times } from './pool-fixture.ts';

const held = (pool: ReturnType<typeof newPool>, now: number): boolean =>
  placeOf(at(pool, 0), read, firstAsk, now) === nowhere;

describe('auth', () => {
  it('holds 1 min, doubling to 1 h, each time a probe after the hold is refused', () => {
    const pool = newPool();
    const record = at(pool, 0);
    const holds: number[] = [];
    let now = 0;
    times(8, () => {
      attempt(pool, record, 'auth_refused', now, { by: 'height' });
      holds.push((record.auth.until - now) / 60_000);
      now = record.auth.until;
    });
    expect(holds).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  it('parallel answers double nothing', () => {
    const pool = newPool();
    times(10, n => attempt(pool, at(pool, 0), 'auth_refused', n));
    expect(at(pool, 0).auth).toMatchObject({ since: 0, until: 60_000, holdMs: 60_000 });
  });

  it('time alone does not release it, a good probe does', () => {
    const pool = newPool();
    attempt(pool, at(pool, 0), 'auth_refused', 0);
    expect(held(pool, 100_000)).toBe(true);
    show(pool, at(pool, 0), head, 100_000);
    expect(held(pool, 100_000)).toBe(false);
    expect(at(pool, 0).auth.holdMs).toBe(0);
  });

  it('a good answer to a client does not', () => {
    const pool = newPool();
    attempt(pool, at(pool, 0), 'auth_refused', 0);
    attempt(pool, at(pool, 0), 'ok', 70_000);
    expect(held(pool, 70_000)).toBe(true);
  });

  it('nor a probe that was under way when the credential was refused', () => {
    const pool = newPool();
    attempt(pool, at(pool, 0), 'auth_refused', 10);
    attempt(pool, at(pool, 0), 'ok', 20, { by: 'height', startedAt: 5 });
    expect(held(pool, 20)).toBe(true);
  });

  it('nobody asks before the hold is over', () => {
    const pool = newPool();
    attempt(pool, at(pool, 0), 'auth_refused', 0);
    expect(questionDue(at(pool, 0), 59_999)).toBeUndefined();
    expect(questionDue(at(pool, 0), 60_000)).toBe('height');
  });

  it('a silence we kept ourselves is not shown as stale, but as what it is', () => {
    const pool = newPool();
    attempt(pool, at(pool, 0), 'auth_refused', 0);
    expect(stateOf(at(pool, 0), 50_000)).toMatchObject({ state: 'auth_refused', since: 0, until: 60_000 });
  });

  it('released by an identity probe it takes reads at once: it has four intervals to show its height', () => {
    const pool = newPool();
    attempt(pool, at(pool, 0), 'auth_refused', 0);
    attempt(pool, at(pool, 0), 'ok', 60_000, { by: 'identity' });
    expect(placeOf(at(pool, 0), read, firstAsk, 79_999)).toBe(0);
    expect(stateOf(at(pool, 0), 80_000).state).toBe('stale');
  });

  it('never bypassed, not even as a last resort', () => {
    const pool = newPool({ chain: { lastResort: 'stale' }, endpoints: [{}] });
    attempt(pool, at(pool, 0), 'auth_refused', 0);
    expect(held(pool, 1)).toBe(true);
  });
});
