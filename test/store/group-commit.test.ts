import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../src/core/errors.ts';
import { groupCommit, type StoreState } from '../../src/store/group-commit.ts';
import type { BatchResult, Write } from '../../src/store/writes.ts';
import { handClock } from './setup.ts';
import { broadcastEnd, broadcastRow } from './values.ts';

/** The error it rejects with; listened for from the start. */
function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    value => ({ resolvedWith: value }),
    (error: unknown) => error,
  );
}

/** A writer whose answers the test gives. */
function scripted() {
  const clock = handClock();
  const batches: (readonly Write[])[] = [];
  const states: StoreState[] = [];
  const lost: [number, string][] = [];
  const answers: { resolve(result: BatchResult): void; reject(error: Error): void }[] = [];
  const queue = groupCommit({
    commit(batch) {
      batches.push(batch);
      return new Promise((resolve, reject) => answers.push({ resolve, reject }));
    },
    clock,
    onState: state => states.push(state),
    onLost: (rows, why) => lost.push([rows, why]),
  });
  let row = 0;
  return {
    clock,
    batches,
    states,
    lost,
    queue,
    /** Lets what is due in this turn happen. */
    settle: () => new Promise(resolve => setImmediate(resolve)),
    commit() {
      const batch = batches[batches.length - 1] ?? [];
      answers.shift()?.resolve({ results: batch.map(() => ({ value: ++row })), commits: batches.length });
      return new Promise(resolve => setImmediate(resolve));
    },
    answer(result: BatchResult) {
      answers.shift()?.resolve(result);
      return new Promise(resolve => setImmediate(resolve));
    },
    end(message: string) {
      answers.shift()?.reject(new Error(message));
      return new Promise(resolve => setImmediate(resolve));
    },
  };
}

const begin = { row: broadcastRow(), at: 1 };
const event = (text: string) => ({
  time: 1,
  event: { kind: 'k', chain: 'ethereum', level: 'info', text } as const,
});
const names = (batch: readonly Write[] | undefined) => batch?.map(([name]) => name);

describe('group commit', () => {
  it('puts what is asked for in one turn into one batch, and what comes meanwhile into the next', async () => {
    const { queue, batches, settle, commit } = scripted();
    const first = Promise.all(Array.from({ length: 64 }, () => queue.put('begin', begin)));
    await settle();
    const second = Promise.all(Array.from({ length: 3 }, () => queue.put('begin', begin)));
    await settle();
    expect(batches.map(batch => batch.length)).toEqual([64]);
    await commit();
    expect(await first).toEqual(Array.from({ length: 64 }, (_, index) => index + 1));
    expect(batches.map(batch => batch.length)).toEqual([64, 3]);
    await commit();
    expect(await second).toEqual([65, 66, 67]);
    expect(queue.counters).toEqual({ commits: 2, rows: 67, lost: 0, waiting: 0, lagMs: 0 });
  });

  it('lets events wait for company, and takes them along with a row that cannot wait', async () => {
    const { queue, batches, settle, commit, clock } = scripted();
    queue.keep('event', event('a'), { droppable: true });
    await settle();
    expect(batches).toEqual([]);
    void queue.put('begin', begin);
    await settle();
    expect(batches.map(names)).toEqual([['event', 'begin']]);
    await commit();
    expect(clock.fire(100)).toBe(0);
    queue.keep('event', event('b'), { droppable: true });
    expect(clock.fire(100)).toBe(1);
    expect(batches.map(names)).toEqual([['event', 'begin'], ['event']]);
  });

  it('keeps only the newest of the same key', async () => {
    const { queue, batches, settle } = scripted();
    queue.keep('learn', { subject: 'a', fact: 'identity', value: '1' }, { key: 'identity a' });
    queue.keep('learn', { subject: 'b', fact: 'identity', value: '2' }, { key: 'identity b' });
    queue.keep('forget', { subject: 'a', fact: 'identity' }, { key: 'identity a', soon: true });
    void queue.put('begin', begin);
    await settle();
    expect(batches.map(names)).toEqual([['forget', 'learn', 'begin']]);
  });
});

describe('a disk that takes no rows', () => {
  it('rejects who waits, keeps the rest in order, and goes on when the disk does', async () => {
    const { queue, batches, states, settle, answer, commit, clock } = scripted();
    queue.keep('event', event('before'));
    const row = failure(queue.put('begin', begin));
    await settle();
    queue.keep('event', event('during'));
    await answer({ failed: 'the disk is full' });
    expect(await row).toMatchObject({
      code: 'store_unusable',
      message: expect.stringContaining('full'),
    });
    expect(queue.state).toEqual({ is: 'failing', reason: 'the disk is full', since: clock.time });

    expect(await failure(queue.put('begin', begin))).toBeInstanceOf(OperatorError);
    await settle();
    expect(batches).toHaveLength(1);

    expect(clock.fire(1000)).toBe(1);
    await answer({ failed: 'the disk is full' });
    expect(clock.fire(1000)).toBe(1);
    expect(batches[2]).toEqual([
      ['event', event('before')],
      ['event', event('during')],
    ]);
    await commit();
    expect(queue.state).toEqual({ is: 'ok' });
    expect(states.map(state => state.is)).toEqual(['failing', 'ok']);
  });

  it('asks with an empty batch when nothing waits', async () => {
    const { queue, batches, settle, answer, commit, clock } = scripted();
    const row = failure(queue.put('begin', begin));
    await settle();
    await answer({ failed: 'the disk is full' });
    expect(await row).toBeInstanceOf(OperatorError);
    clock.fire(1000);
    expect(batches[1]).toEqual([]);
    await commit();
    expect(queue.state.is).toBe('ok');
  });

  it('gives up the oldest events past 10,000, never the end of a broadcast', async () => {
    const { queue, batches, lost, settle, answer, clock } = scripted();
    const row = failure(queue.put('begin', begin));
    await settle();
    await answer({ failed: 'the disk is full' });
    expect(await row).toBeInstanceOf(OperatorError);
    queue.keep('finish', { row: 1, at: 1, end: broadcastEnd() });
    for (let n = 0; n < 10_002; n++) queue.keep('event', event(`${n}`), { droppable: true });
    expect(lost).toHaveLength(2);
    expect(queue.counters).toMatchObject({ lost: 2, waiting: 10_001 });
    clock.fire(1000);
    expect(batches[1]?.slice(0, 2)).toEqual([
      ['finish', { row: 1, at: 1, end: broadcastEnd() }],
      ['event', event('2')],
    ]);
  });

  it('a write that is at fault itself holds up no other', async () => {
    const { queue, lost, settle, answer } = scripted();
    const bad = failure(queue.put('begin', begin));
    const good = queue.put('begin', begin);
    queue.keep('event', event('bad'));
    await settle();
    await answer({ results: [{ fault: 'no such row' }, { value: 7 }, { fault: 'odd' }], commits: 1 });
    expect(await bad).toMatchObject({ message: expect.stringContaining('no such row') });
    expect(await good).toBe(7);
    expect(lost).toEqual([[1, 'odd']]);
    expect(queue.state.is).toBe('ok');
  });
});

describe('a row that takes longer than its broadcast can wait', () => {
  const options = {
    withinMs: 1000,
    late: (row: number): Write => ['finish', { row, at: 2, end: broadcastEnd({ outcome: 'refused' }) }],
  };

  it('rejects, and finishes the row when it goes in all the same', async () => {
    const { queue, batches, settle, commit, clock } = scripted();
    const row = failure(queue.put('begin', begin, options));
    await settle();
    expect([clock.fire(1000), clock.fire(0)]).toEqual([1, 1]);
    expect(await row).toMatchObject({ code: 'store_unusable' });
    expect(queue.state.is).toBe('failing');
    await commit();
    expect(batches[1]).toEqual([['finish', { row: 1, at: 2, end: broadcastEnd({ outcome: 'refused' }) }]]);
    expect(queue.state.is).toBe('ok');
  });

  it('never writes one that was still waiting for its batch', async () => {
    const { queue, batches, settle, commit, clock } = scripted();
    queue.keep('event', event('slow'), { soon: true });
    await settle();
    const row = failure(queue.put('begin', begin, options));
    await settle();
    clock.fire(1000);
    clock.fire(0);
    expect(await row).toBeInstanceOf(OperatorError);
    await commit();
    expect(batches.map(names)).toEqual([['event']]);
    expect(queue.state.is).toBe('ok');
  });

  it('was not late when its word came while this thread was held up', async () => {
    const { queue, settle, commit, clock } = scripted();
    const row = queue.put('begin', begin, options);
    await settle();
    clock.fire(1000);
    await commit();
    expect(await row).toBe(1);
    expect(queue.state.is).toBe('ok');
    expect(clock.fire(0)).toBe(0);
  });

  it('leaves no timer behind when it goes in', async () => {
    const { queue, settle, commit, clock } = scripted();
    const row = queue.put('begin', begin, options);
    await settle();
    await commit();
    expect(await row).toBe(1);
    expect(clock.fire(1000)).toBe(0);
  });
});

describe('the end', () => {
  it('closing writes what waits and takes nothing more', async () => {
    const { queue, batches, lost, settle, commit } = scripted();
    queue.keep('event', event('last'));
    const closed = queue.close();
    await settle();
    expect(batches.map(names)).toEqual([['event']]);
    await commit();
    await closed;
    expect(await failure(queue.put('begin', begin))).toMatchObject({
      message: expect.stringContaining('closed'),
    });
    queue.keep('event', event('too late'));
    expect(lost).toEqual([[1, 'the store is closed']]);
  });

  it('closing on a full disk tries once and says what is lost', async () => {
    const { queue, lost, settle, answer } = scripted();
    queue.keep('event', event('a'));
    queue.keep('event', event('b'));
    const closed = queue.close();
    await settle();
    await answer({ failed: 'the disk is full' });
    await closed;
    expect(lost).toEqual([[2, 'the disk is full']]);
  });

  it('a writer thread that ended rejects all, now and later', async () => {
    const { queue, lost, settle, end } = scripted();
    const first = failure(queue.put('begin', begin));
    await settle();
    const second = failure(queue.put('begin', begin));
    queue.keep('event', event('a'));
    await end('the thread writer-thread ended with 1');
    expect(await first).toMatchObject({ message: expect.stringContaining('ended with 1') });
    expect(await second).toMatchObject({ message: expect.stringContaining('ended with 1') });
    expect(await failure(queue.put('begin', begin))).toMatchObject({
      message: expect.stringContaining('ended with 1'),
    });
    expect(queue.state.is).toBe('failing');
    expect(lost).toEqual([[1, 'the thread writer-thread ended with 1']]);
    await queue.close();
  });
});

describe('whatever the disk does', () => {
  it('acknowledges exactly the rows it committed, and commits every kept write once', async () => {
    const step = fc.constantFrom('put', 'keep', 'turn', 'commit', 'fail', 'retry');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async steps => {
        const { queue, settle, answer, clock, batches, lost } = scripted();
        const committed: string[] = [];
        const acknowledged: string[] = [];
        const kept: string[] = [];
        let answered = 0;
        let next = 0;
        const respond = async (ok: boolean) => {
          const batch = batches[answered];
          if (batch === undefined) return;
          answered++;
          const ids = batch.map(([, argument]) => JSON.stringify(argument));
          if (ok) committed.push(...ids);
          await answer(
            ok
              ? { results: batch.map(() => ({ value: 1 })), commits: answered }
              : { failed: 'the disk is full' },
          );
        };
        for (const what of steps) {
          if (what === 'put') {
            const argument = { row: broadcastRow({ requestId: `${next++}` }), at: 1 };
            queue.put('begin', argument).then(
              () => acknowledged.push(JSON.stringify(argument)),
              (error: Error) => expect(error).toBeInstanceOf(OperatorError),
            );
          } else if (what === 'keep') {
            const argument = event(`${next++}`);
            kept.push(JSON.stringify(argument));
            queue.keep('event', argument, { droppable: true });
          } else if (what === 'turn') await settle();
          else if (what === 'retry') clock.fire(1000);
          else await respond(what === 'commit');
        }
        const closed = queue.close();
        for (let left = 0; left < 100; left++) {
          await settle();
          await respond(true);
        }
        await closed;
        expect(new Set(committed).size).toBe(committed.length);
        expect(kept.filter(id => !committed.includes(id))).toEqual([]);
        expect(committed.filter(id => !kept.includes(id)).sort()).toEqual(acknowledged.sort());
        expect(lost).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
