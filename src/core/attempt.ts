/**
 * What follows an attempt of a read: its answer, another endpoint, the same one again, a wait, or the end.
 * A trail is what one client request has tried so far; `nextStep` reads it, and the caller does what it says.
 */

import type { ChainSettings, WorkClass } from './chain.ts';
import { finish, lastVerdict, neverGotIt } from './ending.ts';
import type { EndpointRecord } from './endpoint.ts';
import type { ClientReason } from './errors.ts';
import type { Need } from './need.ts';
import type { Attempt } from './observe.ts';
import { type Ask, firstAsk, lastResortPlace, nowhere, placeOf } from './place.ts';
import type { Pool } from './pool.ts';
import { earliestWarm, preview, select, waitsForRoom } from './select.ts';
import type { Reached } from './transport-fault.ts';
import { type Judgement, verdicts } from './verdict.ts';

export interface Tried {
  readonly attempt: Attempt;
  readonly judgement: Judgement;
  /** How far it got, when no answer came. */
  readonly reached?: Reached | undefined;
}

export interface Trail extends Ask {
  readonly deadlineAt: number;
  /** Tried at one endpoint only: what lives on one node, or a method that stands in no table. */
  readonly once: 'filter' | 'unknown' | undefined;
  tries: readonly Tried[];
  tried: readonly EndpointRecord[];
  missing: boolean;
  waited: boolean;
  /** Until when room is waited for; undefined: it has not been. */
  roomUntil: number | undefined;
  /** Pauses made before asking the same one again, and until when the last one lasts; undefined: it was used. */
  pauses: number;
  pauseUntil: number | undefined;
  /** A cooldown was waited for, so its endpoint may be asked again. */
  warmed: boolean;
}

export type Step =
  | { readonly do: 'send'; readonly record: EndpointRecord }
  /** `room` and `retry`: sooner when an attempt of this chain ends. */
  | { readonly do: 'wait'; readonly ms: number; readonly for: 'room' | 'retry' | 'pause' | 'cooldown' }
  /** The answer of `trail.tries[index]`, as it came. */
  | { readonly do: 'answer'; readonly index: number }
  /** `takeBack`: it was the request; the attempts of the trail are to be undone. */
  | {
      readonly do: 'fail';
      readonly reason: ClientReason;
      readonly retryAfterMs?: number;
      readonly takeBack: boolean;
    };

const roomWaitMs = 1_000;
/** When to look again for what only other requests can change. */
export const lookAgainMs = 20;
const firstPauseMs = 200;
const laterPauseMs = 800;
const pauseJitter = 0.2;

export function startTrail(
  chain: ChainSettings,
  workClass: WorkClass,
  now: number,
  once?: Trail['once'],
  only?: EndpointRecord,
): Trail {
  return {
    deadlineAt: now + deadlineMs(chain, workClass),
    once,
    tries: [],
    tried: [],
    missing: false,
    waited: false,
    highest: false,
    only,
    roomUntil: undefined,
    pauses: 0,
    pauseUntil: undefined,
    warmed: false,
  };
}

/** Nearly always the first, and then a list of one: a push would make room for sixteen more. */
export function added<T>(list: readonly T[], one: T): readonly T[] {
  return list.length === 0 ? [one] : [...list, one];
}

export function noteTried(trail: Trail, tried: Tried): void {
  trail.tries = added(trail.tries, tried);
  const { record } = tried.attempt;
  if (!trail.tried.includes(record)) trail.tried = added(trail.tried, record);
  if (tried.judgement.verdict === 'missing_history') trail.missing = true;
  trail.pauseUntil = undefined;
  trail.warmed = false;
}

/** The time an attempt that starts now may take, up to its commit. */
export function attemptMs(chain: ChainSettings, workClass: WorkClass, trail: Trail, now: number): number {
  const most = workClass === 'heavy' ? chain.heavyTimeoutMs : chain.readTimeoutMs;
  return Math.min(most, trail.deadlineAt - now);
}

export function nextStep(pool: Pool, need: Need, trail: Trail, now: number, chance: number): Step {
  const last = trail.tries.at(-1);
  if (last !== undefined) {
    if (verdicts[last.judgement.verdict].next === 'return')
      return { do: 'answer', index: trail.tries.length - 1 };
    if (endsHere(trail, last)) return finish(pool, need, trail, now);
    if (!mayTryAgain(pool, trail, trail.tries.length, now)) return finish(pool, need, trail, now);
    if (!hasRetryRoom(pool)) return wait(pool, need, trail, lookAgainMs, 'retry', now);
  } else if (now >= trail.deadlineAt) {
    return finish(pool, need, trail, now);
  }

  const record = select(pool, need, trail, now, chance);
  if (record !== undefined) return { do: 'send', record };

  if (!trail.waited && waitsForRoom(pool, need, trail, now)) {
    trail.roomUntil ??= now + roomWaitMs;
    if (now < trail.roomUntil)
      return wait(pool, need, trail, Math.min(lookAgainMs, trail.roomUntil - now), 'room', now);
    trail.waited = true;
    return nextStep(pool, need, trail, now, chance);
  }

  const again = sameAgain(need, trail, now);
  if (again !== undefined) {
    if (trail.warmed) return { do: 'send', record: again };
    if (trail.pauseUntil === undefined) {
      const pause = trail.pauses === 0 ? firstPauseMs : laterPauseMs;
      trail.pauses += 1;
      trail.pauseUntil = now + pause * (1 + pauseJitter * (2 * chance - 1));
    }
    // The items of a batch look again together, some of them early.
    if (now >= trail.pauseUntil) return { do: 'send', record: again };
    return wait(pool, need, trail, trail.pauseUntil - now, 'pause', now);
  }

  const warm = earliestWarm(pool, need, trail, now);
  if (warm !== undefined && warm < trail.deadlineAt) {
    trail.warmed = true;
    return wait(pool, need, trail, warm - now, 'cooldown', now);
  }
  return finish(pool, need, trail, now);
}

/** Whether a read that waits at `record` would go at once to an endpoint that nothing holds back, if it stopped waiting. */
export function hasElsewhere(
  pool: Pool,
  need: Need,
  trail: Trail,
  record: EndpointRecord,
  now: number,
): boolean {
  if (trail.once !== undefined || !mayTryAgain(pool, trail, trail.tries.length + 1, now)) return false;
  const ask: Ask = { ...trail, tried: added(trail.tried, record), waited: true };
  const other = preview(pool, need, ask, now);
  return other !== undefined && placeOf(other, need, ask, now) < lastResortPlace;
}

/** After so many tries. */
function mayTryAgain(pool: Pool, trail: Trail, tries: number, now: number): boolean {
  return tries < pool.chain.attempts && now < trail.deadlineAt && pool.chain.retryShare > 0;
}

/** A wait that would end after the deadline is no wait. */
function wait(
  pool: Pool,
  need: Need,
  trail: Trail,
  ms: number,
  reason: 'room' | 'retry' | 'pause' | 'cooldown',
  now: number,
): Step {
  return now + ms >= trail.deadlineAt ? finish(pool, need, trail, now) : { do: 'wait', ms, for: reason };
}

/** Retries have a share of the chain's requests in flight, so that a brown-out is not doubled; one may always run. */
export function hasRetryRoom(pool: Pool): boolean {
  return pool.retries < Math.max(1, Math.floor(pool.chain.retryShare * pool.requests));
}

/** What lives on one node is asked once; what stands in no table too, unless the endpoint certainly never got it. */
function endsHere(trail: Trail, last: Tried): boolean {
  if (trail.once === undefined) return false;
  return trail.once === 'filter' || !neverGotIt(last);
}

/**
 * One that was tried already and may be tried again: after a fault that may pass, or when its cooldown was waited for.
 * The least held back of them, then the one tried longest ago.
 */
function sameAgain(need: Need, trail: Trail, now: number): EndpointRecord | undefined {
  const ask: Ask = { ...trail, tried: [], waited: true };
  let best: EndpointRecord | undefined;
  let bestPlace = nowhere;
  for (const record of trail.tried) {
    const verdict = lastVerdict(trail, record);
    const mayPass = verdict === 'transport' || verdict === 'node_failure';
    if (!mayPass && !(trail.warmed && verdict === 'rate_limited')) continue;
    const place = placeOf(record, need, ask, now);
    if (place >= bestPlace) continue;
    best = record;
    bestPlace = place;
  }
  return best;
}

/**
 * Who is to be asked once more after `record` answered "no such thing" (contract section 5): for a height the pool has
 * reached, another that is as high; for a transaction, the highest, when `record` was below it.
 */
export function whoMayKnow(
  pool: Pool,
  need: Need,
  record: EndpointRecord,
  now: number,
): EndpointRecord | undefined {
  const { height } = record.head;
  const doubtful = need.height === undefined ? height < pool.head.highest : need.height <= pool.head.median;
  if (!doubtful) return undefined;
  const highest = select(pool, need, { ...firstAsk, tried: [record], highest: true, waited: true }, now, 0);
  if (highest === undefined || placeOf(highest, need, firstAsk, now) >= lastResortPlace) return undefined;
  return highest.head.height >= height ? highest : undefined;
}

function deadlineMs(chain: ChainSettings, workClass: WorkClass): number {
  return workClass === 'heavy' ? chain.heavyDeadlineMs : chain.readDeadlineMs;
}
