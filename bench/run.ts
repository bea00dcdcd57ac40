/**
 * The bench: `npm run bench` (a quarter of an hour), `npm run bench -- --quick` (two minutes), `npm run bench -- --only NAME`,
 * `npm run bench -- --soak [--minutes 10]`. Needs wrk; a load generator, upstreams and all contenders share the machine,
 * so only what stands beside each other in one run can be compared (docs/performance.md).
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { haveWrk } from './kit/measure.ts';
import { busy, type Finding, machine, type Row, tableOf } from './kit/report.ts';
import { startTrio, type Trio } from './kit/trio.ts';
import { addedLatency } from './rows/added-latency.ts';
import { failingBest } from './rows/failing-best.ts';
import { idle } from './rows/idle.ts';
import { largeAnswers } from './rows/large-answers.ts';
import { largeRequests } from './rows/large-requests.ts';
import { manyEndpoints } from './rows/many-endpoints.ts';
import { smallReads } from './rows/small-read.ts';
import { soak } from './rows/soak.ts';
import { starts } from './rows/start.ts';

const rows: Readonly<Record<string, Row>> = {
  'small-read': smallReads,
  'added-latency': addedLatency,
  'many-endpoints': manyEndpoints,
  'large-answers': largeAnswers,
  'large-requests': largeRequests,
  'failing-best': failingBest,
  start: starts,
  idle,
};

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    soak: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '10' },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

if (!haveWrk()) {
  print('the bench needs wrk (Debian package wrk)');
  process.exit(2);
}
const { only, quick } = values;
const names = [...Object.keys(rows), 'broadcasts', 'soak'];
if (only !== undefined && !names.includes(only)) {
  print(`no row ${only}; there are ${names.join(', ')}`);
  process.exit(2);
}

print(`${machine()}\n${busy()}\n`);
const all: Finding[] = [];
const seconds = (since: number): string => `${Math.round((performance.now() - since) / 1000)} s`;
const show = async (name: string, row: () => Promise<readonly Finding[]>): Promise<void> => {
  const started = performance.now();
  const findings = await row();
  all.push(...findings);
  print(`${tableOf(`${name}, ${seconds(started)}`, findings)}\n`);
};
const withTrio = ['small-read', 'added-latency', 'many-endpoints'];
let started: Promise<Trio> | undefined;
const trio = (): Promise<Trio> => {
  started ??= startTrio();
  return started;
};
async function endTrio(): Promise<void> {
  (await started)?.stop();
  started = undefined;
}
const soakOnly = values.soak || only === 'soak';
for (const [name, row] of Object.entries(rows)) {
  // Idling takes its time, and is no hurry.
  if (soakOnly || (quick && only === undefined && name === 'idle')) continue;
  if (only !== undefined && only !== name) continue;
  // What these are compared by is of no use to the others, and would take memory and time from them.
  if (!withTrio.includes(name)) await endTrio();
  const rounds = quick ? (name === 'small-read' ? 4 : 3) : 12;
  await show(name, () => row({ rounds, seconds: 1, quick, trio }));
}
await endTrio();
if (soakOnly) await show('soak', () => soak(Number(values.minutes) * 60));
else if (quick && only === undefined) await show('soak (short)', () => soak(8));
if (only === 'broadcasts' || (only === undefined && !quick && !soakOnly)) {
  print('broadcasts');
  spawnSync(process.execPath, [fileURLToPath(new URL('broadcasts.ts', import.meta.url))], {
    stdio: 'inherit',
  });
}
const judged = all.filter(({ met }) => met !== undefined);
print(`${judged.filter(({ met }) => met).length} of ${judged.length} goals met in ${seconds(0)}; ${busy()}`);
