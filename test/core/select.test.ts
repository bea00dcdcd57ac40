import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChainSettings, EndpointSettings } from '../../src/core/chain.ts';
import type { EndpointRecord } from '../../src/core/endpoint.ts';
import { noteHistory, noteIdentity, quarantine, setSwitches } from '../../src/core/facts.ts';
import type { Need } from '../../src/core/need.ts';
import { begin, observe } from '../../src/core/observe.ts';
import {
  type Ask,
  degradedBy,
  firstAsk,
  lastResortPlace,
  nowhere,
  placeOf,
  unfitPlace,
} from '../../src/core/place.ts';
import { createPool, type Pool, refresh } from '../../src/core/pool.ts';
import { select } from '../../src/core/select.ts';
import { why } from '../../src/core/why.ts';
import {
  at,
  attempt,
  broadcast,
  head,
  heavy,
  newPool,
  probeFails,
  read,
  seen,
  show,
  times,
} from './pool-fixture.ts';
import { need as anyNeed, chain, endpoints, life, live } from './random-life.ts';

const now = 1_000;

function pools(chainSettings: Partial<ChainSettings>, ...each: Partial<EndpointSettings>[]): Pool {
  return newPool({ chain: chainSettings, ...(each.length === 0 ? {} : { endpoints: each }) });
}

function pick(pool: Pool, need: Need = read, ask: Partial<Ask> = {}, chance = 0.5, when = now): string {
  return nameOf(select(pool, need, { ...firstAsk, ...ask }, when, chance));
}

function nameOf(record: EndpointRecord | undefined): string {
  return record?.settings.name ?? 'nobody';
}

/** Five failures, so that its circuit opens. */
function breakIt(
  pool: Pool,
  n: number,
  workClass: 'read' | 'heavy' | 'broadcast' = 'read',
  when = now,
): void {
  times(5, () => attempt(pool, at(pool, n), 'transport', when, { class: workClass }));
}

describe('best', () => {
  it('highest score', () => {
    expect(pick(pools({}, { weight: 50 }, { weight: 60 }, { weight: 55 }))).toBe('b');
  });

  it('equals go by config order', () => {
    expect(pick(pools({}))).toBe('a');
  });

  it('per class: failures of heavy calls do not move reads', () => {
    const pool = pools({});
    attempt(pool, at(pool, 0), 'transport', now, { class: 'heavy' });
    expect([pick(pool), pick(pool, heavy)]).toEqual(['a', 'b']);
  });

  it('2 % stickiness stops flapping between equals: a lead within it moves nothing, ever', () => {
    const pool = pools({}, { weight: 50 }, { weight: 50 });
    expect(pick(pool)).toBe('a');
    setSwitches(pool, at(pool, 1), { weight: 51 }, now);
    times(100, n => {
      attempt(pool, at(pool, 0), 'ok', now + n);
      expect(pick(pool)).toBe('a');
    });
  });

  it('a small lead moves it when it lasted for five observations, however many picks were in between', () => {
    const pool = pools({}, { weight: 50 }, { weight: 50 });
    pick(pool);
    setSwitches(pool, at(pool, 1), { weight: 52 }, now);
    times(50, () => expect(pick(pool)).toBe('a'));
    times(4, n => attempt(pool, at(pool, 0), 'ok', now + n));
    expect(pick(pool)).toBe('a');
    attempt(pool, at(pool, 0), 'ok', now + 5);
    expect(pick(pool)).toBe('b');
    expect(pick(pool)).toBe('b');
  });

  it('a lead that went away in between begins anew', () => {
    const pool = pools({}, { weight: 50 }, { weight: 50 });
    pick(pool);
    setSwitches(pool, at(pool, 1), { weight: 52 }, now);
    pick(pool);
    times(4, n => attempt(pool, at(pool, 0), 'ok', now + n));
    setSwitches(pool, at(pool, 1), { weight: 50 }, now);
    pick(pool);
    setSwitches(pool, at(pool, 1), { weight: 52 }, now);
    times(4, n => attempt(pool, at(pool, 0), 'ok', now + n));
    expect(pick(pool)).toBe('a');
  });

  it('a lead of just 10 % is not clear yet', () => {
    const pool = pools({}, { weight: 50 }, { weight: 50 });
    pick(pool);
    setSwitches(pool, at(pool, 1), { weight: 55 }, now);
    expect(pick(pool)).toBe('a');
  });

  it('requests of another kind in between do not disturb that', () => {
    const pool = pools({}, { weight: 50 }, { weight: 50 }, { weight: 10, history: 'full' });
    for (const n of [0, 1]) noteHistory(at(pool, n), 'state', 900);
    pick(pool);
    setSwitches(pool, at(pool, 1), { weight: 52 }, now);
    times(5, n => {
      pick(pool);
      expect(pick(pool, { ...read, history: { kind: 'state', height: 5 } })).toBe('c');
      attempt(pool, at(pool, 0), 'ok', now + n);
    });
    expect(pick(pool)).toBe('b');
  });

  it('what lives on one node does not move the favourite', () => {
    const pool = pools({}, { weight: 50 }, { weight: 60 });
    expect(pick(pool, read, { only: at(pool, 0) })).toBe('a');
    expect(pool.favourites.read.record).toBeUndefined();
  });

  it('a clear lead moves it at once', () => {
    const pool = pools({}, { weight: 50 }, { weight: 50 });
    pick(pool);
    setSwitches(pool, at(pool, 1), { weight: 56 }, now);
    expect(pick(pool)).toBe('b');
  });

  it('one failure is a clear lead for the others', () => {
    const pool = pools({});
    pick(pool);
    attempt(pool, at(pool, 0), 'transport', now);
    expect(pick(pool)).toBe('b');
  });

  it('one that was held back does not get its place back by being equal', () => {
    const pool = pools({});
    pick(pool);
    attempt(pool, at(pool, 0), 'rate_limited', now);
    expect(pick(pool)).toBe('b');
    expect(pick(pool, read, {}, 0.5, 10_000)).toBe('b');
  });

  it.each([
    ['a request it cannot serve', { ...read, height: head + 1 }],
    ['an old block it does not keep', { ...read, history: { kind: 'state' as const, height: 5 } }],
  ])('%s does not unseat the favourite', (_name, need) => {
    const pool = pools({}, {}, { weight: 49, history: 'full' });
    noteHistory(at(pool, 0), 'state', 900);
    expect(pick(pool)).toBe('a');
    show(pool, at(pool, 1), head + 1, now);
    expect(pick(pool, need)).toBe('b');
    expect(pick(pool)).toBe('a');
  });

  it('nor does a moment without room', () => {
    const pool = pools({}, { maxInFlight: 1 }, {});
    pick(pool);
    const running = begin(pool, at(pool, 0), 'read', 'client', now);
    expect(pick(pool)).toBe('b');
    observe(running, seen('ok'), now, 0);
    expect(pick(pool)).toBe('a');
  });

  it('forgets the favourite that left the pool', () => {
    const pool = pools({}, { weight: 60 }, {}, {});
    pick(pool);
    const rest = createPool(pool.chain, pool.records.slice(1), pool);
    expect(pick(rest)).toBe('b');
  });

  it('equal endpoints under noise: the favourite stays for a thousand observations', () => {
    const pool = pools({}, {}, {}, {}, {});
    const chosen = new Set<string>();
    let seed = 7;
    times(1_000, n => {
      seed = (seed * 48_271) % 2_147_483_647;
      const ms = 20 + (seed % 4);
      const record = at(pool, n % 4);
      attempt(pool, record, 'ok', now + n, { by: 'height', seen: { height: head, ms } });
      if (n % 50 === 0) refresh(pool, now + n);
      chosen.add(pick(pool, read, {}, 0.5, now + n));
    });
    expect([...chosen]).toHaveLength(1);
  });
});

describe('the other strategies', () => {
  it('priority: config order, runtime endpoints last', () => {
    const pool = pools(
      { strategy: 'priority' },
      { origin: 'runtime', weight: 100 },
      { weight: 1 },
      { weight: 90 },
    );
    expect(pick(pool)).toBe('b');
    breakIt(pool, 1);
    expect(pick(pool)).toBe('c');
    breakIt(pool, 2);
    expect(pick(pool)).toBe('a');
  });

  it('weighted: random by score', () => {
    const pool = pools({ strategy: 'weighted' }, { weight: 10 }, { weight: 30 }, { weight: 60 });
    const counts: Record<string, number> = {};
    times(10_000, n => {
      const name = pick(pool, read, {}, n / 10_000);
      counts[name] = (counts[name] ?? 0) + 1;
    });
    expect([counts.a, counts.b, counts.c].map(count => Math.round((count ?? 0) / 100))).toEqual([10, 30, 60]);
  });

  it('weighted: never one that is held back, whatever the chance', () => {
    const pool = pools({ strategy: 'weighted' });
    breakIt(pool, 1);
    times(100, n => expect(pick(pool, read, {}, n / 100)).not.toBe('b'));
  });

  it('weighted: never one that was tried already', () => {
    const pool = pools({ strategy: 'weighted' });
    times(100, n => expect(pick(pool, read, { tried: [at(pool, 0), at(pool, 2)] }, n / 100)).toBe('b'));
  });

  it('least-outstanding: fewest in flight over weight', () => {
    const pool = pools({ strategy: 'least-outstanding' }, { weight: 50 }, { weight: 100 });
    times(3, () => begin(pool, at(pool, 0), 'read', 'client', now));
    times(5, () => begin(pool, at(pool, 1), 'read', 'client', now));
    expect(pick(pool)).toBe('b');
    times(2, () => begin(pool, at(pool, 1), 'read', 'client', now));
    expect(pick(pool)).toBe('a');
  });

  it('latency: lowest measured, the unmeasured last', () => {
    const pool = newPool({ chain: { strategy: 'latency' }, unlearned: true });
    for (const record of pool.records) noteIdentity(pool, record, '7', 0);
    expect(pick(pool)).toBe('a');
    attempt(pool, at(pool, 1), 'ok', 0, { by: 'height', seen: { height: head, ms: 90 } });
    expect(pick(pool)).toBe('b');
    attempt(pool, at(pool, 2), 'ok', 0, { by: 'height', seen: { height: head, ms: 30 } });
    expect(pick(pool)).toBe('c');
  });

  it.each(['best', 'priority', 'weighted', 'least-outstanding', 'latency'] as const)(
    '%s chooses only among endpoints that nothing holds back',
    strategy => {
      const pool = pools({ strategy }, { weight: 100 }, { weight: 1 }, { weight: 100 });
      breakIt(pool, 0);
      quarantine(at(pool, 2), 'added at runtime', now);
      times(20, n => expect(pick(pool, read, {}, n / 20)).toBe('b'));
    },
  );
});

describe('trickle', () => {
  it('a backup gets it when the chain asks for it: its share, and evenly', () => {
    const pool = pools({ trickle: 0.01 });
    const counts: Record<string, number> = {};
    times(10_000, n => {
      const name = pick(pool, read, {}, n / 10_000);
      counts[name] = (counts[name] ?? 0) + 1;
    });
    expect(counts).toEqual({ a: 9_900, b: 50, c: 50 });
  });

  it.each([
    ['heavy calls', heavy, {}],
    ['broadcasts', broadcast, {}],
  ])('not %s', (_name, need, ask) => {
    expect(pick(pools({ trickle: 0.5 }), need, ask, 0)).toBe('a');
  });

  it('not the second try of a request', () => {
    const pool = pools({ trickle: 0.5 });
    expect(pick(pool, read, { tried: [at(pool, 0)] }, 0)).toBe('b');
  });

  it('never to one that is held back', () => {
    const pool = pools({ trickle: 0.5 });
    breakIt(pool, 1);
    times(50, n => expect(pick(pool, read, {}, n / 100)).toBe('c'));
  });

  it('stays at home when there is no backup', () => {
    expect(pick(pools({ trickle: 0.5 }, {}), read, {}, 0)).toBe('a');
  });

  it('does not move the favourite', () => {
    const pool = pools({ trickle: 0.5 });
    pick(pool);
    times(20, () => pick(pool, read, {}, 0));
    expect(pick(pool)).toBe('a');
  });
});

describe('last resort', () => {
  const allSlow = (pool: Pool): void => {
    for (const record of pool.records) attempt(pool, record, 'ok', now, { seen: { ms: 1e6 } });
  };

  it('when no endpoint is open, the best of those held only by slow', () => {
    const pool = pools({ maxLatencyMs: 100 }, {}, { weight: 60 }, {});
    allSlow(pool);
    breakIt(pool, 2);
    expect(pick(pool)).toBe('b');
    expect(degradedBy(at(pool, 1), read, now)).toBe('slow');
    expect(degradedBy(at(pools({}), 0), read, now)).toBeUndefined();
  });

  it('then only by circuit', () => {
    const pool = pools({ maxLatencyMs: 100 }, {}, {}, { weight: 100 });
    breakIt(pool, 2);
    attempt(pool, at(pool, 0), 'rate_limited', now);
    attempt(pool, at(pool, 1), 'rate_limited', now);
    expect(pick(pool)).toBe('c');
    expect(degradedBy(at(pool, 2), read, now)).toBe('circuit');
  });

  it('the best, not one drawn, whatever the strategy', () => {
    const pool = pools({ maxLatencyMs: 100, strategy: 'weighted' }, { weight: 50 }, { weight: 60 });
    allSlow(pool);
    expect(pick(pool, read, {}, 0)).toBe('b');
  });

  it('slow before circuit, whatever the score', () => {
    const pool = pools({ maxLatencyMs: 100 }, { weight: 1 }, { weight: 100 });
    attempt(pool, at(pool, 0), 'ok', now, { seen: { ms: 1e6 } });
    breakIt(pool, 1);
    expect(pick(pool)).toBe('a');
  });

  it('or when the open ones have failed within this request', () => {
    const pool = pools({}, {}, {});
    breakIt(pool, 1);
    expect(pick(pool)).toBe('a');
    expect(pick(pool, read, { tried: [at(pool, 0)] })).toBe('b');
  });

  it('lastResort: false turns it off', () => {
    const pool = pools({ lastResort: 'off' }, {});
    breakIt(pool, 0);
    expect(pick(pool)).toBe('nobody');
  });

  it('reads only', () => {
    const pool = pools({}, {});
    breakIt(pool, 0, 'broadcast');
    breakIt(pool, 0, 'heavy');
    expect(pick(pool, broadcast)).toBe('nobody');
    expect(pick(pool, heavy)).toBe('a');
  });

  it('a stale one serves only requests that name a height it has', () => {
    const pool = pools({});
    show(pool, at(pool, 2), head - 50, now);
    const ask = { tried: [at(pool, 0), at(pool, 1)] };
    expect(pick(pool, read, ask)).toBe('nobody');
    expect(pick(pool, { ...read, height: head - 50 }, ask)).toBe('c');
    expect(pick(pool, { ...read, height: head - 49 }, ask)).toBe('nobody');
    expect(degradedBy(at(pool, 2), read, now)).toBe('stale');
  });

  it('or any read where the chain says `lastResort: stale`', () => {
    const pool = pools({ lastResort: 'stale' });
    show(pool, at(pool, 2), head - 50, now);
    expect(pick(pool, read, { tried: [at(pool, 0), at(pool, 1)] })).toBe('c');
  });

  it('one that is stale and broken serves nobody', () => {
    const pool = pools({ lastResort: 'stale' }, {});
    breakIt(pool, 0);
    expect(pick(pool, read, {}, 0.5, 25_000)).toBe('nobody');
  });

  it('one that hangs is slow and broken at once, and no worse for it', () => {
    const pool = pools({ maxLatencyMs: 100 }, {});
    allSlow(pool);
    breakIt(pool, 0);
    expect(pick(pool)).toBe('a');
  });

  it('waits for room at a good one first', () => {
    const pool = pools({}, { maxInFlight: 1 }, {});
    breakIt(pool, 1);
    begin(pool, at(pool, 0), 'read', 'client', now);
    expect(pick(pool)).toBe('nobody');
    expect(pick(pool, read, { waited: true })).toBe('b');
  });

  it('also before a slow one', () => {
    const pool = pools({ maxLatencyMs: 100 }, { maxInFlight: 1 }, {});
    begin(pool, at(pool, 0), 'read', 'client', now);
    attempt(pool, at(pool, 1), 'ok', now, { seen: { ms: 1e6 } });
    expect(pick(pool)).toBe('nobody');
  });

  it('does not wait for room at one that is a last resort itself', () => {
    const pool = pools({ maxLatencyMs: 100 }, { maxInFlight: 1 }, {});
    attempt(pool, at(pool, 0), 'ok', now, { seen: { ms: 1e6 } });
    begin(pool, at(pool, 0), 'read', 'client', now);
    breakIt(pool, 1);
    expect(pick(pool)).toBe('b');
  });

  it('is no favourite afterwards', () => {
    const pool = pools({}, {}, { weight: 60 });
    breakIt(pool, 0);
    breakIt(pool, 1);
    pick(pool);
    times(3, n => attempt(pool, at(pool, 0), 'ok', 40_000 + n, { by: 'height', seen: { height: head } }));
    expect(pick(pool, read, {}, 0.5, 40_010)).toBe('a');
  });
});

describe('busy', () => {
  it('maxInFlight', () => {
    const pool = pools({}, { maxInFlight: 2 }, {});
    times(2, () => begin(pool, at(pool, 0), 'read', 'client', now));
    expect(pick(pool)).toBe('b');
  });

  it('rps: for any demand, never more starts in any second', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 2, 5, 2.5),
        fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 80 }),
        (rps, gaps) => {
          const pool = pools({}, { rps });
          const starts: number[] = [];
          let when = 10_000;
          for (const gap of gaps) {
            when += gap;
            if (select(pool, read, { ...firstAsk, waited: true }, when, 0) === undefined) continue;
            observe(begin(pool, at(pool, 0), 'read', 'client', when), seen('ok', { height: head }), when, 0);
            starts.push(when);
          }
          const window = (Math.max(1, Math.floor(rps)) * 1_000) / rps;
          for (const start of starts) {
            const within = starts.filter(other => other >= start && other < start + window).length;
            expect(within).toBeLessThanOrEqual(Math.max(1, Math.floor(rps)));
          }
          expect(starts.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe('height', () => {
  it('a request that names a height goes only to endpoints at or above it', () => {
    const pool = pools({}, { weight: 60 }, {}, { weight: 55 });
    show(pool, at(pool, 1), head + 1, now);
    expect(pick(pool, { ...read, height: head + 1 })).toBe('b');
    expect(pick(pool, { ...read, height: head })).toBe('a');
  });

  it('if there is none, to the highest', () => {
    const pool = pools({}, { weight: 100 }, {}, {});
    show(pool, at(pool, 2), head + 1, now);
    expect(pick(pool, { ...read, height: head + 100 })).toBe('c');
  });

  it('before that, to a broken one that has it', () => {
    const pool = pools({}, {}, {});
    show(pool, at(pool, 1), head + 1, now);
    breakIt(pool, 1);
    expect(pick(pool, { ...read, height: head + 1 })).toBe('b');
  });

  it('for any heights: never below the named one while an open one has it, else the highest of the open', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: -3, max: 3 }),
        fc.nat(99),
        (offsets, named, chance) => {
          const pool = pools({ trickle: 0.3 }, ...offsets.map(() => ({})));
          for (const [n, offset] of offsets.entries()) show(pool, at(pool, n), head + offset, now);
          const open = pool.records.filter(record => placeOf(record, read, firstAsk, now) === 0);
          const heights = open.map(record => record.head.height);
          fc.pre(open.length > 0);
          const chosen = select(pool, { ...read, height: head + named }, firstAsk, now, chance / 100);
          const reached = heights.some(height => height >= head + named);
          if (reached) expect(chosen?.head.height).toBeGreaterThanOrEqual(head + named);
          else expect(chosen?.head.height).toBe(Math.max(...heights));
        },
      ),
    );
  });
});

describe('history', () => {
  const old: Need = { ...read, history: { kind: 'state', height: 10 }, height: 10 };

  it('a request that names an old block goes straight to endpoints that keep it', () => {
    const pool = pools({}, { weight: 100 }, { history: 'full' }, { weight: 90 });
    expect(pick(pool, old)).toBe('b');
  });

  it('by kind, as probes found the bounds', () => {
    const pool = pools({}, {}, {}, {});
    noteHistory(at(pool, 0), 'state', 900);
    noteHistory(at(pool, 1), 'state', 5);
    noteHistory(at(pool, 0), 'blocks', 0);
    expect(pick(pool, old)).toBe('b');
    expect(pick(pool, { ...read, history: { kind: 'blocks', height: 10 } })).toBe('a');
  });

  it.each([
    [872, 'no'],
    [873, 'yes'],
  ])('`recent` keeps the last 128: height %i of 1000: %s', (height, keeps) => {
    const pool = pools({}, { weight: 100, history: 'recent' }, { history: 'full' });
    const chosen = pick(pool, { ...read, history: { kind: 'state', height } });
    expect(chosen).toBe(keeps === 'yes' ? 'a' : 'b');
  });

  it.each([
    [872, 'b'],
    [873, 'a'],
  ])('`auto` without bounds may lack what is older than 128: height %i goes to %s', (height, expected) => {
    const pool = pools({}, { weight: 100 }, { history: 'full' });
    expect(pick(pool, { ...read, history: { kind: 'state', height } })).toBe(expected);
  });

  it('a bound moves up with the head', () => {
    const pool = pools({}, { weight: 100 }, { history: 'full' });
    noteHistory(at(pool, 0), 'state', 873);
    expect(pick(pool, { ...read, history: { kind: 'state', height: 873 } })).toBe('a');
    show(pool, at(pool, 0), head + 1, now);
    expect(pick(pool, { ...read, history: { kind: 'state', height: 873 } })).toBe('b');
  });

  it('one that perhaps keeps it before a last resort that does', () => {
    const pool = pools({}, {}, { history: 'full' });
    breakIt(pool, 1);
    expect(pick(pool, old)).toBe('a');
    expect(pick(pool, old, { tried: [at(pool, 0)] })).toBe('b');
  });

  it('when nobody keeps it, somebody is asked all the same', () => {
    const pool = pools({}, { history: 'recent' }, { history: 'recent', weight: 60 });
    expect(pick(pool, { ...read, history: { kind: 'state', height: 10 } })).toBe('b');
  });

  it('what cannot be placed in time goes to the best, and after `missing_history` to who keeps everything', () => {
    const unplaced: Need = { ...read, unplaced: 'transactions' };
    const pool = pools({}, { weight: 100 }, { weight: 90 }, { history: 'full' });
    expect(pick(pool, unplaced)).toBe('a');
    expect(pick(pool, unplaced, { tried: [at(pool, 0)], missing: true })).toBe('c');
  });
});

describe('role', () => {
  it.each([
    [['broadcast'], read, false],
    [['read'], read, true],
    [['read'], heavy, true],
    [['history'], read, false],
    [['read'], { ...read, history: { kind: 'state', height: 10 } }, false],
    [['read'], { ...read, history: { kind: 'state', height: head - 127 } }, true],
    [['history'], { ...read, history: { kind: 'state', height: 10 } }, true],
    [['history'], { ...read, unplaced: 'blocks' }, true],
    [['read', 'history'], broadcast, false],
    [['broadcast'], broadcast, true],
  ] as const)('%j takes %j: %s', (roles, need, takes) => {
    const pool = pools({ lastResort: 'stale' }, { roles, history: 'full' });
    expect(pick(pool, need)).toBe(takes ? 'a' : 'nobody');
  });
});

describe('broadcasts (6.1)', () => {
  it('the best of those open', () => {
    expect(pick(pools({}, {}, { weight: 60 }, {}), broadcast)).toBe('b');
  });

  it('by score, whatever the strategy of reads', () => {
    for (const strategy of ['priority', 'weighted', 'least-outstanding', 'latency'] as const) {
      expect(pick(pools({ strategy }, {}, { weight: 60 }, {}), broadcast, {}, 0)).toBe('b');
    }
  });

  it('broadcast: prefer goes first, allow next, never not at all', () => {
    const pool = pools({}, { weight: 100 }, { broadcast: 'never' }, { broadcast: 'prefer', weight: 1 });
    expect(pick(pool, broadcast)).toBe('c');
    expect(pick(pool, broadcast, { tried: [at(pool, 2)] })).toBe('a');
    expect(pick(pool, broadcast, { tried: [at(pool, 2), at(pool, 0)] })).toBe('nobody');
  });

  it.each([
    ['its read circuit is open', pool => breakIt(pool, 0)],
    ['its broadcast circuit is open', pool => breakIt(pool, 0, 'broadcast')],
    ['it is cooling', pool => attempt(pool, at(pool, 0), 'rate_limited', now)],
    ['its last height probe failed', pool => probeFails(pool, at(pool, 0), 'node_failure', now)],
    [
      'it is one block behind the pool',
      pool => {
        show(pool, at(pool, 1), head + 1, now);
        show(pool, at(pool, 2), head + 1, now);
        show(pool, at(pool, 0), head, now);
      },
    ],
    ['it is slow', pool => attempt(pool, at(pool, 0), 'ok', now, { seen: { ms: 1e6 } })],
    ['it is in quarantine', pool => quarantine(at(pool, 0), 'added at runtime', now)],
  ] satisfies [string, (pool: Pool) => void][])('not to one when %s', (_name, happen) => {
    const pool = pools({ lastResort: 'stale', maxLatencyMs: 100 }, { weight: 100 }, {}, {});
    expect(pick(pool, broadcast)).toBe('a');
    happen(pool);
    expect(pick(pool, broadcast)).toBe('b');
    expect(pick(pool, broadcast, { tried: [at(pool, 1), at(pool, 2)] })).toBe('nobody');
  });

  it('a heavy circuit does not matter', () => {
    const pool = pools({}, { weight: 100 }, {});
    breakIt(pool, 0, 'heavy');
    expect(pick(pool, broadcast)).toBe('a');
  });

  it('a head at the median of the moment it was seen is enough, though the pool has moved on', () => {
    const pool = pools({}, { weight: 100 }, {}, {});
    show(pool, at(pool, 1), head + 1, now);
    show(pool, at(pool, 2), head + 1, now);
    expect(pick(pool, broadcast)).toBe('a');
  });

  describe('a broadcast circuit that is half-open', () => {
    it('is tried only when no other endpoint can', () => {
      const pool = pools({}, { weight: 100 }, {});
      breakIt(pool, 0, 'broadcast');
      for (const record of pool.records) show(pool, record, head, 30_000);
      expect(pick(pool, broadcast, {}, 0, 31_000)).toBe('b');
      expect(pick(pool, broadcast, { tried: [at(pool, 1)] }, 0, 30_999)).toBe('nobody');
      expect(pick(pool, broadcast, { tried: [at(pool, 1)] }, 0, 31_000)).toBe('a');
    });

    it('takes one broadcast at a time', () => {
      const pool = pools({}, {});
      breakIt(pool, 0, 'broadcast');
      show(pool, at(pool, 0), head, 30_000);
      const trial = begin(pool, at(pool, 0), 'broadcast', 'client', 31_000);
      expect(trial.trial).toBe(true);
      expect(pick(pool, broadcast, {}, 0, 31_001)).toBe('nobody');
      observe(trial, seen('rate_limited', { judgement: { txOutcome: 'refused' } }), 31_002, 0);
      expect(pick(pool, broadcast, {}, 0, 40_000)).toBe('a');
    });

    it('a first accepted releases it', () => {
      const pool = pools({}, {});
      breakIt(pool, 0, 'broadcast');
      show(pool, at(pool, 0), head, 30_000);
      const trial = begin(pool, at(pool, 0), 'broadcast', 'client', 31_000);
      observe(trial, seen('ok', { judgement: { txOutcome: 'accepted' } }), 31_002, 0);
      expect(at(pool, 0).broadcast).toMatchObject({ success: 0.5, circuit: { state: 'closed' } });
    });
  });
});

describe('what lives on one node', () => {
  it('goes only to the endpoint that made it, softly held or not', () => {
    const pool = pools({}, { weight: 100 }, {});
    breakIt(pool, 1);
    show(pool, at(pool, 1), head - 100, now);
    expect(pick(pool, read, { only: at(pool, 1) })).toBe('b');
  });

  it('not past a hard gate, nor without room', () => {
    const pool = pools({}, {}, { maxInFlight: 1 });
    const running = begin(pool, at(pool, 1), 'read', 'client', now);
    expect(pick(pool, read, { only: at(pool, 1) })).toBe('nobody');
    observe(running, seen('ok'), now, 0);
    setSwitches(pool, at(pool, 1), { disabled: true }, now);
    expect(pick(pool, read, { only: at(pool, 1) })).toBe('nobody');
  });
});

describe('unsupported methods', () => {
  const trace: Need = { ...read, method: 'trace_block' };
  const refuses = (pool: Pool, n: number): void => {
    attempt(pool, at(pool, n), 'unsupported', now, {
      seen: { method: 'trace_block', judgement: { wholeMethod: true } },
    });
  };

  it('are remembered for that endpoint and method for an hour', () => {
    const pool = pools({ probeIntervalMs: 3_600_000 }, { weight: 100 }, {});
    refuses(pool, 0);
    expect([pick(pool, trace), pick(pool)]).toEqual(['b', 'a']);
    expect(pick(pool, trace, {}, 0.5, now + 3_599_999)).toBe('b');
    expect(pick(pool, trace, {}, 0.5, now + 3_600_000)).toBe('a');
  });

  it('only when the refusal is about the method as a whole', () => {
    const pool = pools({}, { weight: 100 }, {});
    attempt(pool, at(pool, 0), 'unsupported', now, { seen: { method: 'trace_block' } });
    expect(pick(pool, trace)).toBe('a');
  });

  it('memory alone never answers: when all are remembered, one is asked again', () => {
    const pool = pools({}, {}, { weight: 60 });
    refuses(pool, 0);
    refuses(pool, 1);
    expect(pick(pool, trace)).toBe('b');
    attempt(pool, at(pool, 1), 'ok', now, { seen: { method: 'trace_block' } });
    expect(at(pool, 1).unsupported.size).toBe(0);
  });

  it('a flood of names grows no memory', () => {
    const pool = pools({});
    const record = at(pool, 0);
    const refuse = (method: string): void => {
      attempt(pool, record, 'unsupported', now, { seen: { method, judgement: { wholeMethod: true } } });
    };
    times(1_000, n => refuse(`made_up_${n}`));
    refuse('x'.repeat(129));
    expect(record.unsupported.size).toBe(256);
    expect(record.unsupported.has('made_up_999')).toBe(true);
    expect(record.unsupported.has('made_up_743')).toBe(false);
    refresh(pool, now + 3_600_000);
    expect(record.unsupported.size).toBe(0);
  });
});

describe('for any life of a pool', () => {
  it('no endpoint twice, and nobody only when nobody may be tried', () => {
    fc.assert(
      fc.property(chain, endpoints, life, anyNeed, fc.nat(99), (c, e, events, need, chance) => {
        live({ chain: c, endpoints: e }, events, (pool, when) => {
          const tried: EndpointRecord[] = [];
          for (;;) {
            const ask = { ...firstAsk, tried, waited: true };
            const record = select(pool, need, ask, when, chance / 100);
            const left = pool.records.filter(
              other => !tried.includes(other) && placeOf(other, need, ask, when) < nowhere,
            );
            if (record === undefined) {
              if (left.length > 0) expect(left.map(nameOf)).toEqual([]);
              return;
            }
            if (!left.includes(record)) expect(nameOf(record)).toBe('one that is left');
            // Nobody of a better place is passed over.
            const place = placeOf(record, need, ask, when);
            const best = Math.min(...left.map(other => placeOf(other, need, ask, when)));
            if (place !== best) expect(place).toBe(best);
            tried.push(record);
          }
        });
      }),
      { numRuns: 100 },
    );
  });

  it('why tells the choice that select makes', () => {
    const withoutChance = chain.map(c => ({ ...c, trickle: 0, strategy: 'best' as const }));
    fc.assert(
      fc.property(withoutChance, endpoints, life, anyNeed, (c, e, events, need) => {
        live({ chain: c, endpoints: e }, events, (pool, when) => {
          const told = why(pool, need, when);
          const chosen = told.find(one => one.place === 'chosen')?.record;
          const record = select(pool, need, firstAsk, when, 0.5);
          if (chosen !== record) expect(nameOf(chosen)).toBe(nameOf(record));
          if (told.length !== pool.records.length) expect(told).toHaveLength(pool.records.length);
          for (const one of told) {
            const open = one.gates.length === 0;
            if (one.place === 'next' && !open) expect(one.gates).toEqual([]);
            if (one.place === 'held' && open && one.score.weight > 0) expect(one.place).toBe('next');
          }
        });
      }),
      { numRuns: 100 },
    );
  });
});

describe('why', () => {
  it('names place and reason for each endpoint, the chosen one first', () => {
    const pool = pools({}, { weight: 60 }, { weight: 50 }, { weight: 70 }, {}, {});
    breakIt(pool, 2);
    attempt(pool, at(pool, 3), 'rate_limited', now);
    noteHistory(at(pool, 4), 'state', 900);
    const need: Need = { ...read, history: { kind: 'state', height: 890 } };
    const told = why(pool, need, now);
    expect(told.map(one => [nameOf(one.record), one.place, one.reason])).toEqual([
      ['a', 'chosen', 'the highest score'],
      ['b', 'next', 'score 5000'],
      ['c', 'last_resort', '5 reads failed in a row, the last by test.transport'],
      ['e', 'unfit', 'it keeps state from 900 on, not at 890'],
      ['d', 'held', 'it is rate limited'],
    ]);
    expect(told[0]?.score).toMatchObject({ success: 1, weight: 60, score: 6_000 });
  });

  it('one that is only too low is unfit', () => {
    const pool = pools({}, {}, {});
    show(pool, at(pool, 0), head + 1, now);
    const told = why(pool, { ...read, height: head + 1 }, now);
    expect(told.map(one => [one.place, one.reason])).toEqual([
      ['chosen', 'the highest score'],
      ['unfit', 'its head is 1000, the request names 1001'],
    ]);
  });

  it('a slow one is a last resort', () => {
    const pool = pools({ maxLatencyMs: 100 }, {}, {});
    attempt(pool, at(pool, 1), 'ok', now, { seen: { ms: 1e6 } });
    expect(why(pool, read, now).map(one => one.place)).toEqual(['chosen', 'last_resort']);
  });

  it('changes nothing', () => {
    const pool = pools({});
    const before = structuredClone(pool.favourites.read);
    why(pool, read, now);
    expect(pool.favourites.read).toEqual(before);
  });

  it('says so when an endpoint is kept though another leads a little', () => {
    const pool = pools({}, { weight: 50 }, { weight: 50 });
    pick(pool);
    setSwitches(pool, at(pool, 1), { weight: 51 }, now);
    expect(why(pool, read, now)[0]).toMatchObject({
      place: 'chosen',
      reason: expect.stringContaining('in use'),
    });
  });

  it('places are in order', () => {
    expect(0 < lastResortPlace && lastResortPlace < unfitPlace && unfitPlace < nowhere).toBe(true);
  });
});
