/**
 * What the tests beside `test/fuzz` try in bounded form, for as long as one likes:
 *
 *   node bench/fuzz.ts [--minutes 5] [--seed N] [--only WORDS]
 *
 * Each subject takes its turn with a seed of its own, which is printed; the same seed tries the same again. Ends with 1 at
 * the first find, with what was tried, as small as it could be made.
 */

import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { type Subject, subjects } from '../test/fuzz/subjects.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    only: { type: 'string', default: '' },
  },
});
const turnMs = 15_000;
const until = performance.now() + Number(values.minutes) * 60_000;
const chosen = subjects.filter(({ name }) => name.includes(values.only));
const tried = new Map<string, number>(chosen.map(({ name }) => [name, 0]));
const print = (line: string): void => void process.stdout.write(`${line}\n`);
let turn = { name: '', seed: 0 };

/** What nobody awaits is a find as well. */
process.on('uncaughtException', found);
process.on('unhandledRejection', found);

function found(error: unknown): never {
  print(`\nFOUND at ${turn.name}, seed ${turn.seed}`);
  print(error instanceof Error ? `${error.stack}\n${String(error.cause ?? '')}` : String(error));
  process.exit(1);
}

/** One turn: so many tries as its time allows. */
async function take(subject: Subject, seed: number): Promise<void> {
  turn = { name: subject.name, seed };
  const running = await subject.start();
  const interruptAfterTimeLimit = Math.max(1000, Math.min(turnMs, until - performance.now()));
  const details = await fc.check(running.property, {
    seed,
    numRuns: Number.POSITIVE_INFINITY,
    interruptAfterTimeLimit,
    markInterruptAsFailure: false,
  });
  // What interrupted it is no failure; what failed before is.
  if (details.failed) found(new Error(fc.defaultReportMessage(details), { cause: details.errorInstance }));
  await running.end();
  tried.set(subject.name, (tried.get(subject.name) ?? 0) + details.numRuns);
  print(`${subject.name}: seed ${seed}, ${details.numRuns} tries`);
}

if (chosen.length === 0)
  throw new Error(`nothing is called so: ${subjects.map(({ name }) => name).join(', ')}`);
print(`seed ${values.seed}`);
for (let n = 0; performance.now() < until; n += 1) {
  const subject = chosen[n % chosen.length];
  if (subject !== undefined) await take(subject, (Number(values.seed) + n) | 0);
}
print('');
for (const [name, runs] of tried) print(`${name}: ${runs} tries, nothing found`);
process.exit(0);
