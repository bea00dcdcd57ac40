/**
 * What the gateway owes one client between its requests: after a broadcast, to read what it wrote; in strict freshness,
 * heights that never go backwards. A client is known by its key or by the `rpcgw-session` header; one that shows neither
 * is owed nothing. Bounded, and forgotten soon.
 */

import type { EndpointRecord } from '../core/endpoint.ts';
import { dependsOnTip, type Need } from '../core/need.ts';
import type { Judgement } from '../core/verdict.ts';
import type { Chain } from './roster.ts';

/** A transaction that was not seen by then will not be missed by a read either, ms. */
const ownWriteMs = 30_000;
const marksMs = 600_000;
const mostSessions = 10_000;

interface Owed {
  /** Who took its last transaction, and how high it was then. */
  took: EndpointRecord | undefined;
  tookHeight: number;
  tookUntil: number;
  /** The highest height a strict answer of this client was given from. */
  shown: number;
  usedMs: number;
}

/** A read as this client may have it. */
export interface OwedRead {
  readonly need: Need;
  /** Asked first, when nothing holds it back. */
  readonly first: EndpointRecord | undefined;
}

export class Sessions {
  readonly #owed = new Map<string, Owed>();

  /** An endpoint accepted a transaction of this client. */
  took(chain: Chain, session: string | undefined, record: EndpointRecord, now: number): void {
    if (session === undefined || !chain.settings.pinning) return;
    const owed = this.#open(keyOf(chain, session), now);
    owed.took = record;
    owed.tookHeight = record.head.height;
    owed.tookUntil = now + ownWriteMs;
  }

  /** An answer to this need went out from this height. */
  showed(chain: Chain, session: string | undefined, need: Need, height: number, now: number): void {
    if (session === undefined || !need.strict || height < 0) return;
    const owed = this.#open(keyOf(chain, session), now);
    owed.shown = Math.max(owed.shown, height);
  }

  read(chain: Chain, session: string | undefined, strict: boolean, need: Need, now: number): OwedRead {
    const owed = session === undefined ? undefined : this.#find(keyOf(chain, session), now);
    const pinned = owed?.took !== undefined && owed.tookUntil > now && chain.settings.pinning === true;
    const tip = dependsOnTip(need);
    let floor = -1;
    if (pinned && tip) floor = owed.tookHeight;
    // What the pool agreed on: a height that one endpoint alone claims has to find a second one first.
    if (strict && tip) floor = Math.max(floor, chain.pool.head.agreed, owed?.shown ?? -1);
    const first = pinned && need.own ? owed.took : undefined;
    if (floor <= (need.height ?? -1)) return { need, first };
    return { need: { ...need, height: floor, ...(strict ? { strict: true as const } : {}) }, first };
  }

  #find(key: string, now: number): Owed | undefined {
    const owed = this.#owed.get(key);
    if (owed === undefined) return undefined;
    if (now - owed.usedMs > marksMs) {
      this.#owed.delete(key);
      return undefined;
    }
    return owed;
  }

  #open(key: string, now: number): Owed {
    const owed = this.#find(key, now) ?? {
      took: undefined,
      tookHeight: -1,
      tookUntil: 0,
      shown: -1,
      usedMs: now,
    };
    owed.usedMs = now;
    // The newest at the end, so that the oldest is the first to go.
    this.#owed.delete(key);
    this.#owed.set(key, owed);
    if (this.#owed.size > mostSessions) {
      const oldest = this.#owed.keys().next();
      if (!oldest.done) this.#owed.delete(oldest.value);
    }
    return owed;
  }
}

/**
 * An answer that shows a height below the one asked for is none. One URL can be many nodes: what it showed a moment ago
 * is no promise for this answer.
 */
export function heldToMark(need: Need, judgement: Judgement, height: number | undefined): Judgement {
  if (!need.strict || height === undefined || height >= (need.height ?? 0)) return judgement;
  return { verdict: 'node_failure', rule: 'gateway.below_the_mark' };
}

function keyOf(chain: Chain, session: string): string {
  return `${chain.settings.name} ${session}`;
}
