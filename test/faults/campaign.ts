/** Runs cells, many at a time, until each was where it wanted to be. */

import { runBatch } from './batch.ts';
import { type Cell, type Kill, kills } from './cells.ts';
import type { Finding } from './check.ts';
import type { SubjectName } from './subject.ts';

export interface CampaignOptions {
  readonly subject: SubjectName;
  readonly cells: readonly Cell[];
  /** Processes at a time. */
  readonly wide: number;
  /** How often cells that missed their place are run again. */
  readonly tries: number;
  /** 0 ≤ n < 1; for the moment of a kill that may come anywhere. */
  readonly chance: () => number;
  readonly onViolation?: (finding: Finding) => void;
}

/** A row is waited for a second at most, so that all of these have to be at the place within one. */
const mostAtOnce = (kill: Kill): number => (kill.endsWith(' row') && kill.startsWith('before') ? 36 : 90);

/** A finding for each run; the last one of a cell that was run again. */
export async function runCampaign(options: CampaignOptions): Promise<readonly Finding[]> {
  const { subject, wide, tries, chance, onViolation } = options;
  const findings: Finding[] = [];
  let waiting = batchesOf(options.cells);
  for (let round = 1; waiting.length > 0; round += 1) {
    const again: Cell[] = [];
    const queue = [...waiting];
    const worker = async (): Promise<void> => {
      for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
        const kill = batch[0]?.kill ?? 'none';
        const afterMs = chance() * 40 * batch.length ** 0.5;
        const found = await runBatch({ subject, kill, cells: batch, afterMs }).catch((error: unknown) => {
          // Another program took a port meanwhile, or the like: nothing was found out.
          if (round === tries) throw error;
          return undefined;
        });
        if (found === undefined) again.push(...batch);
        for (const finding of found ?? []) {
          // What went wrong is kept, wherever it was.
          const keep = !finding.missed || finding.violations.length > 0 || round === tries;
          if (keep) findings.push(finding);
          else again.push(finding.cell);
          if (finding.violations.length > 0) onViolation?.(finding);
        }
      }
    };
    await Promise.all(Array.from({ length: wide }, worker));
    waiting = batchesOf(again);
  }
  return findings;
}

function batchesOf(cells: readonly Cell[]): Cell[][] {
  return kills.flatMap(kill => {
    const own = cells.filter(cell => cell.kill === kill);
    const size = mostAtOnce(kill);
    return Array.from({ length: Math.ceil(own.length / size) }, (_, at) =>
      own.slice(at * size, (at + 1) * size),
    );
  });
}
