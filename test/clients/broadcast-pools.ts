/**
 * For each library and each fault a pool of its own behind the built gateway: the first endpoint has the fault, the second
 * is well. What reached them is counted.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../fixtures/sim/world.ts';
import type { FamilyName } from '../../src/core/chain.ts';
import { type Act, type FaultName, faultNames, faultOf, saysNo } from '../faults/cells.ts';
import { shutDoors } from '../faults/doors.ts';
import { identityOf, type Network, simulated } from '../faults/network.ts';
import { type Subject, startSubject } from '../faults/subject.ts';
import { type Reach, type Scripted, scripted } from '../faults/upstream.ts';
import type { Wall } from '../faults/wall.ts';
import { until } from '../kit/gateway.ts';

/** What the first endpoint does, and who must have got the transaction in the end, in order. */
export interface Trouble {
  readonly named: string;
  readonly act: Act;
  readonly wanted: readonly string[];
  /** The library is told that all is well. */
  readonly good: boolean;
}

/** Faults that show in the library; that the client goes away is its own doing. */
export const troubles: readonly Trouble[] = faultNames
  .filter(name => name !== 'client gone')
  .map(name => ({ named: name, act: faultOf(name).act, ...endOf(name) }));

function endOf(name: FaultName): Pick<Trouble, 'wanted' | 'good'> {
  if (name === 'no fault') return { wanted: ['a'], good: true };
  if (saysNo(name)) return { wanted: ['a', 'b'], good: true };
  return faultOf(name).act.at === 'door' ? { wanted: ['b'], good: true } : { wanted: ['a'], good: false };
}

/** The node has an opinion; viem's fallback and others send again on these words. */
export function nodeSays(named: string, error: { readonly code: number; readonly message: string }): Trouble {
  const text = `{"jsonrpc":"2.0","id":%id%,"error":${JSON.stringify(error)}}`;
  return { named, act: { at: 'whole', does: 'says', text }, wanted: ['a'], good: false };
}

export interface Pool {
  readonly trouble: Trouble;
  /** Of the network, where the family has numbers. */
  readonly number: number;
  readonly url: string;
  readonly reached: readonly Reach[];
}

interface PoolsOptions {
  readonly family: FamilyName;
  /** A pool for each of these × each trouble. */
  readonly ways: readonly string[];
  readonly troubles: readonly Trouble[];
  /** Results of what a library asks besides; undefined: what the simulated node says. */
  readonly reads?: (method: string, params: readonly unknown[]) => unknown;
  readonly takes: (target: string, body: string) => string;
  /** Whether a request has bytes of a transaction in it. */
  readonly carries: (target: string, body: string) => boolean;
}

interface Pools {
  of(way: string, trouble: Trouble): Pool;
  /** How often the gateway said that nothing left, as long as nothing has. Resolves when it can write rows. */
  notSent(pool: Pool): Promise<number>;
}

function pools(options: PoolsOptions): Pools {
  const { family, ways } = options;
  const made = new Map<string, Pool & { readonly upstreams: readonly Scripted[]; readonly chain: string }>();
  let subject: Subject | undefined;
  let wall: Wall | undefined;

  beforeAll(async () => {
    for (const way of ways) {
      for (const trouble of options.troubles) {
        const { number } = identityOf(family, made.size);
        const reached: Reach[] = [];
        const upstreams = await openPair(options, made.size, trouble.act, reached);
        const chain = `c${made.size}`;
        const url = (): string => `${subject?.url}/${chain}`;
        made.set(`${way}/${trouble.named}`, {
          trouble,
          number,
          get url() {
            return url();
          },
          reached,
          upstreams,
          chain,
        });
      }
    }
    const all = [...made.values()];
    subject = await startSubject(
      'gateway',
      all.map(({ chain, upstreams }, n) => ({
        name: chain,
        family,
        identity: identityOf(family, n).config,
        endpoints: upstreams.map(({ name, url }) => ({ name, url })),
      })),
      { connectMs: 2_000 },
    );
    wall = await shutDoors(
      all.flatMap(pool => pool.upstreams),
      new Set(),
      subject.names,
    );
  });

  afterAll(async () => {
    await wall?.down();
    await subject?.remove();
    for (const { upstreams } of made.values()) for (const upstream of upstreams) upstream.end();
  });

  return {
    of(way, trouble) {
      const pool = made.get(`${way}/${trouble.named}`);
      if (pool === undefined) throw new Error(`there is no pool of ${way} for ${trouble.named}`);
      return pool;
    },
    async notSent({ reached, url }) {
      if (reached.length > 0) return 0;
      const read = async (page: string) => (await fetch(new URL(page, url))).text();
      await until(async () => (await read('/readyz')).includes('[+] store'));
      const chain = new URL(url).pathname.slice(1);
      const counted = new RegExp(`^rpcgw_requests_total\\{chain="${chain}",[^}]*"not_sent"\\} (\\d+)`, 'm');
      const [, count = 0] = counted.exec(await read('/metrics')) ?? [];
      return Number(count);
    },
  };
}

function openPair(
  { family, reads, takes, carries }: PoolsOptions,
  n: number,
  act: Act,
  reached: Reach[],
): Promise<readonly Scripted[]> {
  const { config, value } = identityOf(family, n);
  const node = simulated(family, value);
  const answerBoth = (target: string, body: string): Reply => {
    const asked: unknown = JSON.parse(body);
    const answers = (Array.isArray(asked) ? asked : [asked]).map((call): unknown => {
      const result = reads?.(call.method, call.params ?? []);
      if (result !== undefined) return { jsonrpc: '2.0', id: call.id, result };
      return JSON.parse(node(target, JSON.stringify(call)).body);
    });
    return { status: 200, body: JSON.stringify(Array.isArray(asked) ? answers : answers[0]) };
  };
  const network: Network = {
    family,
    identity: config,
    answer: (target, body) => (reads === undefined ? node(target, body) : answerBoth(target, body)),
    takes,
    // The gateway gives a broadcast a connection of its own.
    isTransaction: head => /^connection: *close/im.test(head),
    carries,
    asksFor: () => false,
  };
  const hooks = {
    async first(reach: Reach): Promise<void> {
      reached.push(reach);
    },
    acting: async () => undefined,
    acted: () => undefined,
  };
  return Promise.all(
    [act, { at: 'whole', does: 'takes' } as const].map((plays, at) =>
      scripted({ name: at === 0 ? 'a' : 'b', network, act: plays, draw: 0.3, hooks, lateMs: 8_200 }),
    ),
  );
}

/** A library's way of sending. */
export interface Way {
  readonly named: string;
  /** Resolves with the transaction's id as the library tells it. */
  send(pool: Pool): Promise<string>;
  /** The id that it must be; undefined: the library signs for itself. */
  id?(pool: Pool): Promise<string>;
}

/** At a time: some take as long as an attempt may, and all at once are more than a busy machine has records for. */
const wide = 40;

/** Every way × every trouble, many at the same time. */
export function broadcastTests(ways: readonly Way[], options: Omit<PoolsOptions, 'ways'>): void {
  const behind = pools({ ...options, ways: ways.map(({ named }) => named) });
  const ends = new Map<Pool, PromiseSettledResult<string>>();

  beforeAll(async () => {
    const calls = ways.flatMap(way =>
      options.troubles.map(trouble => ({ way, pool: behind.of(way.named, trouble) })),
    );
    const worker = async (): Promise<void> => {
      for (let call = calls.shift(); call !== undefined; call = calls.shift()) {
        const { way, pool } = call;
        let [end] = await Promise.allSettled([way.send(pool)]);
        // A busy machine may not bring a row to the disk within its second: then nothing leaves, and the same may be sent again.
        for (let tries = 1; tries < 5 && (await behind.notSent(pool)) === tries; tries += 1)
          [end] = await Promise.allSettled([way.send(pool)]);
        ends.set(pool, end);
      }
    };
    await Promise.all(Array.from({ length: wide }, worker));
  });

  describe.each(ways)('$named', way => {
    it.each(options.troubles)('$named: it is sent once', async trouble => {
      const pool = behind.of(way.named, trouble);
      const end = ends.get(pool);
      const said = end?.status === 'rejected' ? String(end.reason) : end?.value;
      expect(
        pool.reached.map(({ upstream }) => upstream),
        said,
      ).toEqual(trouble.wanted);
      expect(end?.status, said).toBe(trouble.good ? 'fulfilled' : 'rejected');
      if (end?.status !== 'fulfilled') return;
      if (way.id !== undefined) expect(end.value).toBe(await way.id(pool));
      else expect(end.value).not.toBe('');
    });
  });
}
