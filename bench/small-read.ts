/**
 * Cost of a small read: CPU a request of the daemon against the floor's, in short slices beside each other, with a zero
 * row (the floor a second time under another name). `node bench/small-read.ts [rounds]`
 */

import { freePort, haveWrk, kitFile, load, median, spread, startProgram, startRpcgw } from './kit/measure.ts';

const rounds = Number(process.argv[2] ?? 8);
const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}';

if (!haveWrk()) {
  process.stdout.write('this bench needs wrk (Debian package wrk)\n');
  process.exit(2);
}

const upstreamPort = await freePort();
const upstream = await startProgram(kitFile('upstream.ts'), [String(upstreamPort)], upstreamPort);
const floorPort = await freePort();
const floor = await startProgram(kitFile('floor.ts'), [String(floorPort), String(upstreamPort)], floorPort);
const zeroPort = await freePort();
const zero = await startProgram(kitFile('floor.ts'), [String(zeroPort), String(upstreamPort)], zeroPort);
const endpoints = ['a', 'b', 'c']
  .map((name, at) => `      - { name: ${name}, url: "http://127.0.0.1:${upstreamPort}/${at}", allowPrivate: true }`)
  .join('\n');
const rpcgw = await startRpcgw(`chains:\n  ethereum:\n    endpoints:\n${endpoints}\n`);

const rows = [
  { name: 'floor', pid: floor.pid, url: floor.url, path: '/' },
  { name: 'zero row', pid: zero.pid, url: zero.url, path: '/' },
  { name: 'rpcgw', pid: rpcgw.pid, url: rpcgw.url, path: '/ethereum' },
];
const cpu: Record<string, number[]> = {};
const rate: Record<string, number[]> = {};
const ratio: Record<string, number[]> = {};
try {
  for (const row of rows) load(row, body, 32, 2);
  for (let round = 0; round < rounds; round += 1) {
    const before = load(rows[0]!, body, 32, 1);
    for (const row of rows.slice(1)) {
      const slice = load(row, body, 32, 1);
      if (slice.bad > 0) throw new Error(`${row.name}: ${slice.bad} answers were none`);
      (cpu[row.name] ??= []).push(slice.cpuUs);
      (rate[row.name] ??= []).push(slice.requests / slice.seconds);
      const after = load(rows[0]!, body, 32, 1);
      (cpu.floor ??= []).push(after.cpuUs);
      (rate.floor ??= []).push(after.requests / after.seconds);
      (ratio[row.name] ??= []).push(slice.cpuUs / ((before.cpuUs + after.cpuUs) / 2));
      (ratio[`${row.name} rate`] ??= []).push(slice.requests / slice.seconds / (after.requests / after.seconds));
    }
  }
} finally {
  for (const program of [upstream, floor, zero, rpcgw]) program.stop();
}
for (const row of rows) {
  const own = ratio[row.name];
  const text = own === undefined ? '1' : `${median(own).toFixed(3)} (±${(spread(own) * 100).toFixed(0)} %), throughput ${median(ratio[`${row.name} rate`] ?? []).toFixed(3)}`;
  process.stdout.write(`${row.name.padEnd(10)} ${median(cpu[row.name] ?? []).toFixed(1)} µs a request, ${Math.round(median(rate[row.name] ?? []))}/s, against the floor ${text}\n`);
}
