/** Pools for tests of the ground floor: all verified, in step, and silent only when a test says so. */

import type { ChainSettings, EndpointSettings, WorkClass } from '../../src/core/chain.ts';
import { createRecord, type EndpointRecord, type Known } from '../../src/core/endpoint.ts';
import { noteIdentity } from '../../src/core/facts.ts';
import type { Need } from '../../src/core/need.ts';
import { type Asker, type Attempt, begin, observe, type Seen } from '../../src/core/observe.ts';
import { createPool, type Pool } from '../../src/core/pool.ts';
import type { Judgement, Verdict } from '../../src/core/verdict.ts';

export const chainSettings: ChainSettings = {
  name: 'testnet',
  family: 'evm',
  aliases: [],
  identity: '7',
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

const endpointSettings: EndpointSettings = {
  name: 'a',
  url: 'https://a.example/',
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

export const head = 1_000;
export const read: Need = { class: 'read', method: 'eth_call' };
export const heavy: Need = { class: 'heavy', method: 'debug_traceBlockByNumber' };
export const broadcast: Need = { class: 'broadcast', method: 'eth_sendRawTransaction' };

/** One that nothing was learned of yet. */
export function newEndpoint(
  name: string,
  settings: Partial<EndpointSettings> = {},
  chain: ChainSettings = chainSettings,
  known: Known = {},
  now = 0,
): EndpointRecord {
  return createRecord({ ...endpointSettings, name, ...settings }, `key-${name}`, chain, now, known);
}

export interface Setting {
  readonly chain?: Partial<ChainSettings>;
  /** One entry an endpoint; its name is its position: a, b, c, … */
  readonly endpoints?: readonly Partial<EndpointSettings>[];
  /** Leave them as they are born: no identity, no height. */
  readonly unlearned?: boolean;
}

/** A pool whose endpoints proved themselves at time 0 and stand at `head`. */
export function newPool(setting: Setting = {}): Pool {
  const chain = { ...chainSettings, ...setting.chain };
  const endpoints = setting.endpoints ?? [{}, {}, {}];
  const records = endpoints.map((settings, at) => newEndpoint(String.fromCharCode(97 + at), settings, chain));
  const pool = createPool(chain, records);
  if (setting.unlearned) return pool;
  for (const record of records) {
    noteIdentity(pool, record, chain.identity, 0);
    show(pool, record, head, 0);
  }
  return pool;
}

export function at(pool: Pool, position: number): EndpointRecord {
  const record = pool.records[position];
  if (record === undefined) throw new Error(`no endpoint at ${position}`);
  return record;
}

/** A good height probe that took no time. */
export function show(pool: Pool, record: EndpointRecord, height: number, now: number, ageMs?: number) {
  return observe(begin(pool, record, 'read', 'height', now), seen('ok', { height, ageMs, ms: 10 }), now, 0.5);
}

export function probeFails(pool: Pool, record: EndpointRecord, verdict: Verdict, now: number) {
  return observe(begin(pool, record, 'read', 'height', now), seen(verdict), now, 0.5);
}

export function seen(
  verdict: Verdict,
  more: Partial<Omit<Seen, 'judgement'>> & { readonly judgement?: Partial<Judgement> } = {},
): Seen {
  const { judgement, ...rest } = more;
  return {
    method: 'eth_call',
    ms: 10,
    ...rest,
    judgement: { verdict, rule: `test.${verdict}`, ...judgement },
  };
}

/** One attempt, begun and ended at `now` unless told otherwise. */
export function attempt(
  pool: Pool,
  record: EndpointRecord,
  verdict: Verdict,
  now: number,
  more: {
    readonly class?: WorkClass;
    readonly by?: Asker;
    readonly startedAt?: number;
    readonly seen?: Parameters<typeof seen>[1];
    readonly chance?: number;
  } = {},
): Attempt {
  const begun = begin(pool, record, more.class ?? 'read', more.by ?? 'client', more.startedAt ?? now);
  observe(begun, seen(verdict, more.seen), now, more.chance ?? 0);
  return begun;
}

export function times(count: number, run: (n: number) => void): void {
  for (let n = 0; n < count; n += 1) run(n);
}
