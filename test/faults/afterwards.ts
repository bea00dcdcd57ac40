import type { Broadcasts } from '../../src/api/history-shapes.ts';
import { mustSettle } from './cells.ts';
import type { DiskRecord } from './record.ts';
import type { Subject } from './subject.ts';
import type { Trial } from './trial.ts';
import { patienceMs, waitFor } from './wait.ts';

const followUpMs = 20_000;

/** The look-ups, the repeat, and what the operator is shown. */
export async function afterwards(
  subject: Subject,
  trials: readonly Trial[],
  record: DiskRecord | undefined,
): Promise<void> {
  for (const trial of trials) {
    trial.seen.reachedBefore = trial.reached.length;
    trial.seen.rowsBefore = record?.rowsOf(trial.chain) ?? [];
  }
  const { gateway } = subject;
  if (gateway !== undefined && record !== undefined) {
    const open = trials.filter(({ seen }) => seen.rowsBefore.some(({ outcome }) => outcome === 'unknown'));
    // What an operator types after an incident.
    const asked = ['broadcasts', '--unknown', '--limit', '1000'];
    const { broadcasts } = open.length === 0 ? { broadcasts: [] } : await gateway.json<Broadcasts>(...asked);
    const listed = new Set(broadcasts.map(({ id }) => id));
    const settledChains = () => {
      const settled = record.followed().filter(({ settled }) => settled !== null);
      return new Set(settled.map(({ chain }) => chain));
    };
    // Settled since the list was made, or before: read after it.
    const settledThen = settledChains();
    for (const { seen, chain } of open) {
      const unknown = seen.rowsBefore.filter(({ outcome }) => outcome === 'unknown');
      seen.listed = settledThen.has(chain) || unknown.every(({ row }) => listed.has(row));
    }
    await waitFor(followUpMs, () => {
      const settled = settledChains();
      for (const { seen, chain, upstreams } of open) {
        seen.settled = settled.has(chain);
        seen.followed = upstreams.some(({ lookUps, life }) => lookUps.includes(life));
      }
      return open.every(({ seen, cell }) => seen.followed && (seen.settled || !mustSettle(cell)));
    });
  }
  await Promise.all(
    trials
      .filter(({ cell }) => cell.repeated)
      .map(async trial => {
        trial.seen.repeat = (await trial.again(subject.url)) ?? 'none';
      }),
  );
  // Whatever is still on its way to the disk.
  await waitFor(patienceMs, () => record?.rows().every(({ outcome }) => outcome !== null) ?? true);
  for (const trial of trials) trial.seen.rowsAtEnd = record?.rowsOf(trial.chain) ?? [];
}
