import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterFailure, afterTrial, atTime, type Circuit, closedSince } from '../../src/core/circuit.ts';
import { begin, observe } from '../../src/core/observe.ts';
import { refresh } from '../../src/core/pool.ts';
import { at, attempt, newPool, seen, times } from './pool-fixture.ts';
import { chain, endpoints, life, live } from './random-life.ts';

const closed = closedSince(0);
const opened = (now: number): Circuit => afterFailure(closed, 5, 1, 5, now);

describe('circuit: opening', () => {
  const cases: readonly [string, { streak: number; success: number; samples: number }, Circuit['state']][] = [
    ['4 consecutive failures do not open', { streak: 4, success: 0.3, samples: 20 }, 'closed'],
    ['5 consecutive failures open', { streak: 5, success: 0.9, samples: 5 }, 'open'],
    ['success below 0.2 with 10 samples opens', { streak: 1, success: 0.199, samples: 10 }, 'open'],
    ['success of exactly 0.2 does not', { streak: 1, success: 0.2, samples: 10 }, 'closed'],
    ['success below 0.2 with 9 samples does not', { streak: 1, success: 0.1, samples: 9 }, 'closed'],
  ];
  it.each(cases)('%s', (_name, { streak, success, samples }, state) => {
    expect(afterFailure(closed, streak, success, samples, 100).state).toBe(state);
  });

  it('holds for 30 s, to the millisecond', () => {
    const circuit = opened(1_000);
    expect(circuit).toMatchObject({ state: 'open', since: 1_000, until: 31_000 });
    expect(atTime(circuit, 30_999)).toBe(circuit);
    expect(atTime(circuit, 31_000)).toEqual({ state: 'half_open', since: 31_000, holdMs: 30_000, good: 0 });
  });

  it('the same object back means that nothing happened', () => {
    expect(afterFailure(closed, 1, 1, 1, 5)).toBe(closed);
    const circuit = opened(0);
    expect(afterFailure(circuit, 99, 0, 99, 5)).toBe(circuit);
    expect(afterTrial(circuit, true, 1, 5)).toBe(circuit);
    expect(afterTrial(closed, false, 1, 5)).toBe(closed);
  });
});

describe('circuit: half-open', () => {
  it('3 good trials release', () => {
    let circuit = atTime(opened(0), 30_000);
    circuit = afterTrial(circuit, true, 3, 31_000);
    circuit = afterTrial(circuit, true, 3, 32_000);
    expect(circuit).toMatchObject({ state: 'half_open', good: 2 });
    expect(afterTrial(circuit, true, 3, 33_000)).toEqual({ state: 'closed', since: 33_000 });
  });

  it('a failure holds again for twice as long, up to 5 min', () => {
    let circuit = opened(0);
    let now = 0;
    const holds: number[] = [];
    times(6, () => {
      if (circuit.state !== 'open') throw new Error('it is to be open');
      now = circuit.until;
      holds.push(circuit.holdMs);
      circuit = afterTrial(atTime(circuit, now), false, 3, now);
    });
    expect(holds).toEqual([30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
  });

  it('a failure after two good trials starts the three over', () => {
    let circuit = atTime(opened(0), 30_000);
    circuit = afterTrial(afterTrial(circuit, true, 3, 1), true, 3, 2);
    circuit = atTime(afterTrial(circuit, false, 3, 40_000), 100_000);
    expect(circuit).toMatchObject({ state: 'half_open', good: 0 });
  });
});

describe('circuit of an endpoint', () => {
  it.each(['transport', 'node_failure', 'auth_refused'] as const)('a dead endpoint opens it: %s', verdict => {
    const pool = newPool();
    const record = at(pool, 0);
    times(4, n => attempt(pool, record, verdict, n));
    expect(record.read.circuit.state).toBe('closed');
    attempt(pool, record, verdict, 4);
    expect(record.read.circuit.state).toBe('open');
  });

  it.each(['missing_history', 'unsupported', 'rate_limited'] as const)(
    '%s neither counts nor resets',
    verdict => {
      const pool = newPool();
      const record = at(pool, 0);
      times(4, n => attempt(pool, record, 'transport', n));
      const { success, samples } = record.read;
      times(20, n => attempt(pool, record, verdict, 10 + n));
      expect(record.read).toMatchObject({ success, samples, streak: 4 });
      attempt(pool, record, 'transport', 50);
      expect(record.read.circuit.state).toBe('open');
    },
  );

  it('a used-up quota is a failure too', () => {
    const pool = newPool();
    const record = at(pool, 0);
    times(5, n => attempt(pool, record, 'rate_limited', n, { seen: { judgement: { quota: true } } }));
    expect(record.read.circuit.state).toBe('open');
  });

  it('a success in between starts the count over', () => {
    const pool = newPool();
    const record = at(pool, 0);
    times(4, n => attempt(pool, record, 'transport', n));
    times(5, n => attempt(pool, record, 'app_error', 5 + n));
    times(4, n => attempt(pool, record, 'transport', 10 + n));
    expect(record.read.circuit.state).toBe('closed');
  });

  it('success below 0.2 with at least 10 samples opens it, though never five in a row fail', () => {
    const pool = newPool();
    const record = at(pool, 0);
    // The probe of the start, then four failures and a success, over and over: 0.24, 0.47, 0.11 as the tenth.
    const states: string[] = [];
    times(2, round => {
      times(4, n => attempt(pool, record, 'transport', round * 10 + n));
      states.push(record.read.circuit.state);
      attempt(pool, record, 'ok', round * 10 + 5);
    });
    expect(states).toEqual(['closed', 'open']);
  });

  it('heavy calls that time out never close reads', () => {
    const pool = newPool();
    const record = at(pool, 0);
    times(50, n => attempt(pool, record, 'transport', n, { class: 'heavy' }));
    expect(record.heavy.circuit.state).toBe('open');
    expect(record.read).toMatchObject({ success: 1, streak: 0, circuit: { state: 'closed' } });
  });

  it('half-open is tried by the gateway, not by clients', () => {
    const pool = newPool();
    const record = at(pool, 0);
    times(5, n => attempt(pool, record, 'transport', n));
    const later = 40_000;
    refresh(pool, later);
    expect(record.read.circuit.state).toBe('half_open');
    times(10, n => attempt(pool, record, 'ok', later + n));
    expect(record.read.circuit).toMatchObject({ state: 'half_open', good: 0 });
    times(10, n => attempt(pool, record, 'transport', later + 20 + n));
    expect(record.read.circuit.state).toBe('half_open');
    times(3, n => attempt(pool, record, 'ok', later + 50 + n, { by: 'height' }));
    expect(record.read.circuit.state).toBe('closed');
  });

  it('one trial at a time: a second probe beside it counts for nothing', () => {
    const pool = newPool();
    const record = at(pool, 0);
    times(5, n => attempt(pool, record, 'transport', n));
    const first = begin(pool, record, 'read', 'height', 40_000);
    const second = begin(pool, record, 'read', 'identity', 40_000);
    expect([first.trial, second.trial]).toEqual([true, false]);
    observe(second, seen('ok'), 40_001, 0);
    expect(record.read.circuit).toMatchObject({ state: 'half_open', good: 0 });
    observe(first, seen('ok'), 40_002, 0);
    expect(record.read.circuit).toMatchObject({ state: 'half_open', good: 1 });
    expect(begin(pool, record, 'read', 'height', 40_003).trial).toBe(true);
  });

  it('a trial that told nothing frees the place for the next', () => {
    const pool = newPool();
    const record = at(pool, 0);
    times(5, n => attempt(pool, record, 'transport', n));
    attempt(pool, record, 'rate_limited', 40_000, { by: 'height' });
    expect(record.read.circuit).toMatchObject({ state: 'half_open', good: 0 });
    expect(begin(pool, record, 'read', 'height', 50_000).trial).toBe(true);
  });

  it('when it releases, the average restarts at 0.5', () => {
    const pool = newPool();
    const record = at(pool, 0);
    times(5, n => attempt(pool, record, 'transport', n));
    times(3, n => attempt(pool, record, 'ok', 40_000 + n, { by: 'height' }));
    expect(record.read).toMatchObject({ success: 0.5, samples: 0, streak: 0 });
  });

  it('the probe tries the heavy circuit too, without counting for its average', () => {
    const pool = newPool();
    const record = at(pool, 0);
    times(5, n => attempt(pool, record, 'transport', n, { class: 'heavy' }));
    const { success } = record.heavy;
    attempt(pool, record, 'ok', 40_000, { by: 'height' });
    expect(record.heavy).toMatchObject({ success, circuit: { state: 'half_open', good: 1 } });
    times(2, n => attempt(pool, record, 'ok', 40_001 + n, { by: 'height' }));
    expect(record.heavy).toMatchObject({ success: 0.5, circuit: { state: 'closed' } });
  });

  it('attempts that began before the last change do not move it', () => {
    const pool = newPool();
    const record = at(pool, 0);
    const before = Array.from({ length: 20 }, () => begin(pool, record, 'read', 'client', 0));
    times(5, n => attempt(pool, record, 'transport', n));
    refresh(pool, 40_000);
    for (const one of before.slice(0, 10)) observe(one, seen('transport'), 40_000, 0);
    expect(record.read.circuit).toMatchObject({ state: 'half_open', good: 0 });
    times(3, n => attempt(pool, record, 'ok', 40_001 + n, { by: 'height' }));
    for (const one of before.slice(10)) observe(one, seen('transport'), 40_010, 0);
    expect(record.read).toMatchObject({ success: 0.5, streak: 0, circuit: { state: 'closed' } });
  });

  it('a trial that ends after its circuit moved on moves nothing', () => {
    const pool = newPool();
    const record = at(pool, 0);
    times(5, n => attempt(pool, record, 'transport', n));
    const old = begin(pool, record, 'read', 'height', 31_000);
    // The trial's own end opens it again; a copy of the past must not.
    observe(old, seen('transport'), 36_000, 0);
    const { circuit } = record.read;
    expect(circuit).toMatchObject({ state: 'open', until: 96_000 });
    observe(old, seen('ok'), 37_000, 0);
    expect(record.read.circuit).toBe(circuit);
  });

  it.each([
    ['accepted', 'ok', 'closed'],
    ['known', 'app_error', 'closed'],
    ['rejected', 'app_error', 'closed'],
    ['refused', 'rate_limited', 'half_open'],
    ['unknown', 'ok', 'half_open'],
    ['unknown', 'node_failure', 'open'],
    ['unknown', 'transport', 'open'],
  ] as const)('a broadcast circuit that is half-open: %s by %s leaves it %s', (txOutcome, verdict, state) => {
    const pool = newPool();
    const record = at(pool, 0);
    times(5, n => attempt(pool, record, 'transport', n, { class: 'broadcast' }));
    attempt(pool, record, 'ok', 31_000, { by: 'height' });
    expect(record.broadcast.circuit.state).toBe('open');
    attempt(pool, record, verdict, 31_000, { class: 'broadcast', seen: { judgement: { txOutcome } } });
    expect(record.broadcast.circuit.state).toBe(state);
  });

  it('an open circuit never admits early: until its time it is open and the same, whatever happens', () => {
    fc.assert(
      fc.property(chain, endpoints, life, (c, e, events) => {
        const before = new Map<string, Circuit>();
        live({ chain: c, endpoints: e }, events, (pool, now) => {
          for (const record of pool.records) {
            for (const workClass of ['read', 'heavy', 'broadcast'] as const) {
              const key = `${record.settings.name} ${workClass}`;
              const was = before.get(key);
              const is = record[workClass].circuit;
              before.set(key, is);
              if (was?.state === 'open' && is !== was && now < was.until) {
                // Only a penalty taken back may do that, and then nothing but `undo` closed it.
                if (is.state !== 'closed' || was.cause === 'trial' || is.since > was.since) {
                  throw new Error(`${key} left open at ${now}: ${JSON.stringify([was, is])}`);
                }
              }
              if (
                was?.state === 'half_open' &&
                is.state === 'closed' &&
                was.good < 2 &&
                workClass !== 'broadcast'
              ) {
                throw new Error(`${key} closed after ${was.good + 1} trials`);
              }
            }
          }
        });
      }),
      { numRuns: 200 },
    );
  });
});
