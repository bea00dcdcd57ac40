/**
 * One life of the gateway: the real roster, prober and reads over virtual time and scripted nodes. It ends as processes
 * do, in the middle of everything; what the next one knows is what memory kept.
 */

import type { ChainSettings, EndpointSettings, HistoryKind } from '../../src/core/chain.ts';
import type { EndpointRecord } from '../../src/core/endpoint.ts';
import type {
  AnswerHandler,
  Clock,
  Event,
  Exchange,
  Line,
  Memory,
  Outgoing,
  Timer,
  Transport,
} from '../../src/gateway/ports.ts';
import type { Chain, Roster } from '../../src/gateway/roster.ts';
import type { World } from '../../src/gateway/session.ts';
import type { Code } from './code.ts';
import type { Dice } from './dice.ts';
import { simFamilies } from './family.ts';
import type { Kept } from './kept.ts';
import type { Shadow } from './model/endpoint.ts';
import type { Referee } from './referee.ts';
import type { VirtualTime } from './time.ts';
import { Upstream } from './upstream.ts';

export interface ProcessOptions {
  readonly code: Code;
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly chain: ChainSettings;
  readonly kept: Kept;
  readonly referee: () => Referee;
  readonly shadowOf: (name: string) => Shadow;
  readonly onEvent: (event: Event) => void;
}

export class GatewayProcess {
  readonly world: World;
  readonly #options: ProcessOptions;
  readonly #transport: Transport;
  readonly #prober;
  #roster: Roster | undefined;
  #alive = true;

  constructor(options: ProcessOptions) {
    this.#options = options;
    const { code, dice, time, kept } = options;
    const clock = this.#clock(time);
    const inflate = { whole: () => undefined, beginning: () => undefined };
    this.world = {
      clock,
      chance: dice.fork(),
      budget: new code.budget.Budget(256 * 1024 * 1024),
      inflate,
      events: { emit: event => options.onEvent(event) },
      telemetry: { request: () => undefined, unclassified: () => undefined },
      sessions: new code.sessions.Sessions(),
      limits: { batchItems: 1_000, depth: 10, errorBodyBytes: 1024 * 1024 },
    };
    const script = dice.fork();
    this.#transport = {
      open: endpoint => this.#line(endpoint, script),
    };
    const { events, chance, budget } = this.world;
    const memory: Memory = {
      identity: (key, result, claims) =>
        kept.identities.set(key, { result, value: claims, at: clock.wall() }),
      quarantinePassed: key => kept.quarantines.set(key, { passedAt: clock.wall() }),
      quarantineEntered: (key, reason) =>
        kept.quarantines.set(key, { passedAt: clock.wall(), again: reason }),
      history: (key, kind, lowest, headThen) => {
        kept.histories.set(`${key} ${kind}`, { lowest, headThen });
        const record = this.chain.pool.records.find(each => each.identityKey === key);
        if (record !== undefined) options.shadowOf(record.settings.name).depthFound = true;
      },
      builds: (key, builds) => kept.builds.set(key, builds),
    };
    const roster = () => this.roster;
    this.#prober = new code.probe.Prober({ clock, chance, budget, inflate, events, memory, roster });
  }

  get roster(): Roster {
    if (this.#roster === undefined) throw new Error('not started');
    return this.#roster;
  }

  get chain(): Chain {
    const chain = this.roster.chains.get(this.#options.chain.name);
    if (chain === undefined) throw new Error('no chain');
    return chain;
  }

  recordOf(shadow: Shadow): EndpointRecord | undefined {
    return this.chain.pool.records.find(record => record.settings.name === shadow.name);
  }

  /** A first roster, or another config. */
  configure(endpoints: readonly EndpointSettings[]): void {
    const { code, chain, kept, time } = this.#options;
    const inputs = [{ settings: chain, endpoints }];
    const before = this.#roster;
    const next = code.roster.buildRoster(inputs, before, {
      transport: this.#transport,
      families: simFamilies,
      identityKey: code.identityKey.identityKey,
      known: (_chain, endpoint, key) => kept.known(code, inputs, chain, endpoint, key, time.wall()),
      nowMs: time.now(),
      wallMs: time.wall(),
    });
    this.#roster = next;
    for (const record of this.chain.pool.records) this.#recall(record);
    kept.chains.set(chain.name, { since: time.wall() });
    if (before === undefined) this.#prober.start();
    else for (const line of code.roster.retiredLines(before, next)) line.close();
  }

  /** The process is gone: nothing it began comes to an end. */
  kill(): void {
    this.#alive = false;
    this.#prober.stop();
  }

  #recall(record: EndpointRecord): void {
    const { code, kept } = this.#options;
    for (const kind of ['state', 'blocks', 'transactions'] as const satisfies readonly HistoryKind[]) {
      const bound = kept.histories.get(`${record.identityKey} ${kind}`);
      if (bound !== undefined && record.kept[kind] === undefined) {
        code.facts.noteHistory(record, kind, bound.lowest, bound.headThen);
      }
    }
  }

  #clock(time: VirtualTime): Clock {
    return {
      now: () => time.now(),
      wall: () => time.wall(),
      after: (ms, run): Timer =>
        time.after(ms, () => {
          if (this.#alive) run();
        }),
    };
  }

  #line(endpoint: EndpointSettings, script: Dice): Line {
    const { time, referee, shadowOf } = this.#options;
    return {
      send: (request: Outgoing, handler: AnswerHandler): Exchange =>
        new Upstream({
          time,
          referee: referee(),
          shadow: shadowOf(endpoint.name),
          script,
          request,
          handler,
          alive: () => this.#alive,
        }),
      close: () => undefined,
    };
  }
}
