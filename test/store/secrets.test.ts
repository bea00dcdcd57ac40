import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folder, openRaw, openTestStore } from './setup.ts';
import { broadcastEnd, broadcastRow, endpointSettings } from './values.ts';

it("an endpoint's URL and headers stand in one table and nowhere else", async () => {
  const dir = folder();
  const lost: string[] = [];
  const store = await openTestStore({ dir, onLost: (_, why) => lost.push(why) });
  const settings = endpointSettings();
  await store.endpoints.put({ chain: 'ethereum', settings, addedAt: 1 });
  await store.overrides.put({
    chain: 'ethereum',
    endpoint: settings.name,
    what: 'weight',
    value: 5,
    madeAt: 1,
  });
  const row = await store.broadcasts.begin(broadcastRow({ endpoint: settings.name }));
  store.broadcasts.finish(row, broadcastEnd({ outcome: 'unknown' }));
  store.broadcasts.finish(row, broadcastEnd());
  store.broadcasts.look(row, { found: 'not_seen', endpoint: settings.name });
  store.identities.set('key', { result: 'verified', value: '1', at: 1 });
  store.events.emit({ kind: 'k', chain: 'ethereum', endpoint: settings.name, level: 'info', text: 'added' });
  await store.audit.append({ who: 'ops', action: 'endpoint add', target: settings.name, result: 'done' });
  // What the store itself has to say about a write that is at fault does not quote it.
  const { url: _url, ...noUrl } = settings;
  // A settings object without its URL is not one; the point is the text of the fault.
  const broken = { chain: 'ethereum', settings: noUrl as typeof settings, addedAt: 1 };
  const fault = await store.endpoints.put(broken).catch((error: unknown) => String(error));
  expect(fault).toContain('Error');
  expect([fault, ...lost].join()).not.toContain('SECRET');

  const raw = openRaw(dir);
  const tables = raw.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  expect(tables.length).toBeGreaterThan(10);
  const holding = tables.filter(table =>
    JSON.stringify(raw.prepare(`SELECT * FROM ${table}`).all()).includes('SECRET'),
  );
  expect(holding).toEqual(['endpoint']);
  expect(readFileSync(join(dir, 'rpcgw.lock'))).toHaveLength(0);
});
