/**
 * What a choice and an observation cost, in nanoseconds of CPU: other work on the machine does not count. And what of it
 * is still there after a collection, bytes a round.
 * Run by Node directly: `node bench/select.ts`.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { ChainSettings, EndpointSettings } from '../src/core/chain.ts';
import { createRecord } from '../src/core/endpoint.ts';
import { noteIdentity } from '../src/core/facts.ts';
import type { Need } from '../src/core/need.ts';
import { begin, observe, type Seen } from '../src/core/observe.ts';
import { firstAsk } from '../src/core/place.ts';
import { createPool, type Pool, refresh } from '../src/core/pool.ts';
import { select } from '../src/core/select.ts';

const chain: ChainSettings = {
  name: 'bench',
  family: 'evm',
  aliases: [],
  identity: '1',
  blockTimeMs: 12_000,
  staleBlocks: 2,
  strategy: 'best',
  trickle: 0,
  lastResort: 'on',
  attempts: 3,
  retryShare: 0.2,
  connectTimeoutMs: 2_000,
  readTimeoutMs: 5_000,
  heavyTimeoutMs: 30_000,
  readDeadlineMs: 15_000,
  heavyDeadlineMs: 60_000,
  repeatWindowMs: 60_000,
  probeIntervalMs: 5_000,
  development: false,
};

const settings: EndpointSettings = {
  name: '',
  url: 'https://node.example/',
  headers: {},
  origin: 'file',
  weight: 50,
  history: 'auto',
  roles: ['read', 'broadcast', 'history'],
  broadcast: 'allow',
  labels: {},
  maxInFlight: 256,
  allowPrivate: false,
  disabled: false,
};

const read: Need = { class: 'read', method: 'eth_call', height: 1_000 };
const history: Need = {
  class: 'read',
  method: 'eth_call',
  height: 10,
  history: { kind: 'state', height: 10 },
};
const height: Seen = {
  judgement: { verdict: 'ok', rule: 'bench' },
  method: 'eth_blockNumber',
  ms: 10,
  height: 1_000,
};
const answer: Seen = { judgement: { verdict: 'ok', rule: 'bench' }, method: 'eth_call', ms: 10 };

function poolOf(size: number, changed: Partial<ChainSettings> = {}): Pool {
  const mine = { ...chain, ...changed };
  const records = Array.from({ length: size }, (_, n) =>
    createRecord({ ...settings, name: `n${n}` }, `key${n}`, mine, 0),
  );
  const pool = createPool(mine, records);
  for (const record of records) {
    noteIdentity(pool, record, '1', 0);
    observe(begin(pool, record, 'read', 'height', 0), height, 0, 0.5);
  }
  refresh(pool, 0);
  return pool;
}

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function heapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

function measure(name: string, rounds: number, run: (round: number) => void): void {
  for (let round = 0; round < rounds / 5; round += 1) run(round);
  const heldBefore = heapBytes();
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) run(round);
  const ns = (process.cpuUsage(before).user * 1e3) / rounds;
  const lives = Math.max(0, heapBytes() - heldBefore) / rounds;
  process.stdout.write(
    `${name.padEnd(52)} ${ns.toFixed(0).padStart(7)} ns ${lives.toFixed(1).padStart(7)} B\n`,
  );
}

for (const size of [5, 100]) {
  const pool = poolOf(size);
  const rounds = 2_000_000 / size;
  measure(`select, best of ${size}`, rounds, n => select(pool, read, firstAsk, 1, (n % 97) / 97));
  measure(`select, best of ${size}, an old height named`, rounds, n =>
    select(pool, history, firstAsk, 1, (n % 97) / 97),
  );
  const weighted = poolOf(size, { strategy: 'weighted' });
  measure(`select, weighted of ${size}`, rounds, n => select(weighted, read, firstAsk, 1, (n % 97) / 97));
  const broken = poolOf(size);
  for (const record of broken.records) {
    for (let n = 0; n < 5; n += 1) {
      observe(
        begin(broken, record, 'read', 'client', 1),
        { ...answer, judgement: { verdict: 'transport', rule: '' } },
        1,
        0,
      );
    }
  }
  measure(`select, last resort of ${size}`, rounds, n => select(broken, read, firstAsk, 2, (n % 97) / 97));
  const record = pool.records[0];
  if (record === undefined) continue;
  measure(`begin and observe, an answer, pool of ${size}`, 500_000, n => {
    observe(begin(pool, record, 'read', 'client', n / 1e6), answer, n / 1e6, 0.5);
  });
  measure(`begin and observe, the same height, pool of ${size}`, 100_000, n => {
    observe(begin(pool, record, 'read', 'client', n / 1e6), height, n / 1e6, 0.5);
  });
  measure(`refresh, twice a second, pool of ${size}`, 20_000 / size, n => refresh(pool, n / 1e6));
}
