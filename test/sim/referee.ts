/**
 * Watches everything that goes in and out of the gateway, keeps the contract's own picture of each endpoint from it, and
 * holds every step against that picture. It never asks the code under test what would be right.
 */

import type { ChainSettings } from '../../src/core/chain.ts';
import { checkAnswer, type Outcome } from './check-answer.ts';
import { checkSend, isSecondQuestion } from './check-send.ts';
import type { Said, SimCall } from './family.ts';
import type { Invariant, Violation } from './invariants.ts';
import type { Asked } from './model/asked.ts';
import type { Came, Try } from './model/attempt.ts';
import type { Believed, ShadowCircuit } from './model/circuit.ts';
import { newQuarantine, type Shadow } from './model/endpoint.ts';
import { ShadowPool } from './model/pool.ts';
import { isWell, type Truth } from './truth.ts';

/** What the gateway believes of an endpoint, for where the contract leaves two things possible. */
export interface Beliefs {
  readonly read: Believed;
  readonly heavy: Believed;
  readonly auth: { readonly holdMs: number; readonly until: number };
}

const mostViolations = 20;

export class Referee {
  readonly pool: ShadowPool;
  readonly truth: Truth;
  readonly violations: Violation[] = [];
  readonly asked = new Set<Asked>();
  readonly #askedBy = new Map<SimCall, Asked>();
  readonly #believes: (shadow: Shadow) => Beliefs | undefined;
  retries = 0;
  /** Requests that began before keep the pool they began with. */
  configuredAt = Number.NEGATIVE_INFINITY;
  /** Finished attempts so far. */
  observations = 0;
  /** How often each kind of thing was checked, so that a silent simulation shows. */
  readonly checked = new Map<Invariant, number>();

  constructor(chain: ChainSettings, truth: Truth, believes: (shadow: Shadow) => Beliefs | undefined) {
    this.pool = new ShadowPool(chain, truth);
    this.truth = truth;
    this.#believes = believes;
  }

  /** Holds one thing against the contract. */
  expect(invariant: Invariant, holds: boolean, now: number, text: () => string): void {
    this.checked.set(invariant, (this.checked.get(invariant) ?? 0) + 1);
    if (holds || this.violations.length >= mostViolations) return;
    // Once broken it often stays so: the first time says it.
    if (this.violations.some(violation => violation.invariant === invariant)) return;
    this.violations.push({ invariant, at: now, text: text() });
  }

  begins(asked: Asked): void {
    this.asked.add(asked);
    this.#askedBy.set(asked.call, asked);
  }

  sent(shadow: Shadow, calls: readonly SimCall[], now: number): Try {
    const [first] = calls;
    if (first === undefined) throw new Error('an empty request');
    const asked = calls.flatMap(call => this.#askedBy.get(call) ?? []);
    const retry = asked.some(one => one.tries.length > 0 && !isSecondQuestion(one));
    checkSend(this, shadow, first, asked, retry, now);
    const workClass = first.need.class;
    const circuits = [shadow.circuit(workClass), shadow.heavy];
    const epochs = new Map(circuits.map(circuit => [circuit, circuit.begin(now)]));
    const trialOf =
      first.own === undefined
        ? []
        : [...new Set(circuits)].filter(circuit => circuit.isHalfOpen(now) && !circuit.trialRuns);
    for (const circuit of trialOf) circuit.trialRuns = true;
    const { own } = first;
    const one: Try = {
      shadow,
      calls,
      class: workClass,
      own,
      asked,
      retry,
      startedAt: now,
      committedAt: now,
      epochs,
      trialOf,
    };
    shadow.inFlight += 1;
    shadow.starts.push(now);
    if (shadow.starts.length > 64) shadow.starts.shift();
    if (retry) this.retries += 1;
    for (const each of asked) {
      each.running += 1;
      each.tries.push({ try: one, came: undefined, verdict: undefined, rule: undefined, endedAt: now });
    }
    if (own === 'identity') {
      shadow.identityAskedAt = now;
      shadow.jumpedAt = undefined;
    }
    if (own === 'height') shadow.heightAskedAt = now;
    return one;
  }

  ended(one: Try, came: Came, now: number): void {
    const { shadow, own } = one;
    shadow.inFlight -= 1;
    if (one.retry) this.retries -= 1;
    for (const asked of one.asked) asked.running -= 1;
    if (own !== undefined) shadow.heightTurnSince = now;
    if (came.how === 'abandoned') {
      for (const circuit of one.trialOf) circuit.endTrial(undefined, this.#epoch(one, circuit), now);
      return;
    }
    this.observations += 1;
    this.#note(one, came, now);
    one.calls.forEach((call, at) => {
      const asked = this.#askedBy.get(call);
      const tried = asked?.tries.findLast(each => each.try === one);
      if (asked === undefined || tried === undefined) return;
      const said = came.how === 'answer' ? came.said[at] : came;
      tried.came = came;
      tried.verdict = said?.verdict;
      tried.rule = said?.rule;
      tried.endedAt = now;
      if (said?.verdict === 'missing_history') asked.missing = true;
      if (!asked.batched || outcomes[said?.verdict ?? ''] !== false) return;
      const circuit = shadow.circuit(one.class);
      circuit.unclear += 1;
      asked.failedAt.push({ shadow, circuit });
    });
  }

  /**
   * The gateway gave up waiting: not before the time an attempt may take, and not after it. Sooner at an endpoint that has gone silent
   * since: right after its circuit opened a read that waits there goes elsewhere.
   */
  timedOut(one: Try, committed: boolean, now: number): void {
    const { heavyTimeoutMs, readTimeoutMs } = this.pool.chain;
    const most = one.class === 'heavy' ? heavyTimeoutMs : readTimeoutMs;
    const deadlines = one.asked.map(asked => asked.deadlineAt - one.startedAt);
    const due = committed ? 30_000 : Math.min(most, ...deadlines);
    const took = now - (committed ? one.committedAt : one.startedAt);
    const circuit = one.shadow.circuit('read');
    const openedSince = circuit.held && this.#epoch(one, circuit) !== circuit.epoch;
    const justOpened = openedSince && now - (circuit.until - circuit.holdMs) < 1_000;
    const inTime =
      Math.abs(took - due) < 1 || (took < due && !committed && one.class === 'read' && justOpened);
    this.expect('deadline', inTime, now, () => `gave ${one.shadow.name} up after ${took} ms, not ${due}`);
  }

  /** The client has its answer. */
  answers(asked: Asked, outcome: Outcome, now: number): void {
    asked.over = true;
    checkAnswer(this, asked, outcome, now);
    this.#forget(asked);
    if (outcome.is === 'fault' && outcome.reason !== 'no_endpoint') this.#takeBack(asked, now);
    for (const { shadow, circuit } of asked.failedAt) {
      circuit.unclear -= 1;
      const beliefs = this.#believes(shadow);
      if (beliefs === undefined) continue;
      circuit.adopt(circuit === shadow.heavy ? beliefs.heavy : beliefs.read, now);
      shadow.auth.adopt(beliefs.auth);
    }
  }

  /** The client went away. */
  leaves(asked: Asked): void {
    asked.over = true;
    this.#forget(asked);
  }

  /** A script changed what an endpoint is like. */
  changed(shadow: Shadow, now: number): void {
    const well = isWell(shadow.node, this.pool.chain.identity);
    shadow.wellSince = well ? (shadow.wellSince ?? now) : undefined;
  }

  #forget(asked: Asked): void {
    this.asked.delete(asked);
    this.#askedBy.delete(asked.call);
  }

  #epoch(one: Try, circuit: ShadowCircuit): number {
    return one.epochs.get(circuit) ?? -1;
  }

  /** Everything the contract makes of one answer, in the order of section 3. */
  #note(one: Try, came: Exclude<Came, { how: 'abandoned' }>, now: number): void {
    const { shadow, own, startedAt } = one;
    const items: readonly Said[] =
      came.how === 'answer' ? came.said : [{ verdict: came.verdict, rule: came.rule }];
    const said = items.reduce((a, b) => (badness(b.verdict) > badness(a.verdict) ? b : a));
    const good = said.quota ? false : outcomes[said.verdict];
    const tally = shadow.circuit(one.class);
    if (good !== undefined) tally.count(one, good, this.#epoch(one, tally), now);
    for (const circuit of one.trialOf) circuit.endTrial(good, this.#epoch(one, circuit), now);
    if (good === false && shadow.wellSince !== undefined) shadow.wellSince = now;
    if (said.verdict === 'rate_limited') {
      shadow.cooldown.cool(startedAt, said.retryAfterMs ?? 0, now);
      if (shadow.wellSince !== undefined) shadow.wellSince = now;
    }
    if (said.verdict === 'auth_refused') shadow.auth.refuse(startedAt, now);
    shadow.quietUntil = Math.max(shadow.quietUntil, shadow.cooldown.latest, shadow.auth.until);
    const method = one.calls[items.indexOf(said)]?.method ?? '';
    if (said.wholeMethod) shadow.unsupported.set(method, now + 3_600_000);
    const heights = items.map((item, at) =>
      item.verdict === 'ok' && one.calls[at]?.showsHead ? (item.height ?? -1) : -1,
    );
    const height = Math.max(...heights);
    if (good) {
      shadow.cooldown.warm(startedAt);
      if (own !== undefined) shadow.auth.goodProbe(startedAt);
      shadow.unsupported.delete(method);
      if (one.class === 'read') {
        shadow.readMs.take(now - startedAt, now);
        if (height >= 0) shadow.heightMs.take(now - startedAt, now);
      }
    }
    if (good && height >= 0) {
      const { head } = shadow;
      // Traffic does not tell the age of a block: a higher one may be brand-new.
      if (own === 'height') head.newestBornAt = this.truth.bornAt(height, now);
      else if (height > head.height) head.newestBornAt = now;
      this.pool.shows(shadow, height, now);
      shadow.heightTurnSince = now;
    }
    if (own === 'height') this.#countProbe(shadow, said.verdict, good === true && height >= 0, now);
    if (own === 'identity') this.#claims(shadow, said.claims, now);
    if (own === 'builds' && said.told !== undefined) shadow.builds = said.told;
  }

  #claims(shadow: Shadow, claims: string | undefined, now: number): void {
    if (claims === undefined) return;
    const before = shadow.identity;
    this.#proves(shadow, claims);
    if (shadow.identity === before) return;
    shadow.identityKnown = false;
    shadow.voiceChangedAt = now;
  }

  #proves(shadow: Shadow, claims: string): void {
    if (claims !== this.pool.chain.identity) {
      shadow.identity = 'wrong';
      shadow.rights = 0;
      if (shadow.quarantine !== undefined) shadow.quarantine = newQuarantine(shadow.quarantine.perhapsOver);
      return;
    }
    if (shadow.identity === 'wrong') {
      shadow.rights += 1;
      if (shadow.rights < 3) return;
      shadow.quarantine = newQuarantine();
    }
    shadow.identity = 'verified';
  }

  /** "20 consecutive good probes …: an answered height within the threshold and no contrary identity." */
  #countProbe(shadow: Shadow, verdict: string, answered: boolean, now: number): void {
    const { quarantine, head } = shadow;
    if (quarantine === undefined || verdict === 'rate_limited') return;
    const { least, most } = this.pool.allowedLag(now);
    const surelyBad =
      !answered || shadow.identity === 'wrong' || head.lagLeast > most || head.suspect === 'yes';
    const surelyGood = !surelyBad && head.lagMost <= least && head.suspect === 'no';
    quarantine.least = surelyGood ? quarantine.least + 1 : 0;
    quarantine.most = surelyBad ? 0 : quarantine.most + 1;
    if (quarantine.most >= 20) quarantine.perhapsOver = true;
    if (quarantine.least < 20) return;
    shadow.quarantine = undefined;
    shadow.voiceChangedAt = head.at;
  }

  /** "When every endpoint tried fails one request alike, it is the request: the penalties are taken back." */
  #takeBack(asked: Asked, now: number): void {
    const likeness = alike(asked);
    if (likeness === 'no') return;
    const of = new Set(asked.tries.map(tried => tried.try));
    for (const shadow of new Set(asked.tries.map(tried => tried.try.shadow))) {
      const circuit = shadow.circuit(asked.call.need.class);
      const beliefs = this.#believes(shadow);
      if (beliefs === undefined) continue;
      const believed = asked.call.need.class === 'heavy' ? beliefs.heavy : beliefs.read;
      if (likeness === 'yes') circuit.takeBack(of, believed, now);
      else circuit.adopt(believed, now);
      if (asked.tries.some(tried => tried.verdict === 'auth_refused')) shadow.auth.adopt(beliefs.auth);
      if (shadow.wellSince !== undefined) shadow.wellSince = now;
    }
  }
}

const outcomes: Readonly<Record<string, boolean | undefined>> = {
  ok: true,
  app_error: true,
  node_failure: false,
  auth_refused: false,
  transport: false,
};

const worstLast = [
  'ok',
  'app_error',
  'missing_history',
  'unsupported',
  'rate_limited',
  'auth_refused',
  'node_failure',
  'transport',
];

function badness(verdict: string): number {
  return worstLast.indexOf(verdict);
}

/** Two or more endpoints, one verdict, one rule, and a failure that a request can cause. */
function alike(asked: Asked): 'yes' | 'no' | 'maybe' {
  const [first] = asked.tries;
  if (first === undefined) return 'no';
  const { verdict, rule } = first;
  if (verdict !== 'node_failure' && verdict !== 'auth_refused' && verdict !== 'transport') return 'no';
  if (asked.tries.some(tried => tried.verdict !== verdict)) return 'no';
  const neverGotThere = asked.tries.some(({ came }) => came?.how === 'fault' && !came.gotThere);
  if (neverGotThere) return 'no';
  const endpoints = new Set(asked.tries.map(tried => tried.try.shadow)).size;
  if (endpoints < 2) return 'no';
  return asked.tries.every(tried => tried.rule === rule) ? 'yes' : 'maybe';
}
