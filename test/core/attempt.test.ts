import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attemptMs,
  nextStep,
  noteTried,
  type Step,
  startTrail,
  type Trail,
  whoMayKnow,
} from '../../src/core/attempt.ts';
import type { ChainSettings, EndpointSettings } from '../../src/core/chain.ts';
import type { EndpointRecord } from '../../src/core/endpoint.ts';
import { noteHistory, setSwitches } from '../../src/core/facts.ts';
import type { Need } from '../../src/core/need.ts';
import { begin, observe, undo } from '../../src/core/observe.ts';
import { firstAsk, nowhere, placeOf } from '../../src/core/place.ts';
import type { Pool } from '../../src/core/pool.ts';
import type { Reached } from '../../src/core/transport-fault.ts';
import type { Judgement, Verdict } from '../../src/core/verdict.ts';
import { at, attempt, head, heavy, newPool, read, seen, show, times } from './pool-fixture.ts';

type Answer =
  | Verdict
  | { readonly verdict: Verdict; readonly reached?: Reached; readonly judgement?: Partial<Judgement> };

interface Told {
  /** `a transport`, `wait 200 pause`, `answer 0`, `fail all_failed`, … */
  readonly story: readonly string[];
  readonly last: Step;
  readonly trail: Trail;
  readonly endedAt: number;
}

function pools(chain: Partial<ChainSettings>, ...each: Partial<EndpointSettings>[]): Pool {
  const pool = newPool({ chain, ...(each.length === 0 ? {} : { endpoints: each }) });
  pool.requests = 100;
  return pool;
}

/** Plays one request through: what each endpoint answers, in turn, the last answer for ever. Attempts take `ms`. */
function play(
  pool: Pool,
  need: Need,
  answers: Readonly<Record<string, readonly Answer[]>>,
  more: { ms?: number; chance?: number; from?: number; once?: Trail['once']; only?: EndpointRecord } = {},
): Told {
  const { ms = 10, chance = 0.5, once, only } = more;
  let now = more.from ?? 1_000;
  const trail = startTrail(pool.chain, need.class, now, once, only);
  const turns: Record<string, number> = {};
  const story: string[] = [];
  for (let steps = 0; steps < 1_000; steps += 1) {
    const step = nextStep(pool, need, trail, now, chance);
    if (step.do === 'wait') {
      story.push(`wait ${Math.round(step.ms)} ${step.for}`);
      now += step.ms;
      continue;
    }
    if (step.do !== 'send') {
      story.push(step.do === 'answer' ? `answer ${step.index}` : `fail ${step.reason}`);
      return { story, last: step, trail, endedAt: now };
    }
    const { name } = step.record.settings;
    const turn = turns[name] ?? 0;
    turns[name] = turn + 1;
    const list = answers[name] ?? ['ok'];
    const answer = list[Math.min(turn, list.length - 1)] ?? 'ok';
    const { verdict, reached, judgement } = typeof answer === 'string' ? { verdict: answer } : { ...answer };
    story.push(`${name} ${verdict}`);
    const one = begin(pool, step.record, need.class, trail.tries.length === 0 ? 'client' : 'retry', now);
    now += ms;
    const result = seen(verdict, { method: need.method, ...(judgement === undefined ? {} : { judgement }) });
    observe(one, result, now, chance);
    noteTried(trail, {
      attempt: one,
      judgement: result.judgement,
      ...(reached === undefined ? {} : { reached }),
    });
  }
  throw new Error(`it never ends: ${story.slice(0, 20).join(', ')}`);
}

describe('attempts', () => {
  it.each(['ok', 'app_error'] as const)('%s is returned, never retried', verdict => {
    expect(play(pools({}), read, { a: [verdict] }).story).toEqual([`a ${verdict}`, 'answer 0']);
  });

  it.each([
    'missing_history',
    'unsupported',
    'rate_limited',
    'node_failure',
    'auth_refused',
    'transport',
  ] as const)('%s goes to another endpoint, at once', verdict => {
    expect(play(pools({}), read, { a: [verdict] }).story).toEqual([`a ${verdict}`, 'b ok', 'answer 1']);
  });

  it.each([1, 2, 3, 5, 10])('at most %i a request', attempts => {
    const pool = pools({ attempts }, ...Array.from({ length: 12 }, () => ({})));
    const { trail, story } = play(
      pool,
      read,
      Object.fromEntries([...'abcdefghijkl'].map(n => [n, ['transport']])),
    );
    expect(trail.tries).toHaveLength(attempts);
    expect(new Set(trail.tried).size).toBe(attempts);
    expect(story.at(-1)).toBe('fail all_failed');
  });

  it('the same one again after 200 ms, then 800 ms', () => {
    expect(play(pools({}, {}), read, { a: ['transport'] }).story).toEqual([
      'a transport',
      'wait 200 pause',
      'a transport',
      'wait 800 pause',
      'a transport',
      'fail all_failed',
    ]);
  });

  it('goes to the best, not to the highest', () => {
    const pool = pools({}, {}, {});
    show(pool, at(pool, 1), head + 1, 1);
    expect(play(pool, read, {}).story).toEqual(['a ok', 'answer 0']);
  });

  it('no endpoint twice while an untried one is eligible', () => {
    expect(play(pools({}, {}, {}), read, { a: ['transport', 'ok'], b: ['node_failure'] }).story).toEqual([
      'a transport',
      'b node_failure',
      'wait 200 pause',
      'a ok',
      'answer 2',
    ]);
  });

  it('whoever looks early, as the items of a batch do, waits for the rest of the pause', () => {
    const pool = pools({}, {});
    const trail = startTrail(pool.chain, 'read', 0);
    const failed = attempt(pool, at(pool, 0), 'transport', 1_000);
    noteTried(trail, { attempt: failed, judgement: { verdict: 'transport', rule: 'test' } });
    expect(nextStep(pool, read, trail, 1_000, 0.5)).toMatchObject({ do: 'wait', ms: 200, for: 'pause' });
    expect(nextStep(pool, read, trail, 1_050, 0.5)).toMatchObject({ do: 'wait', ms: 150, for: 'pause' });
    expect(nextStep(pool, read, trail, 1_200, 0.5)).toMatchObject({ do: 'send' });
  });

  it('one that becomes eligible during the pause goes first', () => {
    const pool = pools({}, {}, { weight: 60 });
    attempt(pool, at(pool, 1), 'rate_limited', 0);
    expect(play(pool, read, { a: ['transport'] }, { from: 4_900 }).story).toEqual([
      'a transport',
      'wait 200 pause',
      'b ok',
      'answer 1',
    ]);
  });

  it.each(['auth_refused', 'unsupported', 'missing_history'] as const)(
    'not the same again after %s',
    verdict => {
      const { trail } = play(pools({}, {}), read, { a: [verdict] });
      expect(trail.tries).toHaveLength(1);
    },
  );

  it('jitter stays within 20 %', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), chance => {
        const pool = pools({}, {});
        const trail = startTrail(pool.chain, 'read', 0);
        const waits: number[] = [];
        times(2, n => {
          const one = begin(pool, at(pool, 0), 'read', 'client', n);
          observe(one, seen('transport'), n, 0);
          noteTried(trail, { attempt: one, judgement: seen('transport').judgement });
          const step = nextStep(pool, read, trail, n, chance);
          waits.push(step.do === 'wait' ? step.ms : 0);
        });
        const [first = 0, second = 0] = waits;
        expect(Math.abs(first / 200 - 1)).toBeLessThanOrEqual(0.2);
        expect(Math.abs(second / 800 - 1)).toBeLessThanOrEqual(0.2);
      }),
    );
  });

  it('what failed goes to the last resorts, when no open one is left', () => {
    const pool = pools({}, {}, {});
    times(5, n => attempt(pool, at(pool, 1), 'transport', n));
    expect(play(pool, read, { a: ['node_failure'] }).story).toEqual(['a node_failure', 'b ok', 'answer 1']);
  });

  it('nobody to be tried: no_endpoint', () => {
    const pool = pools({}, {});
    setSwitches(pool, at(pool, 0), { disabled: true }, 1);
    expect(play(pool, read, {}).last).toEqual({ do: 'fail', reason: 'no_endpoint', takeBack: false });
  });
});

describe('deadlines', () => {
  it('of a read 15 s, of a heavy call 60 s; what is left bounds an attempt', () => {
    const pool = pools({});
    const trail = startTrail(pool.chain, 'read', 1_000);
    expect(trail.deadlineAt).toBe(16_000);
    expect(attemptMs(pool.chain, 'read', trail, 1_000)).toBe(5_000);
    expect(attemptMs(pool.chain, 'read', trail, 14_000)).toBe(2_000);
    const long = startTrail(pool.chain, 'heavy', 1_000);
    expect(long.deadlineAt).toBe(61_000);
    expect(attemptMs(pool.chain, 'heavy', long, 1_000)).toBe(30_000);
    expect(attemptMs(pool.chain, 'heavy', long, 51_000)).toBe(10_000);
  });

  it('passed, nothing begins', () => {
    const pool = pools({ attempts: 10 }, ...Array.from({ length: 9 }, () => ({})));
    const hang = Object.fromEntries([...'abcdefghi'].map(name => [name, ['transport'] as const]));
    const { story, endedAt } = play(pool, read, hang, { ms: 5_000 });
    expect(story).toEqual(['a transport', 'b transport', 'c transport', 'fail deadline']);
    expect(endedAt).toBe(16_000);
  });

  it('no wait that would end after it', () => {
    const pool = pools({ readDeadlineMs: 150 }, {});
    expect(play(pool, read, { a: ['transport'] }).story).toEqual(['a transport', 'fail all_failed']);
  });
});

describe('when all is cooling', () => {
  it('the read waits for the earliest end if that is within its deadline', () => {
    const pool = pools({}, {}, {});
    attempt(pool, at(pool, 0), 'rate_limited', 500, { seen: { judgement: { retryAfterMs: 9_000 } } });
    attempt(pool, at(pool, 1), 'rate_limited', 600);
    expect(play(pool, read, {}).story).toEqual(['wait 4600 cooldown', 'b ok', 'answer 0']);
  });

  it('else 429 with the time', () => {
    const pool = pools({}, {}, {});
    for (const record of pool.records) {
      attempt(pool, record, 'rate_limited', 0, { seen: { judgement: { retryAfterMs: 60_000 } } });
    }
    expect(play(pool, read, {}).last).toEqual({
      do: 'fail',
      reason: 'all_cooling',
      retryAfterMs: 59_000,
      takeBack: false,
    });
  });

  it('one that was rate limited within this request is asked again when its cooldown is over', () => {
    expect(play(pools({}, {}), read, { a: ['rate_limited', 'ok'] }, { chance: 0 }).story).toEqual([
      'a rate_limited',
      'wait 5000 cooldown',
      'a ok',
      'answer 1',
    ]);
  });

  it('and is a 429 when it goes on', () => {
    const { story, last } = play(pools({}, {}), read, { a: ['rate_limited'] }, { chance: 0 });
    expect(story).toEqual(['a rate_limited', 'wait 5000 cooldown', 'a rate_limited', 'fail all_cooling']);
    expect(last).toMatchObject({ retryAfterMs: 10_000 });
  });

  it('a broken one is tried before anyone waits', () => {
    const pool = pools({}, {}, {});
    attempt(pool, at(pool, 0), 'rate_limited', 900);
    times(5, n => attempt(pool, at(pool, 1), 'transport', n));
    expect(play(pool, read, {}).story).toEqual(['b ok', 'answer 0']);
  });

  it('one that is down as well is not waited for when there is no last resort', () => {
    const pool = pools({ lastResort: 'off' }, {});
    times(5, n => attempt(pool, at(pool, 0), 'transport', n));
    attempt(pool, at(pool, 0), 'rate_limited', 900);
    expect(play(pool, read, {}).story).toEqual(['fail no_endpoint']);
  });

  it('a mixture of failures is no 429', () => {
    const pool = pools({}, {}, {});
    expect(play(pool, read, { a: ['auth_refused'], b: ['rate_limited'] }, { ms: 8_000 }).story.at(-1)).toBe(
      'fail deadline',
    );
  });
});

describe('when all are busy', () => {
  it('waits up to 1 s for room, then takes a last resort', () => {
    const pool = pools({}, { maxInFlight: 1 }, {});
    begin(pool, at(pool, 0), 'read', 'client', 0);
    times(5, n => attempt(pool, at(pool, 1), 'transport', n));
    const { story, endedAt } = play(pool, read, {});
    expect(story.slice(-2)).toEqual(['b ok', 'answer 0']);
    expect(story.slice(0, -2).every(step => step === 'wait 20 room')).toBe(true);
    expect(endedAt).toBe(2_010);
  });

  it('goes on as soon as there is room', () => {
    const pool = pools({}, { maxInFlight: 1 });
    const running = begin(pool, at(pool, 0), 'read', 'client', 0);
    const trail = startTrail(pool.chain, 'read', 1_000);
    expect(nextStep(pool, read, trail, 1_000, 0)).toEqual({ do: 'wait', ms: 20, for: 'room' });
    observe(running, seen('ok'), 1_010, 0);
    expect(nextStep(pool, read, trail, 1_010, 0)).toMatchObject({ do: 'send' });
  });

  it('nobody: no_endpoint', () => {
    const pool = pools({}, { maxInFlight: 1 });
    begin(pool, at(pool, 0), 'read', 'client', 0);
    expect(play(pool, read, {}).story.at(-1)).toBe('fail no_endpoint');
  });
});

describe('retries are at most 20 % of a chain’s requests in flight', () => {
  const failed = (pool: Pool): Trail => {
    const trail = startTrail(pool.chain, 'read', 0);
    const one = attempt(pool, at(pool, 0), 'transport', 0);
    noteTried(trail, { attempt: one, judgement: seen('transport').judgement });
    return trail;
  };

  it.each([
    [100, 19, 'send'],
    [100, 20, 'wait'],
    [50, 9, 'send'],
    [50, 10, 'wait'],
    [9, 0, 'send'],
    [9, 1, 'wait'],
    [1, 0, 'send'],
  ])('%i in flight, %i of them retries: %s', (requests, retries, expected) => {
    const pool = pools({});
    const trail = failed(pool);
    pool.requests = requests;
    times(retries, () => begin(pool, at(pool, 2), 'read', 'retry', 0));
    expect(nextStep(pool, read, trail, 0, 0).do).toBe(expected);
  });

  it('it waits for its turn instead of giving its failure to the client', () => {
    const pool = pools({});
    const trail = failed(pool);
    pool.requests = 5;
    const other = begin(pool, at(pool, 2), 'read', 'retry', 0);
    expect(nextStep(pool, read, trail, 10, 0)).toEqual({ do: 'wait', ms: 20, for: 'retry' });
    observe(other, seen('ok'), 20, 0);
    expect(nextStep(pool, read, trail, 20, 0)).toMatchObject({ do: 'send' });
  });

  it('a first attempt never waits for it', () => {
    const pool = pools({});
    pool.requests = 1;
    times(50, () => begin(pool, at(pool, 2), 'read', 'retry', 0));
    expect(nextStep(pool, read, startTrail(pool.chain, 'read', 0), 0, 0).do).toBe('send');
  });

  it('a share of 0 means none at all', () => {
    expect(play(pools({ retryShare: 0 }), read, { a: ['transport'] }).story).toEqual([
      'a transport',
      'fail all_failed',
    ]);
  });
});

describe('missing history', () => {
  const old: Need = { ...read, history: { kind: 'state', height: 10 }, height: 10 };

  it('the first answer is returned as it came when every endpoint that should have it answered and lacks it too', () => {
    const pool = pools({}, { history: 'full' }, { history: 'full' }, { history: 'recent' });
    const { story } = play(pool, old, {
      a: ['missing_history'],
      b: ['missing_history'],
      c: ['missing_history'],
    });
    expect(story).toEqual(['a missing_history', 'b missing_history', 'c missing_history', 'answer 0']);
  });

  it('if one of them failed, -32005', () => {
    const pool = pools(
      { attempts: 2 },
      { history: 'full', weight: 60 },
      { history: 'full' },
      { history: 'recent' },
    );
    expect(play(pool, old, { a: ['missing_history'], b: ['transport'] }).story.at(-1)).toBe(
      'fail all_failed',
    );
    const other = pools({ attempts: 2 }, { history: 'full', weight: 60 }, { history: 'full' });
    expect(play(other, old, { a: ['transport'], b: ['missing_history'] }).story.at(-1)).toBe(
      'fail all_failed',
    );
  });

  it('if one of them could not be asked, -32005', () => {
    const pool = pools({}, {}, { history: 'full' });
    attempt(pool, at(pool, 1), 'auth_refused', 0);
    expect(play(pool, old, { a: ['missing_history'] }).story).toEqual([
      'a missing_history',
      'fail all_failed',
    ]);
  });

  it.each([
    ['disabled', { disabled: true }],
    ['drained', { draining: true }],
    ['without weight', { weight: 0 }],
  ] as const)('one that is %s is not meant', (_name, switches) => {
    const pool = pools({}, {}, { history: 'full' });
    setSwitches(pool, at(pool, 1), switches, 1);
    expect(play(pool, old, { a: ['missing_history'] }).story).toEqual(['a missing_history', 'answer 0']);
  });

  it('one that is known not to keep it is not meant', () => {
    const pool = pools({}, {}, {});
    noteHistory(at(pool, 1), 'state', 900);
    expect(play(pool, old, { a: ['missing_history'], b: ['missing_history'] }).story.at(-1)).toBe('answer 0');
  });

  it('one that failed first and lacks it in the end has answered', () => {
    const pool = pools({}, { history: 'full' });
    expect(play(pool, old, { a: ['transport', 'missing_history'] }).story).toEqual([
      'a transport',
      'wait 200 pause',
      'a missing_history',
      'answer 1',
    ]);
  });

  it('what cannot be placed goes on to the endpoint that keeps everything', () => {
    const pool = pools({}, { weight: 90 }, { weight: 80 }, { history: 'full' });
    const need: Need = { ...read, unplaced: 'transactions' };
    expect(play(pool, need, { a: ['missing_history'] }).story).toEqual([
      'a missing_history',
      'c ok',
      'answer 1',
    ]);
  });
});

describe('unsupported', () => {
  it('when all say so, the first answer is returned', () => {
    const pool = pools({});
    const no = { verdict: 'unsupported', judgement: { wholeMethod: true } } as const;
    expect(play(pool, read, { a: [no], b: [no], c: [no] }).story.at(-1)).toBe('answer 0');
  });

  it('not when one of them failed', () => {
    const pool = pools({});
    const { story } = play(pool, read, { a: ['unsupported'], b: ['transport'], c: ['unsupported'] });
    expect(story.at(-1)).toBe('fail all_failed');
  });

  it('mixed with a missing history, that is what is told', () => {
    const pool = pools({});
    const { story } = play(pool, read, { a: ['unsupported'], b: ['missing_history'], c: ['unsupported'] });
    expect(story.at(-1)).toBe('answer 1');
  });
});

describe('sent once', () => {
  it.each([
    ['transport', 'not_connected', true],
    ['transport', 'nothing_handed_over', true],
    ['transport', 'handed_over', false],
    ['transport', 'answered', false],
    ['transport', undefined, false],
    ['node_failure', undefined, false],
    ['rate_limited', undefined, false],
    ['auth_refused', undefined, false],
  ] as const)('a method that stands in no table, %s %s: goes elsewhere %s', (verdict, reached, goes) => {
    const answer = reached === undefined ? verdict : { verdict, reached };
    const { trail } = play(pools({}), read, { a: [answer] }, { once: 'unknown' });
    expect(trail.tries).toHaveLength(goes ? 2 : 1);
  });

  it('its refusal is returned as it came', () => {
    expect(play(pools({}), read, { a: ['unsupported'] }, { once: 'unknown' }).story.at(-1)).toBe('answer 0');
  });

  it.each(['transport', 'node_failure', 'rate_limited', 'missing_history', 'unsupported'] as const)(
    'what lives on one node: one attempt, and %s means that it may be lost',
    verdict => {
      const pool = pools({});
      const { story } = play(pool, read, { b: [verdict] }, { once: 'filter', only: at(pool, 1) });
      expect(story).toEqual([`b ${verdict}`, 'fail filter_lost']);
    },
  );

  it('its node is gone: lost', () => {
    const pool = pools({});
    setSwitches(pool, at(pool, 1), { disabled: true }, 1);
    expect(play(pool, read, {}, { once: 'filter', only: at(pool, 1) }).story).toEqual(['fail filter_lost']);
  });

  it('its answer is returned', () => {
    const pool = pools({});
    expect(play(pool, read, {}, { once: 'filter', only: at(pool, 1) }).story).toEqual(['b ok', 'answer 0']);
  });
});

describe('when every endpoint tried fails one request alike, it is the request', () => {
  const alike = (answers: Record<string, readonly Answer[]>, pool = pools({})): boolean => {
    const { last } = play(pool, read, answers);
    return last.do === 'fail' && last.takeBack;
  };
  const all = (answer: Answer) => ({ a: [answer], b: [answer], c: [answer] });

  it.each([
    ['node_failure', all('node_failure'), true],
    ['a refused credential', all('auth_refused'), true],
    ['a timeout after it was handed over', all({ verdict: 'transport', reached: 'handed_over' }), true],
    ['no connection', all({ verdict: 'transport', reached: 'not_connected' }), false],
    ['nothing handed over', all({ verdict: 'transport', reached: 'nothing_handed_over' }), false],
    ['rate limits', all('rate_limited'), false],
    ['two kinds', { a: ['node_failure'], b: ['node_failure'], c: ['auth_refused'] }, false],
    [
      'two rules',
      {
        a: ['node_failure'],
        b: ['node_failure'],
        c: [{ verdict: 'node_failure', judgement: { rule: 'test.other' } }],
      },
      false,
    ],
  ] satisfies [string, Record<string, readonly Answer[]>, boolean][])('%s: %s', (_name, answers, taken) => {
    expect(alike(answers)).toBe(taken);
  });

  it('one endpoint alone, however often, proves nothing', () => {
    expect(alike({ a: ['node_failure'] }, pools({}, {}))).toBe(false);
  });

  it('the penalties are taken back: a request that breaks every node closes no pool, however often it comes', () => {
    const pool = pools({});
    // The words for the last failure stay: they are shown only while a circuit is not closed.
    const tallies = () => pool.records.map(({ read: tally }) => ({ ...tally, epoch: 0, failedBy: '' }));
    const before = tallies();
    times(50, n => {
      const { last, trail, endedAt } = play(pool, read, all('node_failure'), { from: 2_000 + n * 100 });
      expect(last).toMatchObject({ do: 'fail', takeBack: true });
      undo(
        trail.tries.map(({ attempt: one }) => one),
        endedAt,
      );
    });
    expect(tallies()).toEqual(before);
  });
});

describe('a null that another may know better (section 5)', () => {
  const ask = (need: Need, heights: readonly number[], from: number): string | undefined => {
    const pool = pools({ staleBlocks: 10 }, ...heights.map(() => ({})));
    for (const [n, height] of heights.entries()) show(pool, at(pool, n), head + height, 1);
    return whoMayKnow(pool, need, at(pool, from), 2)?.settings.name;
  };
  const block = (height: number): Need => ({ ...read, height: head + height });

  it.each([
    ['a block the pool has reached, from one that is as high', block(3), [3, 3], 0, 'b'],
    ['a block the pool has reached, from the highest alone', block(2), [3, 2, 2], 0, undefined],
    ['a block the pool has reached, from one below: the highest', block(2), [2, 2, 4, 3], 0, 'c'],
    ['a block that nobody has', block(9), [3, 3], 0, undefined],
    ['a transaction from one below the highest head', read, [1, 1, 3], 0, 'c'],
    ['a transaction from the highest', read, [3, 1, 3], 0, undefined],
  ] as const)('%s', (_name, need, heights, from, expected) => {
    expect(ask(need, heights, from)).toBe(expected);
  });

  it('never of one that is held back', () => {
    const pool = pools({}, {}, {});
    show(pool, at(pool, 1), head + 1, 1);
    times(5, n => attempt(pool, at(pool, 1), 'transport', n));
    expect(whoMayKnow(pool, read, at(pool, 0), 10)).toBeUndefined();
  });
});

describe('for any answers', () => {
  const verdict = fc.constantFrom<Verdict>(
    'ok',
    'app_error',
    'missing_history',
    'unsupported',
    'rate_limited',
    'auth_refused',
    'node_failure',
    'transport',
  );

  it('a request ends, within its attempts and its deadline, and tries nobody twice while another is eligible', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 10 }),
        fc.array(fc.array(verdict, { minLength: 1, maxLength: 4 }), { minLength: 5, maxLength: 5 }),
        fc.integer({ min: 1, max: 4_000 }),
        fc.nat(99),
        fc.constantFrom(read, heavy, { ...read, history: { kind: 'state' as const, height: 3 } }),
        (size, attempts, answers, ms, chance, need) => {
          const pool = pools({ attempts }, ...Array.from({ length: size }, () => ({})));
          const script = Object.fromEntries([...'abcde'].map((name, n) => [name, answers[n] ?? []]));
          const { trail, story, endedAt } = play(pool, need, script, { ms, chance: chance / 100 });
          expect(trail.tries.length).toBeLessThanOrEqual(attempts);
          expect(endedAt).toBeLessThanOrEqual(trail.deadlineAt + ms);
          const names = story.flatMap(step => (/^[a-e] /.test(step) ? [step.slice(0, 1)] : []));
          const firstRepeat = names.findIndex((name, n) => names.indexOf(name) < n);
          if (firstRepeat < 0) return;
          const untried = pool.records.filter(
            record =>
              !names.slice(0, firstRepeat).includes(record.settings.name) &&
              placeOf(record, need, firstAsk, endedAt) < nowhere,
          );
          expect(untried.map(record => record.settings.name)).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('an endpoint’s failure never reaches the client while another endpoint can answer', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom<Verdict>(
            'rate_limited',
            'auth_refused',
            'node_failure',
            'transport',
            'unsupported',
          ),
          {
            minLength: 1,
            maxLength: 9,
          },
        ),
        failures => {
          const pool = pools({ attempts: 10 }, ...failures.map(() => ({ weight: 60 })), {});
          const names = 'abcdefghij';
          const script = Object.fromEntries(failures.map((failure, n) => [names[n] ?? '', [failure]]));
          expect(play(pool, read, script).story.at(-1)).toBe(`answer ${failures.length}`);
        },
      ),
    );
  });
});
