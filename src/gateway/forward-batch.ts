/**
 * The reads of a batch. Each item decides for itself by the rules of a single read; items that may go the same way go
 * upstream in one body. What failed on an endpoint goes elsewhere without those that did not.
 */

import type { Call } from '../chains/family.ts';
import { hasRetryRoom, lookAgainMs } from '../core/attempt.ts';
import type { EndpointRecord } from '../core/endpoint.ts';
import type { ClientReason } from '../core/errors.ts';
import { type Attempt, abandon, begin, observe, undo } from '../core/observe.ts';
import { count } from '../core/stats.ts';
import { type Judgement, verdicts } from '../core/verdict.ts';
import { isStrict } from './forward.ts';
import { judge } from './judge.ts';
import type { Answerer, Timer } from './ports.ts';
import { type Answered, Read } from './read.ts';
import { readFault } from './reasons.ts';
import { type Ended, noAnswerWithin, Relay } from './relay.ts';
import { shownAnswer, withoutSecrets } from './replies.ts';
import { countRequest } from './request-count.ts';
import { type Chain, memberOf } from './roster.ts';
import type { Session, World } from './session.ts';
import { heldToMark } from './sessions.ts';
import { goneSilent, tookIn, type Waiter } from './silence.ts';
import { tellChanges } from './tell.ts';

/** Answers of a batch are held whole: they are taken apart. */
const batchAnswerBytes = 64 * 1024 * 1024;

/** What became of one item: its bytes in the answer, and the outcome for the counters. */
export interface ItemReply {
  readonly body: Uint8Array;
  readonly outcome: Judgement['verdict'] | ClientReason;
  readonly endpoint: string | undefined;
  readonly attempts: number;
}

interface Flight extends Waiter {
  readonly attempt: Attempt;
  readonly relay: Relay;
  readonly timer: Timer;
  readonly reads: readonly Read[];
}

const encoder = new TextEncoder();

export class ForwardBatch implements Answerer {
  readonly #world: World;
  readonly #session: Session;
  readonly #chain: Chain;
  readonly #replies = new Map<Read, ItemReply>();
  readonly #reads: readonly Read[];
  readonly #flights = new Set<Flight>();
  readonly #done: (replies: readonly ItemReply[]) => void;
  readonly #waits = new Set<Timer>();
  #over = false;
  /** Of the budget, for answers whose items may still be the ones. */
  #kept = 0;

  /** `done` gets the replies in the order of `calls`; never called after `gone`. */
  constructor(
    world: World,
    session: Session,
    chain: Chain,
    calls: readonly { readonly call: Call; readonly only?: EndpointRecord | undefined }[],
    done: (replies: readonly ItemReply[]) => void,
  ) {
    this.#world = world;
    this.#session = session;
    this.#chain = chain;
    this.#done = done;
    const strict = isStrict(chain, session);
    this.#reads = calls.map(({ call, only }) => {
      const need = chain.family.need(call);
      const owed = world.sessions.read(chain, session.client, strict, need, session.startedAt);
      return new Read(chain, call, session.startedAt, owed, only);
    });
    chain.pool.requests += 1;
    this.#step(this.#reads);
  }

  /** The client is gone: nobody's fault. */
  gone(): void {
    if (this.#over) return;
    this.#close();
    this.#abandonFlights();
  }

  /** Ends what is not done: those items fail with this reason. */
  expire(reason: ClientReason): void {
    if (this.#over) return;
    this.#abandonFlights();
    for (const read of this.#reads) if (!this.#replies.has(read)) this.#fail(read, reason);
    this.#finish();
  }

  #step(reads: readonly Read[]): void {
    const { clock, chance } = this.#world;
    const now = clock.now();
    let waitMs: number | undefined;
    const waiting: Read[] = [];
    // What travels apart is placed apart, so that there is room for the second when the first is on its way.
    for (const part of byClass(reads)) {
      const groups = new Map<EndpointRecord, Read[]>();
      for (const read of part) {
        const step = read.next(now, chance.next());
        if (step.do === 'answer') this.#answer(read, step.index);
        else if (step.do === 'fail') {
          if (step.takeBack) this.#takeBack(read, now);
          this.#fail(read, step.reason, step.retryAfterMs);
        } else if (step.do === 'wait') {
          waiting.push(read);
          waitMs = Math.min(waitMs ?? step.ms, step.ms);
        } else {
          const group = groups.get(step.record);
          if (group === undefined) groups.set(step.record, [read]);
          else group.push(read);
        }
      }
      for (const [record, group] of groups) {
        if (group.some(read => read.retries) && !hasRetryRoom(this.#chain.pool)) {
          waiting.push(...group);
          waitMs = Math.min(waitMs ?? lookAgainMs, lookAgainMs);
        } else this.#send(record, group, now);
      }
    }
    if (waitMs !== undefined) this.#wait(waiting, waitMs);
    this.#finish();
  }

  #wait(reads: readonly Read[], ms: number): void {
    const timer = this.#world.clock.after(ms, () => {
      this.#waits.delete(timer);
      this.#step(reads);
    });
    this.#waits.add(timer);
  }

  #send(record: EndpointRecord, reads: readonly Read[], now: number): void {
    const { clock, budget, inflate } = this.#world;
    const { family, pool } = this.#chain;
    const workClass = reads[0]?.need.class ?? 'read';
    const by = reads.some(read => read.retries) ? 'retry' : 'client';
    const ms = Math.min(...reads.map(read => read.sending(record, now)));
    const attempt = begin(pool, record, workClass, by, now);
    const relay = new Relay({
      clock,
      budget,
      inflate,
      collectBytes: batchAnswerBytes,
      keepsWhole: true,
      onEnd: ended => this.#ended(flight, ended),
    });
    const timer = clock.after(ms, () => relay.timeout(noAnswerWithin(ms)));
    const leave = (): void => {
      const allMay = reads.every(read => read.mayLeave(record, clock.now()));
      if (allMay && !relay.answered) relay.timeout(goneSilent);
    };
    const links = { list: undefined, before: undefined, next: undefined };
    const flight: Flight = { attempt, relay, timer, reads, leave, ...links };
    this.#flights.add(flight);
    const calls = reads.map(read => read.call);
    const [first] = calls;
    const body = first !== undefined && calls.length === 1 ? first.text : family.join(calls);
    const path = first?.path ?? '';
    const { line, waiters } = memberOf(this.#chain, record);
    if (workClass === 'read') waiters.add(flight);
    relay.attach(line.send({ verb: 'POST', path, body, gzip: false, alone: false }, relay));
  }

  #ended(flight: Flight, ended: Ended): void {
    const { clock, chance, telemetry } = this.#world;
    const { attempt, reads, timer } = flight;
    timer.cancel();
    this.#flights.delete(flight);
    if (ended.how === 'whole') this.#kept += ended.cost;
    const now = clock.now();
    const wall = clock.wall();
    const { record } = attempt;
    const member = memberOf(this.#chain, record);
    flight.list?.remove(flight);
    const items = this.#apart(reads, record, ended, wall);
    const worst = items.reduce((a, b) =>
      verdicts[b.judgement.verdict].rank > verdicts[a.judgement.verdict].rank ? b : a,
    );
    const ms = now - attempt.startedAt;
    const height = Math.max(...items.map(item => item.height ?? -1));
    const method = worst.read.call.method;
    const seen = { judgement: worst.judgement, method, ms, height: height < 0 ? undefined : height };
    tookIn(this.#world, this.#chain, observe(attempt, seen, now, chance.next()));
    count(member.stats, { class: attempt.class, verdict: worst.judgement.verdict, ms, probe: false }, wall);
    const reached = ended.how === 'fault' ? ended.fault.reached : undefined;
    for (const { read, judgement, answer } of items) {
      if (judgement.unclassified && answer !== undefined) {
        const text = shownAnswer(member.secrets, answer.plain);
        const chain = this.#chain.settings.name;
        telemetry.unclassified({
          chain,
          endpoint: record.settings.name,
          method: read.call.method,
          answer: text,
        });
      }
      read.took(attempt, judgement, { answer, reached }, now);
    }
    if (!this.#over) this.#step(reads);
  }

  /** One judgement an item: its own slice of the answer, or what the answer as a whole says. */
  #apart(
    reads: readonly Read[],
    record: EndpointRecord,
    ended: Ended,
    wall: number,
  ): { read: Read; judgement: Judgement; answer?: Answered; height?: number | undefined }[] {
    const { family } = this.#chain;
    const slices =
      ended.how === 'whole' && reads.length > 1
        ? family.split(
            reads.map(read => read.call),
            ended.plain,
          )
        : undefined;
    return reads.map((read, at) => {
      const slice = slices?.[at];
      if (ended.how !== 'whole') return { read, judgement: judge(this.#chain, read.call, ended, wall) };
      if (slices !== undefined && slice === undefined) {
        return { read, judgement: { verdict: 'node_failure', rule: 'gateway.item_missing' } };
      }
      const own = slice === undefined ? ended : { ...ended, body: slice, plain: slice };
      // One object for all of them bears one id at most, which is no item's fault.
      const call = slices === undefined && reads.length > 1 ? { ...read.call, id: undefined } : read.call;
      const judged = judge(this.#chain, call, own, wall);
      const height = judged.verdict === 'ok' ? family.headOf(read.call, own.plain) : undefined;
      const judgement = heldToMark(read.need, judged, height);
      const answer: Answered = {
        record,
        judgement,
        status: own.status,
        headers: own.headers,
        body: own.plain,
        plain: own.plain,
      };
      return { read, judgement, answer, height };
    });
  }

  #answer(read: Read, index: number): void {
    const answer = read.answers[index];
    if (answer === undefined) this.#fail(read, 'all_failed');
    else if (answer.judgement.disguised) this.#fail(read, 'missing_history');
    else if (!this.#keepsFilter(read, answer)) this.#fail(read, 'filter_lost');
    else {
      const ok = answer.judgement.verdict === 'ok';
      const { sessions, clock } = this.#world;
      sessions.showed(this.#chain, this.#session.client, read.need, answer.record.head.height, clock.now());
      this.#replies.set(read, {
        body: ok ? answer.plain : withoutSecrets(this.#chain, answer),
        outcome: answer.judgement.verdict,
        endpoint: answer.record.settings.name,
        attempts: read.notes.length,
      });
    }
  }

  #keepsFilter(read: Read, answer: Answered): boolean {
    if (read.call.spec.filter !== 'makes' || answer.judgement.verdict !== 'ok') return true;
    const id = this.#chain.family.filterMade?.(read.call, answer.plain);
    return (
      id === undefined || this.#chain.filters.made(id, answer.record.identityKey, this.#world.clock.now())
    );
  }

  #takeBack(read: Read, now: number): void {
    const attempts = read.trail.tries.map(tried => tried.attempt);
    tellChanges(this.#world.events, this.#chain, undo(attempts, now));
  }

  #fail(read: Read, reason: ClientReason, retryAfterMs?: number): void {
    const facts = { requestId: this.#session.requestId, attempts: read.notes, retryAfterMs };
    const fault = readFault(this.#chain, read.need, reason, facts, this.#world.clock.now());
    const body = encoder.encode(this.#chain.family.fault(read.call, fault));
    this.#replies.set(read, { body, outcome: reason, endpoint: undefined, attempts: read.notes.length });
  }

  #finish(): void {
    if (this.#over || this.#replies.size < this.#reads.length) return;
    this.#close();
    const { clock, telemetry } = this.#world;
    const ms = clock.now() - this.#session.startedAt;
    const endedAt = clock.wall();
    const replies = this.#reads.flatMap(read => this.#replies.get(read) ?? []);
    for (const read of this.#reads) {
      const outcome = this.#replies.get(read)?.outcome ?? 'internal';
      countRequest(this.#chain, read.need.class, outcome, ms, endedAt);
      telemetry.request({
        requestId: this.#session.requestId,
        chain: this.#chain.settings.name,
        method: read.call.method,
        class: read.need.class,
        outcome,
        attempts: read.notes,
        ms,
        endedAt,
      });
    }
    this.#done(replies);
  }

  #abandonFlights(): void {
    const { clock, chance } = this.#world;
    for (const flight of this.#flights) {
      const { attempt, relay, timer } = flight;
      timer.cancel();
      relay.abort();
      flight.list?.remove(flight);
      abandon(attempt, clock.now(), chance.next());
    }
    this.#flights.clear();
  }

  #close(): void {
    this.#over = true;
    this.#world.budget.give(this.#kept);
    this.#kept = 0;
    for (const timer of this.#waits) timer.cancel();
    this.#chain.pool.requests -= 1;
  }
}

/** Heavy items have their own circuit and timeout, so they do not travel with the others. */
function byClass(reads: readonly Read[]): readonly (readonly Read[])[] {
  const heavy = reads.filter(read => read.need.class === 'heavy');
  return [reads.filter(read => read.need.class !== 'heavy'), heavy].filter(part => part.length > 0);
}
