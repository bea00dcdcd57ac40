/** How a trail of attempts ends when nobody gave an answer to return: with an earlier answer, or with an error of ours. */

import type { Step, Trail, Tried } from './attempt.ts';
import type { EndpointRecord } from './endpoint.ts';
import { bits, heldFor } from './held.ts';
import { keeps } from './history.ts';
import type { Need } from './need.ts';
import type { Pool } from './pool.ts';
import { earliestWarm } from './select.ts';
import type { Verdict } from './verdict.ts';

const notMeant =
  bits.disabled |
  bits.draining |
  bits.weight_zero |
  bits.wrong_network |
  bits.not_verified |
  bits.api_only |
  bits.quarantine |
  bits.implausible_head |
  bits.role |
  bits.method;

export function finish(pool: Pool, need: Need, trail: Trail, now: number): Step {
  const { tries } = trail;
  const warm = earliestWarm(pool, need, trail, now);
  const retryAfter = warm === undefined ? {} : { retryAfterMs: Math.max(0, warm - now) };
  if (tries.length === 0) {
    const reason =
      trail.only === undefined ? (warm === undefined ? 'no_endpoint' : 'all_cooling') : 'filter_lost';
    return { do: 'fail', reason, ...retryAfter, takeBack: false };
  }
  if (trail.once === 'filter') return { do: 'fail', reason: 'filter_lost', takeBack: false };
  const index = firstAnswer(pool, need, trail, now);
  if (index !== undefined) return { do: 'answer', index };
  if (allSaid(trail, 'rate_limited'))
    return { do: 'fail', reason: 'all_cooling', ...retryAfter, takeBack: false };
  const reason = now >= trail.deadlineAt ? 'deadline' : 'all_failed';
  return { do: 'fail', reason, takeBack: failedAlike(tries) };
}

/** The first answer that may go out as it came, when nobody gave a better one. */
function firstAnswer(pool: Pool, need: Need, trail: Trail, now: number): number | undefined {
  if (!allSaid(trail, 'unsupported', 'missing_history')) return undefined;
  const missing = trail.tries.findIndex(({ judgement }) => judgement.verdict === 'missing_history');
  if (missing < 0) return trail.tries.findIndex(({ judgement }) => judgement.verdict === 'unsupported');
  return nobodyElseKeepsIt(pool, need, trail, now) ? missing : undefined;
}

/** The last word of everyone tried. */
function allSaid(trail: Trail, ...verdictsAllowed: readonly Verdict[]): boolean {
  return trail.tried.every(record => {
    const said = lastVerdict(trail, record);
    return said !== undefined && verdictsAllowed.includes(said);
  });
}

/** Everyone that should have this history answered. Who is switched off, not trusted or not for this is not meant. */
function nobodyElseKeepsIt(pool: Pool, need: Need, trail: Trail, now: number): boolean {
  return pool.records.every(
    record =>
      trail.tried.includes(record) ||
      (heldFor(record, need, now) & notMeant) !== 0 ||
      keeps(record, need) !== 'yes',
  );
}

/**
 * Two or more endpoints failed in the same way by the same rule, in a way that a request can cause: a failure before the
 * request was handed over has nothing to do with it, and a rate limit is about the endpoint's patience.
 */
function failedAlike(tries: readonly Tried[]): boolean {
  const first = tries[0];
  if (first === undefined) return false;
  return (
    tries.some(({ attempt }) => attempt.record !== first.attempt.record) &&
    tries.every(
      tried =>
        tried.judgement.verdict === first.judgement.verdict &&
        tried.judgement.rule === first.judgement.rule &&
        requestMayCause(tried),
    )
  );
}

function requestMayCause(tried: Tried): boolean {
  switch (tried.judgement.verdict) {
    case 'node_failure':
    case 'auth_refused':
      return true;
    case 'transport':
      return !neverGotIt(tried);
    default:
      return false;
  }
}

export function lastVerdict(trail: Trail, record: EndpointRecord): Verdict | undefined {
  return trail.tries.findLast(({ attempt }) => attempt.record === record)?.judgement.verdict;
}

export function neverGotIt({ judgement, reached }: Tried): boolean {
  return (
    judgement.verdict === 'transport' && (reached === 'not_connected' || reached === 'nothing_handed_over')
  );
}
