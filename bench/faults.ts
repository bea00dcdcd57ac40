/**
 * Broadcasts under every fault, with the gateway killed at every place, through the built program (`npm run build` first):
 *
 *   node bench/faults.ts [--runs 10000] [--seed N] [--wide 3] [--seconds N] [--subject gateway|proxy|both] [--cell N]
 *
 * Prints a table of faults and places: how many runs there were, and how many broke a rule (✗). The same runs go through
 * a proxy that sends again whenever something fails, of which the bench must see that it sends twice. `--cell N` plays
 * one drawn cell alone, with all that was seen of it. Ends with 1 when the gateway broke a rule, or the proxy none.
 */

import { parseArgs } from 'node:util';
import { runCampaign } from '../test/faults/campaign.ts';
import { type Cell, drawCell, type Kill, kills } from '../test/faults/cells.ts';
import type { Finding } from '../test/faults/check.ts';
import { seeded } from '../test/faults/seed.ts';
import type { SubjectName } from '../test/faults/subject.ts';
import { rulesOf, tableOf } from '../test/faults/table.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
    wide: { type: 'string', default: '3' },
    seconds: { type: 'string' },
    subject: { type: 'string', default: 'both' },
    cell: { type: 'string' },
  },
});
const seed = Number(values.seed);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** How often each place is drawn. A kill costs two starts, and the second ones are few combinations. */
const shares: Readonly<Record<Kill, number>> = {
  none: 24,
  'before the row': 8,
  'after the row': 12,
  'while sending': 14,
  'before the answer': 14,
  'before the second row': 2,
  'after the second row': 6,
  'while sending to the second': 5,
  'before the second answer': 5,
  anywhere: 10,
};

function drawn(runs: number): Cell[] {
  const next = seeded(seed);
  const all = Object.values(shares).reduce((sum, share) => sum + share, 0);
  return Array.from({ length: runs }, () => {
    const at = next() * all;
    let sum = 0;
    const kill = kills.find(place => {
      sum += shares[place];
      return at < sum;
    });
    return drawCell(next, kill ?? 'none');
  });
}

async function run(subject: SubjectName, cells: readonly Cell[]): Promise<readonly Finding[]> {
  const started = performance.now();
  const end =
    values.seconds === undefined ? Number.POSITIVE_INFINITY : started + 1000 * Number(values.seconds);
  const findings: Finding[] = [];
  // In portions, so that the time may run out between two of them; large ones, for each process takes many cells at once.
  const portion = 1_000;
  for (let at = 0; at < cells.length && performance.now() < end; at += portion) {
    findings.push(
      ...(await runCampaign({
        subject,
        cells: cells.slice(at, at + portion),
        wide: Number(values.wide),
        tries: 3,
        chance: seeded(seed + at),
        ...(subject === 'gateway' ? { onViolation: tellAtOnce } : {}),
      })),
    );
    const seconds = Math.round((performance.now() - started) / 1000);
    const bad = findings.filter(({ violations }) => violations.length > 0).length;
    process.stderr.write(`${subject}: ${findings.length} runs in ${seconds} s, ${bad} broke a rule\n`);
  }
  return findings;
}

function tellAtOnce({ cell, violations }: Finding): void {
  process.stderr.write(`${JSON.stringify({ cell, violations })}\n`);
}

function report(subject: SubjectName, findings: readonly Finding[]): number {
  const bad = findings.filter(({ violations }) => violations.length > 0);
  const twice = findings.filter(({ violations }) => violations.some(({ rule }) => rule === 'sent twice'));
  const missed = findings.filter(finding => finding.missed).length;
  print(`\n${subject}: ${findings.length} runs, seed ${seed}\n`);
  print(tableOf(findings));
  print(`\n${rulesOf(findings)}`);
  print(`\nsent twice: ${twice.length} of ${findings.length}; not where the kill was to come: ${missed}`);
  return subject === 'gateway' ? bad.length : twice.length;
}

if (values.cell === undefined) {
  const cells = drawn(Number(values.runs));
  let sound = true;
  print(`seed ${seed}`);
  if (values.subject !== 'proxy') sound = report('gateway', await run('gateway', cells)) === 0 && sound;
  if (values.subject !== 'gateway') {
    // It has no record, so there is no place before or after a row; and of two clients at once it knows nothing.
    const bare = cells.filter(({ kill }) => !kill.endsWith('row')).map(cell => ({ ...cell, joined: false }));
    sound = report('proxy', await run('proxy', bare)) > 0 && sound;
  }
  process.exitCode = sound ? 0 : 1;
} else {
  const n = Number(values.cell);
  const cell = drawn(n + 1)[n];
  if (cell === undefined) throw new Error(`there is no cell ${n}`);
  const subject = values.subject === 'proxy' ? 'proxy' : 'gateway';
  print(
    JSON.stringify(
      await runCampaign({ subject, cells: [cell], wide: 1, tries: 3, chance: seeded(seed) }),
      undefined,
      2,
    ),
  );
}
