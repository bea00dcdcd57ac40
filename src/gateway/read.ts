/**
 * One read on its way: what it needs, what was tried, what was answered, what comes next. It decides by `core/attempt`
 * and sends nothing itself, so that a single request and the items of a batch go by the same rules.
 */

import type { Call } from '../chains/family.ts';
import {
  added,
  attemptMs,
  hasElsewhere,
  nextStep,
  noteTried,
  type Step,
  startTrail,
  type Trail,
  whoMayKnow,
} from '../core/attempt.ts';
import type { EndpointRecord } from '../core/endpoint.ts';
import type { AttemptNote } from '../core/errors.ts';
import { heldFor } from '../core/held.ts';
import type { Need } from '../core/need.ts';
import type { Attempt } from '../core/observe.ts';
import { degradedBy } from '../core/place.ts';
import type { Reached } from '../core/transport-fault.ts';
import type { Judgement } from '../core/verdict.ts';
import type { AnswerHeaders } from './ports.ts';
import type { Chain } from './roster.ts';
import type { OwedRead } from './sessions.ts';

/** A whole answer to this call, as the endpoint gave it. */
export interface Answered {
  readonly record: EndpointRecord;
  readonly judgement: Judgement;
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: Uint8Array;
  readonly plain: Uint8Array;
}

export class Read {
  readonly chain: Chain;
  readonly call: Call;
  readonly need: Need;
  readonly trail: Trail;
  notes: readonly AttemptNote[] = [];
  /** Parallel to the trail's tries; undefined where no answer came. */
  answers: readonly (Answered | undefined)[] = [];
  /** The last endpoint was a last resort. */
  degraded: string | undefined;
  /** The second question after "no such thing" (contract section 5), and the answer it doubts. */
  #second: { readonly record: EndpointRecord; readonly first: number; asked: boolean } | undefined;

  /** Asked first when nothing holds it back: the endpoint that took this client's transaction. */
  readonly #first: EndpointRecord | undefined;
  /** Until when a fresh enough endpoint is waited for, and whether one is demanded at all. */
  readonly #freshUntil: number;

  constructor(
    chain: Chain,
    call: Call,
    now: number,
    owed: OwedRead = { need: chain.family.need(call), first: undefined },
    only?: EndpointRecord,
  ) {
    this.chain = chain;
    this.call = call;
    this.need = owed.need;
    this.#first = owed.first;
    this.#freshUntil = now + freshWaitMs(chain);
    const once = only !== undefined ? 'filter' : call.spec.unknown ? 'unknown' : undefined;
    this.trail = startTrail(chain.settings, this.need.class, now, once, only);
  }

  next(now: number, chance: number): Step {
    const second = this.#second;
    if (second === undefined) return this.#usual(now, chance);
    if (!second.asked) {
      second.asked = true;
      return { do: 'send', record: second.record };
    }
    const last = this.trail.tries.length - 1;
    const better = this.trail.tries[last]?.judgement.verdict === 'ok';
    return { do: 'answer', index: better ? last : second.first };
  }

  #usual(now: number, chance: number): Step {
    const first = this.#first;
    if (first !== undefined && this.trail.tries.length === 0 && heldFor(first, this.need, now) === 0) {
      return { do: 'send', record: first };
    }
    const step = nextStep(this.chain.pool, this.need, this.trail, now, chance);
    if (!this.need.strict || step.do !== 'fail' || step.reason !== 'no_endpoint') return step;
    if (now < this.#freshUntil) return { do: 'wait', ms: lookAgainMs, for: 'room' };
    return { ...step, reason: 'not_fresh' };
  }

  /** What failed before is tried again: of that there is a limit. A second question is none of it: nothing failed. */
  get retries(): boolean {
    return this.trail.tries.length > 0 && this.#second === undefined;
  }

  /** Its endpoint has gone silent: whether it does better to stop waiting there. A second question can be done without. */
  mayLeave(record: EndpointRecord, now: number): boolean {
    return this.#second !== undefined || hasElsewhere(this.chain.pool, this.need, this.trail, record, now);
  }

  /** Told before the first byte of an attempt; ms it may take until its commit. */
  sending(record: EndpointRecord, now: number): number {
    this.degraded = degradedBy(record, this.need, now);
    return attemptMs(this.chain.settings, this.need.class, this.trail, now);
  }

  /** Told what came of an attempt. */
  took(
    attempt: Attempt,
    judgement: Judgement,
    more: { answer?: Answered | undefined; reached?: Reached | undefined },
    now: number,
  ): void {
    const { record } = attempt;
    noteTried(this.trail, { attempt, judgement, reached: more.reached });
    this.answers = added(this.answers, more.answer);
    const ms = Math.round((now - attempt.startedAt) * 10) / 10;
    this.notes = added(this.notes, { endpoint: record.settings.name, verdict: judgement.verdict, ms });
    const { answer } = more;
    if (this.#second !== undefined || judgement.verdict !== 'ok' || answer === undefined) return;
    if (this.trail.tries.length >= this.chain.settings.attempts || now >= this.trail.deadlineAt) return;
    if (this.trail.only !== undefined || !this.chain.family.absent(this.call, answer.plain)) return;
    const knows = whoMayKnow(this.chain.pool, this.need, record, now);
    if (knows !== undefined) this.#second = { record: knows, first: this.answers.length - 1, asked: false };
  }
}

const lookAgainMs = 50;

/** A fresh endpoint is at most some blocks away, or not coming soon. */
function freshWaitMs(chain: Chain): number {
  return Math.min(5_000, Math.max(1_000, 2 * chain.pool.head.blockTimeMs));
}
