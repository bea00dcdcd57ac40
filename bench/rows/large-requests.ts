/**
 * Large requests: for how long one of them keeps the event loop. A second client asks for `/livez` all the time; the
 * longest wait of each request's while is taken, and of these the median. By turns it asks another daemon, that has no part in
 * the request: what that one lets it wait is the machine's, whose cores the bench, the clients and the upstream share.
 */

import { decodeRlp, encodeRlp, Signature, Transaction, type TransactionLike } from 'ethers';
import { at, Caller, dial, requestBytes, type Target } from '../kit/caller.ts';
import {
  chainOf,
  type KitProgram,
  kitFile,
  median,
  pause,
  startProgram,
  startRpcgw,
  startUpstream,
} from '../kit/measure.ts';
import type { Finding, Row } from '../kit/report.ts';

/** Made up: whose it is matters to nodes only, and to sign a megabyte takes the bench longer than the daemon has it. */
const signature = Signature.from({ r: `0x${'11'.repeat(32)}`, s: `0x${'22'.repeat(32)}`, v: 27 });

function signed(transaction: TransactionLike): string {
  const to = `0x${'22'.repeat(20)}`;
  const fees = { maxFeePerGas: 30_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
  return Transaction.from({ chainId: 1n, to, ...fees, ...transaction, signature }).serialized;
}

function broadcast(raw: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] });
}

function rawTransaction(bytes: number, nonce: number): string {
  const data = `0x${'ab'.repeat(bytes)}`;
  return broadcast(signed({ type: 2, nonce, value: 1n, gasLimit: 30_000_000n, data }));
}

/** In network form, with blobs behind what is signed: the one kind that is larger than 128 KiB in real life. */
function blobTransaction(blobs: number, nonce: number): string {
  const payload = signed({
    type: 3,
    nonce,
    gasLimit: 21_000n,
    maxFeePerBlobGas: 1_000_000_000n,
    blobVersionedHashes: Array.from({ length: blobs }, () => `0x01${'ab'.repeat(31)}`),
  });
  const each = (bytes: number): string[] => Array.from({ length: blobs }, () => `0x${'cd'.repeat(bytes)}`);
  const whole = encodeRlp([decodeRlp(`0x${payload.slice(4)}`), each(131_072), each(48), each(48)]);
  return broadcast(`0x03${whole.slice(2)}`);
}

function batchOf(calls: number): string {
  const address = `0x${'22'.repeat(20)}`;
  const data = `0x${'cd'.repeat(100)}`;
  return JSON.stringify(
    Array.from({ length: calls }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_call',
      params: [{ to: address, data }, 'latest'],
    })),
  );
}

/** The longest wait for `/livez` while this runs, ms. */
async function longestWait(heart: KitProgram, run: () => Promise<unknown>): Promise<number> {
  await told(heart, 'begin');
  await run();
  const { worst } = await told(heart, 'end');
  return Number(worst);
}

function told(heart: KitProgram, what: string): Promise<Record<string, unknown>> {
  const answer = new Promise<Record<string, unknown>>(resolve => heart.once(resolve));
  heart.send({ what });
  return answer;
}

export const largeRequests: Row = async ({ quick }) => {
  const upstream = await startUpstream();
  const chains = chainOf('ethereum', { a: `${upstream.url}/a`, b: `${upstream.url}/b` });
  const [rpcgw, bystander] = await Promise.all([startRpcgw(chains, []), startRpcgw(chains, [])]);
  const target: Target = { url: rpcgw.url, path: '/ethereum' };
  const times = quick ? 8 : 40;
  const warming = 3;
  try {
    const heartAt = (url: string) => startProgram(kitFile('heartbeat.ts'), [new URL(url).port], 0);
    const [heart, beside] = [await heartAt(rpcgw.url), await heartAt(bystander.url)];
    const caller = new Caller(await dial(target));
    const findings: Finding[] = [];
    let nonce = 0;
    const stalls = async (what: string, body: () => string): Promise<void> => {
      const [during, meanwhile, took]: [number[], number[], number[]] = [[], [], []];
      // All at first: whoever makes a megabyte of text leaves garbage, whose collection would take a core while the daemon works.
      const requests = Array.from({ length: warming + 2 * times }, () => requestBytes(target, body()));
      await pause(1000);
      const waitAt = async (asked: KitProgram): Promise<number> => {
        const request = requests.pop();
        if (request === undefined) throw new Error('no request is left');
        return longestWait(asked, async () => {
          const started = performance.now();
          const answer = await caller.ask(request);
          took.push(performance.now() - started);
          if (answer?.status !== 200) throw new Error(`${what}: answered ${answer?.status}`);
        });
      };
      // The first ones are compiled on the way.
      for (let n = 0; n < warming; n += 1) await waitAt(heart);
      took.length = 0;
      for (let n = 0; n < times; n += 1) {
        meanwhile.push(await waitAt(beside));
        during.push(await waitAt(heart));
      }
      const [longest, others] = [median(during), median(meanwhile)];
      findings.push({
        what,
        goal: 'no stall over 5 ms',
        measured: `${(longest - others).toFixed(2)} ms (waited ${longest.toFixed(2)}, p90 ${at(during, 0.9).toFixed(1)}; at a bystander ${others.toFixed(2)}, p90 ${at(meanwhile, 0.9).toFixed(1)}), answered in ${median(took).toFixed(1)} ms`,
        met: longest - others <= 5,
      });
    };
    for (const kib of [128, 1024]) {
      await stalls(`a raw transaction of ${kib} KiB`, () => {
        nonce += 1;
        return rawTransaction((kib * 1024) / 2 - 200, nonce);
      });
    }
    await stalls('a transaction with 3 blobs, 770 KiB', () => {
      nonce += 1;
      return blobTransaction(3, nonce);
    });
    const batch = batchOf(100);
    await stalls(`a batch of 100 calls, ${Math.round(batch.length / 1024)} KiB`, () => batch);
    heart.stop();
    beside.stop();
    caller.close();
    return findings;
  } finally {
    for (const program of [upstream, bystander, rpcgw]) program.stop();
  }
};
