import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noteIdentity, quarantine, setSwitches } from '../../src/core/facts.ts';
import { abandon, begin, observe } from '../../src/core/observe.ts';
import { questionDue } from '../../src/core/probing.ts';
import { at, attempt, chainSettings, head, newEndpoint, newPool, seen, show, times } from './pool-fixture.ts';

describe('probes', () => {
  it('ask for the identity first, then what building needs, then the height', () => {
    const pool = newPool({ unlearned: true, chain: { family: 'tron' } });
    const record = at(pool, 0);
    expect(questionDue(record, 0)).toBe('identity');
    begin(pool, record, 'read', 'identity', 0);
    expect(questionDue(record, 0)).toBe('builds');
    begin(pool, record, 'read', 'builds', 0);
    expect(questionDue(record, 0)).toBe('height');
    begin(pool, record, 'read', 'height', 0);
    expect(questionDue(record, 1e9)).toBeUndefined();
  });

  it('height every 5 s, spread: between 4.5 and 5.5 s after the last', () => {
    for (const [chance, due] of [
      [0, 4_500],
      [0.5, 5_000],
      [1, 5_500],
    ] as const) {
      const pool = newPool();
      const record = at(pool, 0);
      attempt(pool, record, 'ok', 10_000, { by: 'height', chance, seen: { height: head } });
      expect(record.probing.heightDueAt).toBe(10_000 + due);
    }
  });

  it('the second one lands anywhere in the interval, so that a pool does not start in step', () => {
    const dues = [0.1, 0.4, 0.9].map(chance => {
      const pool = newPool({ unlearned: true });
      attempt(pool, at(pool, 0), 'ok', 0, { by: 'height', chance, seen: { height: head } });
      return at(pool, 0).probing.heightDueAt;
    });
    expect(dues).toEqual([500, 2_000, 4_500]);
  });

  it('only the second: one that never answers is asked in the same rhythm', () => {
    const pool = newPool({ unlearned: true });
    const record = at(pool, 0);
    attempt(pool, record, 'transport', 0, { by: 'height', chance: 0.1 });
    attempt(pool, record, 'transport', 500, { by: 'height', chance: 0.1 });
    expect(record.probing.heightDueAt).toBe(500 + 4_600);
  });

  it('every second in quarantine', () => {
    const pool = newPool();
    quarantine(at(pool, 0), 'added at runtime', 0);
    show(pool, at(pool, 0), head, 10_000);
    expect(at(pool, 0).probing.heightDueAt).toBe(11_000);
  });

  it('skipped when traffic at the same level has just shown it', () => {
    const pool = newPool();
    attempt(pool, at(pool, 0), 'ok', 2_400, { seen: { height: head } });
    expect(questionDue(at(pool, 0), 7_399)).toBeUndefined();
    expect(questionDue(at(pool, 0), 7_400)).toBe('height');
  });

  it.each([
    ['in quarantine', pool => quarantine(at(pool, 0), 'added at runtime', 0)],
    [
      'to try a heavy circuit',
      pool => times(5, () => attempt(pool, at(pool, 0), 'transport', 1, { class: 'heavy' })),
    ],
    ['to try a read circuit', pool => times(5, () => attempt(pool, at(pool, 0), 'transport', 1))],
  ] satisfies [string, (pool: ReturnType<typeof newPool>) => void][])(
    'not skipped where it is to prove something: %s',
    (_name, shut) => {
      const pool = newPool();
      shut(pool);
      const due = at(pool, 0).probing.heightDueAt;
      attempt(pool, at(pool, 0), 'ok', 2_000, { seen: { height: head } });
      expect(at(pool, 0).probing.heightDueAt).toBe(due);
    },
  );

  it('an endpoint without traffic is probed all the same', () => {
    const pool = newPool();
    expect(questionDue(at(pool, 0), 10_000)).toBe('height');
  });

  it('leaves a rate limited endpoint alone', () => {
    const pool = newPool();
    attempt(pool, at(pool, 0), 'rate_limited', 10_000);
    expect(questionDue(at(pool, 0), 14_999)).toBeUndefined();
    expect(questionDue(at(pool, 0), 15_000)).toBe('height');
  });

  it('leaves a disabled endpoint alone', () => {
    const pool = newPool();
    setSwitches(pool, at(pool, 0), { disabled: true }, 1);
    expect(questionDue(at(pool, 0), 1e9)).toBeUndefined();
  });

  it('one that ended without an answer is soon asked again', () => {
    const pool = newPool({ unlearned: true });
    const record = at(pool, 0);
    abandon(begin(pool, record, 'read', 'identity', 0), 100, 0);
    expect(record.identity.dueAt).toBe(15_100);
    observe(begin(pool, record, 'read', 'identity', 20_000), seen('transport'), 20_100, 0);
    noteIdentity(pool, record, undefined, 20_100);
    expect(record.identity.dueAt).toBe(35_100);
  });
});

describe('probes.maxPerDay', () => {
  const capped = (most: number) => newEndpoint('a', {}, { ...chainSettings, probesMaxPerDay: most });

  it('for any cap: never more own requests in a day of virtual time, and not all of them in its first hours', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), most => {
        const pool = newPool({ chain: { probesMaxPerDay: most }, endpoints: [{}] });
        const record = at(pool, 0);
        let late = 0;
        for (let now = 0; now < 86_400_000; now += 5_000) {
          if (questionDue(record, now) === undefined) continue;
          const probe = begin(pool, record, 'read', 'height', now);
          record.identity.dueAt = Number.POSITIVE_INFINITY;
          observe(probe, seen('ok', { height: head }), now, 0.5);
          if (now > 60_000_000) late += 1;
        }
        expect(record.probing.today).toBeLessThanOrEqual(most);
        if (most > 100) expect(late).toBeGreaterThan(0);
      }),
      { numRuns: 20 },
    );
  });

  it.each([30, 500, 2_000])('%i a day: no endpoint is stale in the evening because the cap ran dry', most => {
    const pool = newPool({ chain: { probesMaxPerDay: most }, endpoints: [{}] });
    const record = at(pool, 0);
    let silent = 0;
    for (let now = 1_000; now < 86_400_000; now += 1_000) {
      const question = questionDue(record, now);
      if (question === 'height') show(pool, record, head, now);
      else if (question === 'identity') {
        observe(begin(pool, record, 'read', 'identity', now), seen('ok'), now, 0.5);
        noteIdentity(pool, record, '7', now);
      }
      if (record.head.freshUntil <= now) silent += 1;
    }
    expect(silent).toBe(0);
    expect(record.probing.today).toBeLessThanOrEqual(most);
  });

  it('trouble in the morning leaves probes for the evening', () => {
    const pool = newPool({ unlearned: true, chain: { probesMaxPerDay: 500 } });
    const record = at(pool, 0);
    const asked: number[] = [];
    for (let now = 0; now < 86_400_000; now += 1_000) {
      if (questionDue(record, now) !== 'identity') continue;
      asked.push(now);
      observe(begin(pool, record, 'read', 'identity', now), seen('transport'), now, 0.5);
      noteIdentity(pool, record, undefined, now);
    }
    expect(asked.filter(now => now > 80_000_000).length).toBeGreaterThan(10);
  });

  it('begins anew each day', () => {
    const record = capped(1);
    record.probing.today = 1;
    expect(questionDue(record, 86_399_999)).toBeUndefined();
    expect(questionDue(record, 86_400_000)).toBe('identity');
  });

  it('and the day after that', () => {
    const pool = newPool({ unlearned: true, chain: { probesMaxPerDay: 1 } });
    const record = at(pool, 0);
    abandon(begin(pool, record, 'read', 'identity', 200_000_000), 200_000_000, 0);
    expect(record.probing).toMatchObject({ today: 1, dayStart: 172_800_000 });
    expect(questionDue(record, 259_199_999)).toBeUndefined();
    expect(questionDue(record, 259_200_000)).toBe('identity');
  });

  it('without a cap there is none', () => {
    const record = newEndpoint('a');
    record.probing.today = 1e9;
    expect(questionDue(record, 1)).toBe('identity');
  });
});
