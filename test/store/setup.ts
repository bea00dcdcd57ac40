import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { EndpointSettings } from '../../src/core/chain.ts';
import type { BroadcastEnd, BroadcastRow, Clock } from '../../src/gateway/ports.ts';
import { openStore, type Store, type StoreOptions } from '../../src/store/open.ts';

export function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'rpcgw-store-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export const realClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

export interface HandClock extends Clock {
  time: number;
  /** Runs the timers of this length that are not cancelled; says how many there were. */
  fire(ms: number): number;
}

/** Time stands still, and timers run when the test says so. */
export function handClock(time = 1_700_000_000_000): HandClock {
  const timers = new Set<{ ms: number; run: () => void }>();
  return {
    time,
    now: () => 0,
    wall() {
      return this.time;
    },
    after(ms, run) {
      const timer = { ms, run };
      timers.add(timer);
      return { cancel: () => timers.delete(timer) };
    },
    fire(ms) {
      const due = [...timers].filter(timer => timer.ms === ms);
      for (const timer of due) timers.delete(timer);
      for (const timer of due) timer.run();
      return due.length;
    },
  };
}

/** A store in a folder of its own unless one is named; closed after the test unless the test did it. */
export async function openTestStore(options: Partial<StoreOptions> = {}): Promise<Store> {
  const store = await openStore({ dir: options.dir ?? folder(), clock: realClock, ...options });
  let closing: Promise<void> | undefined;
  const close = store.close;
  const closeOnce = () => {
    closing ??= close();
    return closing;
  };
  onTestFinished(closeOnce);
  // The store reads its state through getters, so it is wrapped and not copied.
  return Object.assign(Object.create(store), { close: closeOnce });
}

/** A second connection, as another program would have it. */
export function openRaw(dir: string): Database.Database {
  const db = new Database(join(dir, 'rpcgw.db'));
  onTestFinished(() => {
    db.close();
  });
  return db;
}

export function broadcastRow(changed: Partial<BroadcastRow> = {}): BroadcastRow {
  return {
    chain: 'ethereum',
    method: 'eth_sendRawTransaction',
    txId: '0x9a',
    digest: 'd1',
    options: '{}',
    endpoint: 'infura',
    identityKey: 'ethereum/1/ab12',
    requestId: 'r-1',
    attempt: 1,
    earlier: undefined,
    ...changed,
  };
}

export function broadcastEnd(changed: Partial<BroadcastEnd> = {}): BroadcastEnd {
  return {
    outcome: 'accepted',
    reached: 'answered',
    ms: 12.5,
    answer: undefined,
    rule: 'evm.accepted',
    ...changed,
  };
}

export function endpointSettings(changed: Partial<EndpointSettings> = {}): EndpointSettings {
  return {
    name: 'spare',
    url: 'https://rpc.example.org/v3/SECRET-IN-PATH',
    headers: { 'x-api-key': 'SECRET-IN-HEADER' },
    origin: 'runtime',
    weight: 10,
    history: 'auto',
    roles: ['read', 'broadcast'],
    broadcast: 'allow',
    labels: { provider: 'example' },
    maxInFlight: 256,
    allowPrivate: false,
    disabled: false,
    ...changed,
  };
}
