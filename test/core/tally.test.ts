import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EndpointRecord } from '../../src/core/endpoint.ts';
import { type Attempt, begin, observe, undo } from '../../src/core/observe.ts';
import { count, newTally, type Penalty, takeBack } from '../../src/core/tally.ts';
import { at, attempt, newPool, seen, times } from './pool-fixture.ts';

/** All that a penalty may touch; the epoch only goes on. */
function penalised(record: EndpointRecord) {
  const { read, heavy, auth, closed, head } = record;
  // The words for the last failure stay: they are shown only while a circuit is not closed.
  const plain = (tally: typeof read) => ({ ...tally, epoch: 0, failedBy: '' });
  return structuredClone({
    read: plain(read),
    heavy: plain(heavy),
    auth,
    closed,
    freshUntil: head.freshUntil,
  });
}

describe('success', () => {
  it('is an exponentially weighted average, 0.3 for the newest, starting at 1', () => {
    const tally = newTally(0);
    const averages = [false, false, true, false].map(good => {
      count(tally, good, 'test', 0, 0);
      return tally.success;
    });
    expect(averages.map(value => value.toFixed(4))).toEqual(['0.7000', '0.4900', '0.6430', '0.4501']);
  });

  it('stays exactly one over any number of successes', () => {
    const tally = newTally(0);
    times(10_000, () => count(tally, true, 'test', 0, 0));
    expect(tally.success).toBe(1);
  });
});

describe('penalties taken back', () => {
  it.each([
    ['node_failure', 1],
    ['node_failure', 3],
    ['node_failure', 5],
    ['transport', 2],
    ['auth_refused', 1],
    ['auth_refused', 2],
  ] as const)('%s, %i times by one request: exactly as if it had never been', (verdict, count) => {
    const pool = newPool();
    const record = at(pool, 0);
    times(4, n => attempt(pool, record, n === 1 ? 'ok' : 'transport', n));
    const before = penalised(record);
    const attempts = Array.from({ length: count }, (_, n) => attempt(pool, record, verdict, 10 + n));
    expect(penalised(record)).not.toEqual(before);
    undo(attempts, 20);
    expect(penalised(record)).toEqual(before);
  });

  it('a circuit it opened is closed again, and the opening is not counted', () => {
    const pool = newPool();
    const record = at(pool, 0);
    times(4, n => attempt(pool, record, 'transport', n));
    const last = attempt(pool, record, 'node_failure', 5);
    expect(record.read).toMatchObject({ circuit: { state: 'open' }, openings: 1 });
    undo([last], 6);
    expect(record.read).toMatchObject({ circuit: { state: 'closed' }, openings: 0, streak: 4 });
  });

  it('a circuit that the next failure opened only because of it is closed again', () => {
    const pool = newPool();
    const record = at(pool, 0);
    times(3, n => attempt(pool, record, 'transport', n));
    const fourth = attempt(pool, record, 'node_failure', 4);
    attempt(pool, record, 'transport', 5);
    expect(record.read.circuit.state).toBe('open');
    undo([fourth], 6);
    expect(record.read).toMatchObject({ circuit: { state: 'closed' }, streak: 4 });
  });

  it('a circuit that had reason enough without it stays open', () => {
    const pool = newPool();
    const record = at(pool, 0);
    const first = begin(pool, record, 'read', 'client', 0);
    observe(first, seen('node_failure'), 0, 0);
    attempt(pool, record, 'ok', 1);
    times(5, n => attempt(pool, record, 'transport', 2 + n));
    undo([first], 8);
    expect(record.read).toMatchObject({ circuit: { state: 'open' }, streak: 5 });
  });

  it('a failure while it was open, as a last resort, takes nothing from the streak that opened it', () => {
    const pool = newPool();
    const record = at(pool, 0);
    times(5, n => attempt(pool, record, 'transport', n));
    const late = attempt(pool, record, 'node_failure', 6);
    undo([late], 7);
    expect(record.read).toMatchObject({ circuit: { state: 'open' }, streak: 5 });
  });

  it('a circuit opened by a failed trial is not closed by it', () => {
    const pool = newPool();
    const record = at(pool, 0);
    const first = attempt(pool, record, 'node_failure', 0);
    times(4, n => attempt(pool, record, 'transport', 1 + n));
    attempt(pool, record, 'transport', 40_000, { by: 'height' });
    undo([first], 40_001);
    expect(record.read.circuit).toMatchObject({ state: 'open', until: 100_000 });
  });

  it('an average that was restarted since is left alone', () => {
    const pool = newPool();
    const record = at(pool, 0);
    const attempts = Array.from({ length: 5 }, (_, n) => attempt(pool, record, 'node_failure', n));
    times(3, n => attempt(pool, record, 'ok', 40_000 + n, { by: 'height' }));
    undo(attempts, 50_000);
    expect(record.read).toMatchObject({ success: 0.5, samples: 0, streak: 0, circuit: { state: 'closed' } });
  });

  it('a hold of the credential is taken back only if nothing moved it since', () => {
    const pool = newPool();
    const record = at(pool, 0);
    const mine = attempt(pool, record, 'auth_refused', 0);
    attempt(pool, record, 'auth_refused', 60_000, { by: 'height' });
    undo([mine], 60_001);
    expect(record.auth).toMatchObject({ holdMs: 120_000, until: 180_000 });
  });

  it.each([
    ['in the order they failed', (attempts: readonly Attempt[]) => attempts],
    ['the other way round', (attempts: readonly Attempt[]) => attempts.toReversed()],
  ])('ten requests at once that every endpoint fails alike leave no mark, ended %s', (_name, order) => {
    const pool = newPool();
    const record = at(pool, 0);
    times(80, n => attempt(pool, record, n % 3 === 0 ? 'transport' : 'ok', n));
    const before = penalised(record);
    const begun = Array.from({ length: 10 }, () => begin(pool, record, 'read', 'client', 100));
    for (const one of begun) observe(one, seen('node_failure'), 101, 0);
    for (const one of order(begun)) undo([one], 102);
    expect(penalised(record)).toMatchObject({
      read: { success: before.read.success, streak: before.read.streak, samples: before.read.samples },
      closed: before.closed,
    });
  });

  it('twice is once', () => {
    const pool = newPool();
    const record = at(pool, 0);
    const before = penalised(record);
    const failed = attempt(pool, record, 'node_failure', 1);
    undo([failed], 2);
    undo([failed], 3);
    expect(penalised(record)).toEqual(before);
  });

  it('asks a probe at once whether it was the request, but no more than once a second', () => {
    const pool = newPool();
    const record = at(pool, 0);
    const ask = (now: number) => {
      undo([attempt(pool, record, 'node_failure', now)], now);
      return record.probing.heightDueAt;
    };
    expect(ask(1_500)).toBe(1_500);
    attempt(pool, record, 'ok', 3_000, { by: 'height', seen: { height: 1_000 } });
    expect(ask(3_100)).toBe(4_000);
    expect(ask(3_200)).toBe(4_000);
  });

  it('whatever was counted in between, the average is as if the failure had never been', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 12 }),
        fc.array(fc.boolean(), { maxLength: 12 }),
        (earlier, later) => {
          const hit = newTally(0);
          const spared = newTally(0);
          for (const good of earlier) {
            count(hit, good, 'test', hit.epoch, 0);
            count(spared, good, 'test', spared.epoch, 0);
          }
          fc.pre(hit.circuit.state === 'closed');
          const penalty: Penalty | undefined = count(hit, false, 'test', hit.epoch, 0);
          const epoch = hit.epoch;
          for (const good of later) {
            count(hit, good, 'test', hit.epoch, 0);
            count(spared, good, 'test', spared.epoch, 0);
          }
          // Once open, outcomes no longer touch the streak, so the two part ways; what matters is compared before.
          fc.pre(epoch === hit.epoch && hit.circuit.state === 'closed' && spared.circuit.state === 'closed');
          if (penalty === undefined) throw new Error('a failure has a penalty');
          takeBack(penalty);
          expect(hit.success).toBeCloseTo(spared.success, 12);
          expect({ samples: hit.samples, streak: hit.streak }).toEqual({
            samples: spared.samples,
            streak: spared.streak,
          });
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
