/** The chain as it really is, and its nodes as they really are: only scripts change them, and no rule is known here. */

import type { TransportFault } from '../../src/core/transport-fault.ts';
import type { Dice } from './dice.ts';
import type { Said, SimCall } from './family.ts';
import { wallAtStart } from './time.ts';

const disturbedMs = 20 * 60_000;

/** Blocks come every `blockTimeMs`, but for the time the chain stands still. */
export class Truth {
  readonly blockTimeMs: number;
  readonly base: number;
  #haltedAt: number | undefined;
  readonly #halts: { readonly from: number; readonly to: number }[] = [];

  constructor(blockTimeMs: number, base: number) {
    this.blockTimeMs = blockTimeMs;
    this.base = base;
  }

  halt(now: number): void {
    this.#haltedAt ??= now;
  }

  /** A standstill ended not long ago, so that a measured block time may have it in it. */
  isDisturbed(now: number): boolean {
    return now - (this.#halts.at(-1)?.to ?? Number.NEGATIVE_INFINITY) < disturbedMs;
  }

  resume(now: number): void {
    if (this.#haltedAt !== undefined) this.#halts.push({ from: this.#haltedAt, to: now });
    this.#haltedAt = undefined;
  }

  heightAt(time: number): number {
    let moving = Math.min(time, this.#haltedAt ?? time);
    for (const { from, to } of this.#halts) moving -= Math.max(0, Math.min(time, to) - from);
    return this.base + Math.floor(moving / this.blockTimeMs);
  }

  /** When a block was made; one that nobody made yet is as young as a liar likes. */
  bornAt(height: number, now: number): number {
    let at = (height - this.base) * this.blockTimeMs;
    for (const { from, to } of this.#halts) if (at > from) at += to - from;
    return Math.min(at, now);
  }
}

export type TroubleKind =
  | '500'
  | 'html'
  | 'refused'
  | 'reset'
  | 'hang'
  | 'throttle'
  | 'quota'
  | 'auth'
  | 'garbage';

export interface Trouble {
  readonly kind: TroubleKind;
  /** Share of the requests it befalls. */
  readonly share: number;
  readonly befalls: 'all' | 'clients' | 'probes' | 'heavy' | 'identity' | 'height';
  readonly retryAfterMs?: number;
}

export interface NodeState {
  /** The network it is on. */
  network: string;
  latencyMs: number;
  /** Blocks behind the chain, one for each node behind its one URL; a request meets any of them. */
  behind: readonly number[];
  /** It stopped following the chain then. */
  frozenAt: number | undefined;
  /** Blocks it claims beyond the chain. */
  ahead: number;
  /** How deep its history reaches; undefined: all of it. */
  depth: number | undefined;
  /** It gives what building a transfer needs. */
  builds: boolean;
  /** Methods it does not offer. */
  lacks: readonly string[];
  troubles: readonly Trouble[];
}

export function wellNode(network: string, latencyMs: number): NodeState {
  return {
    network,
    latencyMs,
    behind: [0],
    frozenAt: undefined,
    ahead: 0,
    depth: undefined,
    builds: true,
    lacks: [],
    troubles: [],
  };
}

/** Nothing is wrong with it: whatever it is asked, it answers well. What it lacks it says honestly. */
export function isWell(node: NodeState, network: string): boolean {
  return (
    node.network === network &&
    node.troubles.length === 0 &&
    node.frozenAt === undefined &&
    node.ahead === 0 &&
    node.behind.every(blocks => blocks === 0) &&
    node.builds
  );
}

/** What becomes of one request. `afterMs` Infinity: nothing, ever. */
export type Reply = { readonly afterMs: number } & (
  | { readonly says: 'answer'; readonly said: Said; readonly end?: 'cut' | 'stall' | 'broken' }
  | { readonly says: 'fault'; readonly fault: TransportFault }
);

const troubleSays: Readonly<Record<Exclude<TroubleKind, 'refused' | 'reset' | 'hang'>, Said>> = {
  '500': { verdict: 'node_failure', rule: 'sim.500' },
  html: { verdict: 'node_failure', rule: 'sim.html' },
  garbage: { verdict: 'node_failure', rule: 'sim.garbage' },
  throttle: { verdict: 'rate_limited', rule: 'sim.429' },
  quota: { verdict: 'rate_limited', rule: 'sim.quota', quota: true },
  auth: { verdict: 'auth_refused', rule: 'sim.401' },
};

export function reply(node: NodeState, truth: Truth, call: SimCall, now: number, dice: Dice): Reply {
  const afterMs = node.latencyMs * dice.between(0.9, 1.1);
  for (const trouble of node.troubles) {
    if (!isBefallen(trouble, call) || !dice.happens(trouble.share)) continue;
    switch (trouble.kind) {
      case 'hang':
        return { afterMs: Number.POSITIVE_INFINITY, says: 'answer', said: troubleSays['500'] };
      case 'refused':
        return fault(afterMs / 4, 'connect_refused', 'not_connected');
      case 'reset':
        if (call.large) {
          return { afterMs, says: 'answer', said: answer(node, truth, call, now, dice), end: 'cut' };
        }
        return fault(afterMs, 'reset', 'handed_over');
      default: {
        const { retryAfterMs } = trouble;
        const said = troubleSays[trouble.kind];
        return {
          afterMs,
          says: 'answer',
          said: retryAfterMs === undefined ? said : { ...said, retryAfterMs },
        };
      }
    }
  }
  return { afterMs, says: 'answer', said: answer(node, truth, call, now, dice) };
}

function isBefallen({ befalls }: Trouble, call: SimCall): boolean {
  switch (befalls) {
    case 'all':
      return true;
    case 'clients':
      return call.own === undefined;
    case 'probes':
      return call.own !== undefined;
    case 'heavy':
      return call.need.class === 'heavy';
    case 'identity':
    case 'height':
      return call.own === befalls;
  }
}

function fault(afterMs: number, kind: TransportFault['kind'], reached: TransportFault['reached']): Reply {
  return { afterMs, says: 'fault', fault: { kind, reached, message: kind } };
}

function answer(node: NodeState, truth: Truth, call: SimCall, now: number, dice: Dice): Said {
  const ok = { verdict: 'ok', rule: 'sim.ok' } as const;
  if (node.lacks.includes(call.method)) {
    return { verdict: 'unsupported', rule: 'sim.unsupported', wholeMethod: true };
  }
  if (call.own === 'identity') return { ...ok, claims: node.network };
  if (call.own === 'builds') return { ...ok, told: node.builds };
  const height = heightOf(node, truth, now, dice);
  const deepest = node.depth === undefined ? 0 : height - node.depth;
  if (call.reads !== undefined && call.reads.height < deepest) {
    return { verdict: 'missing_history', rule: 'sim.pruned' };
  }
  if (call.own === 'facts') return { ...ok, told: true };
  if (call.method === 'new filter') return { ...ok, filter: `f${Math.floor(dice.next() * 2 ** 40)}` };
  if (call.method === 'revert') return { verdict: 'app_error', rule: 'sim.revert' };
  if (call.method === 'poison') return { verdict: 'node_failure', rule: 'sim.poison' };
  if (call.looksFor !== undefined && call.looksFor > height) return { ...ok, absent: true };
  if (call.reads !== undefined && call.reads.height > height) {
    return { verdict: 'node_failure', rule: 'sim.header_not_found' };
  }
  if (!call.showsHead) return ok;
  const shown = height + node.ahead;
  return { ...ok, height: shown, headBornAt: truth.bornAt(shown, now) + wallAtStart };
}

function heightOf(node: NodeState, truth: Truth, now: number, dice: Dice): number {
  const behind = node.behind.length === 1 ? (node.behind[0] ?? 0) : dice.pick(node.behind);
  return truth.heightAt(node.frozenAt ?? now) - behind;
}
