/** The choice `select` would make, explained: for each endpoint its place, its score term by term, and every gate. */

import type { EndpointRecord } from './endpoint.ts';
import { type Gate, gatesOf } from './gates.ts';
import type { Need } from './need.ts';
import { firstAsk, lastResortPlace, nowhere, placeOf, unfitPlace } from './place.ts';
import type { Pool } from './pool.ts';
import { explainScore, type ScoreTerms } from './score.ts';
import { preview } from './select.ts';

export interface WhyOne {
  readonly record: EndpointRecord;
  /** `next` may be tried after the chosen one, in the order of the list; `last_resort` and `unfit` only when those fail. */
  readonly place: 'chosen' | 'next' | 'last_resort' | 'unfit' | 'held';
  readonly reason: string;
  readonly score: ScoreTerms;
  readonly gates: readonly Gate[];
}

/** The chosen one first, then in the order in which they would be tried, then the held ones. */
export function why(pool: Pool, need: Need, now: number): readonly WhyOne[] {
  const rest = [...pool.records];
  const tried: EndpointRecord[] = [];
  const answers: WhyOne[] = [];
  for (;;) {
    const record = preview(pool, need, { ...firstAsk, tried, waited: tried.length > 0 }, now);
    if (record === undefined) break;
    tried.push(record);
    rest.splice(rest.indexOf(record), 1);
    answers.push(whyOne(pool, record, need, tried.length === 1, now));
  }
  for (const record of rest) answers.push(whyOne(pool, record, need, false, now));
  return answers;
}

function whyOne(pool: Pool, record: EndpointRecord, need: Need, chosen: boolean, now: number): WhyOne {
  const position = placeOf(record, need, firstAsk, now);
  const score = explainScore(pool, record, need.class, now);
  const gates = gatesOf(record, need, now);
  const place = chosen
    ? 'chosen'
    : position < lastResortPlace
      ? 'next'
      : position < unfitPlace
        ? 'last_resort'
        : position < nowhere
          ? 'unfit'
          : 'held';
  const reason =
    gates[0]?.reason ?? (chosen ? chosenBy(pool, record, need) : `score ${Math.round(score.score)}`);
  return { record, place, reason, score, gates };
}

function chosenBy(pool: Pool, record: EndpointRecord, need: Need): string {
  if (need.class === 'broadcast') {
    return record.settings.broadcast === 'prefer'
      ? 'preferred for broadcasts'
      : 'the highest score for broadcasts';
  }
  switch (pool.chain.strategy) {
    case 'priority':
      return 'the first in order';
    case 'weighted':
      return 'drawn by score';
    case 'least-outstanding':
      return 'the fewest in flight for its weight';
    case 'latency':
      return 'the lowest latency';
    case 'best':
      return pool.favourites[need.class].record === record
        ? 'in use: no other leads by more than 2 %'
        : 'the highest score';
  }
}
