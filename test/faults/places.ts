/** How everyone is brought to the place of the kill, and what holds that place open. */

import { faultOf, type Kill, turnsBefore } from './cells.ts';
import { type DiskRecord, holdWrites } from './record.ts';
import type { Subject } from './subject.ts';
import { rowsOf, type Trial } from './trial.ts';
import { patienceMs, waitFor } from './wait.ts';

export interface Way {
  readonly kill: Kill;
  /** Of `anywhere`: when the signal comes after the last request, ms. */
  readonly afterMs: number;
  readonly subject: Subject;
  readonly trials: readonly Trial[];
  readonly record: DiskRecord | undefined;
  /** Lets the upstreams act that wait for their turn. */
  openGate(): void;
}

/** Everyone is at the place when this resolves; whoever is not has missed it. What comes back ends a hold on the disk. */
export async function bringThere(way: Way): Promise<() => void> {
  const { kill, afterMs, subject, trials, record, openGate } = way;
  const nothing = () => undefined;
  const sendAll = () => {
    for (const trial of trials) trial.send(subject.url);
  };
  const arrived = async (): Promise<void> => {
    const there = new Set<Trial>();
    for (const trial of trials) void trial.arrived.then(() => there.add(trial));
    await waitFor(patienceMs, () => there.size === trials.length);
    for (const trial of trials) trial.seen.missed = !there.has(trial);
  };
  switch (kill) {
    case 'before the row': {
      // Another process holds the lock that every row needs.
      const unhold = subject.gateway === undefined ? nothing : holdWrites(subject.gateway.place.dataDir);
      sendAll();
      await underWay(subject, trials, 'a');
      leave(trials);
      return unhold;
    }
    case 'before the second row': {
      // The first upstream keeps its refusal back until the lock is held.
      sendAll();
      await arrived();
      const unhold = subject.gateway === undefined ? nothing : holdWrites(subject.gateway.place.dataDir);
      openGate();
      await underWay(subject, trials, 'b');
      return unhold;
    }
    case 'after the row':
    case 'after the second row': {
      // No connection comes about, and the row is seen by another reader of the file.
      const wanted = 1 + turnsBefore(kill);
      const arrive = (these: readonly Trial[]) =>
        waitFor(patienceMs, () => {
          const rows = record?.rows() ?? [];
          return record === undefined || these.every(trial => rowsOf(trial, rows).length >= wanted);
        });
      // Whose first attempt takes as long as a connection may take goes ahead of the others.
      const slow = trials.filter(({ upstreams }) => wanted === 2 && upstreams[0]?.door === 'wall');
      for (const trial of slow) trial.send(subject.url);
      await arrive(slow);
      for (const trial of trials) if (!slow.includes(trial)) trial.send(subject.url);
      await arrive(trials);
      leave(trials);
      return nothing;
    }
    case 'while sending':
    case 'while sending to the second':
      // The upstream has a first byte and reads no more.
      sendAll();
      await arrived();
      return nothing;
    case 'before the answer':
    case 'before the second answer':
      // The gateway is stopped, then the upstreams do what they do: it lies in the gateway's own sockets, unread.
      sendAll();
      await arrived();
      process.kill(subject.pid, 'SIGSTOP');
      openGate();
      await Promise.all(trials.filter(({ seen }) => !seen.missed).map(({ acted }) => acted));
      return nothing;
    default:
      sendAll();
      await new Promise(resolve => setTimeout(resolve, afterMs));
      return nothing;
  }
}

/**
 * The attempt at this endpoint has begun, so its row is asked for. The gateway waits for it a second at most: who is told
 * before the kill that nothing was sent has missed the place.
 */
async function underWay({ gateway }: Subject, trials: readonly Trial[], endpoint: string): Promise<void> {
  if (gateway === undefined) return;
  const end = performance.now() + patienceMs;
  await Promise.all(
    trials.map(async ({ chain, clients, seen }) => {
      const over = () => performance.now() > end || clients.some(({ told }) => told !== undefined);
      let busy = false;
      while (!busy && !over()) {
        const { chains } = await gateway.api.ask('status', { chain });
        busy = chains[0]?.endpoints.find(({ name }) => name === endpoint)?.inFlight === 1;
      }
      seen.missed = !busy;
    }),
  );
}

/** Clients that leave do so before the kill, where no upstream could tell them. */
function leave(trials: readonly Trial[]): void {
  for (const { cell, clients } of trials) if (faultOf(cell.fault).clientGoes) clients[0]?.leave();
}
