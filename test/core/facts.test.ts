import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EndpointRecord } from '../../src/core/endpoint.ts';
import { noteBuilds, noteIdentity, quarantine, setSwitches } from '../../src/core/facts.ts';
import { firstAsk, nowhere, placeOf } from '../../src/core/place.ts';
import { createPool } from '../../src/core/pool.ts';
import { stateOf } from '../../src/core/state.ts';
import {
  at,
  attempt,
  chainSettings,
  head,
  newEndpoint,
  newPool,
  probeFails,
  read,
  show,
  times,
} from './pool-fixture.ts';

const takes = (record: EndpointRecord, now: number): boolean =>
  placeOf(record, read, firstAsk, now) < nowhere;
const told = (changes: readonly { gate: { name: string }; shut: boolean }[]) =>
  changes.map(({ gate, shut }) => `${gate.name} ${shut ? 'shut' : 'open'}`);

describe('identity: not verified', () => {
  it('an endpoint that never proved its identity takes nothing; the first proof releases it', () => {
    const pool = newPool({ unlearned: true });
    const record = at(pool, 0);
    expect(takes(record, 0)).toBe(false);
    expect(stateOf(record, 0).state).toBe('not_verified');
    expect(told(noteIdentity(pool, record, '7', 10))).toEqual(['not_verified open']);
    expect(takes(record, 10)).toBe(true);
  });

  it('no answer is no proof, and is asked again after 15 s', () => {
    const pool = newPool({ unlearned: true });
    const record = at(pool, 0);
    expect(noteIdentity(pool, record, undefined, 100)).toEqual([]);
    expect(record.identity).toMatchObject({ state: 'unproven', dueAt: 15_100 });
  });

  it('a later failure to answer changes nothing', () => {
    const pool = newPool();
    const record = at(pool, 0);
    times(100, n => noteIdentity(pool, record, undefined, n));
    expect(takes(record, 100)).toBe(true);
  });

  it('is asked again hourly', () => {
    const pool = newPool();
    noteIdentity(pool, at(pool, 0), '7', 500);
    expect(at(pool, 0).identity.dueAt).toBe(3_600_500);
  });

  it('the result stands over restarts, and is asked again at once', () => {
    const verified = newEndpoint('a', {}, chainSettings, { identity: { state: 'verified', claims: '7' } }, 9);
    expect(verified.identity).toMatchObject({ state: 'verified', dueAt: 9 });
    expect(takes(verified, 9)).toBe(true);
    const wrong = newEndpoint('a', {}, chainSettings, { identity: { state: 'wrong', claims: '8' } }, 9);
    expect(stateOf(wrong, 9)).toMatchObject({ state: 'wrong_network', reason: expect.stringContaining('8') });
  });
});

describe('identity: wrong network', () => {
  it('it proved a different identity: held at once, an alarm', () => {
    const pool = newPool();
    const record = at(pool, 0);
    const [change] = noteIdentity(pool, record, '8', 10);
    expect(change).toMatchObject({ shut: true, level: 'alarm', gate: { name: 'wrong_network', since: 10 } });
    expect(takes(record, 10)).toBe(false);
    expect(stateOf(record, 10).state).toBe('wrong_network');
    expect(record.identity.dueAt).toBe(15_010);
  });

  it('the right one proved 3 times in a row releases it, then quarantine', () => {
    const pool = newPool();
    const record = at(pool, 0);
    noteIdentity(pool, record, '8', 0);
    noteIdentity(pool, record, '7', 15_000);
    noteIdentity(pool, record, '7', 30_000);
    expect(stateOf(record, 30_000).state).toBe('wrong_network');
    expect(told(noteIdentity(pool, record, '7', 45_000))).toEqual(['wrong_network open', 'quarantine shut']);
    show(pool, record, head, 45_000);
    expect(stateOf(record, 45_000).label).toBe('quarantine 1/20');
  });

  it('a wrong one in between starts over, no answer does not', () => {
    const pool = newPool();
    const record = at(pool, 0);
    for (const [n, claims] of ['8', '7', '7', '8', '7', '7', undefined].entries()) {
      noteIdentity(pool, record, claims, n);
      expect(record.identity.state).toBe('wrong');
    }
    noteIdentity(pool, record, '7', 10);
    expect(record.identity.state).toBe('verified');
  });

  it('while it is wrong it has no voice in the median', () => {
    const pool = newPool({ endpoints: [{}, {}] });
    noteIdentity(pool, at(pool, 0), '8', 1);
    show(pool, at(pool, 0), head + 2, 1);
    expect(pool.head.median).toBe(head);
  });
});

describe('API-only (TRON)', () => {
  const tron = (): ReturnType<typeof newPool> => newPool({ chain: { family: 'tron' } });

  it('holds from the start until a probe answers', () => {
    const pool = tron();
    expect(takes(at(pool, 0), 1)).toBe(false);
    expect(stateOf(at(pool, 0), 1).state).toBe('not_verified');
    expect(told(noteBuilds(at(pool, 0), true, 2))).toEqual(['api_only open']);
    expect(takes(at(pool, 0), 2)).toBe(true);
  });

  it('three-valued: no answer changes nothing, neither way', () => {
    const pool = tron();
    const record = at(pool, 0);
    noteBuilds(record, undefined, 1);
    expect(takes(record, 1)).toBe(false);
    noteBuilds(record, true, 2);
    noteBuilds(record, undefined, 3);
    expect(takes(record, 3)).toBe(true);
    noteBuilds(record, false, 4);
    noteBuilds(record, undefined, 5);
    expect(stateOf(record, 5).state).toBe('api_only');
    noteBuilds(record, true, 6);
    expect(takes(record, 6)).toBe(true);
  });

  it('other families are not asked', () => {
    expect(at(newPool(), 0).builds).toMatchObject({ answer: 'yes', dueAt: Number.POSITIVE_INFINITY });
  });

  it('what was shown survives a restart', () => {
    const chain = { ...chainSettings, family: 'tron' as const };
    expect(newEndpoint('a', {}, chain, { builds: true }).builds.answer).toBe('yes');
    expect(newEndpoint('a', {}, chain, { builds: false }).builds.answer).toBe('no');
  });
});

describe('quarantine', () => {
  function quarantined(): ReturnType<typeof newPool> {
    const pool = newPool();
    quarantine(at(pool, 0), 'added at runtime', 0);
    return pool;
  }

  it('20 consecutive good probes release it, and progress shows', () => {
    const pool = quarantined();
    const record = at(pool, 0);
    times(19, n => show(pool, record, head, n * 1_000));
    expect(stateOf(record, 19_000)).toMatchObject({
      state: 'quarantine',
      label: 'quarantine 19/20',
      progress: { done: 19, of: 20 },
    });
    expect(takes(record, 19_000)).toBe(false);
    expect(told(show(pool, record, head, 20_000))).toEqual(['quarantine open']);
    expect(takes(record, 20_000)).toBe(true);
  });

  it.each(['transport', 'node_failure', 'auth_refused', 'unsupported', 'app_error'] as const)(
    'a bad one starts over: %s',
    verdict => {
      const pool = quarantined();
      times(15, n => show(pool, at(pool, 0), head, n));
      probeFails(pool, at(pool, 0), verdict, 20);
      expect(at(pool, 0).quarantine.good).toBe(0);
    },
  );

  it('a rate-limited one neither counts nor resets', () => {
    const pool = quarantined();
    times(15, n => show(pool, at(pool, 0), head, n));
    probeFails(pool, at(pool, 0), 'rate_limited', 20);
    expect(at(pool, 0).quarantine.good).toBe(15);
  });

  it('a height beyond the threshold is a bad one, one within it is good', () => {
    const pool = quarantined();
    const record = at(pool, 0);
    times(5, n => show(pool, record, head - 2, n));
    expect(record.quarantine.good).toBe(5);
    show(pool, record, head - 3, 10);
    expect(record.quarantine.good).toBe(0);
  });

  it('a height ahead of all reason is a bad one', () => {
    const pool = quarantined();
    show(pool, at(pool, 0), head, 1);
    show(pool, at(pool, 0), head * 100, 2);
    expect(at(pool, 0).quarantine.good).toBe(0);
  });

  it('a contrary identity starts over', () => {
    const pool = quarantined();
    times(15, n => show(pool, at(pool, 0), head, n));
    noteIdentity(pool, at(pool, 0), '8', 20);
    expect(at(pool, 0).quarantine.good).toBe(0);
    times(30, n => show(pool, at(pool, 0), head, 30 + n));
    expect(at(pool, 0).quarantine.good).toBe(0);
  });

  it('traffic that shows a height does not count, nor does another probe', () => {
    const pool = quarantined();
    times(30, n => attempt(pool, at(pool, 0), 'ok', n, { seen: { height: head } }));
    times(30, n => attempt(pool, at(pool, 0), 'ok', n, { by: 'identity', seen: { height: head } }));
    expect(at(pool, 0).quarantine.good).toBe(0);
  });

  it('has no voice in the median', () => {
    const pool = newPool({ endpoints: [{}, {}] });
    quarantine(at(pool, 0), 'added at runtime', 0);
    show(pool, at(pool, 0), head + 2, 1);
    expect(pool.head.median).toBe(head);
  });

  it('starts with the record, when it is to, and a passed one does not come back', () => {
    const fresh = newEndpoint('a', {}, chainSettings, { quarantine: 'added at runtime' });
    expect(stateOf(fresh, 0).state).toBe('not_verified');
    expect(fresh.quarantine.good).toBe(0);
    expect(newEndpoint('a').quarantine.good).toBe(-1);
  });

  it('for any row of probes: out exactly when the last 20 that tell something are good', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('good', 'good', 'good', 'good', 'good', 'good', 'bad', 'limited'), {
          maxLength: 60,
        }),
        probes => {
          const pool = quarantined();
          let row = 0;
          for (const [n, probe] of probes.entries()) {
            if (probe === 'good') show(pool, at(pool, 0), head, n);
            else probeFails(pool, at(pool, 0), probe === 'bad' ? 'transport' : 'rate_limited', n);
            if (row < 20) row = probe === 'good' ? row + 1 : probe === 'bad' ? 0 : row;
          }
          expect(at(pool, 0).quarantine.good).toBe(row === 20 ? -1 : row);
        },
      ),
    );
  });
});

describe("the operator's switches", () => {
  it.each([
    [{ disabled: true }, 'disabled', 'disabled'],
    [{ draining: true }, 'draining', 'draining'],
    [{ weight: 0 }, 'weight_zero', 'draining'],
  ] as const)('%j holds, is told of once, and is shown as such', (switches, gate, word) => {
    const pool = newPool({ chain: { lastResort: 'stale' } });
    const record = at(pool, 0);
    expect(told(setSwitches(pool, record, switches, 5))).toEqual([`${gate} shut`]);
    expect(setSwitches(pool, record, switches, 6)).toEqual([]);
    expect(takes(record, 6)).toBe(false);
    expect(stateOf(record, 6)).toMatchObject({ state: word, since: 5 });
    expect(told(setSwitches(pool, record, { disabled: false, draining: false, weight: 50 }, 7))).toEqual([
      `${gate} open`,
    ]);
    expect(takes(record, 7)).toBe(true);
  });

  it('a new weight counts in the score at once', () => {
    const pool = newPool();
    setSwitches(pool, at(pool, 0), { weight: 80 }, 1);
    expect(at(pool, 0).read.score).toBe(8_000);
  });

  it('a disabled endpoint has no voice in the median', () => {
    const pool = newPool({ endpoints: [{}, {}] });
    show(pool, at(pool, 0), head + 1, 1);
    expect(pool.head.median).toBe(head + 1);
    setSwitches(pool, at(pool, 0), { disabled: true }, 2);
    expect(pool.head.median).toBe(head);
  });
});

describe('a pool that takes the place of another', () => {
  it('keeps what is known of the chain, and starts its counts of requests anew', () => {
    const before = newPool();
    before.requests = 5;
    const [first] = before.records;
    if (first === undefined) throw new Error('the pool is not empty');
    const after = createPool(chainSettings, [first], before);
    expect(after.head.median).toBe(head);
    expect(after).toMatchObject({ requests: 0, retries: 0 });
  });
});
