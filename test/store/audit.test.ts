import type { Database } from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { folder, handClock, openRaw, openTestStore } from './setup.ts';

async function audited() {
  const dir = folder();
  const clock = handClock(1000);
  const store = await openTestStore({ dir, clock });
  const heads: string[] = [];
  for (const [action, target] of [
    ['endpoint add', 'spare'],
    ['endpoint set', 'spare'],
    ['endpoint drain', 'infura'],
    ['broadcasts settle', '17'],
  ] as const) {
    const { hash } = await store.audit.append({
      who: 'ops',
      action,
      chain: 'ethereum',
      target,
      result: 'done',
      before: { weight: 10 },
      after: { weight: 20 },
    });
    heads.push(hash);
  }
  return { audit: store.audit, heads, raw: openRaw(dir) };
}

/** What somebody with the file in hand can do, and no trigger can stop. */
function tamper(raw: Database, sql: string): void {
  raw.exec('DROP TRIGGER audit_no_update; DROP TRIGGER audit_no_delete;');
  raw.exec(sql);
}

describe('the audit', () => {
  it('tells who did what, and holds together', async () => {
    const { audit, heads } = await audited();
    expect(await audit.list({ after: 3 })).toEqual([
      {
        id: 4,
        time: 1000,
        who: 'ops',
        action: 'broadcasts settle',
        chain: 'ethereum',
        target: '17',
        result: 'done',
        before: { weight: 10 },
        after: { weight: 20 },
        hash: heads[3],
      },
    ]);
    expect(await audit.verify()).toEqual({ sound: true, rows: 4, head: heads[3] });
    for (const head of heads) expect((await audit.verify(head)).sound).toBe(true);
  });

  it('that is empty is sound, and does not have a head that the log has', async () => {
    const { audit } = await openTestStore();
    expect(await audit.verify()).toMatchObject({ sound: true, rows: 0 });
    expect(await audit.verify('ab'.repeat(32))).toMatchObject({ sound: false, fault: 'head_unknown' });
  });

  it.each([
    ['half a surrogate pair', 'a\ud800b'],
    ['the other half', '\udc00'],
    ['a NUL', 'a\0b'],
    ['a byte order mark', '\ufeffa'],
    ['nothing', ''],
    ['all kinds of letters', 'é́ 😀 \u202e"\\\n'],
  ])('holds with %s in every text', async (_, text) => {
    const { audit } = await openTestStore();
    const detail = { [text]: text };
    const entry = { who: text, action: 'x', chain: text, target: text, result: 'done', note: text } as const;
    await audit.append({ ...entry, before: detail, after: detail });
    expect(await audit.verify()).toMatchObject({ sound: true, rows: 1 });
    expect(await audit.list()).toMatchObject([{ who: text.toWellFormed(), target: text.toWellFormed() }]);
  });

  it('goes on over a restart', async () => {
    const dir = folder();
    for (const n of [1, 2, 3]) {
      const store = await openTestStore({ dir });
      expect((await store.audit.append({ who: 'ops', action: 'x', result: 'done' })).id).toBe(n);
      expect(await store.audit.verify()).toMatchObject({ sound: true, rows: n });
      await store.close();
    }
  });

  it.each(['UPDATE audit SET who = who', 'DELETE FROM audit'])('does not take %s', async sql => {
    const { raw } = await audited();
    expect(() => raw.exec(sql)).toThrow('audit rows are never');
  });

  it.each([
    ['a changed row', "UPDATE audit SET target = 'other' WHERE id = 2", { fault: 'changed', row: 2 }],
    ['a changed time', 'UPDATE audit SET time = time - 1 WHERE id = 1', { fault: 'changed', row: 1 }],
    ['a changed detail', "UPDATE audit SET detail = '{}' WHERE id = 4", { fault: 'changed', row: 4 }],
    ['a changed hash', "UPDATE audit SET hash = 'ff' WHERE id = 2", { fault: 'changed', row: 2 }],
    ['a row taken out', 'DELETE FROM audit WHERE id = 3', { fault: 'missing', row: 3 }],
    ['the first row taken out', 'DELETE FROM audit WHERE id = 1', { fault: 'missing', row: 1 }],
    [
      'a row taken out and the gap closed',
      'DELETE FROM audit WHERE id = 3; UPDATE audit SET id = 3 WHERE id = 4',
      { fault: 'changed', row: 3 },
    ],
  ])('finds and names %s', async (_, sql, found) => {
    const { audit, raw } = await audited();
    tamper(raw, sql);
    expect(await audit.verify()).toMatchObject({ sound: false, ...found });
  });

  it('finds rows cut off at the end by the head in the log', async () => {
    const { audit, raw, heads } = await audited();
    tamper(raw, 'DELETE FROM audit WHERE id > 2');
    expect(await audit.verify()).toMatchObject({ sound: true, rows: 2 });
    expect(await audit.verify(heads[3])).toMatchObject({ sound: false, fault: 'head_unknown' });
    expect(await audit.verify(heads[1])).toMatchObject({ sound: true });
  });
});
