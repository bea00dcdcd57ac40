import { describe, expect, it } from 'vitest';
import type { StoreState } from '../../src/store/group-commit.ts';
import { folder, handClock, openRaw, openTestStore } from './setup.ts';
import { broadcastEnd, broadcastRow } from './values.ts';

/** A store whose disk is full after some events, and a way to make room again. */
async function filled() {
  const dir = folder();
  const clock = handClock();
  const lost: number[] = [];
  let tell: ((state: StoreState) => void) | undefined;
  const store = await openTestStore({
    dir,
    clock,
    testing: { maxPages: 60 },
    onState: state => tell?.(state),
    onLost: rows => lost.push(rows),
  });
  const until = (is: StoreState['is']) =>
    new Promise<StoreState>(resolve => {
      tell = state => {
        if (state.is === is) resolve(state);
      };
    });
  const row = await store.broadcasts.begin(broadcastRow());
  const failing = until('failing');
  // An audited action takes the event that waits along, and says whether both went in.
  for (let full = false; !full; ) {
    store.events.emit({ kind: 'k', chain: 'ethereum', level: 'info', text: '.'.repeat(1000) });
    full = await store.audit.append({ who: 'ops', action: 'x', result: 'done' }).then(
      () => false,
      () => true,
    );
  }
  return { dir, clock, store, lost, row, until, failing: await failing };
}

describe('a disk that is full while the gateway runs', () => {
  it('refuses broadcasts, answers questions, and says why', async () => {
    const { store, clock, failing } = await filled();
    expect(failing).toEqual({
      is: 'failing',
      reason: expect.stringContaining('the disk is full'),
      since: clock.time,
    });
    expect(store.broadcasts.writable).toBe(false);
    await expect(store.broadcasts.begin(broadcastRow())).rejects.toMatchObject({ code: 'store_unusable' });
    await expect(store.audit.append({ who: 'ops', action: 'x', result: 'done' })).rejects.toThrow('full');
    expect(await store.broadcasts.list()).toHaveLength(1);
    expect((await store.events.list()).length).toBeGreaterThan(10);
  });

  it('loses nothing that was kept once there is room', async () => {
    const { dir, store, clock, lost, row, until } = await filled();
    store.broadcasts.finish(row, broadcastEnd({ outcome: 'rejected' }));
    store.identities.set('key', { result: 'wrong', value: '56', at: 1 });
    store.events.emit({ kind: 'late', chain: 'ethereum', level: 'alarm', text: 'while it was full' });

    const other = openRaw(dir);
    other.exec('DELETE FROM event');
    const ok = until('ok');
    clock.fire(1000);
    await ok;
    expect(store.broadcasts.writable).toBe(true);
    const next = await store.broadcasts.begin(broadcastRow());
    expect(next).toBeGreaterThan(row);
    expect(await store.events.list({ kind: 'late' })).toMatchObject([{ text: 'while it was full' }]);
    expect((await store.broadcasts.show(row))?.attempts[0]).toMatchObject({ row, outcome: 'rejected' });
    await store.close();
    expect((await openTestStore({ dir })).identities.get('key')).toMatchObject({ result: 'wrong' });
    expect(lost).toEqual([]);
  });

  it('is closed without hanging, and says what it lost', async () => {
    const { store, lost } = await filled();
    await store.close();
    expect(lost.reduce((sum, rows) => sum + rows, 0)).toBeGreaterThan(0);
  });
});
