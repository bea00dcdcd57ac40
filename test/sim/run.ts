/**
 * Plays lives until so many pool-hours are over: `node test/sim/run.ts --hours 1000 --seed 1`.
 * `--only "chain halt"` plays one scenario; `--enough N` ends with so many broken lives; `--root DIR` takes another copy of
 * the sources. Exits 1 when an invariant broke.
 */

import { parseArgs } from 'node:util';
import { campaign } from './campaign.ts';
import { loadCode } from './code.ts';
import { invariants } from './invariants.ts';

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    enough: { type: 'string', default: '10' },
    root: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

const code = await loadCode(values.root);
const began = process.cpuUsage();
const result = await campaign(code, {
  hours: Number(values.hours),
  seed: Number(values.seed),
  enough: Number(values.enough),
  ...(values.only === undefined ? {} : { only: values.only }),
});
const { user, system } = process.cpuUsage(began);
const seconds = (user + system) / 1e6;
const { broken } = result;
if (values.json) {
  process.stdout.write(`${JSON.stringify({ ...result, seconds })}\n`);
} else {
  for (const { scenario, seed, violation } of broken) {
    process.stdout.write(
      `${scenario}, seed ${seed}, at ${(violation.at / 1000).toFixed(1)} s: ${violation.invariant}\n  ${violation.text}\n`,
    );
  }
  for (const [invariant, times] of Object.entries(result.checked)) {
    process.stdout.write(
      `${String(times).padStart(10)} × ${invariants[invariant as keyof typeof invariants]}\n`,
    );
  }
  process.stdout.write(
    `${result.hours.toFixed(0)} pool-hours in ${result.lives} lives, ${result.requests} requests, ` +
      `${result.attempts} attempts, ${seconds.toFixed(1)} s of CPU: ${(result.hours / seconds).toFixed(0)} hours a second\n`,
  );
}
process.exitCode = broken.length === 0 ? 0 : 1;
