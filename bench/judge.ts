/** What a verdict costs: small answers, and that a large one costs no more than its two ends. `node bench/judge.ts` */

import { evm } from '../src/chains/evm/evm.ts';
import type { Answer, Call } from '../src/chains/family.ts';

const encoder = new TextEncoder();
const context = { nowMs: 0, chain: 'ethereum' };

function callOf(method: string, params: unknown): Call {
  const body = encoder.encode(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const read = evm.open(
    { verb: 'POST', target: '', body },
    { maxDepth: 10, maxBatch: 10, development: false },
  );
  if (read.form !== 'single') throw new Error('the bench has a wrong request');
  return read.call;
}

function answerOf(body: unknown): Answer {
  return { status: 200, headers: {}, body: encoder.encode(JSON.stringify(body)) };
}

const error = (code: number, message: string, data?: string) =>
  answerOf({ jsonrpc: '2.0', id: 1, error: { code, message, ...(data === undefined ? {} : { data }) } });
const result = (value: unknown) => answerOf({ jsonrpc: '2.0', id: 1, result: value });

const call = callOf('eth_call', [{ to: `0x${'11'.repeat(20)}`, data: '0x18160ddd' }, 'latest']);
const old = callOf('eth_call', [{ to: `0x${'11'.repeat(20)}`, data: '0x18160ddd' }, '0x10']);
const reason = `0x08c379a0${'0'.repeat(63)}2${'0'.repeat(62)}04${'7'.repeat(64)}`;

const cases: readonly (readonly [string, Call, Answer])[] = [
  ['a small result', call, result('0x127776c')],
  ['a result of 600 B', call, result(`0x${'ab'.repeat(280)}`)],
  ['a result of 10 KB', call, result(`0x${'ab'.repeat(5_000)}`)],
  ['a result of 60 KB', call, result(`0x${'ab'.repeat(30_000)}`)],
  ['a revert with its bytes', call, error(3, 'execution reverted: paused', reason)],
  ['method not found', call, error(-32601, 'the method trace_block does not exist/is not available')],
  ['a rate limit', call, error(-32005, 'rate limit exceeded')],
  ['header not found', old, error(-32000, 'header not found')],
  ['an unknown text', call, error(-32000, 'zebra crossing')],
];

const rounds = 100_000;
for (const [name, about, answer] of cases) {
  for (let i = 0; i < rounds; i++) evm.judge(about, answer, context);
  // CPU time of this process, not the wall's: neighbours on the machine do not count.
  const before = process.cpuUsage();
  for (let i = 0; i < rounds; i++) evm.judge(about, answer, context);
  const { user, system } = process.cpuUsage(before);
  const ns = ((user + system) * 1000) / rounds;
  process.stdout.write(`${name.padEnd(28)} ${ns.toFixed(0).padStart(7)} ns\n`);
}
