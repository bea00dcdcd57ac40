/**
 * A read: select, send, judge, maybe again. One object a request, no closure a chunk. The client going away ends it, and
 * that is nobody's fault.
 */

import type { Call, Peek } from '../chains/family.ts';
import type { EndpointRecord } from '../core/endpoint.ts';
import type { ClientReason } from '../core/errors.ts';
import { type Attempt, abandon, begin, observe, undo } from '../core/observe.ts';
import { count } from '../core/stats.ts';
import type { Judgement } from '../core/verdict.ts';
import type { Budget } from './budget.ts';
import { judge } from './judge.ts';
import { ownReply, sendOwn } from './own-reply.ts';
import type { Answerer, AnswerHeaders, Clock, Inflate, RequestSeen, Sink, Timer } from './ports.ts';
import { type Answered, Read } from './read.ts';
import { readFault } from './reasons.ts';
import { type Ended, noAnswerWithin, Relay, type RelayOptions, type Stream } from './relay.ts';
import { answerHeaders, sendAnswer, shownAnswer } from './replies.ts';
import { countRequest } from './request-count.ts';
import { type Chain, memberOf } from './roster.ts';
import type { Session, World } from './session.ts';
import { heldToMark } from './sessions.ts';
import { goneSilent, tookIn, type Waiter } from './silence.ts';
import { tellChanges } from './tell.ts';

/** It is the relay's options and stream itself, so that an attempt costs one object. */
export class Forward implements RelayOptions, Stream, Answerer, Waiter {
  readonly clock: Clock;
  readonly budget: Budget;
  readonly inflate: Inflate;
  readonly collectBytes: number;
  readonly keepsWhole = true;
  readonly stream: Stream;
  readonly sink: Sink;
  list: Waiter['list'] = undefined;
  before: Waiter | undefined = undefined;
  next: Waiter | undefined = undefined;
  readonly #world: World;
  readonly #session: Session;
  readonly #chain: Chain;
  readonly #read: Read;
  #attempt: Attempt | undefined;
  #relay: Relay | undefined;
  #timer: Timer | undefined;
  #over = false;
  /** Of the budget, for answers that may still be the one. */
  #kept = 0;

  constructor(world: World, session: Session, chain: Chain, call: Call, only?: EndpointRecord) {
    this.clock = world.clock;
    this.budget = world.budget;
    this.inflate = world.inflate;
    this.collectBytes = world.limits.errorBodyBytes;
    this.sink = session.sink;
    this.stream = this;
    this.#world = world;
    this.#session = session;
    this.#chain = chain;
    const need = chain.family.need(call);
    const owed = world.sessions.read(
      chain,
      session.client,
      isStrict(chain, session),
      need,
      session.startedAt,
    );
    this.#read = new Read(chain, call, session.startedAt, owed, only);
    session.sink.onGone = this;
    chain.pool.requests += 1;
    this.#step(world.clock.now());
  }

  #step(now: number, wall?: number): void {
    const step = this.#read.next(now, this.#world.chance.next());
    switch (step.do) {
      case 'send':
        this.#send(step.record, now);
        return;
      case 'wait':
        this.#timer = this.clock.after(step.ms, () => this.#step(this.clock.now()));
        return;
      case 'answer':
        this.#answer(step.index, now, wall);
        return;
      case 'fail':
        if (step.takeBack) this.#takeBack(now);
        this.#fail(step.reason, now, step.retryAfterMs);
        return;
    }
  }

  #send(record: EndpointRecord, now: number): void {
    const { call, need } = this.#read;
    const { sink, clock } = this;
    const by = this.#read.retries ? 'retry' : 'client';
    const ms = this.#read.sending(record, now);
    const attempt = begin(this.#chain.pool, record, need.class, by, now);
    const relay = new Relay(this);
    this.#attempt = attempt;
    this.#relay = relay;
    this.#timer = clock.after(ms, () => relay.timeout(noAnswerWithin(ms)));
    const body = call.verb === 'GET' ? undefined : call.text;
    const { line, waiters } = memberOf(this.#chain, record);
    if (need.class === 'read') waiters.add(this);
    relay.attach(line.send({ verb: call.verb, path: call.path, body, gzip: sink.gzip, alone: false }, relay));
  }

  leave(silent: EndpointRecord): void {
    const relay = this.#relay;
    if (this.#attempt?.record !== silent || relay === undefined || relay.answered) return;
    if (this.#read.mayLeave(silent, this.clock.now())) relay.timeout(goneSilent);
  }

  peek(first: Uint8Array): Peek {
    return this.#chain.family.peek(this.#read.call, first);
  }

  tail(last: Uint8Array): string | undefined {
    return this.#chain.family.tail(this.#read.call, last);
  }

  /** What the client is told at the commit. */
  head(_status: number, upstream: AnswerHeaders): string[] {
    const record = this.#attempt?.record;
    if (record === undefined) throw new Error('an answer without an attempt');
    const headers = answerHeaders(this.#chain, record, 'ok', upstream, this.#facts(1));
    const encoding = upstream['content-encoding'];
    if (encoding !== undefined) headers.push('content-encoding', encoding);
    const length = upstream['content-length'];
    if (length !== undefined) headers.push('content-length', length);
    return headers;
  }

  onCommit(): void {
    this.#timer?.cancel();
  }

  onEnd(ended: Ended): void {
    const { clock, chance, telemetry } = this.#world;
    const { call } = this.#read;
    const attempt = this.#attempt;
    if (attempt === undefined) throw new Error('an end without an attempt');
    this.#timer?.cancel();
    if (ended.how === 'whole') this.#kept += ended.cost;
    const now = clock.now();
    const wall = clock.wall();
    const { record } = attempt;
    const member = memberOf(this.#chain, record);
    this.list?.remove(this);
    const judged = judge(this.#chain, call, ended, wall);
    const ms = now - attempt.startedAt;
    const height =
      ended.how === 'whole' && judged.verdict === 'ok'
        ? this.#chain.family.headOf(call, ended.plain)
        : undefined;
    const judgement = heldToMark(this.#read.need, judged, height);
    const answer = ended.how === 'whole' ? answered(record, judgement, ended) : undefined;
    const seen = { judgement, method: call.method, ms, height };
    tookIn(this.#world, this.#chain, observe(attempt, seen, now, chance.next()));
    count(member.stats, { class: attempt.class, verdict: judgement.verdict, ms, probe: false }, wall);
    if (judgement.unclassified && answer !== undefined) {
      const text = shownAnswer(member.secrets, answer.plain);
      const endpoint = record.settings.name;
      telemetry.unclassified({
        chain: this.#chain.settings.name,
        endpoint,
        method: call.method,
        answer: text,
      });
    }
    const reached = ended.how === 'fault' ? ended.fault.reached : undefined;
    this.#read.took(attempt, judgement, { answer, reached }, now);
    this.#attempt = undefined;
    this.#relay = undefined;
    if (ended.how === 'streamed' || ended.how === 'cut') {
      this.#showed(record, now);
      this.#end(judgement.verdict, now, wall);
      return;
    }
    this.#step(now, wall);
  }

  #answer(index: number, now: number, wall: number | undefined): void {
    const answer = this.#read.answers[index];
    if (answer === undefined) {
      this.#fail('all_failed', now);
      return;
    }
    if (answer.judgement.disguised) {
      this.#fail('missing_history', now);
      return;
    }
    if (
      this.#read.call.spec.filter === 'makes' &&
      answer.judgement.verdict === 'ok' &&
      !this.#keepFilter(answer, now)
    ) {
      this.#fail('filter_lost', now);
      return;
    }
    this.#showed(answer.record, now);
    sendAnswer(this.#chain, answer, this.#session.sink, this.#facts(0));
    this.#end(answer.judgement.verdict, now, wall);
  }

  #showed({ head }: EndpointRecord, now: number): void {
    this.#world.sessions.showed(this.#chain, this.#session.client, this.#read.need, head.height, now);
  }

  #keepFilter(answer: Answered, now: number): boolean {
    const { call } = this.#read;
    const id = this.#chain.family.filterMade?.(call, answer.plain);
    return id === undefined || this.#chain.filters.made(id, answer.record.identityKey, now);
  }

  #takeBack(now: number): void {
    const attempts = this.#read.trail.tries.map(tried => tried.attempt);
    tellChanges(this.#world.events, this.#chain, undo(attempts, now));
  }

  #fail(reason: ClientReason, now: number, retryAfterMs?: number): void {
    const { need, notes, call } = this.#read;
    const { requestId, sink } = this.#session;
    const facts = { requestId, attempts: notes, retryAfterMs };
    const fault = readFault(this.#chain, need, reason, facts, now);
    sendOwn(sink, ownReply(this.#chain.family, call, fault));
    this.#end(reason, now);
  }

  gone(): void {
    if (this.#over) return;
    const { clock, chance } = this.#world;
    this.#timer?.cancel();
    this.#relay?.abort();
    this.list?.remove(this);
    if (this.#attempt !== undefined) abandon(this.#attempt, clock.now(), chance.next());
    this.#end('gone', clock.now());
  }

  #end(outcome: RequestSeen['outcome'], now: number, endedAt = this.clock.wall()): void {
    this.#over = true;
    this.budget.give(this.#kept);
    this.#chain.pool.requests -= 1;
    const { telemetry } = this.#world;
    const { requestId, startedAt } = this.#session;
    const { call, need, notes } = this.#read;
    const ms = now - startedAt;
    countRequest(this.#chain, need.class, outcome, ms, endedAt);
    telemetry.request({
      requestId,
      chain: this.#chain.settings.name,
      method: call.method,
      class: need.class,
      outcome,
      attempts: notes,
      ms,
      endedAt,
    });
  }

  /** `running`: an attempt that has not been noted yet. */
  #facts(running: 0 | 1): { requestId: string; attempts: number; degraded: string | undefined } {
    const { notes, degraded } = this.#read;
    return { requestId: this.#session.requestId, attempts: notes.length + running, degraded };
  }
}

function answered(
  record: EndpointRecord,
  judgement: Judgement,
  { status, headers, body, plain }: Extract<Ended, { how: 'whole' }>,
): Answered {
  return { record, judgement, status, headers, body, plain };
}

export function isStrict(chain: Chain, session: Session): boolean {
  return session.strict === true || chain.settings.freshness === 'strict';
}
