/**
 * Transactions of which it is not known, or not certain, what became of them: looked up by id until they are settled, read
 * only, ever more rarely, for as long as it takes (contract 6.9). Nothing is ever sent again from here.
 */

import type { Tracked } from '../chains/follow-up.ts';
import type { EndpointRecord } from '../core/endpoint.ts';
import {
  bestShown,
  type Finding,
  impossible,
  inOneBlock,
  lookAgainMs,
  type Settlement,
  type Shown,
} from '../core/follow-up.ts';
import { keeps } from '../core/history.ts';
import type { Need } from '../core/need.ts';
import { firstAsk, nowhere, placeOf } from '../core/place.ts';
import { scrub } from '../core/redact.ts';
import { type Asked, ask } from './ask.ts';
import type { BroadcastLog, RecordedBroadcast, Timer } from './ports.ts';
import type { Chain, Member, Roster } from './roster.ts';
import type { World } from './session.ts';

/** A transaction that is to be looked up. */
export interface Followed {
  /** Its newest row in the record. */
  readonly row: number;
  readonly chain: string;
  /** Undefined: nobody can look it up but an operator. */
  readonly txId: string | undefined;
  /** Who got it: asked last. */
  readonly identityKey: string;
  readonly reason: 'unknown' | 'rejected' | 'confirm';
  readonly facts: string | undefined;
  /** Wall clock, ms. */
  readonly began: number;
  /** Rounds that brought an answer. */
  readonly looks: number;
}

export interface FollowerOptions {
  readonly world: World;
  readonly log: BroadcastLog;
  readonly roster: () => Roster;
}

interface Case {
  /** Of the newest attempt. */
  followed: Followed & { readonly txId: string };
  looks: number;
  /** Monotonic ms. */
  dueAt: number;
  running: boolean;
  seen: boolean;
  /** Once the chain's head is known. */
  sent: Tracked['sent'] | undefined;
}

const tickMs = 500;
/** Rounds at a time, over all chains. */
const mostRounds = 4;
/** The chain may have stood this much lower than what the time since then suggests, blocks. */
const headSlack = 200;
const dayMs = 24 * 3_600_000;

export class Follower {
  readonly #options: FollowerOptions;
  readonly #cases = new Map<string, Case>();
  readonly #asked = new Set<Asked>();
  #rounds = 0;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** How many are looked up. */
  get size(): number {
    return this.#cases.size;
  }

  /** Takes up what earlier runs left unsettled. */
  async start(): Promise<void> {
    for (const recorded of await this.#options.log.followed()) this.#resume(recorded);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    for (const asked of this.#asked) asked.abort();
  }

  /** From now on, the first time in two seconds. */
  follow(followed: Followed): void {
    this.#open(followed, lookAgainMs(followed.looks, true), false);
  }

  /** An operator settled it. */
  forget(chain: string, txId: string): void {
    this.#cases.delete(keyOf(chain, txId));
  }

  #resume(recorded: RecordedBroadcast): void {
    const { row, chain, txId, identityKey, facts, began, followUp } = recorded;
    if (followUp === undefined) return;
    const { reason, looks, latest } = followUp;
    const seen = latest === 'pool' || latest === 'block';
    // At once: who starts a gateway after an incident wants to know.
    this.#open({ row, chain, txId, identityKey, reason, facts, began, looks }, 0, seen);
  }

  #open(followed: Followed, inMs: number, seen: boolean): void {
    const { txId, chain, looks } = followed;
    if (txId === undefined || this.#stopped) return;
    const key = keyOf(chain, txId);
    const dueAt = this.#options.world.clock.now() + inMs;
    const there = this.#cases.get(key);
    if (there === undefined) {
      const one = { followed: { ...followed, txId }, looks, dueAt, running: false, seen, sent: undefined };
      this.#cases.set(key, one);
    } else {
      // A newer attempt at the same: what was unknown stays so until it is settled.
      const { reason, began } = there.followed;
      const kept = reason === 'confirm' ? followed.reason : reason;
      there.followed = { ...followed, txId, reason: kept, began: Math.min(began, followed.began) };
      there.looks = looks;
      there.dueAt = dueAt;
    }
    if (this.#timer === undefined) this.#tick();
  }

  #tick(): void {
    this.#fill();
    const idle = this.#cases.size === 0 || this.#stopped;
    this.#timer = idle ? undefined : this.#options.world.clock.after(tickMs, () => this.#tick());
  }

  /** Who has waited longest comes first, so that after a great outage nobody is looked up twice before others are once. */
  #fill(): void {
    const room = mostRounds - this.#rounds;
    if (room <= 0 || this.#stopped) return;
    const now = this.#options.world.clock.now();
    const due = [...this.#cases].filter(([, one]) => !one.running && one.dueAt <= now);
    due.sort(([, one], [, other]) => one.dueAt - other.dueAt);
    for (const [key, one] of due.slice(0, room)) {
      one.running = true;
      this.#rounds += 1;
      void this.#round(key, one)
        .catch((bug: unknown) => this.#failed(one, bug))
        .finally(() => {
          this.#rounds -= 1;
          one.running = false;
          this.#fill();
        });
    }
  }

  /** Asks the others first and the endpoint that got it last, until enough is known. */
  async #round(key: string, one: Case): Promise<void> {
    const { clock } = this.#options.world;
    const { followed } = one;
    const chain = this.#options.roster().chains.get(followed.chain);
    const shown: Shown[] = [];
    let settled: Settlement | undefined;
    if (chain !== undefined) {
      one.sent ??= this.#standing(chain, followed);
      for (const member of this.#toAsk(chain, followed)) {
        const finding = await this.#look(chain, member, one);
        if (this.#stopped) return;
        if (finding !== undefined) shown.push({ endpoint: member.record.settings.name, finding });
        settled = inOneBlock(shown);
        if (settled !== undefined) break;
      }
    }
    settled ??= impossible(shown);
    // Meanwhile settled by an operator, or sent anew.
    if (this.#cases.get(key) !== one) return;
    if (shown.length > 0) {
      one.looks += 1;
      this.#note(one, shown);
    }
    one.dueAt = clock.now() + lookAgainMs(one.looks, shown.length > 0);
    if (settled !== undefined) await this.#settle(key, one, settled);
  }

  /** A fault of the gateway's own: one transaction that cannot be read must not keep the others from being looked up. */
  #failed(one: Case, bug: unknown): void {
    const { world, roster } = this.#options;
    const { chain, txId } = one.followed;
    one.dueAt = world.clock.now() + lookAgainMs(Number.POSITIVE_INFINITY, true);
    const members = roster().chains.get(chain)?.members.values() ?? [];
    const secrets = [...members].flatMap(member => member.secrets);
    const text = `a fault of the gateway in looking ${txId} up: ${scrub(String(bug), secrets).slice(0, 300)}`;
    world.events.emit({ kind: 'fault', chain, level: 'alarm', text });
  }

  #toAsk(chain: Chain, { identityKey }: Followed): readonly Member[] {
    const now = this.#options.world.clock.now();
    const askable = [...chain.members.values()].filter(
      ({ record }) => placeOf(record, lookUp, firstAsk, now) < nowhere,
    );
    const got = askable.filter(({ record }) => record.identityKey === identityKey);
    return [...askable.filter(member => !got.includes(member)), ...got];
  }

  async #look(chain: Chain, member: Member, one: Case): Promise<Finding | undefined> {
    const { followed, sent } = one;
    const { txId: id, reason } = followed;
    // Without a height nothing can be said to be impossible.
    const facts = sent === undefined ? undefined : followed.facts;
    const olderPossible = reason === 'rejected';
    const look = chain.family.followUp.look({ id, facts, olderPossible, sent: sent ?? { from: 0, to: 0 } });
    let step = look.next();
    while (step.done !== true) {
      const asked = ask(this.#options.world, chain, member, step.value);
      this.#asked.add(asked);
      const told = await asked.told.finally(() => this.#asked.delete(asked));
      if (this.#stopped) return undefined;
      step = look.next(told);
    }
    const finding = step.value;
    return finding?.found === 'impossible' && !this.#mayKnow(member.record, finding.keeps, one)
      ? { found: 'not_seen' }
      : finding;
  }

  /**
   * An endpoint that drops old transactions does not see what it dropped. Those of a day are taken to be there where
   * nothing speaks against it; beyond that it must be known.
   */
  #mayKnow(record: EndpointRecord, kept: 'since' | 'ever' | undefined, { followed, sent }: Case): boolean {
    if (kept === undefined) return true;
    if (kept === 'ever' || sent === undefined) return keeps(record, lookUp) === 'yes';
    const known = keeps(record, { ...lookUp, history: { kind: 'transactions', height: sent.from } });
    const recent = this.#options.world.clock.wall() - followed.began < dayMs;
    return known === 'yes' || (known === 'maybe' && recent);
  }

  /** Where the chain stood when it was sent, from where it stands now. */
  #standing({ pool }: Chain, { began }: Followed): Tracked['sent'] | undefined {
    const { highest, blockTimeMs } = pool.head;
    if (highest < 0) return undefined;
    const elapsedMs = Math.max(0, this.#options.world.clock.wall() - began);
    const from = Math.max(0, highest - Math.ceil((2 * elapsedMs) / blockTimeMs) - headSlack);
    return { from, to: highest };
  }

  #note(one: Case, shown: readonly Shown[]): void {
    const best = bestShown(shown);
    if (best === undefined) return;
    const { log, world } = this.#options;
    const { row, chain, txId } = one.followed;
    const { endpoint, finding } = best;
    switch (finding.found) {
      case 'pool':
        log.look(row, { found: 'pool', endpoint });
        break;
      case 'block':
        log.look(row, { found: 'block', height: finding.height, endpoint });
        break;
      default:
        log.look(row, { found: 'not_seen', endpoint });
    }
    const seen = finding.found === 'pool' || finding.found === 'block';
    if (seen && !one.seen) {
      const where = finding.found === 'block' ? `in block ${finding.height}` : 'in the pool';
      const text = `${txId} was seen ${where}`;
      world.events.emit({ kind: 'broadcast_seen', chain, endpoint, level: 'info', text, detail: { row } });
    }
    one.seen = seen;
  }

  async #settle(key: string, one: Case, { how, note }: Settlement): Promise<void> {
    const { log, world } = this.#options;
    const { row, chain, txId, reason } = one.followed;
    const result = await log.settle(row, { how, note }).catch(() => 'unwritten' as const);
    // The store says itself why it takes no rows; the next round settles it.
    if (result === 'unwritten') return;
    if (this.#cases.get(key) === one) this.#cases.delete(key);
    if (result !== 'settled') return;
    // An accepted transaction that can never be in a block is worse news than a lost one that cannot.
    const level = how === 'final' ? 'info' : reason === 'confirm' ? 'alarm' : 'warn';
    const text = `${txId} is settled: ${how === 'final' ? note : `impossible, ${note}`}`;
    world.events.emit({ kind: 'broadcast_settled', chain, level, text, detail: { row, how } });
  }
}

/** May be answered by whoever is open for reads or for history. */
const lookUp: Need = { class: 'read', method: 'transaction look-up', unplaced: 'transactions' };

function keyOf(chain: string, txId: string): string {
  return JSON.stringify([chain, txId]);
}
