/** The daemon: ports and adapters meet here, and nowhere else. Starts in order, ends in the reverse of it. */

import { mkdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Status } from '../api/contract.ts';
import { type AdminServer, type Handlers, serveAdmin } from '../api/server.ts';
import { families } from '../chains/index.ts';
import { isLoopback } from '../config/hosts.ts';
import type { Config, ConfiguredChain } from '../config/settings.ts';
import { OperatorError } from '../core/errors.ts';
import { noteHistory, release, setSwitches } from '../core/facts.ts';
import { Broadcasts } from '../gateway/broadcast.ts';
import { Budget } from '../gateway/budget.ts';
import { Dispatch } from '../gateway/dispatch.ts';
import { Follower } from '../gateway/follow-up.ts';
import { ownReply, sendOwn } from '../gateway/own-reply.ts';
import type { Event, Events, Memory } from '../gateway/ports.ts';
import { Prober } from '../gateway/probe.ts';
import { allMembers, buildRoster, type ChainInput, type Roster, retiredLines } from '../gateway/roster.ts';
import type { World } from '../gateway/session.ts';
import { Sessions } from '../gateway/sessions.ts';
import { tellChanges } from '../gateway/tell.ts';
import { chance } from '../io/chance.ts';
import { clock } from '../io/clock.ts';
import { inflate } from '../io/inflate.ts';
import type { Logger } from '../io/logger.ts';
import { loop } from '../io/loop.ts';
import { upstreams } from '../io/upstream.ts';
import { openStore, type Store } from '../store/open.ts';
import { defaultRetention } from '../store/thin.ts';
import { adminHandlers } from './admin.ts';
import { admission, tellAdmission } from './admission.ts';
import { allowlist } from './allowlist.ts';
import { clientPace } from './client-pace.ts';
import { clients } from './clients.ts';
import { limitConnections } from './connections.ts';
import { identityKey } from './identity-key.ts';
import { createIngress, type Ingress } from './ingress.ts';
import { listen } from './listen.ts';
import { type MetricsServer, serveMetrics } from './metrics-listener.ts';
import { keepMinutes } from './minutes.ts';
import { isNewInFile, quarantineReason } from './newcomers.ts';
import { loopLookMs, pages } from './pages.ts';
import { pause } from './pause.ts';
import { poolInputs, withoutChain } from './pool-inputs.ts';
import { standing, tellWhenReady } from './ready.ts';
import { sessionName } from './session-name.ts';
import { mayTakeReads } from './status.ts';
import { keepSwitches } from './switch-keeper.ts';
import { Counters } from './telemetry.ts';

export interface DaemonOptions {
  readonly config: Config;
  readonly configPath: string | undefined;
  readonly dataDir: string;
  readonly socket: string;
  readonly groupId?: number;
  readonly logger: Logger;
  readonly version: string;
}

export interface Daemon {
  /** Where clients connect. */
  readonly url: string;
  /** Resolves when the first round of questions is over (`ready.ts`). */
  readonly ready: Promise<void>;
  /** How things stand, in a line. */
  summary(): string;
  /** Takes over a changed config, all of it or nothing, and says in the log what came of it. */
  reload(): Promise<void>;
  /** What must not be seen of any endpoint that is or was in a pool lately. */
  secrets(): readonly string[];
  /** Stops taking traffic, lets what is in flight end, and lets go of everything. */
  stop(): Promise<void>;
}

export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { config, logger } = options;
  const startedAtMs = clock.wall();
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const store = await openStore({
    dir: options.dataDir,
    clock,
    retention: {
      ...defaultRetention,
      minutesMs: config.gateway.keepMinutesMs,
      hoursMs: config.gateway.keepHoursMs,
    },
    onState: state => {
      if (state.is === 'ok') logger.info('the store takes rows again');
      else logger.error('the store cannot be written, broadcasts are refused', { reason: state.reason });
    },
    onLost: (rows, why) => logger.error('rows of the store were given up', { rows, why }),
  });
  try {
    return await startOn(store, options, startedAtMs);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function startOn(store: Store, options: DaemonOptions, startedAtMs: number): Promise<Daemon> {
  const { config, logger, version } = options;
  const { limits } = config.gateway;
  const events: Events = { emit: event => tell(store, logger, event) };
  const budget = new Budget(limits.memoryBytes);
  const counters = new Counters(clock, events);
  const transport = upstreams({ clock });
  const world: World = {
    clock,
    chance,
    budget,
    inflate,
    events,
    telemetry: counters,
    sessions: new Sessions(),
    limits: { batchItems: limits.batchItems, depth: limits.depth, errorBodyBytes: limits.errorBodyBytes },
  };
  const named = new Set(config.gateway.clients?.keys.map(({ name }) => name));
  const allowed = allowlist(config.chains);
  const admit = (chains: readonly ConfiguredChain[]) =>
    admission(
      store.endpoints.all(),
      allowed,
      name => chains.find(({ settings }) => settings.name === name)?.endpoints,
    );
  const first = admit(config.chains);
  tellAdmission(events, first);
  const inputs = poolInputs(config.chains, first.admitted);
  for (const { chain, settings } of withoutChain(config.chains, store.endpoints.all())) {
    logger.warn('an endpoint added at runtime has no chain in the config, and waits for it', {
      chain,
      endpoint: settings.name,
    });
  }
  const state = {
    roster: undefined as Roster | undefined,
    inputs,
    config,
    byPath: chainPaths(config),
    /** Rosters that were replaced while requests of theirs were in flight. */
    replaced: [] as Roster[],
    draining: false,
  };
  const roster = (): Roster => {
    if (state.roster === undefined) throw new Error('no roster');
    return state.roster;
  };
  const switches = keepSwitches({
    overrides: store.overrides,
    clock,
    events,
    logger,
    roster,
    async ended({ chain, endpoint, what, value }) {
      const text = `${what === 'weight' ? `a weight of ${value}` : what} by an operator is over`;
      events.emit({ kind: 'switch_over', chain, endpoint, level: 'info', text });
      const action = `end of ${what}`;
      await store.audit.append({ who: 'rpcgw', action, chain, target: endpoint, result: 'done' });
    },
  });

  /** The next roster, beside the one in force. */
  function build(inputs: readonly ChainInput[]): Roster {
    const after = buildRoster(inputs, state.roster, {
      transport,
      families,
      identityKey,
      known: (chain, endpoint, key) => {
        const identity = store.identities.get(key);
        const builds = store.builds.get(key);
        const quarantine = quarantineReason(store, inputs, chain, endpoint, key, clock.wall());
        return {
          ...(identity === undefined ? {} : { identity: { state: identity.result, claims: identity.value } }),
          ...(builds === undefined ? {} : { builds: builds.builds }),
          ...(quarantine === undefined ? {} : { quarantine }),
        };
      },
      nowMs: clock.now(),
      wallMs: clock.wall(),
    });
    recall(store, after);
    switches.apply(after);
    for (const chain of after.chains.values()) {
      for (const record of chain.pool.records.filter(isNewInFile)) {
        // Whoever stood in for it may be gone now.
        const { settings, identityKey: key } = record;
        const reason = quarantineReason(store, inputs, chain.settings, settings, key, clock.wall());
        if (reason === undefined) tellChanges(events, chain, release(record, clock.now()));
      }
    }
    return after;
  }

  function swap(after: Roster, inputs: readonly ChainInput[], next: Config): void {
    const before = state.roster;
    state.roster = after;
    state.inputs = inputs;
    state.config = next;
    state.byPath = chainPaths(next);
    for (const { settings } of next.chains) {
      if (store.chains.get(settings.name) === undefined)
        store.chains.set(settings.name, { since: clock.wall() });
    }
    if (before === undefined) return;
    state.replaced = [...state.replaced, before].filter(each => inFlight(each) > 0);
    retire(before, after);
    for (const line of retiredLines(before, after)) line.close();
  }

  const apply = (inputs: readonly ChainInput[], next = state.config): void =>
    swap(build(inputs), inputs, next);
  apply(inputs);

  /** As `apply`, but a chain that is served is not handed over before its new endpoints had time to say who they are. */
  async function replace(inputs: readonly ChainInput[], next: Config): Promise<void> {
    const after = build(inputs);
    const now = clock.now();
    const unready = [...after.chains.values()].filter(chain => {
      const before = state.roster?.chains.get(chain.settings.name);
      return before !== undefined && mayTakeReads(before, now) && !mayTakeReads(chain, now);
    });
    const introductions = unready.flatMap(chain =>
      [...chain.members.values()].map(member => prober.introduce(chain, member)),
    );
    if (introductions.length > 0)
      await Promise.race([Promise.all(introductions), pause(clock, introductionsMs)]);
    swap(after, inputs, next);
  }

  const prober = new Prober({ clock, chance, budget, inflate, events, memory: memoryOf(store), roster });
  const follower = new Follower({ world, log: store.broadcasts, roster });
  const broadcasts = new Broadcasts({
    world,
    loop,
    log: store.broadcasts,
    lines: {
      attempt(line) {
        counters.broadcast(line.chain, line.outcome);
        logger.info('broadcast', { ...line });
      },
    },
    follow: followed => follower.follow(followed),
  });
  const dispatch = new Dispatch(world, (session, chain, call, options) =>
    broadcasts.send(session, chain, call, options),
  );
  const loopDelay = monitorEventLoopDelay({ resolution: loopLookMs });
  loopDelay.enable();
  const reloads = { last: null as Status['lastReload'] };
  const page = pages({
    roster,
    counters,
    clock,
    store,
    budget,
    version,
    startedAtMs,
    loopDelay,
    draining: () => state.draining,
    reloads,
  });
  const rules = clients(config.gateway.clients);
  const pace = clientPace(config.gateway.clients?.rps);

  const isPublic = !isLoopback(config.gateway.listen.host);
  const ingress = createIngress(
    {
      chainAt: path => state.byPath.get(path),
      admit: rules.admit,
      pace: client => pace.take(client, clock.now()),
      owe: (client, calls) => pace.owe(client, calls, clock.now()),
      closing: () => state.draining,
      // Others than this machine reach the listener: they are not told how the pools fare.
      page: target => (isPublic && target.startsWith('/metrics') ? undefined : page(target)),
      request: (request, sink) => {
        const chain = roster().chains.get(request.chain);
        if (chain === undefined) {
          // A reload took it away while the request came in.
          const message = `the chain ${request.chain} is not served any more`;
          const fault = { reason: 'not_found' as const, message, chain: request.chain, attempts: [] };
          sendOwn(sink, ownReply(undefined, undefined, { ...fault, requestId: request.requestId }));
          return;
        }
        const session = {
          requestId: request.requestId,
          startedAt: clock.now(),
          sink,
          client: sessionName(request, named),
          strict: request.strict,
        };
        dispatch.handle(session, chain, request);
      },
      refuse: (name, reason, message, requestId, sink, retryAfterMs) => {
        const family = name === undefined ? undefined : roster().chains.get(name)?.family;
        const waitMs = retryAfterMs ?? (reason === 'overloaded' ? 1000 : undefined);
        const retry = waitMs === undefined ? {} : { retryAfterMs: waitMs };
        sendOwn(
          sink,
          ownReply(family, undefined, {
            reason,
            message,
            chain: name ?? '',
            requestId,
            attempts: [],
            ...retry,
          }),
        );
      },
    },
    { bodyBytes: limits.bodyBytes, headMs: 10_000, requestMs: 60_000, stallMs: 30_000 },
    budget,
  );
  limitConnections(ingress.server, {
    clock,
    most: limits.connections,
    onFull: full => {
      const text = full
        ? `all ${limits.connections} connections of clients are taken, more are turned away`
        : 'there is room for connections of clients again';
      events.emit({ kind: 'connections', chain: '', level: full ? 'alarm' : 'info', text });
    },
  });
  const url = await listen(ingress.server, config.gateway.listen);

  const minutes = keepMinutes(store, clock, logger, roster);
  let admin: AdminServer;
  let handlers: Handlers;
  let measures: MetricsServer | undefined;
  try {
    const { metrics } = config.gateway;
    if (metrics !== undefined) measures = await serveMetrics(metrics, () => page('/metrics'));
    handlers = adminHandlers(
      {
        roster,
        apply,
        replace,
        inputs: () => state.inputs,
        config: () => state.config,
        switches,
        store,
        allowed,
        admit,
        clock,
        prober,
        examiner: new Prober({
          clock,
          chance,
          budget,
          inflate,
          events: { emit: () => undefined },
          memory: forgetful,
          roster,
        }),
        candidate: (settings, endpoint) => {
          const options = { transport, families, identityKey, known: () => ({}) };
          const times = { nowMs: clock.now(), wallMs: clock.wall() };
          const alone = buildRoster([{ settings, endpoints: [endpoint] }], undefined, {
            ...options,
            ...times,
          });
          const [chain] = alone.chains.values();
          const [member] = allMembers(alone);
          if (chain === undefined || member === undefined) throw new Error('a chain of one has one');
          return { chain, member };
        },
        counters,
        reloads,
        unfollow: (chain, txId) => follower.forget(chain, txId),
        minutes,
        events,
        version,
        startedAtMs,
        url,
        configPath: options.configPath,
        env: process.env,
        draining: () => state.draining,
        dispatch,
        logger,
      },
      { dataDir: options.dataDir, socket: options.socket, shared: options.groupId !== undefined },
    );
    admin = await serveAdmin(
      options.socket,
      handlers,
      options.groupId === undefined ? {} : { groupId: options.groupId },
    );
  } catch (error) {
    ingress.server.close();
    measures?.close();
    minutes.stop();
    throw error;
  }
  logger.info('listening', {
    url,
    metrics: measures?.url,
    socket: options.socket,
    pid: process.pid,
    version,
  });
  prober.start();
  switches.start();
  await follower.start();
  const ready = tellWhenReady({ clock, prober, logger, roster, url });

  return {
    url,
    ready: ready.told,
    summary() {
      const { chains, endpoints, usable } = standing(roster(), clock.now());
      const refused = reloads.last?.ok === false ? '; the last reload was refused' : '';
      return `${chains} ${chains === 1 ? 'chain' : 'chains'}, ${usable}/${endpoints} endpoints usable${refused}`;
    },
    async reload() {
      // The refusal is in the log, the events and the audit by now.
      await Promise.resolve(handlers.reload({ who: 'SIGHUP' })).catch((error: unknown) => {
        if (!(error instanceof OperatorError)) logger.error('a fault in the reload', { why: String(error) });
      });
    },
    secrets: () => [roster(), ...state.replaced].flatMap(allMembers).flatMap(member => member.secrets),
    async stop() {
      ready.stop();
      state.draining = true;
      const { drainDelayMs, drainTimeoutMs } = config.gateway;
      logger.info('draining', { inFlight: inFlight(roster()), delayMs: drainDelayMs });
      await pause(clock, drainDelayMs);
      const left = (): number =>
        [roster(), ...state.replaced].reduce((sum, each) => sum + inFlight(each), 0) + broadcasts.inFlight;
      await drained(ingress, left, drainTimeoutMs);
      measures?.close();
      await admin.close();
      prober.stop();
      follower.stop();
      minutes.close();
      switches.stop();
      for (const member of allMembers(roster())) member.line.close();
      await store.close();
      loopDelay.disable();
      logger.info('stopped');
    },
  };
}

/** How long new endpoints may take to say who they are, while the old ones go on serving. */
const introductionsMs = 10_000;

/** Path to the chain it serves. */
function chainPaths(config: Config): ReadonlyMap<string, string> {
  return new Map(
    config.chains.flatMap(({ settings }) =>
      [settings.name, ...settings.aliases].map((name): [string, string] => [`/${name}`, settings.name]),
    ),
  );
}

/** Requests that began before may still choose: not an endpoint that is in the pool no more. */
function retire(before: Roster, after: Roster): void {
  const kept = new Set(allMembers(after).map(({ record }) => record));
  for (const { pool } of before.chains.values()) {
    for (const record of pool.records)
      if (!kept.has(record)) setSwitches(pool, record, { disabled: true }, clock.now());
  }
}

/** What a test of a URL learns is told, not kept. */
const forgetful: Memory = {
  identity: () => undefined,
  quarantinePassed: () => undefined,
  quarantineEntered: () => undefined,
  history: () => undefined,
  builds: () => undefined,
};

/** What earlier runs learned of the past that endpoints keep, on records that are new in this roster. */
function recall(store: Store, roster: Roster): void {
  for (const chain of roster.chains.values()) {
    for (const { record } of chain.members.values()) {
      const history = store.histories.get(record.identityKey);
      for (const kind of ['state', 'blocks', 'transactions'] as const) {
        const bound = history?.[kind];
        if (bound !== undefined && record.kept[kind] === undefined)
          noteHistory(record, kind, bound.lowest, bound.headThen);
      }
    }
  }
}

function memoryOf(store: Store): Memory {
  return {
    identity: (key, result, claims) => store.identities.set(key, { result, value: claims, at: clock.wall() }),
    quarantinePassed: key => store.quarantines.set(key, { passedAt: clock.wall() }),
    quarantineEntered: (key, reason) => {
      const passedAt = store.quarantines.get(key)?.passedAt ?? clock.wall();
      store.quarantines.set(key, { passedAt, again: reason });
    },
    history: (key, kind, lowest, headThen) =>
      store.histories.set(key, {
        ...store.histories.get(key),
        [kind]: { lowest, headThen, at: clock.wall() },
      }),
    builds: (key, builds) => store.builds.set(key, { builds, at: clock.wall() }),
  };
}

function tell(store: Store, logger: Logger, event: Event): void {
  store.events.emit(event);
  const { kind, chain, endpoint, level, text } = event;
  const fields = { kind, chain, endpoint };
  if (level === 'alarm') logger.error(text, fields);
  else if (level === 'warn') logger.warn(text, fields);
  else logger.info(text, fields);
}

function inFlight(roster: Roster): number {
  return [...roster.chains.values()].reduce((sum, chain) => sum + chain.pool.requests, 0);
}

/** The listener closes at once; the work goes on to its last byte, or until the time for it is over. */
async function drained(ingress: Ingress, inFlight: () => number, timeoutMs: number): Promise<void> {
  const until = clock.now() + timeoutMs;
  const closed = new Promise<void>(resolve => ingress.server.close(() => resolve()));
  while (ingress.open + inFlight() > 0 && clock.now() < until) await pause(clock, 20);
  // Connections kept alive, or opened and never used, would hold the listener for as long as they like.
  ingress.server.closeAllConnections();
  await closed;
}
