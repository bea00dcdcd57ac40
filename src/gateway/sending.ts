/**
 * One broadcast on its way: a durable row, one endpoint, the outcome. Another endpoint follows only after a proof that the
 * first never got it, with a row of its own. `core/broadcast.ts` decides; here it is done.
 */

import type { Call, SignedTransaction } from '../chains/family.ts';
import { broadcastAttemptMs, mayTryAnother, mostTelling, rowMs } from '../core/broadcast.ts';
import type { EndpointRecord } from '../core/endpoint.ts';
import type { AttemptNote } from '../core/errors.ts';
import type { Need } from '../core/need.ts';
import { type Attempt, abandon, begin, observe } from '../core/observe.ts';
import { firstAsk } from '../core/place.ts';
import { select } from '../core/select.ts';
import { count } from '../core/stats.ts';
import type { Outcome } from './broadcast-outcome.ts';
import { outcomeToTell } from './broadcast-story.ts';
import { readTry, sendAlone, type Try } from './broadcast-try.ts';
import type { Followed } from './follow-up.ts';
import type { AttemptLog, BroadcastEnd, BroadcastLog, Loop, RecordedBroadcast } from './ports.ts';
import { type Chain, memberOf } from './roster.ts';
import type { World } from './session.ts';
import { tellChanges } from './tell.ts';
import { within } from './within.ts';

/** What every broadcast has at hand. */
export interface Desk {
  readonly world: World;
  readonly loop: Loop;
  readonly log: BroadcastLog;
  readonly lines: AttemptLog;
  /** Has a transaction looked up from now on. */
  readonly follow: (followed: Followed) => void;
}

export interface Errand {
  readonly chain: Chain;
  readonly call: Call;
  readonly signed: SignedTransaction;
  /** Who asked first. */
  readonly requestId: string;
  readonly deadlineAt: number;
  /** Until when the first row may take. */
  readonly rowBy: number;
  /** The row that this broadcast repeats on purpose. */
  readonly earlier: number | undefined;
}

/** Why there is no attempt, or no further one. */
export type Stop = 'no_time' | 'no_endpoint' | 'no_row';

export class Sending {
  readonly #desk: Desk;
  readonly #errand: Errand;
  readonly #need: Need;
  readonly #tries: Try[] = [];
  readonly #notes: AttemptNote[] = [];
  /** The newest row that was begun, and whether its end is still to be written. */
  #row: number | undefined;
  #open = false;
  #running: Attempt | undefined;
  /** The rows as they stand in the record now. */
  readonly #recorded = new Map<number, RecordedBroadcast>();

  constructor(desk: Desk, errand: Errand) {
    const { family } = errand.chain;
    this.#desk = desk;
    this.#errand = errand;
    this.#need = family.need(errand.call);
  }

  get row(): number | undefined {
    return this.#row;
  }

  /** What a repeat is answered from: the row the caller was told of, else the newest. */
  get recorded(): RecordedBroadcast | undefined {
    const row = mostTelling(this.#tries)?.row ?? this.#row;
    return row === undefined ? undefined : this.#recorded.get(row);
  }

  async run(): Promise<Outcome> {
    let stop: Stop | undefined;
    do stop = await this.#attempt();
    while (stop === undefined && this.#mayGoOn());
    const { chain, call, signed } = this.#errand;
    return outcomeToTell(
      { chain, call, need: this.#need, signed, now: this.#desk.world.clock.now() },
      this.#tries,
      this.#notes,
      mostTelling(this.#tries),
      stop,
    );
  }

  /** A fault of the gateway's own in the middle: nobody knows how far it got. */
  breakOff(): void {
    const { clock, chance } = this.#desk.world;
    if (this.#running !== undefined) abandon(this.#running, clock.now(), chance.next());
    if (!this.#open || this.#row === undefined) return;
    const row = this.#row;
    const lost = { outcome: 'unknown', reached: 'handed_over', ms: 0, answer: undefined } as const;
    this.#finish(row, { ...lost, rule: 'gateway.fault' });
    this.#follow(row, 'unknown');
  }

  #mayGoOn(): boolean {
    const last = this.#tries.at(-1);
    return last !== undefined && mayTryAnother(last, this.#tries.length);
  }

  async #attempt(): Promise<Stop | undefined> {
    const { world } = this.#desk;
    const { clock, chance } = world;
    const { chain, deadlineAt } = this.#errand;
    const { pool } = chain;
    const now = clock.now();
    if (broadcastAttemptMs(deadlineAt, now) === undefined) return 'no_time';
    const tried = this.#tries.map(({ record }) => record);
    const record = select(pool, this.#need, { ...firstAsk, tried }, now, chance.next());
    if (record === undefined) return 'no_endpoint';
    // Before the row: a half-open circuit lets one through at a time, and waiting for the row takes its while.
    const attempt = begin(pool, record, 'broadcast', tried.length === 0 ? 'client' : 'retry', now);
    this.#running = attempt;
    const row = await this.#begin(record);
    const timeMs = broadcastAttemptMs(deadlineAt, clock.now());
    if (row === undefined || timeMs === undefined) {
      abandon(attempt, clock.now(), chance.next());
      if (row !== undefined) this.#finish(row, unused);
      return row === undefined ? 'no_row' : 'no_time';
    }
    const startedAt = clock.now();
    const ended = await sendAlone(world, chain, this.#errand.call, record, timeMs);
    const took = clock.now() - startedAt;
    const made = readTry(world, this.#errand, record, row, ended);
    const { judgement } = made;
    this.#tries.push(made);
    this.#finish(row, {
      outcome: made.outcome,
      reached: made.reached,
      ms: took,
      answer: made.answer?.body,
      rule: judgement.rule,
    });
    const ms = Math.round(took * 10) / 10;
    this.#notes.push({ endpoint: record.settings.name, verdict: judgement.verdict, ms });
    this.#tell(made, ms);
    this.#followUp(made);
    const { method } = this.#errand.call;
    const changes = observe(attempt, { judgement, method, ms: took }, clock.now(), chance.next());
    tellChanges(world.events, chain, changes);
    return undefined;
  }

  /** Resolves with the row once it is on disk. A row that comes too late is closed: nobody sends on it any more. */
  async #begin(record: EndpointRecord): Promise<number | undefined> {
    const { world, log } = this.#desk;
    const { clock } = world;
    const { chain, call, signed, requestId, earlier, rowBy } = this.#errand;
    if (!log.writable) return undefined;
    const attempt = this.#tries.length + 1;
    const row = {
      chain: chain.settings.name,
      method: call.method,
      txId: signed.id,
      digest: signed.digest,
      options: signed.options,
      endpoint: record.settings.name,
      identityKey: record.identityKey,
      requestId,
      attempt,
      earlier,
      facts: signed.facts,
    };
    const until = attempt === 1 ? rowBy : clock.now() + rowMs;
    const began = clock.wall();
    const came = await within(clock, until - clock.now(), log.begin(row), late => log.finish(late, unused));
    if (typeof came === 'string') return undefined;
    this.#row = came.came;
    this.#open = true;
    this.#recorded.set(came.came, { ...row, row: came.came, began, outcome: 'pending' });
    return came.came;
  }

  #finish(row: number, end: BroadcastEnd): void {
    this.#open = false;
    this.#desk.log.finish(row, end);
    const recorded = this.#recorded.get(row);
    if (recorded === undefined) return;
    const { outcome, reached, answer } = end;
    const ended = this.#desk.world.clock.wall();
    this.#recorded.set(row, {
      ...recorded,
      outcome,
      reached,
      ended,
      ...(answer === undefined ? {} : { answer }),
    });
  }

  #tell(made: Try, ms: number): void {
    const { world, lines } = this.#desk;
    const { chain, signed, requestId } = this.#errand;
    const { record, row, outcome, otherId } = made;
    const { verdict } = made.judgement;
    const { name } = chain.settings;
    const endpoint = record.settings.name;
    lines.attempt({ chain: name, txId: signed.id, endpoint, outcome, ms, row, requestId });
    count(
      memberOf(chain, record).stats,
      { class: 'broadcast', verdict, ms, probe: false },
      world.clock.wall(),
    );
    if (otherId !== undefined) {
      const text = `it took ${signed.id ?? 'a transaction'} and named it ${otherId}`;
      world.events.emit({ kind: 'other_id', chain: name, endpoint, level: 'alarm', text, detail: { row } });
    }
    if (outcome === 'unknown') {
      const text = `what became of ${signed.id ?? 'a transaction without a readable id'} is not known`;
      world.events.emit({
        kind: 'broadcast_unknown',
        chain: name,
        endpoint,
        level: 'warn',
        text,
        detail: { row },
      });
    }
  }

  #followUp({ row, outcome, answer, judgement }: Try): void {
    const { log } = this.#desk;
    const { family, settings } = this.#errand.chain;
    const used =
      outcome === 'rejected' && answer !== undefined && family.followUp.spent(judgement.rule, answer.body);
    const confirm = settings.confirmBroadcasts === true && (outcome === 'accepted' || outcome === 'known');
    const reason = outcome === 'unknown' ? 'unknown' : used ? 'rejected' : confirm ? 'confirm' : undefined;
    if (reason === undefined) return;
    // The record follows up what is unknown by itself.
    if (reason !== 'unknown') log.follow(row, reason);
    this.#follow(row, reason);
  }

  #follow(row: number, reason: Followed['reason']): void {
    const recorded = this.#recorded.get(row);
    if (recorded === undefined) return;
    const { chain, txId, identityKey, facts, began } = recorded;
    this.#desk.follow({ row, chain, txId, identityKey, reason, facts, began, looks: 0 });
  }
}

/** A row on which nothing was sent. */
const unused: BroadcastEnd = {
  outcome: 'refused',
  reached: 'not_connected',
  ms: 0,
  answer: undefined,
  rule: 'gateway.not_sent',
};
