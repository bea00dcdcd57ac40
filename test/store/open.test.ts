import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../src/core/errors.ts';
import { openForWriting } from '../../src/store/database.ts';
import { steps } from '../../src/store/schema.ts';
import { folder, openRaw, openTestStore } from './setup.ts';
import { broadcastEnd, broadcastRow, endpointSettings } from './values.ts';

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

async function refusal(options: Parameters<typeof openTestStore>[0]): Promise<OperatorError> {
  const opened = await openTestStore(options).catch((error: unknown) => error);
  if (opened instanceof OperatorError) return opened;
  throw new Error('it opened, or failed with something else', { cause: opened });
}

describe('the state folder', () => {
  it('is made for its owner alone, and so is every file in it', async () => {
    const dir = join(folder(), 'a', 'state');
    const store = await openTestStore({ dir });
    await store.broadcasts.begin(broadcastRow());
    expect(mode(dir)).toBe('700');
    const files = readdirSync(dir).sort();
    expect(files).toEqual(['rpcgw.db', 'rpcgw.db-shm', 'rpcgw.db-wal', 'rpcgw.lock']);
    for (const file of files) expect(mode(join(dir, file))).toBe('600');
  });

  it('closes a database that others could read', async () => {
    const dir = folder();
    await (await openTestStore({ dir })).close();
    chmodSync(join(dir, 'rpcgw.db'), 0o644);
    await openTestStore({ dir });
    expect(mode(join(dir, 'rpcgw.db'))).toBe('600');
  });

  it('that cannot be written is refused', async () => {
    const dir = readOnlyFolder();
    const error = await refusal({ dir });
    expect(error.code).toBe('store_unusable');
    expect(error.message).toContain(dir);
    expect(error.next).not.toEqual([]);
  });

  it('that is a file is refused', async () => {
    const dir = join(folder(), 'state');
    writeFileSync(dir, '');
    expect(await refusal({ dir })).toMatchObject({
      code: 'store_unusable',
      message: expect.stringContaining('no folder'),
    });
  });

  it('on a full disk is refused', async () => {
    expect(await refusal({ testing: { maxPages: 4 } })).toMatchObject({
      code: 'store_unusable',
      message: expect.stringContaining('the disk is full'),
      next: ['free space on the disk that holds it'],
    });
  });
});

describe('the database file', () => {
  it('that is none is refused and left as it is', async () => {
    const dir = folder();
    writeFileSync(
      join(dir, 'rpcgw.db'),
      'a letter to the editor, long enough to have a page of its own'.repeat(99),
    );
    expect(await refusal({ dir })).toMatchObject({
      code: 'store_unusable',
      message: expect.stringContaining('no database'),
    });
    expect(statSync(join(dir, 'rpcgw.db')).size).toBe(61 * 99);
  });

  it("that is another program's is refused", async () => {
    const dir = folder();
    const other = new Database(join(dir, 'rpcgw.db'));
    other.exec('CREATE TABLE song (title)');
    other.close();
    expect(await refusal({ dir })).toMatchObject({
      code: 'store_unusable',
      message: expect.stringContaining('another program'),
    });
  });

  it('that another program has locked is refused', async () => {
    const dir = folder();
    await (await openTestStore({ dir })).close();
    const other = openRaw(dir);
    other.exec('BEGIN EXCLUSIVE');
    expect(await refusal({ dir })).toMatchObject({
      code: 'store_unusable',
      message: expect.stringContaining('another process holds a lock'),
    });
    other.exec('ROLLBACK');
    expect((await openTestStore({ dir })).state).toEqual({ is: 'ok' });
  });
});

describe('a second instance', () => {
  it('is refused while the first runs, and not after', async () => {
    const dir = folder();
    const first = await openTestStore({ dir });
    expect(await refusal({ dir })).toMatchObject({ code: 'already_running', exit: 9 });
    // The refusal has not cost the first one its lock.
    expect((await refusal({ dir })).code).toBe('already_running');
    await first.broadcasts.begin(broadcastRow());
    await first.close();
    expect((await openTestStore({ dir })).interrupted).toHaveLength(1);
  });

  it('is not held off by a start that failed', async () => {
    const dir = folder();
    expect((await refusal({ dir, testing: { maxPages: 4 } })).code).toBe('store_unusable');
    expect((await openTestStore({ dir })).state.is).toBe('ok');
  });
});

describe('a restart', () => {
  it('starts with what was known', async () => {
    const dir = folder();
    const before = await openTestStore({ dir });
    const spare = { chain: 'ethereum', settings: endpointSettings(), addedAt: 5 };
    const gone = { chain: 'ethereum', settings: endpointSettings({ name: 'gone' }), addedAt: 6 };
    await before.endpoints.put(spare);
    await before.endpoints.put(gone);
    const weight = {
      chain: 'ethereum',
      endpoint: 'infura',
      what: 'weight',
      value: 20,
      madeAt: 7,
      until: 9,
    } as const;
    const off = { chain: 'ethereum', endpoint: 'gone', what: 'disabled', value: 1, madeAt: 8 } as const;
    await before.overrides.put({ ...weight, value: 1 });
    await before.overrides.put(weight);
    await before.overrides.put(off);
    await before.overrides.put({ ...off, endpoint: 'infura' });
    await before.overrides.remove('ethereum', 'infura', 'disabled');
    await before.endpoints.remove('ethereum', 'gone');
    before.identities.set('key-a', { result: 'wrong', value: '56', at: 1 });
    before.identities.set('key-a', { result: 'verified', value: '1', at: 2 });
    before.identities.set('key-b', { result: 'verified', value: '1', at: 3 });
    before.identities.forget('key-b');
    before.quarantines.set('key-a', { passedAt: 4 });
    before.histories.set('key-a', { state: { lowest: 100, headThen: 190, at: 5 } });
    before.builds.set('key-a', { builds: true, at: 6 });
    before.chains.set('ethereum', { since: 7 });
    const seen = () => [before.endpoints.all(), before.overrides.all(), before.identities.get('key-b')];
    expect(seen()).toEqual([[spare], [weight], undefined]);
    await before.close();

    const after = await openTestStore({ dir });
    expect(after.endpoints.all()).toEqual([spare]);
    expect(after.overrides.all()).toEqual([weight]);
    expect(after.identities.get('key-a')).toEqual({ result: 'verified', value: '1', at: 2 });
    expect(after.identities.get('key-b')).toBeUndefined();
    expect(after.quarantines.get('key-a')).toEqual({ passedAt: 4 });
    expect(after.histories.get('key-a')).toEqual({ state: { lowest: 100, headThen: 190, at: 5 } });
    expect(after.builds.get('key-a')).toEqual({ builds: true, at: 6 });
    expect(after.chains.get('ethereum')).toEqual({ since: 7 });
  });

  it('leaves nothing of a removed endpoint in the files', async () => {
    const dir = folder();
    const store = await openTestStore({ dir });
    await store.endpoints.put({ chain: 'ethereum', settings: endpointSettings(), addedAt: 1 });
    await store.endpoints.remove('ethereum', 'spare');
    await store.close();
    for (const file of readdirSync(dir)) expect(readFileSync(join(dir, file)).includes('SECRET')).toBe(false);
  });
});

describe('a schema of another version', () => {
  const newer = [...steps, "ALTER TABLE event ADD COLUMN shard TEXT NOT NULL DEFAULT 'one';"];
  const backup = `rpcgw.db.v${steps.length}.bak`;

  it('that is the very first one goes forward too', async () => {
    const dir = folder();
    const old = openForWriting(dir, { steps: steps.slice(0, 1), now: 1 });
    old.exec(`INSERT INTO broadcast (chain, method, tx_id, tx_key, digest, options, endpoint, identity_key, request_id,
      attempt, began) VALUES ('ethereum', 'eth_sendRawTransaction', '0x9a', '0x9a', 'd1', '{}', 'infura', 'key', 'r', 1, 5)`);
    old.close();
    const { interrupted } = await openTestStore({ dir });
    expect(interrupted).toMatchObject([{ txId: '0x9a', began: 5, outcome: 'unknown' }]);
    expect(readdirSync(dir)).toContain('rpcgw.db.v1.bak');
  });

  it('goes forward, with a copy of what was before', async () => {
    const dir = folder();
    const old = await openTestStore({ dir });
    const row = await old.broadcasts.begin(broadcastRow());
    old.broadcasts.finish(row, broadcastEnd());
    old.events.emit({ kind: 'k', chain: 'ethereum', level: 'info', text: 'from before' });
    await old.close();

    const migrated = await openTestStore({ dir, testing: { steps: newer } });
    expect(await migrated.events.list()).toMatchObject([{ text: 'from before' }]);
    expect(await migrated.broadcasts.list()).toMatchObject([{ row, outcome: 'accepted' }]);
    expect(openRaw(dir).pragma('user_version', { simple: true })).toBe(newer.length);
    expect(openRaw(dir).prepare('SELECT shard FROM event').pluck().all()).toEqual(['one']);

    const copy = new Database(join(dir, backup), { readonly: true });
    expect(copy.pragma('user_version', { simple: true })).toBe(steps.length);
    expect(copy.prepare('SELECT text FROM event').pluck().all()).toEqual(['from before']);
    copy.close();
    expect(mode(join(dir, backup))).toBe('600');
    expect(readdirSync(dir)).not.toContain(`${backup}.tmp`);
  });

  it('stays as it was when the step fails', async () => {
    const dir = folder();
    await (await openTestStore({ dir })).close();
    const broken = [...steps, 'CREATE TABLE half (a); CREATE TABLE event (b);'];
    expect((await refusal({ dir, testing: { steps: broken } })).message).toContain('event already exists');
    const raw = openRaw(dir);
    expect(raw.pragma('user_version', { simple: true })).toBe(steps.length);
    expect(raw.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'half'").pluck().get()).toBe(0);
    expect((await openTestStore({ dir })).state.is).toBe('ok');
  });

  it('is refused when it is newer than this program', async () => {
    const dir = folder();
    await (await openTestStore({ dir, testing: { steps: newer } })).close();
    const error = await refusal({ dir });
    expect(error.code).toBe('store_unusable');
    expect(error.message).toContain('newer rpcgw');
    expect(error.why).toEqual([`its version is ${newer.length}, this rpcgw knows ${steps.length}`]);
  });
});

/** Root writes wherever the mode forbids it, but not into the kernel's own tree. */
function readOnlyFolder(): string {
  if (process.getuid?.() === 0) return '/sys/kernel';
  const dir = join(folder(), 'state');
  mkdirSync(dir, { mode: 0o500 });
  return dir;
}
