/** Plays one life through the real code, with the referee watching. */

import type { EndpointSettings } from '../../src/core/chain.ts';
import type { Event } from '../../src/gateway/ports.ts';
import { look } from './check-look.ts';
import { ClientEnd, callFor, deadlineMs, outcomeOf, type Wish } from './clients.ts';
import type { Code } from './code.ts';
import { Dice } from './dice.ts';
import { EventLog } from './events.ts';
import type { Invariant, Violation } from './invariants.ts';
import { Kept } from './kept.ts';
import { type Act, hourMs, type Life } from './life.ts';
import type { Asked } from './model/asked.ts';
import { type Remembered, Shadow } from './model/endpoint.ts';
import { GatewayProcess } from './process.ts';
import { Referee } from './referee.ts';
import { VirtualTime } from './time.ts';
import { Truth, wellNode } from './truth.ts';

export interface Played {
  readonly violations: readonly Violation[];
  readonly hours: number;
  readonly requests: number;
  readonly attempts: number;
  readonly checked: ReadonlyMap<Invariant, number>;
}

const lookEveryMs = 4_000;
const baseHeight = 20_000_000;

export async function play(code: Code, life: Life, seed: number): Promise<Played> {
  const stage = new Stage(code, life, seed);
  await stage.run();
  return stage.played();
}

class Stage {
  readonly #code: Code;
  readonly #life: Life;
  readonly #time = new VirtualTime();
  readonly #dice: Dice;
  readonly #clients: Dice;
  readonly #kept = new Kept();
  readonly #truth: Truth;
  readonly #violations: Violation[] = [];
  readonly #checked = new Map<Invariant, number>();
  /** Reads by the endpoint that got them first. */
  readonly #picks = new Map<string, number>();
  readonly #remembered = new Map<string, Remembered & { depthFound: boolean }>();
  /** Endpoints that left the config and may still be asked something that began before. */
  readonly #retired = new Map<string, Shadow>();
  #endpoints: readonly EndpointSettings[];
  #process: GatewayProcess | undefined;
  #referee: Referee;
  #events: EventLog;
  /** The filter that was made last. */
  #filter: string | undefined;
  #stopAsking = false;
  #requests = 0;
  #attempts = 0;

  constructor(code: Code, life: Life, seed: number) {
    this.#code = code;
    this.#life = life;
    this.#dice = new Dice(seed);
    this.#clients = this.#dice.fork();
    this.#truth = new Truth(life.chain.blockTimeMs, baseHeight);
    this.#endpoints = life.endpoints;
    this.#referee = this.#newReferee();
    this.#events = new EventLog(this.#referee);
  }

  async run(): Promise<void> {
    const time = this.#time;
    for (const act of this.#life.acts) time.after(act.at, () => this.#act(act));
    this.#start();
    this.#nextRequest();
    this.#nextLook();
    await time.runUntil(this.#life.endMs);
    // No request outlives its deadline, so after the longest of them nothing is left.
    this.#stopAsking = true;
    await time.runUntil(this.#life.endMs + this.#life.chain.heavyDeadlineMs + 35_000);
    this.#checkLeftovers();
    this.#checkShares();
    this.#kill();
  }

  played(): Played {
    return {
      violations: this.#violations,
      hours: this.#life.endMs / hourMs,
      requests: this.#requests,
      attempts: this.#attempts,
      checked: this.#checked,
    };
  }

  #newReferee(): Referee {
    return new Referee(this.#life.chain, this.#truth, shadow => {
      const record = this.#process?.recordOf(shadow);
      return record === undefined ? undefined : { read: record.read, heavy: record.heavy, auth: record.auth };
    });
  }

  #start(): void {
    this.#referee = this.#newReferee();
    this.#events = new EventLog(this.#referee);
    const referee = this.#referee;
    this.#settle(this.#endpoints, undefined);
    this.#process = new GatewayProcess({
      code: this.#code,
      time: this.#time,
      dice: this.#dice.fork(),
      chain: this.#life.chain,
      kept: this.#kept,
      referee: () => referee,
      shadowOf: name => this.#shadow(referee, name),
      onEvent: event => this.#event(event),
    });
    this.#process.configure(this.#endpoints);
  }

  /** Gives the referee the endpoints of a config; what is new is known as it was remembered. */
  #settle(endpoints: readonly EndpointSettings[], before: readonly Shadow[] | undefined): void {
    const { shadows } = this.#referee.pool;
    const now = this.#time.now();
    const stays = before?.filter(shadow => endpoints.some(({ url }) => url === shadow.settings.url));
    const usable = stays?.some(shadow => shadow.identity === 'verified' && shadow.quarantine === undefined);
    shadows.length = 0;
    endpoints.forEach((settings, order) => {
      const there = before?.find(shadow => shadow.settings.url === settings.url);
      if (there !== undefined) {
        if (there.settings.weight !== settings.weight) {
          there.weight = settings.weight;
          there.weighedAt = now;
        }
        if (there.settings.disabled !== settings.disabled) there.disabled = settings.disabled;
        there.settings = settings;
        there.order = order;
        shadows.push(there);
        return;
      }
      const node = this.#life.nodes.get(settings.name) ?? wellNode(this.#life.chain.identity, 50);
      const earlier = this.#remembered.get(settings.url);
      const newcomer = earlier === undefined && (settings.origin === 'runtime' || usable === true);
      const shadow = new Shadow(
        settings,
        order,
        node,
        earlier ?? { identity: undefined, builds: undefined, quarantined: newcomer ? 'yes' : 'no' },
        now,
      );
      shadow.depthFound = earlier?.depthFound ?? false;
      shadows.push(shadow);
      this.#referee.changed(shadow, now);
    });
  }

  #shadow(referee: Referee, name: string): Shadow {
    const shadow = referee.pool.shadows.find(each => each.name === name) ?? this.#retired.get(name);
    if (shadow === undefined) throw new Error(`no endpoint ${name}`);
    return shadow;
  }

  #kill(): void {
    this.#process?.kill();
    for (const shadow of this.#referee.pool.shadows) this.#remember(shadow);
    this.#violations.push(...this.#referee.violations);
    for (const [invariant, times] of this.#referee.checked) {
      this.#checked.set(invariant, (this.#checked.get(invariant) ?? 0) + times);
    }
  }

  #remember(shadow: Shadow): void {
    this.#remembered.set(shadow.settings.url, {
      identity: shadow.identity === 'unproven' ? undefined : shadow.identity,
      builds: shadow.builds,
      quarantined: shadow.quarantine === undefined ? 'no' : shadow.quarantine.perhapsOver ? 'maybe' : 'yes',
      depthFound: shadow.depthFound,
    });
  }

  #act(act: Act): void {
    const now = this.#time.now();
    const { pool } = this.#referee;
    switch (act.does) {
      case 'become': {
        const node = this.#life.nodes.get(act.node);
        if (node === undefined) throw new Error(`no node ${act.node}`);
        Object.assign(node, act.like);
        for (const shadow of pool.shadows) if (shadow.node === node) this.#referee.changed(shadow, now);
        return;
      }
      case 'halt':
        this.#truth.halt(now);
        return;
      case 'resume':
        this.#truth.resume(now);
        return;
      case 'restart':
        this.#kill();
        this.#start();
        return;
      case 'burst':
        for (const wish of act.wishes) {
          this.#time.after(this.#clients.next() * act.overMs, () => this.#ask(wish));
        }
        return;
      case 'batch':
        this.#askBatch(act.wishes);
        return;
      case 'switch': {
        const shadow = pool.shadows.find(each => each.name === act.node);
        const record = shadow === undefined ? undefined : this.#process?.recordOf(shadow);
        if (shadow === undefined || record === undefined) return;
        Object.assign(shadow, act.switches);
        shadow.voiceChangedAt = now;
        shadow.heightTurnSince = now;
        shadow.wellSince = shadow.wellSince === undefined ? undefined : now;
        const { chain, world } = this.#running;
        const changes = this.#code.facts.setSwitches(chain.pool, record, act.switches, now);
        this.#code.tell.tellChanges(world.events, chain, changes);
        return;
      }
      case 'configure': {
        const before = [...pool.shadows];
        this.#settle(act.endpoints, before);
        this.#referee.configuredAt = now;
        for (const shadow of before) {
          if (pool.shadows.includes(shadow)) continue;
          this.#remember(shadow);
          this.#retired.set(shadow.name, shadow);
          this.#events.forget(shadow.name);
        }
        this.#endpoints = act.endpoints;
        this.#running.configure(act.endpoints);
      }
    }
  }

  get #running(): GatewayProcess {
    if (this.#process === undefined) throw new Error('not started');
    return this.#process;
  }

  #nextRequest(): void {
    const { everyMs, wishes } = this.#life.traffic;
    if (everyMs === undefined) return;
    const gap = -Math.log(1 - this.#clients.next()) * everyMs;
    this.#time.after(gap, () => {
      if (this.#stopAsking) return;
      this.#ask(this.#clients.pick(wishes));
      this.#nextRequest();
    });
  }

  #open(wish: Wish, only: Shadow | undefined, batched: boolean): Asked {
    const now = this.#time.now();
    const call = callFor(wish, this.#truth.heightAt(now), this.#clients);
    this.#requests += 1;
    const asked: Asked = {
      id: `r${this.#requests}`,
      call,
      startedAt: now,
      deadlineAt: now + deadlineMs(call.need.class, this.#life.chain),
      only,
      batched,
      tries: [],
      failedAt: [],
      running: 0,
      gone: false,
      over: false,
      missing: false,
    };
    this.#referee.begins(asked);
    return asked;
  }

  #ask(wish: Wish): void {
    const { chain, world } = this.#running;
    const only = wish === 'use filter' ? this.#filterOwner() : undefined;
    if (wish === 'use filter' && only === undefined) return;
    const asked = this.#open(wish, only, false);
    const { startedAt } = asked;
    const referee = this.#referee;
    const sink = new ClientEnd(outcome => {
      if (outcome.is === 'answer' && outcome.said.filter !== undefined) this.#filter = outcome.said.filter;
      this.#answered(referee, asked, outcome);
    });
    const session = { requestId: asked.id, startedAt, sink };
    const record = only === undefined ? undefined : this.#running.recordOf(only);
    new this.#code.forward.Forward(world, session, chain, asked.call, record);
    if (!this.#clients.happens(this.#life.traffic.impatient)) return;
    const process = this.#process;
    this.#time.after(this.#clients.next() * 3_000, () => {
      if (asked.over || process !== this.#process) return;
      asked.gone = true;
      sink.onGone?.gone();
      referee.leaves(asked);
    });
  }

  /** Where the filter lives that was made last, as `dispatch` finds it. */
  #filterOwner(): Shadow | undefined {
    if (this.#filter === undefined) return undefined;
    const { chain } = this.#running;
    const key = chain.filters.owner(this.#filter, this.#time.now());
    const record = chain.pool.records.find(each => each.identityKey === key);
    return this.#referee.pool.shadows.find(shadow => shadow.name === record?.settings.name);
  }

  #askBatch(wishes: readonly Wish[]): void {
    const items = wishes.map(wish => this.#open(wish, undefined, true));
    const [first] = items;
    if (first === undefined) return;
    const referee = this.#referee;
    const { chain, world } = this.#running;
    const startedAt = this.#time.now();
    const sink = new ClientEnd(() => undefined);
    new this.#code.batch.ForwardBatch(
      world,
      { requestId: first.id, startedAt, sink },
      chain,
      items.map(({ call }) => ({ call })),
      replies => {
        replies.forEach((reply, at) => {
          const asked = items[at];
          if (asked === undefined) return;
          const outcome = outcomeOf(reply.body, -1, reply.endpoint, reply.attempts, undefined);
          this.#answered(referee, asked, outcome);
        });
      },
    );
  }

  #answered(referee: Referee, asked: Asked, outcome: Parameters<Referee['answers']>[1]): void {
    const now = this.#time.now();
    referee.expect('answer', !asked.over, now, () => `${asked.id} is answered twice`);
    this.#attempts += asked.tries.length;
    const first = asked.tries[0]?.try.shadow.name;
    if (first !== undefined) this.#picks.set(first, (this.#picks.get(first) ?? 0) + 1);
    referee.answers(asked, outcome, now);
  }

  #event(event: Event): void {
    this.#events.told(event, this.#time.now());
  }

  #nextLook(): void {
    this.#time.after(lookEveryMs, () => {
      const process = this.#running;
      look(this.#referee, this.#code, shadow => process.recordOf(shadow), this.#time.now());
      this.#events.look(this.#time.now());
      this.#nextLook();
    });
  }

  #checkShares(): void {
    const all = [...this.#picks.values()].reduce((sum, picks) => sum + picks, 0);
    for (const [name, { least, most }] of this.#life.shares ?? []) {
      const share = (this.#picks.get(name) ?? 0) / all;
      const fits = share >= least && share <= most;
      this.#referee.expect(
        'strategy',
        fits,
        this.#time.now(),
        () => `${name} got ${share} of the reads, not ${least} to ${most}`,
      );
    }
  }

  #checkLeftovers(): void {
    const now = this.#time.now();
    const { chain, world } = this.#running;
    const { pool } = chain;
    const left = [
      ['requests in flight', pool.requests],
      ['retries', pool.retries],
      ['bytes held', world.budget.heldBytes],
      ['requests without an answer', this.#referee.asked.size],
    ] as const;
    for (const [what, count] of left) {
      this.#referee.expect('leftovers', count === 0, now, () => `${count} ${what}`);
    }
    for (const shadow of this.#referee.pool.shadows) {
      const record = this.#running.recordOf(shadow);
      this.#referee.expect(
        'leftovers',
        record?.inFlight === shadow.inFlight,
        now,
        () => `${record?.inFlight} in flight at ${shadow.name}, ${shadow.inFlight} in truth`,
      );
    }
  }
}
