import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { folder, openTestStore } from './setup.ts';

interface Said {
  ready?: true;
  row?: number;
  txId?: string;
  endpoint?: string;
  audit?: { id: number; hash: string };
}

const child = fileURLToPath(new URL('./child-writer.ts', import.meta.url));

/** Runs a writer until it has said so many lines, kills it without warning, and returns all it said before it died. */
async function killedAfter(lines: number, dir: string, meanwhile?: () => Promise<void>): Promise<Said[]> {
  const writer = spawn(process.execPath, [child, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: Said[] = [];
  for await (const line of createInterface({ input: writer.stdout })) {
    if (!line.endsWith(']')) continue;
    said.push(...JSON.parse(line));
    if (said.length === lines) {
      await meanwhile?.();
      writer.kill('SIGKILL');
    }
  }
  expect(
    writer.signalCode ?? (await new Promise(resolve => writer.on('exit', (_, signal) => resolve(signal)))),
  ).toBe('SIGKILL');
  return said;
}

describe('killed without warning', () => {
  it.each([2, 20, 300, 1000])('after %i acknowledgements, nothing acknowledged is lost', async lines => {
    const dir = folder();
    const said = await killedAfter(lines, dir);
    const store = await openTestStore({ dir });

    const rows = await store.broadcasts.list({ limit: 1_000_000 });
    const kept = new Map(rows.map(row => [row.row, row]));
    const acknowledged = said.filter(({ row }) => row !== undefined);
    expect(acknowledged.filter(({ row, txId }) => kept.get(row ?? -1)?.txId !== txId)).toEqual([]);

    // Every row has a true outcome: the one it was given, or unknown, and that one is followed up.
    expect(rows.filter(({ outcome }) => outcome !== 'accepted' && outcome !== 'unknown')).toEqual([]);
    const unknown = rows.filter(({ outcome }) => outcome === 'unknown').map(({ row }) => row);
    unknown.reverse();
    expect(store.interrupted.map(({ row }) => row)).toEqual(unknown);
    expect((await store.broadcasts.followed()).map(({ row }) => row)).toEqual(unknown);

    const newest = said.findLast(({ endpoint }) => endpoint !== undefined)?.endpoint;
    if (newest !== undefined)
      expect(store.endpoints.all().map(({ settings }) => settings.name)).toContain(newest);
    const audited = said.findLast(({ audit }) => audit !== undefined)?.audit;
    expect(await store.audit.verify(audited?.hash)).toMatchObject({ sound: true });
  });

  it('its lock holds while it lives and goes with it', async () => {
    const dir = folder();
    await killedAfter(5, dir, async () => {
      const second = await openTestStore({ dir }).catch((error: unknown) => error);
      expect(second).toMatchObject({ code: 'already_running' });
    });
    expect((await openTestStore({ dir })).state).toEqual({ is: 'ok' });
  });

  it('again and again, the record only grows', async () => {
    const dir = folder();
    let before = 0;
    for (const lines of [30, 60, 90]) {
      const said = await killedAfter(lines, dir);
      const store = await openTestStore({ dir });
      const rows = await store.broadcasts.list({ limit: 1_000_000 });
      expect(rows.length).toBeGreaterThanOrEqual(before + said.filter(({ row }) => row !== undefined).length);
      before = rows.length;
      await store.close();
    }
  });
});
