import { describe, expect, it } from 'vitest';
import { reconfigure } from '../../src/core/endpoint.ts';
import { quarantine, setSwitches } from '../../src/core/facts.ts';
import { abandon, begin, observe } from '../../src/core/observe.ts';
import { firstAsk, nowhere, placeOf } from '../../src/core/place.ts';
import { at, attempt, broadcast, newEndpoint, newPool, read, seen, times } from './pool-fixture.ts';

describe('a changed config for the same endpoint', () => {
  it('keeps what was learned', () => {
    const pool = newPool();
    const record = at(pool, 0);
    times(5, n => attempt(pool, record, 'transport', n));
    quarantine(record, 'added at runtime', 5);
    const { identity, head, read: tally } = structuredClone(record);
    reconfigure(record, { ...record.settings, name: 'other', labels: { region: 'x' } }, pool.chain, 9);
    expect(record).toMatchObject({ identity, head, read: tally, quarantine: { good: 0 } });
    expect(record.settings.name).toBe('other');
  });

  it('takes new roles, limits and switches at once', () => {
    const pool = newPool();
    const record = at(pool, 0);
    const takes = (need: typeof read): boolean => placeOf(record, need, firstAsk, 10) < nowhere;
    reconfigure(record, { ...record.settings, roles: ['broadcast'] }, pool.chain, 10);
    expect([takes(read), takes(broadcast)]).toEqual([false, true]);
    reconfigure(record, { ...record.settings, roles: ['read'], rps: 1 }, pool.chain, 10);
    expect([takes(read), takes(broadcast)]).toEqual([true, false]);
    begin(pool, record, 'read', 'client', 10);
    expect(takes(read)).toBe(false);
    reconfigure(record, { ...record.settings, disabled: true }, pool.chain, 10);
    expect(record).toMatchObject({ disabled: true, switchedAt: 10 });
  });

  it('an override of the operator stands until the config itself changes', () => {
    const pool = newPool();
    const record = at(pool, 0);
    setSwitches(pool, record, { weight: 10, disabled: true }, 1);
    reconfigure(record, { ...record.settings, labels: { a: 'b' } }, pool.chain, 2);
    expect(record).toMatchObject({ weight: 10, disabled: true, switchedAt: 1 });
    reconfigure(record, { ...record.settings, weight: 70 }, pool.chain, 3);
    expect(record).toMatchObject({ weight: 70, disabled: true, switchedAt: 3 });
  });

  it('a pace that did not change is kept, so that a reload gives no second helping', () => {
    const pool = newPool({ endpoints: [{ rps: 1 }] });
    const record = at(pool, 0);
    begin(pool, record, 'read', 'client', 10);
    reconfigure(record, { ...record.settings, weight: 70 }, pool.chain, 20);
    expect(record.pace.roomAt).toBe(1_010);
  });
});

describe('an attempt', () => {
  it('counts as in flight until it ends, once', () => {
    const pool = newPool();
    const record = at(pool, 0);
    const one = begin(pool, record, 'read', 'client', 1);
    const two = begin(pool, record, 'read', 'retry', 1);
    expect([record.inFlight, pool.retries]).toEqual([2, 1]);
    observe(one, seen('ok'), 2, 0);
    observe(one, seen('transport'), 3, 0);
    abandon(one, 4, 0);
    abandon(two, 4, 0);
    expect([record.inFlight, pool.retries]).toEqual([0, 0]);
    expect(record.read).toMatchObject({ success: 1, streak: 0 });
  });

  it('the client went away: nobody’s fault', () => {
    const pool = newPool();
    const record = at(pool, 0);
    const before = structuredClone(record);
    abandon(begin(pool, record, 'read', 'client', 1), 4_000, 0);
    expect(record).toEqual(before);
  });

  it('an abandoned trial frees its place', () => {
    const pool = newPool();
    const record = at(pool, 0);
    times(5, n => attempt(pool, record, 'transport', n));
    times(5, n => attempt(pool, record, 'transport', n, { class: 'heavy' }));
    const probe = begin(pool, record, 'read', 'height', 40_000);
    expect([probe.trial, probe.heavyTrial]).toEqual([true, true]);
    abandon(probe, 40_001, 0);
    const next = begin(pool, record, 'read', 'height', 40_002);
    expect([next.trial, next.heavyTrial]).toEqual([true, true]);
  });
});

describe('a new record', () => {
  it('takes nothing before it proved itself, and is not called stale for it', () => {
    const record = newEndpoint('a', {}, undefined, {}, 500);
    expect(placeOf(record, read, firstAsk, 500)).toBe(nowhere);
    expect(record.head.freshUntil).toBe(20_500);
    expect(record.told).toBe(record.closed);
  });
});
