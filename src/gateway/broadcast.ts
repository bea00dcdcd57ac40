/**
 * START HERE for broadcasts: a signed transaction in, one attempt out, provably.
 *
 *   a large one ─────────────── read in slices, so that others have their turn
 *   signed for another chain ── refused with both numbers
 *   the same is in flight ───── joins it
 *   the same ended lately ───── the recorded answer, and nothing is sent
 *   else ────────────────────── sending.ts: row, endpoint, outcome
 *
 * A client that goes away changes nothing of it.
 */

import type { Call, SignedTransaction } from '../chains/family.ts';
import { leftNothing, rowMs, sameness } from '../core/broadcast.ts';
import { scrub } from '../core/redact.ts';
import type { Work } from '../core/work.ts';
import { type Caller, countedAs, type Outcome, replyTo } from './broadcast-outcome.ts';
import { earlierOf, repeatOf } from './broadcast-repeat.ts';
import { interrupted, notSent, stillAwaited, wrongChain } from './broadcast-story.ts';
import type { BroadcastOptions, BroadcastReply } from './dispatch.ts';
import type { RecordedBroadcast } from './ports.ts';
import { Recent } from './recent.ts';
import { countRequest } from './request-count.ts';
import type { Chain } from './roster.ts';
import { type Desk, Sending } from './sending.ts';
import { Slices } from './slices.ts';
import { within } from './within.ts';

interface Flight {
  readonly over: Promise<Outcome>;
  /** There once it is known that something is to be sent. */
  sending: Sending | undefined;
}

/** Nothing is known of it. */
const unread: SignedTransaction = { digest: '', options: '' };

export class Broadcasts {
  readonly #desk: Desk;
  readonly #flights = new Map<string, Flight>();
  readonly #recent = new Recent();
  readonly #slices: Slices;
  /** Large ones that are still being read. */
  #reading = 0;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#slices = new Slices(desk.world.clock, desk.loop);
  }

  /** Broadcasts that are not over yet: what a drain waits for first. */
  get inFlight(): number {
    return this.#reading + this.#flights.size;
  }

  /** Never rejects. The answer is always HTTP 200, and comes by `deadlineAt`. */
  async send(caller: Caller, chain: Chain, call: Call, options: BroadcastOptions): Promise<BroadcastReply> {
    const { clock, telemetry } = this.#desk.world;
    const { outcome, first } = await this.#outcome(caller, chain, call, options).catch((bug: unknown) => ({
      outcome: this.#broken(chain, unread, undefined, bug),
      first: true,
    }));
    const ms = clock.now() - caller.startedAt;
    const endedAt = clock.wall();
    const counted = countedAs(outcome);
    // Signed for another chain: that is the caller's mistake, and no failure of the pool.
    countRequest(chain, 'broadcast', counted === 'wrong_chain' ? 'app_error' : counted, ms, endedAt);
    telemetry.request({
      requestId: caller.requestId,
      chain: chain.settings.name,
      method: call.method,
      class: 'broadcast',
      outcome: counted,
      attempts: outcome.attempts,
      ms,
      endedAt,
    });
    return replyTo(chain, call, caller, outcome, first);
  }

  async #outcome(
    caller: Caller,
    chain: Chain,
    call: Call,
    options: BroadcastOptions,
  ): Promise<{ readonly outcome: Outcome; readonly first: boolean }> {
    const work = chain.family.transaction(call);
    const step = work.next();
    const signed =
      step.done === true ? step.value : await this.#read(chain, work, call.text.length, options.deadlineAt);
    if (signed === undefined)
      return { outcome: notSent({ signed: unread }, 'it could not be read in time'), first: true };
    // From here until the flight is known to everyone nothing is awaited: the same may just have been read beside it.
    const foreign = wrongChain(chain, signed);
    if (foreign !== undefined) return { outcome: foreign, first: true };
    const key = sameness(chain.settings.name, call.method, signed);
    const running = this.#flights.get(key);
    if (running !== undefined)
      return { outcome: await this.#join(running, chain, caller, options, signed), first: false };
    const flight = this.#start(key, caller, chain, call, options, signed);
    const outcome = await flight.over;
    return { outcome, first: flight.sending !== undefined };
  }

  /** The rest of a long one, a slice a turn; undefined: it took too long. It counts as a request of the chain meanwhile. */
  async #read(
    chain: Chain,
    work: Work<SignedTransaction>,
    bytes: number,
    by: number,
  ): Promise<SignedTransaction | undefined> {
    this.#reading += 1;
    chain.pool.requests += 1;
    try {
      return await this.#slices.finish(work, bytes, by);
    } finally {
      this.#reading -= 1;
      chain.pool.requests -= 1;
    }
  }

  #start(
    key: string,
    caller: Caller,
    chain: Chain,
    call: Call,
    options: BroadcastOptions,
    signed: SignedTransaction,
  ): Flight {
    const { clock } = this.#desk.world;
    chain.pool.requests += 1;
    const run = async (): Promise<Outcome> => {
      // In the next turn, so that the flight is known to everyone before it does anything.
      await undefined;
      try {
        return await this.#run(flight, key, caller, chain, call, options, signed);
      } catch (bug) {
        return this.#broken(chain, signed, flight.sending, bug);
      } finally {
        const now = clock.now();
        const recorded = flight.sending?.recorded;
        const before = this.#recent.get(key, now);
        const hides = recorded !== undefined && before !== undefined && leftNothing(recorded);
        if (recorded !== undefined && !hides)
          this.#recent.set(key, recorded, now + chain.settings.repeatWindowMs, now);
        this.#flights.delete(key);
        chain.pool.requests -= 1;
      }
    };
    const flight: Flight = { over: run(), sending: undefined };
    this.#flights.set(key, flight);
    return flight;
  }

  async #run(
    flight: Flight,
    key: string,
    caller: Caller,
    chain: Chain,
    call: Call,
    { rebroadcast, deadlineAt }: BroadcastOptions,
    signed: SignedTransaction,
  ): Promise<Outcome> {
    const { world, log } = this.#desk;
    const { clock } = world;
    const rowBy = clock.now() + rowMs;
    const before = await this.#before(key, chain, call, signed, rowBy);
    if (before === 'unreadable') return notSent({ signed }, 'the record of broadcasts could not be read');
    if (before !== undefined && !rebroadcast) {
      const repeated = repeatOf(before, chain, signed, clock.wall());
      if (repeated !== undefined) {
        log.mark(before.row, 'repeated', `asked for again by ${caller.requestId}: answered from the record`);
        return repeated;
      }
    }
    const { requestId } = caller;
    const errand = { chain, call, signed, requestId, deadlineAt, rowBy, earlier: before?.row };
    flight.sending = new Sending(this.#desk, errand);
    return flight.sending.run();
  }

  /** What a repeat is held against. An unknown one is asked of the record, which knows what was seen of it since. */
  async #before(
    key: string,
    chain: Chain,
    call: Call,
    signed: SignedTransaction,
    by: number,
  ): Promise<RecordedBroadcast | 'unreadable' | undefined> {
    const { world, log } = this.#desk;
    const { clock } = world;
    const recent = this.#recent.get(key, clock.now());
    if (recent !== undefined && recent.outcome !== 'unknown') return recent;
    const { digest, options, id: txId } = signed;
    const wanted = { chain: chain.settings.name, method: call.method, txId, digest, options };
    const came = await within(clock, by - clock.now(), earlierOf(clock, log, wanted));
    if (typeof came === 'string') return recent ?? 'unreadable';
    const { came: found } = came;
    if (recent === undefined) return found;
    // Its end may not be on disk yet; what was seen of it is only there.
    return found?.followUp === undefined ? recent : { ...recent, followUp: found.followUp };
  }

  /** With the header or without: there is one at a time. */
  async #join(
    flight: Flight,
    chain: Chain,
    { requestId }: Caller,
    { deadlineAt }: BroadcastOptions,
    signed: SignedTransaction,
  ): Promise<Outcome> {
    const { world, log } = this.#desk;
    const came = await within(world.clock, deadlineAt - world.clock.now(), flight.over);
    if (typeof came === 'string') return stillAwaited(chain, signed, flight.sending?.row);
    const { row } = came.came;
    if (row !== undefined) log.mark(row, 'joined', `${requestId} asked for the same and got the same answer`);
    return came.came;
  }

  /** A fault of the gateway's own must not read as if nothing had been sent when something may have been. */
  #broken(chain: Chain, signed: SignedTransaction, sending: Sending | undefined, bug: unknown): Outcome {
    const secrets = [...chain.members.values()].flatMap(member => member.secrets);
    const text = `a fault of the gateway in a broadcast: ${scrub(String(bug), secrets).slice(0, 300)}`;
    this.#desk.world.events.emit({ kind: 'fault', chain: chain.settings.name, level: 'alarm', text });
    sending?.breakOff();
    return sending?.row === undefined
      ? notSent({ signed }, 'the gateway has a fault')
      : interrupted(chain, signed, sending.row);
  }
}
