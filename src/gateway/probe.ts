/**
 * The gateway's own questions: height, identity, what is kept, what is offered. `core/probing.ts` says when each is due;
 * here they are asked, one at a time an endpoint, and the answers noted.
 */

import type { Call, Probe } from '../chains/family.ts';
import type { HistoryKind } from '../core/chain.ts';
import type { EndpointRecord } from '../core/endpoint.ts';
import { noteBuilds, noteHistory, noteIdentity } from '../core/facts.ts';
import { noteBehindAtStart } from '../core/head.ts';
import { recentHeights } from '../core/history.ts';
import { type Asker, abandon, begin, observe } from '../core/observe.ts';
import { refresh } from '../core/pool.ts';
import { mayAsk, questionDue } from '../core/probing.ts';
import { saidText } from '../core/redact.ts';
import { count } from '../core/stats.ts';
import { type Verdict, verdicts } from '../core/verdict.ts';
import type { Budget } from './budget.ts';
import { judge } from './judge.ts';
import type { Chance, Clock, Events, Inflate, Memory, Timer } from './ports.ts';
import { noAnswerWithin, Relay } from './relay.ts';
import type { Chain, Member, Roster } from './roster.ts';
import { tookIn } from './silence.ts';
import { tellChanges } from './tell.ts';

const tickMs = 250;
const refreshMs = 500;
/** What an endpoint keeps and runs changes seldom. */
const factsEveryMs = 24 * 3_600_000;
const factsRetryMs = 10 * 60_000;
/** Enough for any answer to a question of ours; a larger one is no answer. */
const answerBytes = 4 * 1024 * 1024;

export interface ProberOptions {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly budget: Budget;
  readonly inflate: Inflate;
  readonly events: Events;
  readonly memory: Memory;
  readonly roster: () => Roster;
}

interface Told<T> {
  readonly told: T | undefined;
  readonly verdict: Verdict;
  readonly ms: number;
  /** How the verdict came about, for people: a rule, or what happened on the way. */
  readonly because: string;
}

/** What the prober itself remembers of an endpoint. */
interface Turn {
  busy: boolean;
  /** It was asked who it is and how far, and answered or failed. */
  asked: boolean;
  factsDueAt: number;
  client: string | undefined;
}

export class Prober {
  readonly #options: ProberOptions;
  readonly #turns = new WeakMap<EndpointRecord, Turn>();
  /** Chains that are known to stand still. */
  readonly #standing = new Set<string>();
  /** Chains of whose endpoints every one was asked for a first time. */
  readonly #introduced = new Set<string>();
  readonly #firstRound = Promise.withResolvers<void>();
  #timer: Timer | undefined;
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #stopped = false;

  constructor(options: ProberOptions) {
    this.#options = options;
  }

  start(): void {
    this.#tick();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  /** Resolves once every endpoint that is not disabled was asked who it is and how far, and answered or failed. */
  get firstRound(): Promise<void> {
    return this.#firstRound.promise;
  }

  /** Client software, when the endpoint told. */
  clientOf(record: EndpointRecord): string | undefined {
    return this.#turns.get(record)?.client;
  }

  /** Asks one that is not in the roster yet who it is and how far, so that it can take requests from its first moment. */
  async introduce(chain: Chain, member: Member): Promise<void> {
    const { record } = member;
    const turn = this.#turnOf(record);
    if (turn.busy || record.disabled) return;
    turn.busy = true;
    try {
      await this.#introduction(chain, member);
    } finally {
      turn.busy = false;
    }
  }

  /** All it needs to have said before its first request, in one go. */
  async #introduction(chain: Chain, member: Member): Promise<void> {
    for (const question of ['identity', 'builds', 'height'] as const) {
      const due = questionDue(member.record, this.#options.clock.now());
      if (due === question) await this.#question(chain, member, question);
    }
  }

  #tick(): void {
    const { clock, roster } = this.#options;
    const now = clock.now();
    const refreshing = now - this.#refreshedAt >= refreshMs;
    if (refreshing) this.#refreshedAt = now;
    const { chains } = roster();
    this.#noteIntroduced(now);
    for (const chain of chains.values()) {
      if (refreshing) this.#refresh(chain, now);
      for (const member of chain.members.values()) this.#turn(chain, member, now);
    }
    this.#timer = clock.after(tickMs, () => this.#tick());
  }

  #noteIntroduced(now: number): void {
    const { chains } = this.#options.roster();
    // A chain that left and comes back begins anew.
    for (const name of this.#introduced) if (!chains.has(name)) this.#introduced.delete(name);
    for (const [name, { members, pool }] of chains) {
      if (this.#introduced.has(name)) continue;
      const all = [...members.values()];
      if (!all.every(({ record }) => record.disabled || this.#turns.get(record)?.asked === true)) continue;
      this.#introduced.add(name);
      noteBehindAtStart(pool, now);
    }
    if (this.#introduced.size === chains.size) this.#firstRound.resolve();
  }

  #refresh(chain: Chain, now: number): void {
    const { events } = this.#options;
    tellChanges(events, chain, refresh(chain.pool, now));
    const { head } = chain.pool;
    const { name } = chain.settings;
    const old = head.oldSince !== undefined;
    if (old === this.#standing.has(name)) return;
    if (old) this.#standing.add(name);
    else this.#standing.delete(name);
    const text = old
      ? `the chain stands still at ${head.median}: no endpoint has a newer block`
      : 'the chain moves again';
    events.emit({ kind: 'old_head', chain: name, level: old ? 'alarm' : 'info', text });
  }

  #turn(chain: Chain, member: Member, now: number): void {
    const turn = this.#turnOf(member.record);
    if (turn.busy) return;
    const question = questionDue(member.record, now);
    const factsDue = question === undefined && turn.factsDueAt <= now && isSettled(member.record, now);
    if (question === undefined && !factsDue) return;
    turn.busy = true;
    const asking = !turn.asked
      ? this.#introduction(chain, member)
      : question === undefined
        ? this.#facts(chain, member, turn)
        : this.#question(chain, member, question);
    asking.finally(() => {
      turn.busy = false;
      if (!turn.asked) {
        turn.asked = true;
        this.#noteIntroduced(this.#options.clock.now());
      }
    });
  }

  #turnOf(record: EndpointRecord): Turn {
    const there = this.#turns.get(record);
    if (there !== undefined) return there;
    const turn: Turn = { busy: false, asked: false, factsDueAt: 0, client: undefined };
    this.#turns.set(record, turn);
    return turn;
  }

  async #question(chain: Chain, member: Member, question: 'identity' | 'builds' | 'height'): Promise<void> {
    const { probes } = chain.family;
    const { record } = member;
    const { clock, events, memory } = this.#options;
    if (question === 'height') {
      const quarantined = record.quarantine.good >= 0;
      await this.ask(chain, member, 'height', probes.head);
      if (quarantined && record.quarantine.good < 0) memory.quarantinePassed(record.identityKey);
      return;
    }
    const list: readonly Probe<unknown>[] = question === 'identity' ? probes.identity : (probes.builds ?? []);
    if (question === 'identity') {
      const claims = await this.#first(chain, member, probes.identity);
      const { quarantine, identity } = record;
      const wasWrong = identity.state === 'wrong';
      tellChanges(events, chain, noteIdentity(chain.pool, record, claims, clock.now()));
      const { state } = identity;
      if (wasWrong && state === 'verified') memory.quarantineEntered(record.identityKey, quarantine.reason);
      if (claims !== undefined && state !== 'unproven') memory.identity(record.identityKey, state, claims);
      return;
    }
    let builds: boolean | undefined = list.length === 0 ? true : undefined;
    for (const probe of probes.builds ?? []) {
      if (!mayAsk(record, clock.now())) {
        builds = undefined;
        break;
      }
      builds = (await this.ask(chain, member, 'builds', probe)).told;
      if (builds !== true) break;
    }
    tellChanges(events, chain, noteBuilds(record, builds, clock.now()));
    if (builds !== undefined) memory.builds(record.identityKey, builds);
  }

  /** The first of several ways of asking that brings an answer. */
  async #first(chain: Chain, member: Member, probes: readonly Probe<string>[]): Promise<string | undefined> {
    for (const probe of probes) {
      if (!mayAsk(member.record, this.#options.clock.now())) return undefined;
      const { told: claims } = await this.ask(chain, member, 'identity', probe);
      if (claims !== undefined) return claims;
    }
    return undefined;
  }

  async #facts(chain: Chain, member: Member, turn: Turn): Promise<void> {
    const { clock } = this.#options;
    const { client } = chain.family.probes;
    if (client !== undefined)
      turn.client = (await this.ask(chain, member, 'facts', client)).told ?? turn.client;
    const told = member.record.settings.history === 'auto' ? await this.#history(chain, member) : true;
    turn.factsDueAt = clock.now() + (told ? factsEveryMs : factsRetryMs);
  }

  /** Finds how deep each kind of history reaches, with a handful of questions a kind. False: some could not be told. */
  async #history(chain: Chain, member: Member): Promise<boolean> {
    const { record } = member;
    let all = true;
    for (const kind of chain.family.probes.historyKinds) {
      const lowest = await this.lowest(chain, member, kind);
      if (lowest === undefined) {
        all = false;
        continue;
      }
      noteHistory(record, kind, lowest);
      this.#options.memory.history(record.identityKey, kind, lowest, record.head.height);
    }
    return all;
  }

  /** The lowest height it keeps of this kind; undefined: it could not be told. */
  async lowest(chain: Chain, member: Member, kind: HistoryKind): Promise<number | undefined> {
    const { history } = chain.family.probes;
    const head = member.record.head.height;
    const keeps = async (height: number): Promise<boolean | undefined> => {
      if (!mayAsk(member.record, this.#options.clock.now())) return undefined;
      const { told, verdict } = await this.ask(chain, member, 'facts', history(kind, height));
      return told ?? (verdict === 'missing_history' ? false : undefined);
    };
    const oldest = await keeps(1);
    if (oldest !== false) return oldest === true ? 0 : undefined;
    // Outwards from what every node keeps, ten times as deep at a step, then four halvings.
    let kept = Math.max(0, head - recentHeights + 1);
    let missing = 1;
    for (let depth = recentHeights * 10; depth < head; depth *= 10) {
      const there = await keeps(head - depth);
      if (there === undefined) return undefined;
      if (!there) {
        missing = head - depth;
        break;
      }
      kept = head - depth;
    }
    for (let step = 0; step < 4 && kept - missing > recentHeights; step += 1) {
      const middle = Math.floor((kept + missing) / 2);
      const there = await keeps(middle);
      if (there === undefined) return undefined;
      if (there) kept = middle;
      else missing = middle;
    }
    return kept;
  }

  /** One question to one endpoint. `told` undefined: it did not tell. An error can tell, too: "not enough funds" builds. */
  ask<T>(chain: Chain, member: Member, by: Asker, probe: Probe<T>): Promise<Told<T>> {
    return new Promise(resolve => {
      const { clock, chance, budget, inflate, events } = this.#options;
      const { record, line, stats } = member;
      const startedAt = clock.now();
      const attempt = begin(chain.pool, record, 'read', by, startedAt);
      if (this.#stopped) {
        abandon(attempt, startedAt, chance.next());
        return resolve({ told: undefined, verdict: 'transport', ms: 0, because: 'the gateway stops' });
      }
      const relay = new Relay({
        clock,
        budget,
        inflate,
        collectBytes: answerBytes,
        onEnd: ended => {
          timer.cancel();
          const now = clock.now();
          const judged = judge(chain, probe.call, ended, clock.wall());
          const raw = ended.how === 'whole' && mayTell(judged.verdict) ? probe.read(ended.plain) : undefined;
          const told = withoutSecrets(raw, member.secrets);
          const seen = {
            judgement: judged,
            method: probe.call.method,
            ms: now - startedAt,
            ...heightOf(chain, probe.call, told, clock),
          };
          tookIn({ events, clock }, chain, observe(attempt, seen, now, chance.next()));
          count(stats, { class: 'read', verdict: judged.verdict, ms: seen.ms, probe: true }, clock.wall());
          const because = ended.how === 'fault' ? ended.fault.message : judged.rule;
          resolve({ told, verdict: judged.verdict, ms: seen.ms, because });
        },
      });
      const timer = clock.after(chain.settings.readTimeoutMs, () =>
        relay.timeout(noAnswerWithin(chain.settings.readTimeoutMs)),
      );
      const { verb, path, text } = probe.call;
      relay.attach(
        line.send({ verb, path, body: verb === 'GET' ? undefined : text, gzip: false, alone: false }, relay),
      );
    });
  }
}

/** Of a text that an endpoint tells, characters. */
const longestText = 120;

/** Texts of an endpoint, its software's name or what network it claims to be on, are shown, kept and told of. */
function withoutSecrets<T>(told: T, secrets: readonly string[]): T {
  // A text stays a text.
  return typeof told === 'string' ? (saidText(told, secrets, longestText) as T & string) : told;
}

/** A failure of the endpoint tells nothing about what was asked. */
function mayTell(verdict: Verdict): boolean {
  return verdicts[verdict].fault !== 'endpoint';
}

/** Only an endpoint that is in use and shows a height is worth asking about its past. */
function isSettled(record: EndpointRecord, now: number): boolean {
  return (
    record.identity.state === 'verified' &&
    record.head.freshUntil > now &&
    record.head.height >= 0 &&
    mayAsk(record, now)
  );
}

function heightOf(
  chain: Chain,
  call: Call,
  told: unknown,
  clock: Clock,
): { height?: number; ageMs?: number } {
  if (call !== chain.family.probes.head.call || told === undefined) return {};
  // The head probe's `read` gives what it is typed to give.
  const { height, blockTimeMs } = told as { height: number; blockTimeMs?: number };
  return blockTimeMs === undefined ? { height } : { height, ageMs: Math.max(0, clock.wall() - blockTimeMs) };
}
