/** One request on its way to a scripted node and back. The referee hears of everything before the gateway does. */

import type { AnswerHandler, Exchange, Outgoing, Timer } from '../../src/gateway/ports.ts';
import type { Dice } from './dice.ts';
import { bodyOf, brokenEnd, callsIn, type Said, type SimCall } from './family.ts';
import type { Came, Try } from './model/attempt.ts';
import type { Shadow } from './model/endpoint.ts';
import type { Referee } from './referee.ts';
import type { VirtualTime } from './time.ts';
import { type Reply, reply } from './truth.ts';

export interface UpstreamOptions {
  readonly time: VirtualTime;
  readonly referee: Referee;
  readonly shadow: Shadow;
  readonly script: Dice;
  readonly request: Outgoing;
  readonly handler: AnswerHandler;
  readonly alive: () => boolean;
}

const itemFailed: Said = { verdict: 'node_failure', rule: 'sim.item' };
const largeChunk = new Uint8Array(70 * 1024);
const soundTail = new Uint8Array(2_000);
const brokenTail = new Uint8Array(2_000).fill(brokenEnd, -1);

export class Upstream implements Exchange {
  readonly #options: UpstreamOptions;
  readonly #calls: readonly SimCall[];
  readonly #try: Try;
  #timer: Timer | undefined;
  #committed = false;
  #over = false;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    const { time, referee, shadow, script, request } = options;
    const now = time.now();
    this.#calls = callsIn(request.body);
    this.#try = referee.sent(shadow, this.#calls, now);
    const { truth } = referee;
    const replies = this.#calls.map(call => reply(shadow.node, truth, call, now, script));
    const [first] = replies;
    if (first !== undefined && first.afterMs !== Number.POSITIVE_INFINITY) {
      this.#timer = time.after(first.afterMs, () => this.#comes(first, replies));
    }
  }

  /** What is sent has left at once. */
  readonly begun = true;

  resume(): void {
    // Clients here are never slow: nothing is paused.
  }

  /** The gateway gives it up: its time is over, or the client went away. */
  abort(): void {
    if (this.#over || !this.#options.alive()) return;
    const { time, referee } = this.#options;
    this.#timer?.cancel();
    const gone = this.#try.asked.length > 0 && this.#try.asked.every(asked => asked.gone);
    if (!gone) referee.timedOut(this.#try, this.#committed, time.now());
    this.#ends(
      gone
        ? { how: 'abandoned' }
        : this.#committed
          ? { how: 'fault', verdict: 'node_failure', rule: 'cut', gotThere: true }
          : { how: 'fault', verdict: 'transport', rule: 'timeout', gotThere: true },
    );
  }

  #comes(first: Reply, replies: readonly Reply[]): void {
    const { handler, alive } = this.#options;
    if (!alive()) return;
    if (first.says === 'fault') {
      const { fault } = first;
      const gotThere = fault.reached === 'handed_over';
      this.#ends({ how: 'fault', verdict: 'transport', rule: fault.kind, gotThere });
      handler.fault(fault);
      return;
    }
    // One body, one fate: what would befall another item alone is an error in its place.
    const said = replies.map(each => (each.says === 'answer' ? each.said : itemFailed));
    handler.head(200, { 'content-type': 'application/json' });
    if (this.#calls[0]?.large && first.said.verdict === 'ok' && this.#calls.length === 1) {
      this.#streams(first, said);
      return;
    }
    // The gateway judges only what is whole.
    const body = bodyOf(said);
    this.#ends({ how: 'answer', said });
    handler.data(body);
    handler.end();
  }

  #streams(first: Reply & { says: 'answer' }, said: readonly Said[]): void {
    const { handler, time, alive } = this.#options;
    this.#committed = true;
    this.#try.committedAt = time.now();
    handler.data(largeChunk);
    if (this.#over || first.end === 'stall') return;
    this.#timer = time.after(1 + first.afterMs, () => {
      if (!alive()) return;
      if (first.end === 'cut') {
        this.#ends({ how: 'fault', verdict: 'node_failure', rule: 'cut', gotThere: true });
        handler.fault({ kind: 'reset', reached: 'handed_over', message: 'reset' });
        return;
      }
      const broken = first.end === 'broken';
      handler.data(broken ? brokenTail : soundTail);
      this.#ends(
        broken
          ? { how: 'fault', verdict: 'node_failure', rule: 'cut', gotThere: true }
          : { how: 'answer', said },
      );
      handler.end();
    });
  }

  #ends(came: Came): void {
    this.#over = true;
    const { time, referee } = this.#options;
    if (this.#try.own !== undefined) time.stirred = true;
    referee.ended(this.#try, came, time.now());
  }
}
