/**
 * Hostile endpoints and hostile clients at once, for as long as one likes, through the built program (`npm run build`
 * first):
 *
 *   node bench/hostile.ts [--minutes 5] [--width 24]
 *
 * Every second the memory and the descriptors of the daemon are looked at. Fits a line through the floors of the memory,
 * prints its slope, and ends with 1 when that is not flat, when a good client was not served, or when something is still
 * held after the storm.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Gateway, startGateway } from '../test/kit/gateway.ts';
import { chainOf } from '../test/kit/stage.ts';
import { result, startUpstream } from '../test/kit/upstream.ts';
import { clients } from './kit/hostile-clients.ts';
import { floors, trend } from './kit/trend.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, width: { type: 'string', default: '24' } },
});
const minutes = Number(values.minutes);
/** MiB a minute: a leak of a kilobyte a misdeed is several times that. */
const flat = 4;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

interface Sample {
  /** Minutes since the start. */
  readonly at: number;
  readonly mib: number;
  readonly descriptors: number;
}

function look(pid: number, at: number): Sample {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { at, mib: Number(kib) / 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
}

const endpoints = fork(fileURLToPath(new URL('kit/hostile-endpoints.ts', import.meta.url)));
// It sends one message, of this form.
const [urls] = (await once(endpoints, 'message')) as [readonly string[]];
/** One chain an endpoint of the worst kind: it is the only one, so that every read goes there, held back or not. */
const worst = urls.map((url, at) => [
  `c${at}`,
  chainOf(
    { bad: { url } },
    { chainId: 2000 + at, attempts: 1, timeouts: { read: '1s' }, probes: { interval: '30s' } },
  ),
]);

/** On a machine that others load, too, everything takes longer: that is no fault. */
const patient = { timeouts: { connect: '30s', read: '60s' }, deadlines: { read: '3m' } };
const good = await startUpstream();
good.on('eth_gasPrice', result('0x77'));
good.on('eth_call', result(`0x${'ab'.repeat(4 * 1024 * 1024)}`));
const gateway: Gateway = await startGateway({
  chains: { ...Object.fromEntries(worst), good: chainOf({ good }, patient) },
  limits: { memory: '64MiB' },
});
let storm = true;
void gateway.ended().then(code => {
  if (!storm) return;
  print(gateway.output().split('\n').slice(-30).join('\n'));
  print(`FAULT: it ended with ${code} in the middle of the storm`);
  process.exit(1);
});
const served = { right: 0, wrong: 0 };
const tally = new Map<string, number>();
const count = (what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1);
const started = performance.now();
const until = started + minutes * 60_000;
const now = (): number => (performance.now() - started) / 60_000;
const storming = (): boolean => performance.now() < until;
const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(Math.random() * from.length)];

async function badEndpoints(): Promise<void> {
  while (storming()) {
    const at = Math.floor(Math.random() * urls.length);
    // A fault behind the commit ends the connection, so that a cut answer never looks whole.
    const outcome = await gateway
      .post(`/c${at}`, '{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}')
      .then(async answer => {
        await answer.arrayBuffer();
        return `status ${answer.status}`;
      })
      .catch(() => 'cut off');
    count(`bad endpoint, ${outcome}`);
  }
}

async function badClients(): Promise<void> {
  const kinds = Object.entries(clients);
  while (storming()) {
    const [name, misbehave] = pick(kinds) ?? ['', async () => undefined];
    await misbehave(gateway.port, '/good');
    count(name);
  }
}

async function goodClient(): Promise<void> {
  while (storming()) {
    const told = await gateway.rpc('good', 'eth_gasPrice').then(({ text }) => text, String);
    if (told.includes('"result":"0x77"')) served.right += 1;
    else {
      served.wrong += 1;
      print(`the good client got: ${told.slice(0, 500)}`);
    }
    await pause(20);
  }
}

const samples: Sample[] = [];
async function watch(): Promise<void> {
  while (storming()) {
    samples.push(look(gateway.pid, now()));
    await pause(1000);
  }
}

const atRest = look(gateway.pid, 0);
const width = Number(values.width);
await Promise.all([
  watch(),
  goodClient(),
  ...Array.from({ length: Math.ceil(width / 6) }, badEndpoints),
  ...Array.from({ length: width }, badClients),
]);

/** All that the storm had is given back. */
let held = '';
let last = look(gateway.pid, now());
for (let n = 0; n < 60; n += 1) {
  await pause(1000);
  held = /\nrpcgw_held_bytes (\d+)/.exec((await gateway.get('/metrics')).text)?.[1] ?? '';
  last = look(gateway.pid, now());
  if (held === '0' && last.descriptors <= atRest.descriptors + urls.length + 8) break;
}

// The heap grows into its size for some minutes (about 390 MiB), the longer the busier the machine is.
const settled = samples.filter(({ at }) => at > (2 * minutes) / 3);
const memory = floors(
  settled.map(({ at, mib }) => ({ at, value: mib })),
  1 / 6,
);
const line = trend(memory);
const files = trend(settled.map(({ at, descriptors }) => ({ at, value: descriptors })));
storm = false;
const code = await gateway.stop();
const answers = [...tally].sort(([a], [b]) => a.localeCompare(b));
for (const [what, times] of answers) print(`${String(times).padStart(8)}  ${what}`);
print(`\na good client beside them: ${served.right} right answers, ${served.wrong} others`);
print(
  `memory: ${Math.round(atRest.mib)} MiB at rest, ${Math.round(Math.max(...samples.map(({ mib }) => mib)))} at most, ${Math.round(last.mib)} after`,
);
print(`its floors, every ten seconds: ${memory.map(({ value }) => Math.round(value)).join(' ')}`);
print(
  `slope of its floors in the last third: ${line.slope.toFixed(2)} ± ${line.error.toFixed(2)} MiB a minute`,
);
print(
  `descriptors: ${atRest.descriptors} at rest, ${Math.max(...samples.map(({ descriptors }) => descriptors))} at most, ${last.descriptors} after; ${files.slope.toFixed(2)} a minute`,
);
print(`bytes held after: ${held}; it ended with ${code}`);
// Sure that it is steeper, not only that it may be.
const leaks = line.slope - 2 * line.error > flat;
const kept = held !== '0' || last.descriptors > atRest.descriptors + urls.length + 8;
const unserved = served.right === 0 || served.wrong > 0;
for (const [is, what] of [
  [leaks, 'memory is not flat'],
  [kept, 'something is still held after the storm'],
  [unserved, 'a good client was not served'],
  [code !== 0, 'it did not end well'],
] as const)
  if (is) print(`FAULT: ${what}`);
await gateway.remove();
endpoints.disconnect();
process.exit(leaks || kept || unserved || code !== 0 ? 1 : 0);
