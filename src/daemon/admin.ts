/** What operators' commands do, one change at a time: check, build, store, swap, and tell what is now. */

import type { Done, Status } from '../api/contract.ts';
import type { Handlers } from '../api/server.ts';
import { nearest } from '../config/nearest.ts';
import { urlFaults } from '../config/url.ts';
import type { EndpointSettings } from '../core/chain.ts';
import { OperatorError } from '../core/errors.ts';
import { shownUrl } from '../core/redact.ts';
import { runtimeWeight, runtimeWeightCap } from '../core/weight.ts';
import type { Dispatch } from '../gateway/dispatch.ts';
import type { Clock } from '../gateway/ports.ts';
import type { Prober } from '../gateway/probe.ts';
import type { Chain, ChainInput, Roster } from '../gateway/roster.ts';
import type { Logger } from '../io/logger.ts';
import type { Store } from '../store/open.ts';
import { adminCall } from './admin-call.ts';
import type { Allowlist } from './allowlist.ts';
import { endpointStatus, statusOf } from './status.ts';

export interface AdminFacts {
  readonly roster: () => Roster;
  readonly apply: (inputs: readonly ChainInput[]) => Roster;
  readonly inputs: () => ChainInput[];
  readonly store: Store;
  readonly allowed: Allowlist;
  readonly clock: Clock;
  readonly prober: Prober;
  readonly version: string;
  readonly startedAtMs: number;
  readonly url: string;
  readonly configPath: string | undefined;
  readonly draining: () => boolean;
  readonly dispatch: Dispatch;
  readonly logger: Logger;
}

const followEveryMs = 300;

export function adminHandlers(facts: AdminFacts): Handlers {
  const { store, clock } = facts;
  const statusFacts = {
    clock,
    clientOf: facts.prober.clientOf.bind(facts.prober),
    unknownBroadcasts: () => 0,
  };
  let changing: Promise<unknown> = Promise.resolve();
  let calls = 0;

  /** Changes wait for one another, whether the one before went well or not. */
  function oneAtATime<T>(change: () => Promise<T>): Promise<T> {
    const turn = changing.then(change, change);
    changing = turn;
    return turn;
  }

  function status(only: string | undefined): Status {
    if (only !== undefined) chainOf(facts.roster(), only);
    const { state } = store;
    return statusOf(
      facts.roster(),
      only,
      {
        version: facts.version,
        node: process.version,
        pid: process.pid,
        startedAt: new Date(facts.startedAtMs).toISOString(),
        draining: facts.draining(),
        listen: facts.url,
        config: facts.configPath ?? null,
        store:
          state.is === 'ok'
            ? { ok: true, reason: null, since: null }
            : { ok: false, reason: state.reason, since: new Date(state.since).toISOString() },
      },
      statusFacts,
    );
  }

  function shown(chain: string, name: string): Done['endpoint'] {
    const found = facts.roster().chains.get(chain);
    const member = found && [...found.members.values()].find(each => each.record.settings.name === name);
    if (found === undefined || member === undefined) return null;
    const wall = clock.wall();
    const now = clock.now();
    const time = (at: number | undefined): string | null =>
      at === undefined || !Number.isFinite(at) ? null : new Date(wall - (now - at)).toISOString();
    return endpointStatus(found, member, time, statusFacts);
  }

  async function audit(entry: Parameters<Store['audit']['append']>[0]): Promise<void> {
    const { id, hash } = await store.audit.append(entry);
    facts.logger.info('audit', { row: id, hash, action: entry.action, result: entry.result });
  }

  return {
    health: () => ({ ok: true }),
    status: ({ chain }) => status(chain),

    async *statusStream({ intervalMs }) {
      for (;;) {
        yield status(undefined);
        await pause(clock, intervalMs);
      }
    },

    async events({ sinceMs, kind, chain, endpoint, limit }) {
      const rows = await store.events.list({
        limit,
        ...(sinceMs === undefined ? {} : { since: sinceMs }),
        ...(kind === undefined ? {} : { kind }),
        ...(chain === undefined ? {} : { chain }),
        ...(endpoint === undefined ? {} : { endpoint }),
      });
      return { events: rows.map(eventRow) };
    },

    async *eventsStream({ kind, chain }) {
      const newest = await store.events.list({ limit: 1 });
      let after = newest.at(-1)?.id ?? 0;
      for (;;) {
        // Read back from the store: what a follower sees is what is kept.
        const only = { ...(kind === undefined ? {} : { kind }), ...(chain === undefined ? {} : { chain }) };
        for (const row of await store.events.list({ after, limit: 1000, ...only })) {
          after = row.id;
          yield eventRow(row);
        }
        await pause(clock, followEveryMs);
      }
    },

    async call({ chain: name, method, params }) {
      const chain = chainOf(facts.roster(), name);
      calls += 1;
      const session = { requestId: `call-${calls}`, startedAt: clock.now() };
      return adminCall(facts.dispatch, chain, { method, params }, session);
    },

    endpointAdd: input =>
      oneAtATime(async () => {
        const { chain: chainName, name, who = 'unknown' } = input;
        const chain = chainOf(facts.roster(), chainName);
        const refuse = async (error: OperatorError): Promise<never> => {
          await audit({
            who,
            action: 'endpoint add',
            chain: chainName,
            target: name,
            result: 'refused',
            note: error.message,
          });
          throw error;
        };
        const checked = checkAdd(facts, chain, input);
        if (checked instanceof OperatorError) return refuse(checked);
        const there = chain.pool.records.find(record => record.settings.name === name)?.settings;
        if (there !== undefined) {
          if (sameSettings(there, checked)) {
            return {
              already: true,
              text: `${chainName}/${name} is there already`,
              endpoint: shown(chainName, name),
            };
          }
          return refuse(
            new OperatorError('conflict', `${chainName} has an endpoint ${name} with other settings`, {
              why: [
                `it is ${shownUrl(there.url)}, weight ${there.weight}, from the ${there.origin === 'file' ? 'config' : 'command line'}`,
              ],
              next: ['choose another --name', `or: rpcgw endpoint remove ${chainName} ${name}`],
            }),
          );
        }
        const host = shownUrl(checked.url);
        if (input.dryRun) {
          return {
            already: false,
            text: `would add ${chainName}/${name} (${host}), weight ${checked.weight}, in quarantine`,
            endpoint: null,
          };
        }
        await store.endpoints.put({ chain: chainName, settings: checked, addedAt: clock.wall() });
        inputOf(facts, chainName).endpoints.push(checked);
        facts.apply(facts.inputs());
        await audit({
          who,
          action: 'endpoint add',
          chain: chainName,
          target: name,
          result: 'done',
          after: { host, weight: checked.weight },
        });
        const text = `${chainName}/${name} is added (${host}), weight ${checked.weight}; it earns its place in quarantine: 20 good probes, one a second`;
        return { already: false, text, endpoint: shown(chainName, name) };
      }),

    endpointRemove: ({ chain: chainName, name, who = 'unknown', force, dryRun }) =>
      oneAtATime(async () => {
        const chain = chainOf(facts.roster(), chainName);
        const record = chain.pool.records.find(each => each.settings.name === name);
        if (record === undefined) throw noEndpoint(chain, name);
        const refuse = async (error: OperatorError): Promise<never> => {
          await audit({
            who,
            action: 'endpoint remove',
            chain: chainName,
            target: name,
            result: 'refused',
            note: error.message,
          });
          throw error;
        };
        if (record.settings.origin === 'file') {
          return refuse(
            new OperatorError(
              'refused_by_rule',
              `${chainName}/${name} is in the config, and only the file can remove it`,
              {
                next: [
                  `remove it from ${facts.configPath ?? 'the config'} and reload`,
                  `or: rpcgw endpoint disable ${chainName} ${name}`,
                ],
              },
            ),
          );
        }
        if (!force && chain.pool.records.length === 1) {
          return refuse(
            new OperatorError(
              'refused_by_rule',
              `${chainName}/${name} is the last endpoint of ${chainName}`,
              {
                why: [`without it ${chainName} answers nothing`],
                next: [`rpcgw endpoint remove ${chainName} ${name} --force`],
              },
            ),
          );
        }
        if (dryRun) return { already: false, text: `would remove ${chainName}/${name}`, endpoint: null };
        await store.endpoints.remove(chainName, name);
        const input = inputOf(facts, chainName);
        input.endpoints = input.endpoints.filter(each => each.name !== name);
        facts.apply(facts.inputs());
        await audit({
          who,
          action: 'endpoint remove',
          chain: chainName,
          target: name,
          result: 'done',
          before: { host: shownUrl(record.settings.url) },
        });
        return { already: false, text: `${chainName}/${name} is removed`, endpoint: null };
      }),
  };
}

function chainOf(roster: Roster, name: string): Chain {
  const chain = roster.chains.get(name);
  if (chain !== undefined) return chain;
  const names = [...roster.chains.keys()];
  const close = nearest(name, names);
  throw new OperatorError('no_such_chain', `there is no chain ${name}`, {
    why: [`the config has ${names.join(', ')}`],
    next: close === undefined ? ['rpcgw status'] : [`did you mean ${close}?`],
  });
}

function noEndpoint(chain: Chain, name: string): OperatorError {
  const names = chain.pool.records.map(record => record.settings.name);
  const close = nearest(name, names);
  return new OperatorError('no_such_endpoint', `${chain.settings.name} has no endpoint ${name}`, {
    why: [`it has ${names.join(', ')}`],
    next: close === undefined ? [`rpcgw endpoint list ${chain.settings.name}`] : [`did you mean ${close}?`],
  });
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The list that the next roster is built from. */
function inputOf(
  facts: AdminFacts,
  chain: string,
): Omit<Mutable<ChainInput>, 'endpoints'> & { endpoints: EndpointSettings[] } {
  const found = facts.inputs().find(input => input.settings.name === chain);
  if (found === undefined) throw new Error(`no chain ${chain}`);
  // Made in this process as a plain array, and changed only here, one change at a time.
  return found as Mutable<ChainInput> & { endpoints: EndpointSettings[] };
}

interface AddInput {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly weight?: number | undefined;
  readonly history?: EndpointSettings['history'] | undefined;
  readonly broadcast?: EndpointSettings['broadcast'] | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** Everything that speaks against it, before anything is asked of the network. */
function checkAdd(facts: AdminFacts, chain: Chain, input: AddInput): EndpointSettings | OperatorError {
  const { name, url } = input;
  const chainName = chain.settings.name;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) {
    return new OperatorError('usage', `${JSON.stringify(name)} is no endpoint name`, {
      why: ['letters, digits, dot, dash, underscore; 64 at most'],
    });
  }
  const permitted = URL.canParse(url) ? facts.allowed.permits(chainName, new URL(url)) : undefined;
  const [flaw] = urlFaults(url, permitted?.allowPrivate ?? false);
  if (flaw !== undefined) return new OperatorError('refused_by_rule', `the URL is refused: ${flaw}`);
  if (permitted === undefined) {
    const entry = facts.allowed.entryFor(new URL(url));
    return new OperatorError('refused_by_rule', `${shownUrl(url)} is not on the allowlist of ${chainName}`, {
      why: ['an endpoint can invent what it answers, so only the config says which hosts may be added'],
      next: [
        `have somebody add to the config, under chains.${chainName}.allowedHosts:  - ${entry}`,
        'and restart the daemon',
      ],
    });
  }
  const fileEndpoints = chain.pool.records
    .filter(record => record.settings.origin === 'file')
    .map(record => record.settings);
  const cap = runtimeWeightCap(fileEndpoints);
  const weight = input.weight ?? runtimeWeight(fileEndpoints);
  if (weight < 0 || weight > cap) {
    return new OperatorError('refused_by_rule', `a weight of ${weight} is out of bounds`, {
      why: [`at runtime at most ${cap} for ${chainName}: 20, and below the highest weight in the config`],
      next: [`rpcgw endpoint add ${chainName} - --name ${name} --weight ${cap}`],
    });
  }
  return {
    name,
    url,
    headers: input.headers,
    origin: 'runtime',
    weight,
    history: input.history ?? 'auto',
    roles: ['read', 'broadcast', 'history'],
    broadcast: input.broadcast ?? 'allow',
    labels: input.labels ?? {},
    maxInFlight: 256,
    allowPrivate: permitted.allowPrivate,
    disabled: false,
  };
}

function sameSettings(a: EndpointSettings, b: EndpointSettings): boolean {
  return (
    a.origin === b.origin &&
    a.url === b.url &&
    a.weight === b.weight &&
    JSON.stringify(a.headers) === JSON.stringify(b.headers)
  );
}

function eventRow(row: Awaited<ReturnType<Store['events']['list']>>[number]) {
  const { id, time, kind, chain, endpoint, level, text, detail } = row;
  return {
    id,
    time: new Date(time).toISOString(),
    kind,
    chain,
    endpoint: endpoint ?? null,
    level,
    text,
    detail: { ...detail },
  };
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise(resolve => {
    clock.after(ms, resolve);
  });
}
