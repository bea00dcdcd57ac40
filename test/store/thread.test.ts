import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../src/core/errors.ts';
import { startThread } from '../../src/store/thread.ts';
import { folder, openTestStore } from './setup.ts';

describe('a thread of the store', () => {
  it('that cannot start says why', async () => {
    await expect(startThread('no-such-thread').open({})).rejects.toThrow('no-such-thread');
    await expect(startThread('reader-thread').open(folder())).rejects.toBeInstanceOf(OperatorError);
  });

  it('that was not opened answers nothing, and can be closed', async () => {
    const reader = startThread('reader-thread');
    await expect(reader.ask(['events', {}])).rejects.toThrow('nothing is open yet');
    await reader.close();
  });

  it('that was closed answers nothing more', async () => {
    const dir = folder();
    await (await openTestStore({ dir })).close();
    const reader = startThread('reader-thread');
    await reader.open(dir);
    expect(await reader.ask(['events', {}])).toEqual([]);
    await reader.close();
    await expect(reader.ask(['events', {}])).rejects.toThrow('ended with 0');
  });

  it('survives a question it cannot answer', async () => {
    const store = await openTestStore();
    await expect(store.events.list({ limit: Number.NaN })).rejects.toThrow('datatype mismatch');
    expect(await store.events.list()).toEqual([]);
  });

  it('answers questions in their order', async () => {
    const store = await openTestStore();
    store.events.emit({ kind: 'k', chain: 'ethereum', level: 'info', text: 't' });
    await store.audit.append({ who: 'ops', action: 'x', result: 'done' });
    const answers = await Promise.all([
      store.events.list(),
      store.audit.list(),
      store.broadcasts.list(),
      store.audit.verify(),
    ]);
    expect(answers).toMatchObject([[{ text: 't' }], [{ who: 'ops' }], [], { sound: true }]);
  });
});
