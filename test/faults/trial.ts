/** One cell being tried: its network, its upstreams, its clients, and what was seen of it. */

import type { Told } from './answers.ts';
import { type Act, type Cell, faultOf, turnsBefore } from './cells.ts';
import { post, type Sent } from './client.ts';
import { type OneOff, oneOff } from './network.ts';
import type { Row } from './record.ts';
import type { ChainConfig } from './subject.ts';
import { type Reach, type Scripted, scripted } from './upstream.ts';

/** What the trials of one process have in common. */
export interface Common {
  /** The record has a row without an outcome for it; undefined: there is no record. */
  rowThere(chain: string, upstream: string): boolean | undefined;
  /** Opens when upstreams that wait for their turn may act. */
  readonly gate: Promise<void>;
  /** The process is dead. */
  readonly dead: Promise<void>;
  readonly lateMs: number;
}

export interface Trial {
  readonly cell: Cell;
  readonly chain: string;
  readonly network: OneOff;
  readonly upstreams: readonly Scripted[];
  /** In the order of their first bytes. */
  readonly reached: readonly Reach[];
  readonly config: ChainConfig;
  /** The gateway is where the cell wants it killed, as far as its upstreams can tell. */
  readonly arrived: Promise<void>;
  /** The upstream that waited has done its part. */
  readonly acted: Promise<void>;
  send(url: string): void;
  /** The first client's, and the one of who sent the same at the same time. */
  readonly clients: readonly Sent[];
  /** The same once more, when all is over. */
  again(url: string): Promise<Told | undefined>;
  seen: Seen;
}

/** What there was to see from outside, for the check. */
export interface Seen {
  missed: boolean;
  /**
   * The gateway said that it cannot write rows, be it for a moment, or did nothing at all: on a machine too busy to bring a
   * row to the disk, or a page out of it, within a second.
   */
  tooBusy: boolean;
  /** Right after the kill. */
  rowsAtDeath: readonly Row[] | undefined;
  rowsAtEnd: readonly Row[];
  /** Of the repeat; undefined: there was none. */
  repeat: Told | 'none' | undefined;
  /** Reaches before the repeat. */
  reachedBefore: number;
  rowsBefore: readonly Row[];
  followed: boolean;
  listed: boolean;
  settled: boolean;
}

const letters = ['a', 'b', 'c'] as const;
const takes: Act = { at: 'whole', does: 'takes' };

export function rowsOf({ chain }: Trial, rows: readonly Row[]): readonly Row[] {
  return rows.filter(row => row.chain === chain);
}

export async function openTrial(cell: Cell, n: number, common: Common): Promise<Trial> {
  const { family, kill } = cell;
  const chain = `c${n}`;
  const network = oneOff(family, n, cell.padding);
  const arrival = Promise.withResolvers<void>();
  const doing = Promise.withResolvers<void>();
  const reached: Reach[] = [];
  const clients: Sent[] = [];
  const turn = turnsBefore(kill);
  const gone = faultOf(cell.fault).clientGoes === true;
  const isTurn = (reach: Reach): boolean => reach.life === 0 && reached.indexOf(reach) === turn;

  const hooks = {
    async first(reach: Reach): Promise<void> {
      reach.rowThere = common.rowThere(chain, reach.upstream);
      reached.push(reach);
      if (gone && reach.life === 0) clients[0]?.leave();
      if (!isTurn(reach) || !kill.startsWith('while sending')) return;
      arrival.resolve();
      await common.dead;
    },
    async acting(reach: Reach): Promise<void> {
      const waits =
        kill === 'before the second row'
          ? reach.life === 0 && reached.indexOf(reach) === 0
          : isTurn(reach) && (kill === 'before the answer' || kill === 'before the second answer');
      if (!waits) return;
      arrival.resolve();
      await common.gate;
    },
    acted(): void {
      doing.resolve();
    },
  };
  const acts: readonly Act[] = [faultOf(cell.fault).act, faultOf(cell.second).act, takes];
  const upstreams = await Promise.all(
    letters.slice(0, cell.pool).map((name, at) =>
      scripted({
        name,
        network,
        act: acts[at] ?? takes,
        draw: cell.draw,
        hooks,
        lateMs: common.lateMs,
      }),
    ),
  );
  const path = `/${chain}${network.tx.target}`;
  return {
    cell,
    chain,
    network,
    upstreams,
    reached,
    clients,
    arrived: arrival.promise,
    acted: doing.promise,
    config: {
      name: chain,
      family,
      identity: network.identity,
      endpoints: upstreams.map(({ name, url }) => ({ name, url })),
    },
    send(url) {
      clients.push(post(url + path, network.tx.body()));
      if (cell.joined) clients.push(post(url + path, network.tx.body('"other"')));
    },
    again: url => post(url + path, network.tx.body()).over,
    seen: {
      missed: false,
      tooBusy: false,
      rowsAtDeath: undefined,
      rowsAtEnd: [],
      repeat: undefined,
      reachedBefore: 0,
      rowsBefore: [],
      followed: false,
      listed: false,
      settled: false,
    },
  };
}
