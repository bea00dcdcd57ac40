import { describe, expect, it } from 'vitest';
import { folder, handClock, openTestStore } from './setup.ts';
import { broadcastEnd, broadcastRow } from './values.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** A store, and one broadcast in it that ended like this. */
async function ended(end: Parameters<typeof broadcastEnd>[0], row: Parameters<typeof broadcastRow>[0] = {}) {
  const clock = handClock(1000);
  const store = await openTestStore({ clock });
  const number = await store.broadcasts.begin(broadcastRow(row));
  clock.time = 1500;
  store.broadcasts.finish(number, broadcastEnd(end));
  return { clock, store, number, broadcasts: store.broadcasts };
}

/** What was kept so far is on disk when a later row is. */
async function written(store: Awaited<ReturnType<typeof openTestStore>>): Promise<void> {
  await store.audit.append({ who: 'test', action: 'wait', result: 'done' });
}

describe('the row of an attempt', () => {
  it('reads pending, and then what became of it', async () => {
    const clock = handClock(1000);
    const { broadcasts, ...store } = await openTestStore({ clock });
    const given = broadcastRow({ attempt: 2, facts: '{"nonce":7}' });
    const row = await broadcasts.begin(given);
    expect(await broadcasts.list()).toEqual([{ ...given, row, began: 1000, outcome: 'pending' }]);
    expect(await broadcasts.list({ outcome: 'pending' })).toHaveLength(1);

    clock.time = 1500;
    broadcasts.finish(row, broadcastEnd({ answer: bytes('{"result":"0x9a"}') }));
    const after = await broadcasts.begin(broadcastRow({ earlier: row }));
    const done = { ...given, row, began: 1000, outcome: 'accepted', reached: 'answered', ms: 12.5 };
    const listed = await broadcasts.list({ outcome: 'accepted' });
    expect(listed).toEqual([{ ...done, rule: 'evm.accepted', ended: 1500 }]);
    const story = await broadcasts.show(row);
    expect(story?.attempts.map(attempt => [attempt.row, attempt.earlier])).toEqual([
      [row, undefined],
      [after, row],
    ]);
    expect(story?.attempts[0]?.answer).toEqual(bytes('{"result":"0x9a"}'));
    expect(store.interrupted).toBeUndefined();
  });

  it('has one end: a second one is turned away and told', async () => {
    const lost: string[] = [];
    const store = await openTestStore({ onLost: (_, why) => lost.push(why) });
    const row = await store.broadcasts.begin(broadcastRow());
    store.broadcasts.finish(row, broadcastEnd({ outcome: 'rejected' }));
    store.broadcasts.finish(row, broadcastEnd({ outcome: 'accepted' }));
    await written(store);
    expect(await store.broadcasts.list()).toMatchObject([{ outcome: 'rejected' }]);
    expect(lost).toEqual([expect.stringContaining(`row ${row} has an outcome already`)]);
    expect(store.state.is).toBe('ok');
  });

  it('sixty-four at once are one transaction', async () => {
    const store = await openTestStore();
    await store.broadcasts.begin(broadcastRow());
    const before = store.counters.commits;
    const rows = await Promise.all(
      Array.from({ length: 64 }, (_, n) => store.broadcasts.begin(broadcastRow({ requestId: `r-${n}` }))),
    );
    expect(new Set(rows).size).toBe(64);
    expect(store.counters.commits - before).toBe(1);
    expect(await store.broadcasts.list()).toHaveLength(65);
  });

  it('that came too late is finished as not sent', async () => {
    const clock = handClock();
    const store = await openTestStore({ clock });
    const row = store.broadcasts.begin(broadcastRow()).catch((error: unknown) => error);
    // The batch is on its way to the thread before its time is up, and its answer comes only after.
    await Promise.resolve();
    expect([clock.fire(1000), clock.fire(0)]).toEqual([1, 1]);
    expect(await row).toMatchObject({ code: 'store_unusable' });
    await expect.poll(() => store.state.is).toBe('ok');
    await written(store);
    expect(await store.broadcasts.list()).toMatchObject([
      { outcome: 'refused', reached: 'not_connected', rule: 'store.row_late' },
    ]);
    expect(await store.broadcasts.followed()).toEqual([]);
  });
});

describe('an unknown outcome', () => {
  it('is followed up by itself, seen, and settled once', async () => {
    const { clock, store, number, broadcasts } = await ended({ outcome: 'unknown', reached: 'handed_over' });
    await written(store);
    expect(await broadcasts.unsettled()).toEqual({ ethereum: 1 });
    expect(await broadcasts.list({ unsettled: true })).toMatchObject([
      { row: number, followUp: { reason: 'unknown', opened: 1500, looks: 0 } },
    ]);

    for (const [time, found, height] of [
      [2000, 'not_seen', undefined],
      [3000, 'not_seen', undefined],
      [4000, 'pool', undefined],
      [5000, 'block', 77],
      [6000, 'block', 77],
    ] as const) {
      clock.time = time;
      broadcasts.look(number, { found, endpoint: 'own-node', ...(height === undefined ? {} : { height }) });
    }
    clock.time = 7000;
    expect(await broadcasts.settle(number, { how: 'final', note: 'block 77, two endpoints agree' })).toBe(
      'settled',
    );
    expect(await broadcasts.settle(number, { how: 'operator', note: 'n', who: 'me' })).toBe('already');
    expect(await broadcasts.unsettled()).toEqual({});
    expect(await broadcasts.list({ unsettled: true })).toEqual([]);
    expect(await broadcasts.followed()).toEqual([]);

    const story = await broadcasts.show(number);
    expect(story?.attempts[0]?.followUp).toEqual({
      reason: 'unknown',
      opened: 1500,
      looks: 5,
      lastLook: 6000,
      latest: 'block',
      height: 77,
      firstSeen: 4000,
      settled: { at: 7000, how: 'final', note: 'block 77, two endpoints agree' },
    });
    expect(story?.timeline.map(({ at, kind, text }) => [at, kind, text])).toEqual([
      [1500, 'follow_up', 'the outcome is unknown: looking it up'],
      [2000, 'not_seen', 'not seen by own-node'],
      [4000, 'seen', 'seen in the pool by own-node'],
      [5000, 'seen', 'seen in block 77 by own-node'],
      [7000, 'settled', 'final: block 77, two endpoints agree'],
    ]);
  });

  it('of a transaction that was settled opens it again', async () => {
    const { store, number, broadcasts } = await ended({ outcome: 'unknown' });
    await broadcasts.settle(number, { how: 'operator', note: 'gave it up', who: 'ops' });
    const again = await broadcasts.begin(broadcastRow({ earlier: number }));
    broadcasts.finish(again, broadcastEnd({ outcome: 'unknown' }));
    await written(store);
    expect(await broadcasts.followed()).toMatchObject([{ row: again, followUp: { reason: 'unknown' } }]);
  });

  it('without a transaction id is told by its digest', async () => {
    const { store, number, broadcasts } = await ended(
      { outcome: 'unknown' },
      { txId: undefined, digest: 'd-odd' },
    );
    await broadcasts.begin(broadcastRow({ txId: undefined, digest: 'd-other' }));
    await written(store);
    expect((await broadcasts.show(number))?.attempts).toHaveLength(1);
    expect(await broadcasts.settle(number, { how: 'operator', note: 'looked by hand' })).toBe('settled');
  });

  it('after a crash: every open row, found at the next start', async () => {
    const dir = folder();
    const clock = handClock(1000);
    const first = await openTestStore({ dir, clock });
    const row = await first.broadcasts.begin(broadcastRow());
    const done = await first.broadcasts.begin(broadcastRow({ txId: '0xdone' }));
    first.broadcasts.finish(done, broadcastEnd());
    await first.close();

    clock.time = 9000;
    const second = await openTestStore({ dir, clock });
    expect(second.interrupted).toMatchObject([
      { row, outcome: 'unknown', rule: 'store.interrupted', ended: 9000, followUp: { reason: 'unknown' } },
    ]);
    expect(second.interrupted[0]?.reached).toBeUndefined();
    expect((await second.broadcasts.show(row))?.timeline.map(({ kind }) => kind)).toEqual([
      'interrupted',
      'follow_up',
    ]);
    await second.close();

    const third = await openTestStore({ dir, clock });
    expect(third.interrupted).toEqual([]);
    expect(await third.broadcasts.followed()).toMatchObject([{ row }]);
  });
});

describe('other follow-ups', () => {
  it.each([
    ['rejected', 1],
    ['confirm', 0],
  ] as const)('%s is looked up, and counts as unsettled: %i', async (reason, count) => {
    const outcome = reason === 'rejected' ? 'rejected' : 'accepted';
    const { store, number, broadcasts } = await ended({ outcome });
    expect(await broadcasts.settle(number, { how: 'final', note: 'n' })).toBe('not_open');
    broadcasts.follow(number, reason);
    await written(store);
    expect(await broadcasts.followed()).toMatchObject([{ row: number, followUp: { reason } }]);
    expect(await broadcasts.list({ unsettled: true })).toHaveLength(count);
    expect((await broadcasts.unsettled()).ethereum ?? 0).toBe(count);
  });

  it('confirming never makes less of an unknown', async () => {
    const { store, number, broadcasts } = await ended({ outcome: 'unknown' });
    const again = await broadcasts.begin(broadcastRow({ earlier: number }));
    broadcasts.finish(again, broadcastEnd());
    broadcasts.follow(again, 'confirm');
    await written(store);
    expect(await broadcasts.list({ unsettled: true })).toMatchObject([{ row: number }]);
  });

  it('a row that is not there', async () => {
    const { broadcasts } = await openTestStore();
    expect(await broadcasts.settle(99, { how: 'operator', note: 'n' })).toBe('no_such');
    expect(await broadcasts.show(99)).toBeUndefined();
  });
});

describe('finding broadcasts', () => {
  it('by chain, outcome, time, transaction, newest first and page by page', async () => {
    const clock = handClock(0);
    const { broadcasts, audit } = await openTestStore({ clock });
    const made = [
      { chain: 'ethereum', txId: '0xAA', outcome: 'accepted' },
      { chain: 'bnb', txId: '0xAA', outcome: 'rejected' },
      { chain: 'solana', txId: '5vB', outcome: 'unknown' },
      { chain: 'ethereum', txId: '0xbb', outcome: 'refused' },
    ] as const;
    for (const { chain, txId, outcome } of made) {
      clock.time += 1000;
      broadcasts.finish(await broadcasts.begin(broadcastRow({ chain, txId })), broadcastEnd({ outcome }));
    }
    await audit.append({ who: 'test', action: 'wait', result: 'done' });
    const rows = async (filter: Parameters<typeof broadcasts.list>[0]) =>
      (await broadcasts.list(filter)).map(({ row }) => row);
    expect(await rows({})).toEqual([4, 3, 2, 1]);
    expect(await rows({ chain: 'ethereum' })).toEqual([4, 1]);
    expect(await rows({ outcome: 'rejected' })).toEqual([2]);
    expect(await rows({ since: 3000 })).toEqual([4, 3]);
    expect(await rows({ tx: '0xaa' })).toEqual([2, 1]);
    expect(await rows({ tx: '0xaa', chain: 'bnb' })).toEqual([2]);
    expect(await rows({ limit: 2 })).toEqual([4, 3]);
    expect(await rows({ limit: 2, before: 3 })).toEqual([2, 1]);
    expect(await rows({ unsettled: true, chain: 'ethereum' })).toEqual([]);
  });

  it('the same again: chain, method, options and bytes, over a restart too', async () => {
    const dir = folder();
    const before = await openTestStore({ dir });
    const same = {
      chain: 'ethereum',
      method: 'eth_sendRawTransaction',
      txId: '0x9a',
      digest: 'd1',
      options: '{}',
    };
    expect(await before.broadcasts.same(same)).toBeUndefined();
    const older = await before.broadcasts.begin(broadcastRow());
    const row = await before.broadcasts.begin(broadcastRow({ earlier: older }));
    before.broadcasts.finish(row, broadcastEnd({ answer: bytes('{}') }));
    await before.broadcasts.begin(broadcastRow({ method: 'eth_sendPrivateTransaction' }));
    await before.broadcasts.begin(broadcastRow({ options: '{"maxBlockNumber":"0x1"}' }));
    await before.close();

    const { broadcasts } = await openTestStore({ dir });
    expect(await broadcasts.same(same)).toMatchObject({ row, outcome: 'accepted', answer: bytes('{}') });
    for (const other of [
      { chain: 'bnb' },
      { digest: 'd2' },
      { options: '[]' },
      { method: 'eth_sendBundle' },
    ]) {
      expect(await broadcasts.same({ ...same, ...other })).toBeUndefined();
    }
  });

  it('what happened around one stands in its timeline', async () => {
    const { store, number, broadcasts } = await ended({});
    broadcasts.mark(number, 'joined', 'request r-2 got the same answer');
    broadcasts.mark(number, 'repeated', 'request r-3 got the recorded answer');
    await written(store);
    expect((await broadcasts.show(number))?.timeline).toEqual([
      { at: 1500, row: number, kind: 'joined', text: 'request r-2 got the same answer' },
      { at: 1500, row: number, kind: 'repeated', text: 'request r-3 got the recorded answer' },
    ]);
  });
});
