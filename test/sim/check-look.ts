/** What must be true at any moment, looked at every few seconds: what is told of each endpoint, and that nobody is forgotten. */

import type { EndpointRecord } from '../../src/core/endpoint.ts';
import type { Code } from './code.ts';
import type { Shadow } from './model/endpoint.ts';
import { noticeMs } from './model/pool.ts';
import { scoreBounds } from './model/score.ts';
import { hold, type Reason, standing } from './model/standing.ts';
import type { Referee } from './referee.ts';

/** Gates that are told without a request, and the bit of each; a circuit has one a class. */
const told: readonly (Reason & keyof typeof hold)[] = [
  'wrong_network',
  'not_verified',
  'api_only',
  'implausible_head',
  'auth',
  'cooldown',
  'quarantine',
  'draining',
  'weight_zero',
  'disabled',
  'circuit_read',
  'circuit_heavy',
  'stale',
  'slow',
];

const operators = hold.draining | hold.weight_zero | hold.disabled;
const timeoutMs = 5_000;

export function look(
  referee: Referee,
  code: Code,
  recordOf: (shadow: Shadow) => EndpointRecord | undefined,
  now: number,
): void {
  for (const shadow of referee.pool.shadows) {
    const record = recordOf(shadow);
    if (record === undefined) continue;
    const bits = toldBits(code, record, now);
    checkScore(referee, shadow, record, now);
    checkGates(referee, shadow, bits, now);
    checkOut(referee, shadow, bits, now);
    checkRhythm(referee, shadow, now);
  }
}

function toldBits(code: Code, record: EndpointRecord, now: number): number {
  let bits = 0;
  for (const gate of code.gates.gatesOf(record, undefined, now)) {
    const name = gate.class === undefined ? gate.name : `${gate.name}_${gate.class}`;
    const known = told.find(reason => reason === name);
    if (known !== undefined) bits |= hold[known];
  }
  return bits;
}

function checkGates(referee: Referee, shadow: Shadow, bits: number, now: number): void {
  const { sure, may } = standing(referee.pool, shadow, now);
  for (const reason of told) {
    const bit = hold[reason];
    const shut = (bits & bit) !== 0;
    if (shut ? (may & bit) !== 0 : (sure & bit) === 0) continue;
    referee.expect('gates', false, now, () =>
      shut
        ? `${shadow.name} is told to be held: ${reason}`
        : `${shadow.name} is not told to be held: ${reason}`,
    );
  }
  referee.expect('gates', true, now, () => '');
}

function checkScore(referee: Referee, shadow: Shadow, record: EndpointRecord, now: number): void {
  for (const workClass of ['read', 'heavy'] as const) {
    const circuit = shadow.circuit(workClass);
    if (circuit.outdated) circuit.adopt(record[workClass], now);
    if (circuit.held || circuit.isUnclear) continue;
    const { success } = record[workClass];
    referee.expect(
      'score',
      Math.abs(success - circuit.success) < 1e-6,
      now,
      () => `${workClass} success of ${shadow.name} is ${success}, its outcomes make ${circuit.success}`,
    );
    const { least, most } = scoreBounds(referee.pool, shadow, workClass, now);
    const { score } = record[workClass];
    if (now - Math.max(shadow.bornAt, shadow.weighedAt, referee.configuredAt) < noticeMs) continue;
    referee.expect(
      'score',
      score >= least - 1e-6 && score <= most + 1e-6,
      now,
      () => `${workClass} score of ${shadow.name} is ${score}, not ${least} to ${most}`,
    );
  }
}

/** An endpoint that is well has a moment by which everything that holds it must be over. */
function checkOut(referee: Referee, shadow: Shadow, bits: number, now: number): void {
  const { pool } = referee;
  const { wellSince } = shadow;
  const { may } = standing(pool, shadow, now);
  // Behind a median that others hold up, rightly or not, it is stale by the rules.
  const behind = shadow.head.lagMost > pool.allowedLag(now).least;
  const excused =
    wellSince === undefined || behind || (may & (operators | hold.implausible_head | hold.slow)) !== 0;
  if (excused || bits === 0) {
    shadow.outSince = undefined;
    return;
  }
  if (shadow.outSince !== wellSince) {
    shadow.outSince = wellSince;
    shadow.backBy = backBy(referee, shadow, now);
  }
  referee.expect(
    'out_too_long',
    now <= shadow.backBy,
    now,
    () => `${shadow.name} answers well since ${wellSince} and is still out`,
  );
}

/** Each hold to its end, then what has to be asked, one after the other. */
function backBy(referee: Referee, shadow: Shadow, now: number): number {
  const { pool } = referee;
  const { cooldown, auth, read, heavy, identity, quarantine } = shadow;
  const every = 1.1 * pool.probeEveryMs + 1_000;
  const holds = [
    now,
    cooldown.latest,
    auth.held ? auth.until : now,
    read.held ? read.until : now,
    heavy.held ? heavy.until : now,
  ];
  const questions =
    (identity === 'verified' ? 0 : 20_000) +
    (identity === 'wrong' ? 2 * 16_000 : 0) +
    (shadow.builds === true || pool.chain.family !== 'tron' ? 0 : 20_000) +
    (identity === 'wrong' || quarantine !== undefined ? 30_000 : 0) +
    (read.held || heavy.held ? 3 * every : 0) +
    2 * every;
  return Math.max(...holds) + questions + 5_000;
}

/** "height every 5 s per endpoint … an endpoint without traffic is probed all the same"; identity every 15 s, or hourly. */
function checkRhythm(referee: Referee, shadow: Shadow, now: number): void {
  const { pool } = referee;
  const cap = pool.chain.probesMaxPerDay;
  if (shadow.disabled || (cap !== undefined && shadow.ownToday >= cap - 1)) {
    shadow.heightTurnSince = now;
    shadow.identityAskedAt = now;
    return;
  }
  if (now < shadow.quietUntil) return;
  const turn = Math.max(shadow.heightTurnSince, shadow.quietUntil);
  // Under a cap the questions of an endpoint wait for each other.
  const slack = timeoutMs + noticeMs + (cap === undefined ? 0 : 3 * pool.probeEveryMs);
  referee.expect(
    'probes',
    now - turn <= 1.1 * pool.probeEveryMs + slack,
    now,
    () => `${shadow.name} was not asked for its height for ${now - turn} ms`,
  );
  const identityEvery = shadow.identity === 'verified' ? 3_600_000 : 15_000 + timeoutMs;
  const askedAt = Math.max(shadow.identityAskedAt, shadow.quietUntil);
  referee.expect(
    'probes',
    now - askedAt <= identityEvery + slack,
    now,
    () => `${shadow.name} was not asked for its identity for ${now - askedAt} ms`,
  );
  const { jumpedAt } = shadow;
  if (jumpedAt === undefined) return;
  const since = Math.max(jumpedAt, shadow.quietUntil);
  referee.expect(
    'probes',
    now - since <= slack,
    now,
    () => `the height of ${shadow.name} jumped ${now - since} ms ago, and its identity was not asked`,
  );
}
