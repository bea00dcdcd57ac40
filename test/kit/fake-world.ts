/**
 * A small world for the use cases: real families, pools and rules, over ports that a test holds in its hand. Time moves
 * only when a test moves it; upstreams do what a script says and count what reached them; the record is in memory, and can
 * stall, fail and be cut off by a crash.
 */

import type { Call } from '../../src/chains/family.ts';
import { families } from '../../src/chains/index.ts';
import { presets } from '../../src/chains/presets.ts';
import type { ChainSettings, EndpointSettings, FamilyName } from '../../src/core/chain.ts';
import { begin, observe } from '../../src/core/observe.ts';
import type { Reached, TransportFault, TransportKind } from '../../src/core/transport-fault.ts';
import { Broadcasts } from '../../src/gateway/broadcast.ts';
import { Budget } from '../../src/gateway/budget.ts';
import type { BroadcastReply } from '../../src/gateway/dispatch.ts';
import { Follower } from '../../src/gateway/follow-up.ts';
import type {
  AnswerHandler,
  AttemptLine,
  BroadcastEnd,
  BroadcastLog,
  BroadcastRow,
  Clock,
  Event,
  Exchange,
  Line,
  Look,
  Loop,
  Outgoing,
  RecordedBroadcast,
  RequestSeen,
  Timer,
} from '../../src/gateway/ports.ts';
import { buildRoster, type Chain } from '../../src/gateway/roster.ts';
import type { World } from '../../src/gateway/session.ts';
import { Sessions } from '../../src/gateway/sessions.ts';
import type { Signed } from './signed.ts';

const text = new TextDecoder();
const utf8 = new TextEncoder();

/** Lets everything run that waits for no clock. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve));
}

export class HandClock implements Clock, Loop {
  #now = 1_000;
  #waiting: (() => void)[] = [];
  /** That somebody waited for. */
  turns = 0;
  readonly #epoch: number;
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  constructor(epoch = 1_700_000_000_000) {
    this.#epoch = epoch;
  }

  now(): number {
    return this.#now;
  }

  wall(): number {
    return this.#epoch + this.#now;
  }

  after(ms: number, run: () => void): Timer {
    const timer = { at: this.#now + Math.max(0, ms), run };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  /** Timers that are set. */
  get pending(): number {
    return this.#timers.size;
  }

  turn(run: () => void): void {
    this.#waiting.push(run);
  }

  /** One turn of the event loop, with all that follows from it, in no time; false: nobody waited for it. */
  async passTurn(): Promise<boolean> {
    const waiting = this.#waiting.splice(0);
    if (waiting.length === 0) return false;
    this.turns += 1;
    for (const run of waiting) run();
    await settle();
    return true;
  }

  /** Time passes and nothing runs: the process is held up. */
  holdUp(ms: number): void {
    this.#now += ms;
  }

  /** The process that set the timers is dead. */
  forget(): void {
    this.#timers.clear();
    this.#waiting = [];
  }

  /** Runs what falls due on the way, in order, each with all that follows from it. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (;;) {
      const next = [...this.#timers].sort((a, b) => a.at - b.at)[0];
      // What is due comes before the next turn, and turns take no time.
      if ((next === undefined || next.at > this.#now) && (await this.passTurn())) continue;
      if (next === undefined || next.at > until) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.run();
      await settle();
    }
    this.#now = until;
  }
}

/** What an upstream does with one request. Times are ms after the request was given to it. */
export type Act =
  | {
      readonly does: 'answer';
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: string;
      readonly afterMs?: number;
      /** How long connecting takes; only then is anything handed over. */
      readonly connectMs?: number;
    }
  | {
      readonly does: 'fault';
      readonly kind: TransportKind;
      readonly reached: Reached;
      readonly afterMs?: number;
    }
  /** Takes the request, perhaps the head of an answer comes, and nothing more. */
  | { readonly does: 'hang'; readonly head?: true }
  | { readonly does: 'throw' };

export type Script = (request: { readonly body: string; readonly path: string; readonly nth: number }) => Act;

/** A request of which at least a byte was handed over. */
export interface Received {
  readonly endpoint: string;
  readonly body: string;
  readonly path: string;
  readonly at: number;
  readonly alone: boolean;
  /** What the upstream does with it. */
  readonly act: Act;
}

class FakeLine implements Line {
  readonly #world: FakeWorld;
  readonly #name: string;
  #count = 0;

  constructor(world: FakeWorld, name: string) {
    this.#world = world;
    this.#name = name;
  }

  send(request: Outgoing, handler: AnswerHandler): Exchange {
    const { clock } = this.#world;
    const life = this.#world.life;
    const body = request.body === undefined ? '' : text.decode(request.body);
    const act = this.#world.scripts[this.#name]?.({ body, path: request.path, nth: this.#count++ }) ?? {
      does: 'hang',
    };
    if (act.does === 'throw') throw new Error('a fault of the line');
    let over = false;
    let begun = false;
    const alive = () => !over && this.#world.life === life;
    const handOver = () => {
      if (!alive()) return;
      begun = true;
      const at = clock.now();
      const { path, alone } = request;
      this.#world.byte({ endpoint: this.#name, body, path, at, alone, act });
    };
    const head = (status: number, headers: Readonly<Record<string, string>>) => {
      if (alive()) handler.head(status, { 'content-type': 'application/json', ...headers });
    };
    const fault = (kind: TransportKind, reached: Reached) => {
      if (!alive()) return;
      over = true;
      const told: TransportFault = { kind, reached, message: `${this.#name}: scripted ${kind}` };
      handler.fault(told);
    };
    if (act.does === 'answer') {
      const { status = 200, headers = {}, afterMs = 10, connectMs = 0 } = act;
      clock.after(connectMs, handOver);
      clock.after(connectMs + afterMs, () => {
        head(status, headers);
        if (!alive()) return;
        handler.data(utf8.encode(act.body));
        if (!alive()) return;
        over = true;
        handler.end();
      });
    } else if (act.does === 'hang') {
      clock.after(0, handOver);
      if (act.head) clock.after(1, () => head(200, {}));
    } else {
      const { kind, reached, afterMs = 10 } = act;
      if (reached === 'handed_over' || reached === 'answered') clock.after(0, handOver);
      if (reached === 'answered') clock.after(Math.max(0, afterMs - 1), () => head(200, {}));
      clock.after(afterMs, () => fault(kind, reached));
    }
    return {
      get begun() {
        return begun;
      },
      resume: () => undefined,
      abort: () => {
        over = true;
      },
    };
  }

  close(): void {
    this.#world.closed.push(this.#name);
  }
}

type Row = { -readonly [K in keyof RecordedBroadcast]: RecordedBroadcast[K] };
type Case = {
  -readonly [K in keyof NonNullable<RecordedBroadcast['followUp']>]: NonNullable<
    RecordedBroadcast['followUp']
  >[K];
};

/** The record, as the store keeps it. What was not yet on disk is gone after a crash. */
export class MemoryLog implements BroadcastLog {
  readonly #clock: HandClock;
  readonly rows: Row[] = [];
  readonly marks: { readonly row: number; readonly kind: string; readonly text: string }[] = [];
  readonly looks: { readonly row: number; readonly look: Look; readonly at: number }[] = [];
  readonly settled: { readonly row: number; readonly how: string; readonly note: string }[] = [];
  readonly #cases = new Map<string, Case>();
  writable = true;
  /** How long until a row is on disk, ms; `fail`: it never is; `stall`: it is when `release` is called. */
  commit: number | 'fail' | 'stall' = 1;
  /** Reading the record: at once, after so many ms, with an error, or never. */
  read: 'ok' | 'fail' | 'stall' | number = 'ok';
  settling: 'ok' | 'fail' = 'ok';
  #held: (() => void)[] = [];
  #life = 0;

  constructor(clock: HandClock) {
    this.#clock = clock;
  }

  begin(row: BroadcastRow): Promise<number> {
    const life = this.#life;
    const began = this.#clock.wall();
    return new Promise((resolve, reject) => {
      const write = () => {
        if (this.#life !== life) return;
        this.rows.push({ ...row, row: this.rows.length + 1, began, outcome: 'pending' });
        resolve(this.rows.length);
      };
      if (this.commit === 'fail') reject(new Error('the disk is full'));
      else if (this.commit === 'stall') this.#held.push(write);
      else this.#clock.after(this.commit, write);
    });
  }

  /** The rows that were held up are on disk now. */
  release(): void {
    for (const write of this.#held.splice(0)) write();
  }

  finish(row: number, { outcome, reached, answer }: BroadcastEnd): void {
    const life = this.#life;
    const ended = this.#clock.wall();
    // As in the store: soon on disk, but not yet.
    this.#clock.after(2, () => {
      const there = this.rows[row - 1];
      if (this.#life !== life || there === undefined) return;
      if (there.outcome !== 'pending') throw new Error(`row ${row} has an outcome already`);
      Object.assign(there, { outcome, reached, ended, ...(answer === undefined ? {} : { answer }) });
      if (outcome === 'unknown') this.follow(row, 'unknown');
    });
  }

  mark(row: number, kind: string, why: string): void {
    this.marks.push({ row, kind, text: why });
  }

  async same(wanted: Parameters<BroadcastLog['same']>[0]): Promise<RecordedBroadcast | undefined> {
    if (this.read === 'fail') throw new Error('the disk cannot be read');
    const { read } = this;
    if (read === 'stall') await new Promise(() => undefined);
    if (typeof read === 'number') await new Promise<void>(resolve => this.#clock.after(read, resolve));
    const found = this.rows.findLast(
      row =>
        row.chain === wanted.chain &&
        row.method === wanted.method &&
        row.digest === wanted.digest &&
        row.options === wanted.options,
    );
    return found === undefined ? undefined : this.#withCase(found);
  }

  async show(row: number) {
    const there = this.rows[row - 1];
    if (there === undefined) return undefined;
    return { attempts: this.rows.filter(one => keyOf(one) === keyOf(there)).map(one => this.#withCase(one)) };
  }

  follow(row: number, reason: 'unknown' | 'rejected' | 'confirm'): void {
    const there = this.rows[row - 1];
    if (there === undefined) return;
    const before = this.#cases.get(keyOf(there));
    if (before === undefined || before.settled !== undefined || before.reason === 'confirm')
      this.#cases.set(keyOf(there), { reason, looks: before?.looks ?? 0 });
  }

  look(row: number, look: Look): void {
    const there = this.rows[row - 1];
    const one = there === undefined ? undefined : this.#cases.get(keyOf(there));
    if (one === undefined) throw new Error(`row ${row} is not followed up`);
    this.looks.push({ row, look, at: this.#clock.now() });
    one.looks += 1;
    one.latest = look.found;
    one.lastLook = this.#clock.wall();
  }

  async settle(row: number, { how, note }: { how: 'final' | 'impossible'; note: string }) {
    if (this.settling === 'fail') throw new Error('the disk is full');
    const there = this.rows[row - 1];
    if (there === undefined) return 'no_such' as const;
    const one = this.#cases.get(keyOf(there));
    if (one === undefined) return 'not_open' as const;
    if (one.settled !== undefined) return 'already' as const;
    one.settled = { how };
    this.settled.push({ row, how, note });
    return 'settled' as const;
  }

  async followed(): Promise<readonly RecordedBroadcast[]> {
    const newest = new Map(this.rows.map(row => [keyOf(row), row]));
    return [...newest.values()]
      .map(row => this.#withCase(row))
      .filter(({ followUp }) => followUp !== undefined && followUp.settled === undefined);
  }

  /** The process dies; the next one finds what was on disk. Rows without an end are unknown from now on. */
  crash(): void {
    this.#life += 1;
    this.#held = [];
    for (const row of this.rows) {
      if (row.outcome !== 'pending') continue;
      row.outcome = 'unknown';
      row.ended = this.#clock.wall();
      this.follow(row.row, 'unknown');
    }
  }

  #withCase(row: Row): RecordedBroadcast {
    const followUp = this.#cases.get(keyOf(row));
    return { ...row, ...(followUp === undefined ? {} : { followUp: { ...followUp } }) };
  }
}

function keyOf({ chain, txId, digest }: BroadcastRow): string {
  return `${chain} ${txId ?? digest}`;
}

export interface FakeWorldOptions {
  readonly family?: FamilyName;
  readonly chain?: Partial<ChainSettings>;
  /** Names, or names with settings. Default: a, b, c. */
  readonly endpoints?: readonly (string | (Partial<EndpointSettings> & { readonly name: string }))[];
  readonly scripts?: Record<string, Script>;
  /** Where the chain stands. */
  readonly head?: number;
}

const chainNames: Readonly<Record<FamilyName, string>> = {
  evm: 'ethereum',
  solana: 'solana',
  xrpl: 'xrpl',
  tron: 'tron',
};

export class FakeWorld {
  readonly clock = new HandClock();
  readonly log = new MemoryLog(this.clock);
  readonly events: Event[] = [];
  readonly lines: AttemptLine[] = [];
  readonly requests: RequestSeen[] = [];
  readonly received: Received[] = [];
  /** Bytes for which there was no open row on disk. */
  readonly withoutRow: Received[] = [];
  readonly closed: string[] = [];
  readonly scripts: Record<string, Script>;
  readonly world: World;
  readonly #options: FakeWorldOptions;
  /** Counts processes: what an earlier one began is dead. */
  life = 0;
  chain: Chain;
  broadcasts: Broadcasts;
  follower: Follower;
  #requests = 0;

  constructor(options: FakeWorldOptions = {}) {
    this.#options = options;
    this.scripts = options.scripts ?? {};
    this.world = {
      clock: this.clock,
      chance: { next: () => 0.5 },
      budget: new Budget(64 * 1024 * 1024),
      inflate: { whole: () => undefined, beginning: () => undefined },
      events: { emit: event => this.events.push(event) },
      telemetry: { request: seen => this.requests.push(seen), unclassified: () => undefined },
      sessions: new Sessions(),
      limits: { batchItems: 100, depth: 10, errorBodyBytes: 1024 * 1024 },
    };
    [this.chain, this.broadcasts, this.follower] = this.#boot();
  }

  #boot(): [Chain, Broadcasts, Follower] {
    const { family = 'evm', endpoints = ['a', 'b', 'c'], head = 1_000, chain: changed } = this.#options;
    const name = chainNames[family];
    const settings = { ...chainSettings(name, family), ...changed };
    const inputs = endpoints.map(one => endpointSettings(typeof one === 'string' ? { name: one } : one));
    const roster = buildRoster([{ settings, endpoints: inputs }], undefined, {
      transport: { open: endpoint => new FakeLine(this, endpoint.name) },
      families,
      identityKey: (_, endpoint) => `key-${endpoint.name}`,
      known: () => ({ identity: { state: 'verified', claims: settings.identity }, builds: true }),
      nowMs: this.clock.now(),
      wallMs: this.clock.wall(),
    });
    const chain = roster.chains.get(name);
    if (chain === undefined) throw new Error('no chain');
    show(chain, head, this.clock.now());
    const { world, log } = this;
    const follower = new Follower({ world, log, roster: () => roster });
    const lines = { attempt: (line: AttemptLine) => this.lines.push(line) };
    const desk = { world, loop: this.clock, log, lines, follow: follower.follow.bind(follower) };
    return [chain, new Broadcasts(desk), follower];
  }

  /** All endpoints show this height, at this moment. */
  show(height: number): void {
    show(this.chain, height, this.clock.now());
  }

  /** The process dies in the middle of whatever it does, and the next one starts on the same record. */
  async restart(): Promise<void> {
    await settle();
    this.life += 1;
    this.clock.forget();
    this.log.crash();
    [this.chain, this.broadcasts, this.follower] = this.#boot();
    await this.follower.start();
  }

  byte(received: Received): void {
    this.received.push(received);
    if (!received.alone) return;
    const row = this.log.rows.find(
      ({ endpoint, outcome }) => endpoint === received.endpoint && outcome === 'pending',
    );
    if (row === undefined) this.withoutRow.push(received);
  }

  /** What reached upstreams as broadcasts, as endpoint names. */
  get sentTo(): readonly string[] {
    return this.received.filter(({ alone }) => alone).map(({ endpoint }) => endpoint);
  }

  call({ target, body }: Signed, id?: string): Call {
    const incoming = { verb: 'POST', target, body: utf8.encode(body(id)) };
    const opened = this.chain.family.open(incoming, { maxDepth: 10, maxBatch: 100, development: false });
    if (opened.form !== 'single') throw new Error(`no single call: ${JSON.stringify(opened)}`);
    return opened.call;
  }

  send(
    transaction: Signed,
    options: { id?: string; rebroadcast?: boolean; deadlineMs?: number } = {},
  ): Promise<Reply> {
    const { id, rebroadcast = false, deadlineMs = 9_000 } = options;
    const startedAt = this.clock.now();
    const caller = { requestId: `r${++this.#requests}`, startedAt };
    const how = { rebroadcast, deadlineAt: startedAt + deadlineMs };
    return this.broadcasts.send(caller, this.chain, this.call(transaction, id), how).then(readable);
  }
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

function readable({ status, headers, body }: BroadcastReply): Reply {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) pairs.push([headers[at] ?? '', headers[at + 1] ?? '']);
  return { status, headers: Object.fromEntries(pairs), text: text.decode(body) };
}

function show(chain: Chain, height: number, now: number): void {
  for (const record of chain.pool.records) {
    const probe = begin(chain.pool, record, 'read', 'height', now);
    const judgement = { verdict: 'ok' as const, rule: 'test' };
    observe(probe, { judgement, method: 'head', ms: 10, height }, now, 0.5);
  }
}

/** What a promise has come to by now; undefined: nothing yet. */
export function watched<T>(promise: Promise<T>): { readonly value: T | undefined } {
  const seen: { value: T | undefined } = { value: undefined };
  void promise.then(value => {
    seen.value = value;
  });
  return seen;
}

function chainSettings(name: string, family: FamilyName): ChainSettings {
  const preset = presets[name];
  if (preset === undefined) throw new Error(`no preset ${name}`);
  return {
    name,
    family,
    aliases: [],
    identity: preset.identity,
    blockTimeMs: preset.blockTimeMs,
    staleBlocks: preset.staleBlocks,
    strategy: 'best',
    trickle: 0,
    lastResort: 'on',
    attempts: 3,
    retryShare: 0.2,
    connectTimeoutMs: 2_000,
    readTimeoutMs: 5_000,
    heavyTimeoutMs: 30_000,
    readDeadlineMs: 15_000,
    heavyDeadlineMs: 60_000,
    repeatWindowMs: 60_000,
    probeIntervalMs: 5_000,
    development: false,
  };
}

function endpointSettings(changed: Partial<EndpointSettings> & { readonly name: string }): EndpointSettings {
  return {
    url: `https://${changed.name}.example/v3/KEY-OF-${changed.name}-0123456789`,
    headers: {},
    origin: 'file',
    weight: 50,
    history: 'full',
    roles: ['read', 'broadcast', 'history'],
    broadcast: 'allow',
    labels: {},
    maxInFlight: 256,
    allowPrivate: false,
    disabled: false,
    ...changed,
  };
}
