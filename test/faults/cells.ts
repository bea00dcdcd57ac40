/**
 * What can go wrong with a broadcast, as three axes: the family, the fault of the endpoint that is tried first, and the
 * place at which the gateway is killed. A cell is one point of it, with the rest drawn by chance.
 */

import type { FamilyName } from '../../src/core/chain.ts';
import type { Reached } from '../../src/core/transport-fault.ts';
import type { TxOutcome } from '../../src/core/verdict.ts';

export const families: readonly FamilyName[] = ['evm', 'solana', 'xrpl', 'tron'];

/** What keeps a connection from coming about. */
export type Door =
  /** Nobody listens. */
  | 'shut'
  /** The resolver does not know the name. */
  | 'no_name'
  /** Something answers the handshake that is no TLS. */
  | 'bad_tls'
  /** Whoever connects is neither taken nor turned away. */
  | 'wall';

/** What an upstream does with the transaction. */
export type Act =
  | { readonly at: 'door'; readonly door: Door }
  /** Part of the body is in. */
  | { readonly at: 'half'; readonly does: 'reset' }
  /** All of it is in. `silence`: the headers come and nothing else; `late`: an answer after everybody's patience. */
  | {
      readonly at: 'whole';
      readonly does: 'close' | 'reset' | 'silence' | 'late' | 'takes' | 'cut' | 'quota';
    }
  | { readonly at: 'whole'; readonly does: 'status'; readonly statuses: readonly number[] }
  /** These words, with the request's id in the place of `%id%`. */
  | { readonly at: 'whole'; readonly does: 'says'; readonly text: string };

export interface Fault {
  readonly act: Act;
  /** What the record says of it when nothing else happens. */
  readonly outcome: readonly TxOutcome[];
  readonly reached: Reached;
  /** The one that does not have the transaction for certain: another endpoint may get it (contract 6.4). */
  readonly turnsAway?: true;
  /** The client goes away as soon as the transaction is with the upstream. */
  readonly clientGoes?: true;
}

const door = (which: Door): Fault => ({
  act: { at: 'door', door: which },
  outcome: ['refused'],
  reached: 'not_connected',
  turnsAway: true,
});
const whole = (
  does: Exclude<Act, { at: 'door' | 'half' } | { does: 'status' | 'says' }>['does'],
  reached: Reached,
  outcome: readonly TxOutcome[] = ['unknown'],
): Fault => ({ act: { at: 'whole', does }, outcome, reached });
const status = (statuses: readonly number[], outcome: TxOutcome): Fault => ({
  act: { at: 'whole', does: 'status', statuses },
  outcome: [outcome],
  reached: 'answered',
});

export const faults = {
  refused: door('shut'),
  'no such name': door('no_name'),
  'TLS handshake failure': door('bad_tls'),
  'connect timeout': door('wall'),
  'closed before headers': whole('close', 'handed_over'),
  'reset after half the body': {
    act: { at: 'half', does: 'reset' },
    outcome: ['unknown'],
    reached: 'handed_over',
  },
  'reset after the body': whole('reset', 'handed_over'),
  'headers, then silence': whole('silence', 'answered'),
  '5xx': status([500, 502, 503, 504], 'unknown'),
  '429': { ...status([429], 'refused'), turnsAway: true },
  '403': { ...status([403], 'refused'), turnsAway: true },
  '401': status([401], 'refused'),
  // It leads back to whoever sent it, who counts a body that follows it.
  'a redirect': status([301, 302, 303, 307, 308], 'unknown'),
  'another 4xx': status([400, 404, 408, 413], 'unknown'),
  '200 with a quota': whole('quota', 'answered', ['refused', 'unknown']),
  '200 with a page': status([200], 'unknown'),
  'answer cut in half': whole('cut', 'answered'),
  'answer past the timeout': whole('late', 'handed_over'),
  'client gone': { ...whole('takes', 'answered', ['accepted']), clientGoes: true },
  'no fault': whole('takes', 'answered', ['accepted']),
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof faults;
// The keys are the table's own; Object.keys forgets that.
export const faultNames = Object.keys(faults) as readonly FaultName[];
export const faultOf = (name: FaultName): Fault => faults[name];

/** The upstream certainly has not got it, because it said so before it read it or was never reached. */
export const saysNo = (name: FaultName): boolean => name === '429' || name === '403';

/**
 * Where the gateway is killed. `second`: the same place of the attempt that follows a refusal. `anywhere` is drawn from
 * the clock and meets the windows that nobody can hold open from outside.
 */
export const kills = [
  'none',
  'before the row',
  'after the row',
  'while sending',
  'before the answer',
  'before the second row',
  'after the second row',
  'while sending to the second',
  'before the second answer',
  'anywhere',
] as const;
export type Kill = (typeof kills)[number];

/** How many endpoints have had their turn before the one at which the gateway is killed. */
export function turnsBefore(kill: Kill): 0 | 1 {
  return kill.includes('second') ? 1 : 0;
}

export interface Cell {
  readonly family: FamilyName;
  /** Of the endpoint that is tried first. */
  readonly fault: FaultName;
  /** Of the one that may follow. */
  readonly second: FaultName;
  readonly kill: Kill;
  /** Endpoints in the pool. */
  readonly pool: 2 | 3;
  /** Another client sends the same at the same time. */
  readonly joined: boolean;
  /** The client sends the same again when all is over. */
  readonly repeated: boolean;
  /** The transaction is in a block after all: every endpoint shows it when it is asked. */
  readonly landed: boolean;
  /** Bytes of white space in the body, so that it fills more than one segment. */
  readonly padding: number;
  /** Which of several statuses, 0 ≤ n < 1. */
  readonly draw: number;
}

/** A place is there only when the gateway comes by it. */
function exists(fault: FaultName, second: FaultName, kill: Kill): boolean {
  const first = faultOf(fault);
  const reachesDoor = (name: FaultName) => faultOf(name).act.at === 'door';
  switch (kill) {
    case 'before the second row':
    case 'while sending to the second':
    case 'before the second answer':
      // Only there the bench knows when the first attempt ends.
      return saysNo(fault) && (kill === 'before the second row' || !reachesDoor(second));
    case 'after the second row':
      return first.turnsAway === true;
    case 'while sending':
    case 'before the answer':
      return first.act.at !== 'door' || !reachesDoor(second);
    default:
      return true;
  }
}

/** Two endpoints show it in a block, and after a start no endpoint is held back from being asked. */
export function mustSettle({ landed, kill }: Cell): boolean {
  return landed && kill !== 'none';
}

/** Every family × fault × place once, and nothing left to chance. */
export function everyCell(kill: Kill): readonly Cell[] {
  return families.flatMap(family =>
    faultNames
      .filter(fault => exists(fault, 'no fault', kill))
      .map((fault, at) => ({
        family,
        fault,
        second: 'no fault' as const,
        kill,
        pool: at % 2 === 0 ? (2 as const) : (3 as const),
        joined: at % 3 === 0,
        repeated: true,
        landed: at % 2 === 1,
        padding:
          faultOf(fault).act.at === 'half' || (at % 5 === 0 && !kill.startsWith('before the row'))
            ? 200_000
            : 0,
        draw: at / faultNames.length,
      })),
  );
}

/** Cells drawn by a seeded source of numbers 0 ≤ n < 1. */
export function drawCell(next: () => number, kill: Kill): Cell {
  const of = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  for (;;) {
    const fault = of(faultNames);
    const second = next() < 0.6 ? 'no fault' : of(faultNames);
    const family = of(families);
    const draw = next();
    const size = next();
    const cell: Cell = {
      family,
      fault,
      second: faultOf(second).clientGoes ? 'no fault' : second,
      kill,
      pool: next() < 0.6 ? 2 : 3,
      joined: next() < 0.25,
      repeated: next() < 0.6,
      landed: next() < 0.4,
      padding: size < 0.7 ? 0 : size < 0.995 ? Math.floor(size * 300_000) : 6_000_000,
      draw,
    };
    if (exists(cell.fault, cell.second, kill)) return cell;
  }
}
