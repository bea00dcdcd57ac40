/** One network of each family behind the built gateway, and the one transaction that is known on it. */

import type { FamilyName } from '../../src/core/chain.ts';
import type { Act } from '../faults/cells.ts';
import { type OneOff, oneOff } from '../faults/network.ts';
import { chainConfig, usable } from '../faults/subject.ts';
import { type Reach, type Scripted, scripted } from '../faults/upstream.ts';
import type { Gateway } from '../kit/gateway.ts';
import type { stage } from '../kit/stage.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

export interface Net {
  readonly name: string;
  readonly family: FamilyName;
  /** Chain id, network id or genesis, as the config has it. */
  readonly identity: OneOff['identity'];
  readonly tx: OneOff['tx'];
  readonly a: Scripted;
  readonly b: Scripted;
  /** Requests that carry a transaction, in the order of their first bytes. */
  readonly reached: readonly Reach[];
  /** What the upstreams do from now on, `a` first. */
  play(...acts: readonly Act[]): void;
  /** The next upstream that has the transaction keeps its answer back. */
  hold(): Held;
  post(body: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** The transaction under this id, as JSON text. */
  send(id?: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

export interface Held {
  /** An upstream has it. */
  readonly there: Promise<void>;
  letGo(): void;
}

export interface Networks {
  readonly gateway: Gateway;
  of(name: string): Net;
  /** Until every endpoint may be used; after a restart too. */
  usable(): Promise<void>;
}

export interface NetworkOptions {
  readonly name: string;
  readonly family: FamilyName;
  /** Keys of the chain in the config. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Keys of the endpoints, `a` first. */
  readonly endpoints?: readonly Readonly<Record<string, unknown>>[];
}

const takes: Act = { at: 'whole', does: 'takes' };
const headers = { 'content-type': 'application/json' };

/** A broadcast is told from a read by the connection of its own that the gateway gives it. */
export async function networks(
  on: ReturnType<typeof stage>,
  wanted: readonly NetworkOptions[],
): Promise<Networks> {
  const made = await Promise.all(wanted.map(makeNet));
  for (const { a, b } of made)
    on.after(async () => {
      a.end();
      b.end();
    });
  const gateway = await on.gateway({
    chains: Object.fromEntries(
      made.map(({ name, family, identity, a, b }, at) => {
        const chain = chainConfig({ name, family, identity, endpoints: [a, b] });
        const endpoints = chain.endpoints.map((one, n) => ({ ...one, ...wanted[at]?.endpoints?.[n] }));
        return [name, { ...chain, endpoints, ...wanted[at]?.config }];
      }),
    ),
  });
  const ready = () => usable(gateway, 2 * made.length);
  await ready();
  const nets = new Map(
    made.map(net => {
      const post: Net['post'] = async (body, more = {}) => {
        const response = await fetch(`${gateway.url}/${net.name}${net.tx.target}`, {
          method: 'POST',
          headers: { ...headers, ...more },
          body,
        });
        return { status: response.status, text: await response.text(), headers: response.headers };
      };
      const send: Net['send'] = (id, more) => post(net.tx.body(id), more);
      return [net.name, Object.assign(net, { post, send })];
    }),
  );
  return {
    gateway,
    of(name) {
      const net = nets.get(name);
      if (net === undefined) throw new Error(`there is no ${name}`);
      return net;
    },
    usable: ready,
  };
}

async function makeNet({ name, family }: NetworkOptions, n: number) {
  const network = oneOff(family, n, 0);
  const reached: Reach[] = [];
  let held: { readonly there: () => void; readonly over: Promise<void> } | undefined;
  const hooks = {
    async first(reach: Reach): Promise<void> {
      reached.push(reach);
    },
    async acting(): Promise<void> {
      const now = held;
      held = undefined;
      now?.there();
      await now?.over;
    },
    acted: () => undefined,
  };
  const open = (upstream: string): Promise<Scripted> =>
    scripted({
      name: upstream,
      network: { ...network, isTransaction: head => /^connection: *close/im.test(head) },
      act: takes,
      draw: 0,
      hooks,
      lateMs: 8_200,
    });
  const [a, b] = [await open('a'), await open('b')];
  return {
    name,
    family,
    identity: network.identity,
    tx: network.tx,
    a,
    b,
    reached,
    play(...acts: readonly Act[]) {
      a.play(acts[0] ?? takes);
      b.play(acts[1] ?? takes);
    },
    hold(): Held {
      const there = Promise.withResolvers<void>();
      const over = Promise.withResolvers<void>();
      held = { there: there.resolve, over: over.promise };
      return { there: there.promise, letGo: over.resolve };
    },
  };
}
