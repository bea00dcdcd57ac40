/**
 * What reading JSON by position costs, beside `JSON.parse` of the same bytes in the same run. `node bench/wire.ts`,
 * under 3 s. The best of several rounds, in nanoseconds: rounds in which a neighbour took the core do not count.
 */

import { readAnswer } from '../src/wire/answer.ts';
import { peek } from '../src/wire/peek.ts';
import { readRequest } from '../src/wire/request.ts';
import { valueEnd } from '../src/wire/scan.ts';
import { tail } from '../src/wire/tail.ts';

const rounds = 10;
const roundNs = 4_000_000;
const warmNs = 25_000_000;
const limits = { maxDepth: 10, maxBatch: 1_000 };
const decoder = new TextDecoder();
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** So that no result can be thought unused. */
let kept: unknown;

function spent(run: () => unknown, times: number): number {
  const start = process.hrtime.bigint();
  for (let i = 0; i < times; i++) kept = run();
  return Number(process.hrtime.bigint() - start);
}

/** Warms it up, and says how often it runs in one round. */
function timesOf(run: () => unknown): number {
  let times = 0;
  let ns = 0;
  while (ns < warmNs) {
    ns += spent(run, 100);
    times += 100;
  }
  return Math.ceil((times * roundNs) / ns);
}

/** Rounds of both take turns, so that both meet the same neighbours. */
function row(what: string, bytes: Uint8Array, run: () => unknown): void {
  const parse = () => JSON.parse(decoder.decode(bytes));
  const ownTimes = timesOf(run);
  const parseTimes = timesOf(parse);
  let own = Number.POSITIVE_INFINITY;
  let theirs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    own = Math.min(own, spent(run, ownTimes) / ownTimes);
    theirs = Math.min(theirs, spent(parse, parseTimes) / parseTimes);
  }
  line(what, [String(bytes.length), own.toFixed(0), theirs.toFixed(0), (own / theirs).toFixed(2)]);
}

function line(what: string, cells: readonly string[]): void {
  process.stdout.write(`${what.padEnd(28)}${cells.map(cell => cell.padStart(12)).join('')}\n`);
}

const call60 = bytesOf('{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}');
const call260 = bytesOf(
  `{"jsonrpc":"2.0","id":4711,"method":"eth_call","params":[{"to":"0x${'a0'.repeat(20)}","from":"0x${'11'.repeat(20)}","data":"0x70a08231${'00'.repeat(31)}"},"latest"]}`,
);
const send128k = bytesOf(
  `{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x${'02f8'.repeat(32_768)}"]}`,
);
const batch = bytesOf(
  `[${Array.from({ length: 100 }, (_, id) => decoder.decode(call260).replace('4711', String(id)))}]`,
);
const answer41 = bytesOf('{"jsonrpc":"2.0","id":1,"result":"0x1b4"}');
const answer260 = bytesOf(`{"jsonrpc":"2.0","id":1,"result":"0x${'00'.repeat(110)}"}`);
const failed = bytesOf(
  '{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted","data":"0x"}}',
);
const log = `{"address":"0x${'a0'.repeat(20)}","topics":["0x${'dd'.repeat(32)}"],"data":"0x","removed":false}`;
const large = bytesOf(`{"jsonrpc":"2.0","id":1,"result":[${Array(340).fill(log).join(',')}]}`);
const last = large.subarray(large.length - 1_024);

line('', ['bytes', 'ns', 'JSON.parse', 'ratio']);
row('scan a call', call60, () => valueEnd(call60, 0, 10));
row('scan a call', call260, () => valueEnd(call260, 0, 10));
row('scan a transaction', send128k, () => valueEnd(send128k, 0, 10));
row('readRequest', call60, () => readRequest(call60, limits));
row('readRequest', call260, () => readRequest(call260, limits));
row('readRequest, transaction', send128k, () => readRequest(send128k, limits));
row('readRequest, batch of 100', batch, () => readRequest(batch, limits));
row('readReply, result', answer41, () => readAnswer(answer41, '1'));
row('readReply, result', answer260, () => readAnswer(answer260, '1'));
row('readReply, error', failed, () => readAnswer(failed, '1'));
row('readReply, list of logs', large, () => readAnswer(large, '1'));
row('peek', large, () => peek(large, '1'));
row('tail of 1 KiB', large, () => tail(last, '1'));
if (kept === null) process.exitCode = 1;
