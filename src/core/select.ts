/**
 * Which endpoint gets a request. `select` looks at the whole pool once, compares places, then values, and allocates
 * nothing. `why` tells the same choice, made by the same code, with every reason.
 */

import type { Strategy } from './chain.ts';
import type { EndpointRecord } from './endpoint.ts';
import { isKnown } from './ewma.ts';
import { bits, heldFor } from './held.ts';
import type { Need } from './need.ts';
import { type Ask, lastResortPlace, nowhere, placeOf, placeWithout, unfitPlace } from './place.ts';
import type { Pool } from './pool.ts';

/** A lead within this is no lead. */
const stickiness = 0.02;
/** A clear lead moves the traffic at once, a smaller one when it has lasted for some observations. */
const clearLead = 0.1;
const observationsToLead = 5;

/** What holds for one request or a moment does not unseat the favourite. */
const passing = bits.busy | bits.method | bits.history | bits.height | bits.role;

/** Picks for one attempt and remembers the favourite. `chance`: 0 ≤ n < 1. Undefined: nobody can be tried now. */
export function select(
  pool: Pool,
  need: Need,
  ask: Ask,
  now: number,
  chance: number,
): EndpointRecord | undefined {
  const best = bestOf(pool, need, ask, now);
  if (best === undefined) return undefined;
  const chosen = choose(pool, need, ask, best, now, chance);
  const plain = ask.tried.length === 0 && ask.only === undefined && !ask.highest;
  if (plain && pool.chain.strategy === 'best' && need.class !== 'broadcast') {
    settleFavourite(pool, need, best, now);
  }
  return chosen;
}

/** The same choice without remembering anything, and without chance (the likeliest instead): for `why`. */
export function preview(pool: Pool, need: Need, ask: Ask, now: number): EndpointRecord | undefined {
  const best = bestOf(pool, need, ask, now);
  if (best === undefined || pool.chain.strategy === 'weighted') return best;
  return choose(pool, need, ask, best, now, 1);
}

/** An untried endpoint that only lacks room. */
export function waitsForRoom(pool: Pool, need: Need, ask: Ask, now: number): boolean {
  if (need.class === 'broadcast') return false;
  for (const record of pool.records) {
    if (ask.tried.length > 0 && ask.tried.includes(record)) continue;
    if (placeWithout(record, need, ask, bits.busy, now) < lastResortPlace) return true;
  }
  return false;
}

/** The earliest end of a cooldown that is all that keeps an endpoint from being tried; undefined: there is none. */
export function earliestWarm(pool: Pool, need: Need, ask: Ask, now: number): number | undefined {
  let earliest: number | undefined;
  for (const record of pool.records) {
    const { until } = record.cooldown;
    if (until <= now || (earliest !== undefined && until >= earliest)) continue;
    if (placeWithout(record, need, ask, bits.cooldown | bits.busy, now) < nowhere) earliest = until;
  }
  return earliest;
}

function bestOf(pool: Pool, need: Need, ask: Ask, now: number): EndpointRecord | undefined {
  const { records } = pool;
  const { tried } = ask;
  // Place 0 is the best there is: once somebody has it, only who has a higher score can still come before.
  const byScore = comparesScores(pool, need, ask);
  let best: EndpointRecord | undefined;
  let bestPlace = nowhere;
  let bestValue = 0;
  for (let order = 0; order < records.length; order += 1) {
    const record = records[order];
    if (record === undefined || (tried.length > 0 && tried.includes(record))) continue;
    if (byScore && bestPlace === 0 && record[need.class].score <= bestValue) continue;
    const place = placeOf(record, need, ask, now);
    if (place > bestPlace || place >= nowhere) continue;
    const value = meritOf(pool, record, order, need, ask, place, now);
    const better =
      place < bestPlace ||
      best === undefined ||
      value > bestValue ||
      (value === bestValue && record[need.class].score > best[need.class].score);
    if (!better) continue;
    best = record;
    bestPlace = place;
    bestValue = value;
  }
  if (bestPlace >= lastResortPlace && !ask.waited && waitsForRoom(pool, need, ask, now)) return undefined;
  return best;
}

/** What a strategy compares in place of the score. */
type Merit = (record: EndpointRecord, order: number, now: number) => number;
const merits: Readonly<Record<Strategy, Merit | 'score'>> = {
  best: 'score',
  weighted: 'score',
  priority: (record, order) => (record.settings.origin === 'file' ? 0 : -1_000_000) - order,
  'least-outstanding': record => -record.inFlight / record.weight,
  latency: (record, _, now) =>
    isKnown(record.heightLatency, now) ? -record.heightLatency.ms : Number.NEGATIVE_INFINITY,
};

/** Among those that nothing holds back, the score is all that counts. */
function comparesScores(pool: Pool, need: Need, ask: Ask): boolean {
  return merits[pool.chain.strategy] === 'score' && need.class !== 'broadcast' && !ask.highest;
}

/** What is compared among endpoints of one place; equals go by score, then by order. */
function meritOf(
  pool: Pool,
  record: EndpointRecord,
  order: number,
  need: Need,
  ask: Ask,
  place: number,
  now: number,
): number {
  const { score } = record[need.class];
  if (need.class === 'broadcast') return record.settings.broadcast === 'prefer' ? 1 : 0;
  if (ask.highest || (place >= unfitPlace && need.height !== undefined)) return record.head.height;
  if (place >= lastResortPlace) return score;
  const merit = merits[pool.chain.strategy];
  return merit === 'score' ? score : merit(record, order, now);
}

/** What the strategy makes of the best: stays with the favourite, draws, or lets a backup have its trickle. */
function choose(
  pool: Pool,
  need: Need,
  ask: Ask,
  best: EndpointRecord,
  now: number,
  chance: number,
): EndpointRecord {
  const place = placeOf(best, need, ask, now);
  if (need.class === 'broadcast' || ask.highest || place >= lastResortPlace) return best;
  const { strategy, trickle } = pool.chain;
  if (strategy === 'weighted') return drawn(pool, need, ask, place, best, now, chance);
  const chosen = strategy === 'best' ? kept(pool, need, ask, best, place, now) : best;
  const even = strategy === 'least-outstanding';
  if (even || need.class !== 'read' || ask.tried.length > 0 || chance >= trickle) return chosen;
  return backup(pool, need, ask, place, chosen, now, chance / trickle);
}

function kept(
  pool: Pool,
  need: Need,
  ask: Ask,
  best: EndpointRecord,
  place: number,
  now: number,
): EndpointRecord {
  const { record } = pool.favourites[need.class];
  if (record === undefined || record === best || leads(pool, need, best)) return best;
  if (ask.tried.length > 0 && ask.tried.includes(record)) return best;
  return placeOf(record, need, ask, now) === place ? record : best;
}

function leads(pool: Pool, need: Need, best: EndpointRecord): boolean {
  const { record, challenger, leadsSince } = pool.favourites[need.class];
  if (record === undefined) return true;
  const from = record[need.class].score;
  const lead = best[need.class].score - from;
  if (lead <= stickiness * Math.abs(from)) return false;
  if (lead > clearLead * Math.abs(from)) return true;
  return challenger === best && pool.observations - leadsSince >= observationsToLead;
}

function settleFavourite(pool: Pool, need: Need, best: EndpointRecord, now: number): void {
  const favourite = pool.favourites[need.class];
  const { record } = favourite;
  const held = record === undefined ? 0 : heldFor(record, need, now);
  if (record === undefined || (held & ~passing) !== 0) {
    favourite.record = best;
    favourite.challenger = undefined;
    return;
  }
  // What this request asks for is no measure: here it did not compete.
  if (held !== 0) return;
  const from = record[need.class].score;
  if (record === best || best[need.class].score - from <= stickiness * Math.abs(from)) {
    favourite.challenger = undefined;
  } else if (leads(pool, need, best)) {
    favourite.record = best;
    favourite.challenger = undefined;
  } else if (favourite.challenger !== best) {
    favourite.challenger = best;
    favourite.leadsSince = pool.observations;
  }
}

/**
 * One by share, in one look: each takes the place of the one before it with the chance of its share in what was seen so
 * far, and what is left of `chance` is as evenly spread as it was.
 */
function drawn(
  pool: Pool,
  need: Need,
  ask: Ask,
  place: number,
  best: EndpointRecord,
  now: number,
  chance: number,
): EndpointRecord {
  let chosen = best;
  let total = 0;
  let left = chance;
  for (const record of pool.records) {
    const share = shareOf(record, need, ask, place, now);
    if (share <= 0) continue;
    total += share;
    const part = share / total;
    if (left < part) {
      chosen = record;
      left /= part;
    } else {
      left = (left - part) / (1 - part);
    }
  }
  return chosen;
}

function shareOf(record: EndpointRecord, need: Need, ask: Ask, place: number, now: number): number {
  if (ask.tried.length > 0 && ask.tried.includes(record)) return 0;
  return placeOf(record, need, ask, now) === place ? Math.max(0, record[need.class].score) : 0;
}

/** One of the others of the same place, evenly. `part`: 0 ≤ n < 1. */
function backup(
  pool: Pool,
  need: Need,
  ask: Ask,
  place: number,
  chosen: EndpointRecord,
  now: number,
  part: number,
): EndpointRecord {
  let others = 0;
  for (const record of pool.records) {
    if (record !== chosen && placeOf(record, need, ask, now) === place) others += 1;
  }
  let skip = Math.floor(part * others);
  for (const record of pool.records) {
    if (record === chosen || placeOf(record, need, ask, now) !== place) continue;
    if (skip === 0) return record;
    skip -= 1;
  }
  return chosen;
}
