/**
 * The daemon for a while under mixed traffic: reads, batches, broadcasts, large answers, faults that come and go, its
 * metrics scraped and its status watched as `rpcgw top` does. What may not grow is looked at each second.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { Wallet } from 'ethers';
import { apiClient } from '../../src/api/client.ts';
import { at, Caller, dial, openLoop, requestBytes, type Target } from '../kit/caller.ts';
import { chainOf, pause, residentMiB, startRpcgw, startUpstream } from '../kit/measure.ts';
import type { Finding } from '../kit/report.ts';
import { smallRead } from '../kit/slices.ts';
import { logBytes, predictedBytes } from '../kit/store-size.ts';
import { drift, floors } from '../kit/trend.ts';

const wallet = new Wallet(`0x${'11'.repeat(32)}`);
const broadcastsPerSecond = 5;
/** As many as fill the pages that a connection of the store keeps, which five a second would take ten minutes for. */
const warmBroadcasts = 3000;
const endpoints = 3;

function signed(nonce: number): Promise<string> {
  const fees = { gasLimit: 21_000n, maxFeePerGas: 30_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
  return wallet.signTransaction({
    type: 2,
    chainId: 1,
    nonce,
    to: `0x${'22'.repeat(20)}`,
    value: 1n,
    ...fees,
  });
}

const call = (id: number | string, method: string, params: readonly unknown[]) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

interface InStore {
  /** Without the log beside it. */
  readonly bytes: number;
  readonly logBytes: number;
  readonly events: number;
  readonly followed: number;
}

/** By a connection that only reads: what is in the log counts as if it stood in the store already. */
function lookInto(dir: string): InStore {
  const db = new Database(`${dir}/data/rpcgw.db`, { readonly: true });
  const one = (sql: string): number => Number(db.prepare(sql).pluck().get());
  try {
    return {
      bytes: one('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size'),
      logBytes: statSync(`${dir}/data/rpcgw.db-wal`).size,
      events: one('SELECT count(*) FROM event'),
      followed: one('SELECT count(*) FROM follow_up'),
    };
  } finally {
    db.close();
  }
}

const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(2);

/** The flag of the runtime that `rpcgw.service` gives: the soak is to show what a server does over a year. */
function asTheUnitHasIt(): readonly string[] {
  const unit = readFileSync(new URL('../../docs/operations/rpcgw.service', import.meta.url), 'utf8');
  const flag = /^Environment=NODE_OPTIONS=(\S+)$/m.exec(unit)?.[1];
  return flag === undefined ? [] : [flag];
}

export async function soak(seconds: number): Promise<readonly Finding[]> {
  const upstream = await startUpstream();
  const begun = Date.now();
  const rpcgw = await startRpcgw(
    chainOf(
      'ethereum',
      { a: `${upstream.url}/a`, b: `${upstream.url}/b`, c: `${upstream.url}/c` },
      '    timeouts: { read: 1s }\n',
    ),
    asTheUnitHasIt(),
  );
  const target: Target = { url: rpcgw.url, path: '/ethereum' };
  const watching = new AbortController();
  const memory: { at: number; value: number }[] = [];
  const files: { at: number; value: number }[] = [];
  const loopMs: number[] = [];
  // In a short run the first collections are all that memory has to show, and it is not judged.
  const long = seconds >= 300;
  const warm = long ? warmBroadcasts : 0;
  let statuses = 0;
  let failed = 0;
  let broadcasts = 0;
  let over = false;
  const ended = Promise.withResolvers<void>();
  /** Shorter when the soak is over. */
  const rest = (ms: number): Promise<unknown> => Promise.race([pause(ms), ended.promise]);

  const often = async (everyMs: number, what: () => Promise<unknown>): Promise<void> => {
    while (!over) {
      const next = performance.now() + everyMs;
      await what();
      await rest(Math.max(0, next - performance.now()));
    }
  };
  /** One connection for each kind of request, dialled anew when it breaks. */
  const asker = () => {
    let by: Caller | undefined;
    return async (body: unknown): Promise<void> => {
      if (by === undefined || by.closed) by = new Caller(await dial(target));
      const answer = await by.ask(requestBytes(target, JSON.stringify(body)));
      if (answer?.status !== 200) failed += 1;
    };
  };
  const [batches, sends, logs] = [asker(), asker(), asker()];
  const watch = async (): Promise<void> => {
    const client = apiClient([`${rpcgw.dir}/rpcgw.sock`]);
    for await (const _ of client.watch('statusStream', { intervalMs: 1000 }, watching.signal)) statuses += 1;
  };
  const fault = (kind: 'hang' | 'error' | 'none'): void => upstream.send({ path: '/a', fault: kind });

  try {
    // Under more load than it can serve the young generation grows to its full size, which at the soak's own pace would
    // take it minutes and look like a leak.
    await openLoop(target, smallRead, {
      perSecond: 8000,
      seconds: Math.min(15, seconds / 8),
      connections: 64,
    });
    // So do the pages that each connection of the store keeps, until it has as many as it may, and the heaps of its threads.
    for (; broadcasts < warm; broadcasts += 1)
      await sends(call(1, 'eth_sendRawTransaction', [await signed(broadcasts + 1)]));
    const started = performance.now();
    const jobs = [
      watch(),
      often(200, () => batches(Array.from({ length: 20 }, (_, id) => call(id, 'eth_call', [{}, 'latest'])))),
      often(1000 / broadcastsPerSecond, async () => {
        broadcasts += 1;
        await sends(call(1, 'eth_sendRawTransaction', [await signed(broadcasts)]));
      }),
      often(1000, () => logs(call(1, 'eth_getLogs', [{ megabytes: 5 }]))),
      often(15_000, async () => {
        for (const kind of ['error', 'none', 'hang', 'none'] as const) {
          fault(kind);
          await rest(3_000);
        }
      }),
      often(1000, async () => {
        const text = await fetch(`${rpcgw.url}/metrics`).then(response => response.text());
        const p99 = /rpcgw_event_loop_delay_seconds\{quantile="0.99"\} ([\d.e+-]+)/.exec(text)?.[1];
        if (p99 !== undefined) loopMs.push(1000 * Number(p99));
        const now = (performance.now() - started) / 1000;
        memory.push({ at: now, value: residentMiB(rpcgw.pid) });
        files.push({ at: now, value: readdirSync(`/proc/${rpcgw.pid}/fd`).length });
      }),
    ];
    const reads = await openLoop(target, smallRead, { perSecond: 500, seconds, connections: 64 });
    over = true;
    ended.resolve();
    watching.abort();
    await Promise.all(jobs);

    const stretch = seconds / 30;
    const steady = floors(
      memory.filter(({ at: when }) => when > seconds / 4),
      stretch,
    );
    const { slope, error } = drift(steady.map(({ value }) => value));
    const [perHour, noise] = [(slope * 3600) / stretch, (error * 3600) / stretch];
    const open = files.map(({ value }) => value);
    const third = Math.ceil(open.length / 3);
    const [early, late] = [Math.max(...open.slice(0, third)), Math.max(...open.slice(-third))];
    // The rows of a minute of the clock are written once it is over.
    const minutes = Math.floor(Date.now() / 60_000) - Math.floor(begun / 60_000);
    const inStore = lookInto(rpcgw.dir);
    // How often a pool changes and an outcome is lost is the weather's part, and counted; the rest is known beforehand.
    const { events, followed } = inStore;
    const predicted = predictedBytes({ broadcasts, followed, minutes: endpoints * minutes, events });
    return [
      {
        what: 'reads lost',
        goal: 'none',
        measured: `${reads.lost} of ${reads.ms.length}`,
        met: reads.lost === 0,
      },
      { what: 'other requests lost', goal: 'none', measured: `${failed}`, met: failed === 0 },
      {
        what: 'reads',
        measured: `p50 ${at(reads.ms, 0.5).toFixed(2)} ms, p99 ${at(reads.ms, 0.99).toFixed(1)} ms`,
      },
      {
        what: 'resident memory (floors of stretches)',
        goal: 'flat: the slope within twice its error',
        measured: `${steady.at(0)?.value.toFixed(0)} to ${steady.at(-1)?.value.toFixed(0)} MiB, ${perHour.toFixed(0)} ± ${noise.toFixed(0)} MiB an hour`,
        ...(long ? { met: perHour <= 2 * noise } : {}),
      },
      {
        what: 'file descriptors, most in the first and the last third',
        goal: 'flat',
        measured: `${early}, ${late}`,
        met: late <= early + 2,
      },
      {
        what: 'event loop, p99 of a second, median',
        goal: '20 ms',
        measured: `${at(loopMs, 0.5).toFixed(1)} ms (worst second ${Math.max(...loopMs).toFixed(0)})`,
        met: at(loopMs, 0.5) <= 20,
      },
      {
        what: `store: ${broadcasts} broadcasts, ${events} events, ${endpoints} endpoints for ${minutes} minutes`,
        goal: 'within a fifth of the prediction',
        measured: `predicted ${mib(predicted)} MiB, measured ${mib(inStore.bytes)} MiB`,
        met: Math.abs(inStore.bytes - predicted) <= predicted / 5,
      },
      {
        what: 'log beside the store',
        goal: 'within a fifth of 1,000 pages, or shorter',
        measured: `${mib(inStore.logBytes)} MiB`,
        met: inStore.logBytes <= logBytes * 1.2,
      },
      { what: 'statuses watched', measured: `${statuses}` },
    ];
  } finally {
    over = true;
    ended.resolve();
    watching.abort();
    for (const program of [upstream, rpcgw]) program.stop();
  }
}
