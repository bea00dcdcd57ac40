/**
 * Cost of a small read: CPU a request of the daemon against the floor's, in short slices beside each other, with a zero
 * row (the floor a second time under another name). `node bench/small-read.ts [rounds]`
 */

import { cpus } from 'node:os';
import {
  freePort,
  haveWrk,
  kitFile,
  load,
  median,
  type Slice,
  spread,
  startProgram,
  startRpcgw,
} from './kit/measure.ts';

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
  .map(
    (name, at) =>
      `      - { name: ${name}, url: "http://127.0.0.1:${upstreamPort}/${at}", allowPrivate: true }`,
  )
  .join('\n');
const rpcgw = await startRpcgw(`chains:\n  ethereum:\n    endpoints:\n${endpoints}\n`);

const floorRow = { name: 'floor', pid: floor.pid, url: floor.url, path: '/' };
const rows = [
  floorRow,
  { name: 'zero row', pid: zero.pid, url: zero.url, path: '/' },
  { name: 'rpcgw', pid: rpcgw.pid, url: rpcgw.url, path: '/ethereum' },
];
/** Samples by row. */
class Samples {
  readonly #rows = new Map<string, number[]>();

  add(row: string, value: number): void {
    this.#rows.set(row, [...this.of(row), value]);
  }

  of(row: string): readonly number[] {
    return this.#rows.get(row) ?? [];
  }
}

const cpu = new Samples();
const rate = new Samples();
const ratio = new Samples();
const throughput = new Samples();
try {
  for (const row of rows) load(row, body, 32, 2);
  for (let round = 0; round < rounds; round += 1) {
    let before = load(floorRow, body, 32, 1);
    for (const row of rows.slice(1)) {
      const slice = load(row, body, 32, 1);
      if (slice.bad > 0) throw new Error(`${row.name}: ${slice.bad} answers were none`);
      const after = load(floorRow, body, 32, 1);
      cpu.add(row.name, slice.cpuUs);
      cpu.add(floorRow.name, after.cpuUs);
      rate.add(row.name, perSecond(slice));
      rate.add(floorRow.name, perSecond(after));
      ratio.add(row.name, slice.cpuUs / ((before.cpuUs + after.cpuUs) / 2));
      throughput.add(row.name, perSecond(slice) / ((perSecond(before) + perSecond(after)) / 2));
      before = after;
    }
  }
} finally {
  for (const program of [upstream, floor, zero, rpcgw]) program.stop();
}
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
print(`node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${rounds} rounds`);
for (const { name } of rows) {
  const figures = `${median(cpu.of(name)).toFixed(1)} µs CPU a request, ${Math.round(median(rate.of(name)))}/s`;
  const own = ratio.of(name);
  const against =
    own.length === 0
      ? 'the yardstick'
      : `CPU ${median(own).toFixed(3)} × (±${(spread(own) * 100).toFixed(0)} %), throughput ${median(throughput.of(name)).toFixed(3)} ×`;
  print(`${name.padEnd(10)}${figures}; ${against}`);
}

function perSecond(slice: Slice): number {
  return slice.requests / slice.seconds;
}
