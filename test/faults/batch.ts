/**
 * Many cells at once on one process, because a kill ends them all alike: everyone is brought to the place, then comes the
 * one signal. What holds a place open is said at each.
 */

import { afterwards } from './afterwards.ts';
import { type Cell, type Kill, turnsBefore } from './cells.ts';
import { type Finding, judge } from './check.ts';
import { openDoors, shutDoors } from './doors.ts';
import { bringThere, type Way } from './places.ts';
import { type DiskRecord, openRecord } from './record.ts';
import { type Subject, type SubjectName, startSubject } from './subject.ts';
import { openTrial, rowsOf, type Trial } from './trial.ts';
import type { Scripted } from './upstream.ts';
import { patienceMs, waitFor } from './wait.ts';
import type { Wall } from './wall.ts';

export interface BatchOptions {
  readonly subject: SubjectName;
  /** All cells have this one. */
  readonly kill: Kill;
  readonly cells: readonly Cell[];
  /** Of `anywhere`: when the signal comes after the last request, ms. */
  readonly afterMs: number;
}

/** The gateway gives an attempt 7.5 s, the proxy 2 s. */
const lateMs = { gateway: 8_200, proxy: 2_500 } as const;

export async function runBatch(options: BatchOptions): Promise<readonly Finding[]> {
  const { kill, cells } = options;
  const gate = Promise.withResolvers<void>();
  const dead = Promise.withResolvers<void>();
  let record: DiskRecord | undefined;
  const common = {
    rowThere: (chain: string, upstream: string) =>
      record?.rowsOf(chain).some(row => row.endpoint === upstream && row.outcome === null),
    gate: gate.promise,
    dead: dead.promise,
    lateMs: lateMs[options.subject],
  };
  const trials = await Promise.all(cells.map((cell, n) => openTrial(cell, n, common)));
  let subject: Subject | undefined;
  let wall: Wall | undefined;
  try {
    subject = await startSubject(
      options.subject,
      trials.map(({ config }) => config),
      {
        // Where the kill is to come while it connects, everyone has to be there before the first gives up.
        connectMs: kill.startsWith('after') ? 4_000 : 2_000,
        // None ends within a run, however busy the machine is.
        repeatWindow: '10m',
      },
    );
    const { gateway } = subject;
    if (gateway !== undefined) record = openRecord(gateway.place.dataDir);
    const all = trials.flatMap(({ upstreams }) => upstreams);
    wall = await shutDoors(all, stuckIn(trials, kill), subject.names);
    if (kill === 'none') await allAnswered(subject, trials, record);
    else {
      await killed({ ...options, subject, trials, record, openGate: gate.resolve });
      dead.resolve();
    }
    gate.resolve();
    await openDoors(all, wall, subject.names);
    wall = undefined;
    for (const { cell, upstreams } of trials) {
      for (const upstream of upstreams) {
        upstream.play({ at: 'whole', does: 'takes' });
        upstream.landed = cell.landed;
        if (kill !== 'none') upstream.life = 1;
      }
    }
    if (kill !== 'none') await subject.restart();
    await afterwards(subject, trials, record);
    const failed = gateway
      ?.log()
      .some(({ msg }) => msg === 'the store cannot be written, broadcasts are refused');
    if (gateway !== undefined && kill === 'none') {
      for (const { seen } of trials)
        seen.tooBusy = failed === true || (seen.rowsBefore.length === 0 && seen.reachedBefore === 0);
    }
    return trials.map(trial => judge(trial, gateway !== undefined));
  } finally {
    dead.resolve();
    record?.close();
    await wall?.down();
    await subject?.remove();
    for (const { upstreams } of trials) for (const upstream of upstreams) upstream.end();
  }
}

/** After the row and before the first byte there is only the connecting: that is made to last. */
function stuckIn(trials: readonly Trial[], kill: Kill): ReadonlySet<Scripted> {
  if (!kill.startsWith('after')) return new Set();
  return new Set(trials.flatMap(({ upstreams }) => upstreams.slice(turnsBefore(kill))));
}

async function killed(way: Way): Promise<void> {
  const { kill, subject, trials, record } = way;
  const letGo = await bringThere(way);
  // Who has been told already is past the place.
  const told = trials.filter(({ clients }) => clients.some(one => one.told !== undefined));
  await subject.kill();
  letGo();
  await Promise.all(trials.flatMap(({ clients }) => clients.map(({ over }) => over)));
  const rows = record?.rows();
  for (const trial of trials) trial.seen.rowsAtDeath = rows && rowsOf(trial, rows);
  if (kill === 'anywhere') return;
  for (const { seen } of told) seen.missed = true;
  if (kill === 'before the row' || kill === 'before the second row') return;
  // Behind a row, its attempt has no end yet.
  for (const { seen } of trials) {
    if (seen.rowsAtDeath !== undefined && seen.rowsAtDeath.at(-1)?.outcome !== null) seen.missed = true;
  }
}

async function allAnswered(
  subject: Subject,
  trials: readonly Trial[],
  record: DiskRecord | undefined,
): Promise<void> {
  for (const trial of trials) trial.send(subject.url);
  await Promise.all(trials.flatMap(({ clients }) => clients.map(({ over }) => over)));
  // The ends reach the disk after the answers, and nobody tells a client that has left.
  await waitFor(patienceMs, () => {
    const rows = record?.rows() ?? [];
    return (
      record === undefined ||
      trials.every(trial => {
        const own = rowsOf(trial, rows);
        return own.length > 0 && own.every(({ outcome }) => outcome !== null);
      })
    );
  });
}
