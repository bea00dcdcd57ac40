/** The daemon: ports and adapters meet here, and nowhere else. Starts in order, ends in the reverse of it. */

import { mkdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Status } from '../api/contract.ts';
import { type AdminServer, type Handlers, serveAdmin } from '../api/server.ts';
import { rehearse } from '../chains/rehearse.ts';
import { type Config, type ConfiguredChain, familiesOf } from '../config/settings.ts';
import { OperatorError } from '../core/errors.ts';
import { Broadcasts } from '../gateway/broadcast.ts';
import { Budget } from '../gateway/budget.ts';
import { Dispatch } from '../gateway/dispatch.ts';
import { Follower } from '../gateway/follow-up.ts';
import type { Event, Events } from '../gateway/ports.ts';
import { Prober } from '../gateway/probe.ts';
import { allMembers, type Roster } from '../gateway/roster.ts';
import type { World } from '../gateway/session.ts';
import { Sessions } from '../gateway/sessions.ts';
import { chance } from '../io/chance.ts';
import { clock } from '../io/clock.ts';
import { inflate } from '../io/inflate.ts';
import type { Logger } from '../io/logger.ts';
import { loop } from '../io/loop.ts';
import { outsideGarbage } from '../io/outside-garbage.ts';
import { rehearseExchanges } from '../io/rehearse.ts';
import { upstreams } from '../io/upstream.ts';
import { openStore, type Store, type StoreThreads, startStoreThreads } from '../store/open.ts';
import { defaultRetention } from '../store/thin.ts';
import { adminHandlers } from './admin.ts';
import { admission, tellAdmission } from './admission.ts';
import { allowlist } from './allowlist.ts';
import { clientSide, drained } from './client-side.ts';
import { keepThreadsSmall, tellEngine, youngCollection } from './engine.ts';
import { forgetful, memoryOf } from './learned.ts';
import { listen } from './listen.ts';
import { type MetricsServer, serveMetrics } from './metrics-listener.ts';
import { keepMinutes } from './minutes.ts';
import { loopLookMs, pages } from './pages.ts';
import { pause } from './pause.ts';
import { poolInputs, withoutChain } from './pool-inputs.ts';
import { inFlight, keepPools } from './pools.ts';
import { standing, tellWhenReady } from './ready.ts';
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
  readonly prepared?: Prepared;
}

/** What a start waits for longest, begun before its config is read. */
export type Prepared = StoreThreads;

export function prepareDaemon(): Prepared {
  keepThreadsSmall();
  return startStoreThreads();
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
  const opening = openStore({
    dir: options.dataDir,
    clock,
    threads: options.prepared ?? prepareDaemon(),
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
  // While the store's threads load.
  tellEngine();
  rehearse(familiesOf(config));
  void rehearseExchanges(clock);
  const store = await opening;
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
  const transport = upstreams({ clock, passed: outsideGarbage(youngCollection()) });
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
  const roster = (): Roster => pools.roster();
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

  const pools = keepPools({
    store,
    transport,
    clock,
    events,
    config,
    switched: after => switches.apply(after),
    introduce: (chain, member) => prober.introduce(chain, member),
  });
  pools.apply(inputs);

  const prober = new Prober({
    clock,
    chance,
    budget,
    inflate,
    events,
    memory: memoryOf(store, clock),
    roster,
  });
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
  let draining = false;
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
    draining: () => draining,
    reloads,
  });
  const ingress = clientSide({
    settings: config.gateway,
    pools,
    dispatch,
    clock,
    events,
    budget,
    page,
    closing: () => draining,
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
        apply: pools.apply,
        replace: pools.replace,
        inputs: pools.inputs,
        config: pools.config,
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
        candidate: pools.candidate,
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
        draining: () => draining,
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
    secrets: () =>
      pools
        .all()
        .flatMap(allMembers)
        .flatMap(member => member.secrets),
    async stop() {
      ready.stop();
      draining = true;
      const { drainDelayMs, drainTimeoutMs } = config.gateway;
      logger.info('draining', { inFlight: inFlight(roster()), delayMs: drainDelayMs });
      await pause(clock, drainDelayMs);
      const left = (): number =>
        pools.all().reduce((sum, each) => sum + inFlight(each), 0) + broadcasts.inFlight;
      await drained(ingress, left, drainTimeoutMs, clock);
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

function tell(store: Store, logger: Logger, event: Event): void {
  store.events.emit(event);
  const { kind, chain, endpoint, level, text } = event;
  const fields = { kind, chain, endpoint };
  if (level === 'alarm') logger.error(text, fields);
  else if (level === 'warn') logger.warn(text, fields);
  else logger.info(text, fields);
}
