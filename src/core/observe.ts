/**
 * The life of one attempt as its endpoint sees it: `begin` before the first byte, then exactly one of `observe` (it has a
 * verdict) or `abandon` (the client went away; nobody's fault). What a failure changed is kept on the attempt, so that it
 * can be taken back when the request turns out to be the cause.
 */

import { type AuthHold, accept, refuse } from './auth-hold.ts';
import type { WorkClass } from './chain.ts';
import { type Change, changesOf } from './changes.ts';
import { trialsToClose } from './circuit.ts';
import { cool, warm } from './cooldown.ts';
import type { EndpointRecord } from './endpoint.ts';
import { measure } from './ewma.ts';
import { excuseSilence, noteHead } from './head.ts';
import { fold } from './held.ts';
import { identityRetryMs } from './identity.ts';
import { start } from './pace.ts';
import type { Pool } from './pool.ts';
import { countOwnRequest, hurryHeight, planHeight, putOffHeight } from './probing.ts';
import { countProbe } from './quarantine.ts';
import { rescore } from './score.ts';
import { noteSlow } from './slow.ts';
import { count, endTrial, type Penalty, takeBack, takeTrial } from './tally.ts';
import { forgetUnsupported, rememberUnsupported } from './unsupported.ts';
import { type Judgement, verdicts } from './verdict.ts';

/** Who asks: a client for the first time or again, or the gateway for itself. `facts`: what has no file of its own. */
export type Asker = 'client' | 'retry' | 'height' | 'identity' | 'builds' | 'facts';

export interface Attempt {
  readonly pool: Pool;
  readonly record: EndpointRecord;
  readonly class: WorkClass;
  readonly by: Asker;
  readonly startedAt: number;
  readonly epoch: number;
  readonly heavyEpoch: number;
  /** It is the one trial of its class's half-open circuit; a probe may be that of the heavy circuit too. */
  readonly trial: boolean;
  readonly heavyTrial: boolean;
  ended: boolean;
  penalty: Penalty | undefined;
  refusal: Refusal | undefined;
}

/** What a refused credential moved: the hold, and with it the end of the silence we keep. */
interface Refusal {
  readonly before: AuthHold;
  readonly until: number;
  readonly freshBefore: number;
  readonly freshUntil: number;
}

export interface Seen {
  readonly judgement: Judgement;
  readonly method: string;
  readonly ms: number;
  /** The height the answer shows at the family's one level, and the age of that block, when it tells. */
  readonly height?: number | undefined;
  readonly ageMs?: number | undefined;
}

/**
 * A half-open read or heavy circuit is tried by the gateway's own probes only; a broadcast circuit by the broadcast that
 * `select` let through.
 */
export function begin(
  pool: Pool,
  record: EndpointRecord,
  workClass: WorkClass,
  by: Asker,
  now: number,
): Attempt {
  const own = by !== 'client' && by !== 'retry';
  record.inFlight += 1;
  start(record.pace, now);
  if (by === 'retry') pool.retries += 1;
  const tried = own || workClass === 'broadcast';
  const trial = tried && record[workClass].circuit.state !== 'closed' && takeTrial(record[workClass], now);
  const heavyTrial = own && record.heavy.circuit.state !== 'closed' && takeTrial(record.heavy, now);
  if (own) {
    countOwnRequest(record, now);
    if (by === 'height') record.probing.heightDueAt = Number.POSITIVE_INFINITY;
    if (by === 'identity') {
      record.identity.dueAt = Number.POSITIVE_INFINITY;
      record.identity.again = false;
    }
    if (by === 'builds') record.builds.dueAt = Number.POSITIVE_INFINITY;
  }
  return {
    pool,
    record,
    class: workClass,
    by,
    startedAt: now,
    epoch: record[workClass].epoch,
    heavyEpoch: record.heavy.epoch,
    trial,
    heavyTrial,
    ended: false,
    penalty: undefined,
    refusal: undefined,
  };
}

/** Takes in what came of an attempt. Gives the gates that opened or closed by it, nearly always none. */
export function observe(attempt: Attempt, seen: Seen, now: number, chance: number): readonly Change[] {
  if (!end(attempt, now, chance)) return [];
  const { pool, record, by, startedAt } = attempt;
  const { judgement, method, ms, height, ageMs } = seen;
  const good = outcomeOf(judgement);
  const own = by !== 'client' && by !== 'retry';
  const tally = record[attempt.class];

  if (good !== undefined) attempt.penalty = count(tally, good, judgement.rule, attempt.epoch, now);
  if (attempt.trial) {
    const [told, needed] =
      attempt.class === 'broadcast' ? [broadcastTold(judgement, good), 1] : [good, trialsToClose];
    endTrial(tally, told, needed, attempt.epoch, now);
  }
  if (attempt.heavyTrial) endTrial(record.heavy, good, trialsToClose, attempt.heavyEpoch, now);

  if (judgement.verdict === 'rate_limited') {
    cool(record.cooldown, startedAt, judgement.retryAfterMs, now, chance);
    excuseSilence(record, now);
  }
  if (judgement.verdict === 'auth_refused') noteRefusal(attempt, now);
  if (judgement.wholeMethod) rememberUnsupported(record, method, now);
  if (good) {
    warm(record.cooldown, startedAt);
    if (own) accept(record.auth, startedAt);
    forgetUnsupported(record, method);
    if (attempt.class === 'read') {
      measure(record.latency, ms, now);
      if (height !== undefined) measure(record.heightLatency, ms, now);
      noteSlow(record, now);
    }
  }
  noteHeight(attempt, judgement, good === true ? height : undefined, ageMs, now);
  pool.observations += 1;
  fold(record);
  rescore(pool, record, now);
  return changesOf(record, now);
}

/** The client hung up, or the gateway stops: the attempt tells nothing about the endpoint. */
export function abandon(attempt: Attempt, now: number, chance: number): void {
  if (!end(attempt, now, chance)) return;
  if (attempt.trial) endTrial(attempt.record[attempt.class], undefined, 1, attempt.epoch, now);
  if (attempt.heavyTrial) endTrial(attempt.record.heavy, undefined, 1, attempt.heavyEpoch, now);
}

/**
 * Every endpoint tried failed one request alike, so it is the request: success averages, circuits and credentials' holds
 * are as if these attempts had never been. Newest first, so that one endpoint's two failures unwind exactly. Whether it
 * was the request after all is what a probe asks at once.
 */
export function undo(attempts: readonly Attempt[], now: number): readonly Change[] {
  const changes: Change[] = [];
  for (const attempt of [...attempts].reverse()) {
    const { pool, record, penalty, refusal } = attempt;
    if (penalty !== undefined) takeBack(penalty);
    attempt.penalty = undefined;
    if (refusal !== undefined) undoRefusal(record, refusal);
    attempt.refusal = undefined;
    hurryHeight(record, now);
    fold(record);
    rescore(pool, record, now);
    changes.push(...changesOf(record, now));
  }
  return changes;
}

function end(attempt: Attempt, now: number, chance: number): boolean {
  if (attempt.ended) return false;
  attempt.ended = true;
  const { pool, record, by } = attempt;
  record.inFlight -= 1;
  if (by === 'retry') pool.retries -= 1;
  if (by === 'height') planHeight(record, attempt.startedAt, chance);
  // Whoever takes the answer sets when to ask next; without an answer it is soon.
  const soon = now + identityRetryMs;
  if (by === 'identity' && record.identity.dueAt === Number.POSITIVE_INFINITY) record.identity.dueAt = soon;
  if (by === 'builds' && record.builds.dueAt === Number.POSITIVE_INFINITY) record.builds.dueAt = soon;
  return true;
}

/** Success, failure, or nothing that counts. A used-up quota is a failure too. */
function outcomeOf(judgement: Judgement): boolean | undefined {
  if (judgement.quota) return false;
  const { score } = verdicts[judgement.verdict];
  return score === 'none' ? undefined : score === 'success';
}

/** Only a definite answer about a transaction releases a broadcast circuit. */
function broadcastTold(judgement: Judgement, good: boolean | undefined): boolean | undefined {
  switch (judgement.txOutcome) {
    case 'accepted':
    case 'known':
    case 'rejected':
      return true;
    default:
      return good === true ? undefined : good;
  }
}

function noteRefusal(attempt: Attempt, now: number): void {
  const { auth, head } = attempt.record;
  const before = { ...auth };
  const freshBefore = head.freshUntil;
  refuse(auth, attempt.startedAt, now);
  excuseSilence(attempt.record, now);
  if (auth.until === before.until) return;
  attempt.refusal = { before, until: auth.until, freshBefore, freshUntil: head.freshUntil };
}

function undoRefusal(record: EndpointRecord, refusal: Refusal): void {
  const { auth, head } = record;
  if (auth.until === refusal.until) Object.assign(auth, refusal.before);
  if (head.freshUntil === refusal.freshUntil) head.freshUntil = refusal.freshBefore;
}

function noteHeight(
  attempt: Attempt,
  judgement: Judgement,
  height: number | undefined,
  ageMs: number | undefined,
  now: number,
): void {
  const { pool, record, by } = attempt;
  if (height !== undefined) {
    noteHead(pool, record, height, ageMs, now);
    record.head.probeGood = true;
    // Whether a chain still stands still only a probe can tell: it sees how old the head block is.
    if (by !== 'height' && pool.head.oldSince === undefined) putOffHeight(record, now);
  } else if (by === 'height') {
    record.head.probeGood = false;
  }
  if (by !== 'height' || judgement.verdict === 'rate_limited') return;
  const { lag, lagLimit, suspectSince } = record.head;
  const inStep = height !== undefined && lag <= lagLimit && suspectSince === undefined;
  countProbe(record.quarantine, inStep && record.identity.state !== 'wrong');
}
