/** `rpcgw endpoint set`, `drain`, `enable`, `disable`: what an operator may switch, for good or for a while. */

import type { Done, RouteRequest } from '../api/contract.ts';
import type { Handlers } from '../api/server.ts';
import { spanText } from '../config/units.ts';
import type { EndpointSettings } from '../core/chain.ts';
import type { EndpointRecord } from '../core/endpoint.ts';
import { OperatorError } from '../core/errors.ts';
import { type Proposed, proposedOf } from '../core/guard.ts';
import { orderedWeight, parseWeight, weightBound } from '../core/weight.ts';
import type { Chain } from '../gateway/roster.ts';
import type { AuditEntry } from '../store/audit.ts';
import type { Override } from '../store/endpoints.ts';
import { abilities, notPreferred, withEndpoints } from './admin-add.ts';
import type { Desk } from './admin-desk.ts';
import { guard } from './admin-guard.ts';

type What = Override['what'];
type Wanted = { readonly what: What; readonly value: number; readonly until?: number };

/** One change of one endpoint, before it is made. */
interface Change {
  readonly chain: Chain;
  readonly record: EndpointRecord;
  readonly entry: Omit<AuditEntry, 'result'>;
  readonly force: boolean;
  readonly dryRun: boolean;
  /** The command line that would force it. */
  readonly again: string;
  /** What the endpoint would be. */
  readonly after: Proposed;
  /** New settings, only of a runtime endpoint. */
  readonly settings?: EndpointSettings;
  readonly put: readonly Wanted[];
  readonly drop: readonly What[];
  /** What is then, and what would be. */
  readonly text: string;
  readonly would: string;
  readonly notes: readonly string[];
}

export function switchHandlers(
  desk: Desk,
): Pick<Handlers, 'endpointSet' | 'endpointDrain' | 'endpointEnable' | 'endpointDisable'> {
  const { facts } = desk;
  const { store, clock } = facts;

  const overridesOf = (chain: string, endpoint: string): readonly Override[] =>
    store.overrides
      .all()
      .filter(each => each.chain === chain && each.endpoint === endpoint)
      .filter(({ until }) => until === undefined || until > clock.wall());

  const untilOf = (forMs: number | undefined): { until?: number } =>
    forMs === undefined ? {} : { until: clock.wall() + forMs };

  /** Checks, stores, applies, tells: the same for every switch. */
  async function make(change: Change): Promise<Done> {
    const { chain, record, entry, dryRun } = change;
    const chainName = chain.settings.name;
    const { name, origin } = record.settings;
    const refused = guard(desk, chain, {
      proposal: { record, origin, after: change.after },
      force: change.force,
      what: `${chainName}/${name} is not changed`,
      again: change.again,
    });
    if (refused !== undefined) return desk.refuse(refused, entry, dryRun);
    const known = overridesOf(chainName, name);
    const put = change.put.filter(wanted => !known.some(there => isSame(there, wanted)));
    const drop = change.drop.filter(what => known.some(there => there.what === what));
    const settings =
      change.settings === undefined || same(change.settings, record.settings) ? undefined : change.settings;
    const already = put.length === 0 && drop.length === 0 && settings === undefined;
    if (dryRun) {
      const text = already
        ? `${chainName}/${name}: nothing would change, ${change.text} already`
        : change.would;
      return { already, text, endpoint: desk.shown(chainName, name), dryRun, notes: [...change.notes] };
    }
    if (already) {
      await desk.audit({ ...entry, result: 'already' });
      const text = `${chainName}/${name}: ${change.text} already`;
      return { already, text, endpoint: desk.shown(chainName, name), dryRun, notes: [...change.notes] };
    }
    const before = stateFor(record);
    for (const what of drop) await store.overrides.remove(chainName, name, what);
    for (const wanted of put)
      await store.overrides.put({ chain: chainName, endpoint: name, madeAt: clock.wall(), ...wanted });
    if (settings !== undefined) {
      const addedAt = store.endpoints
        .all()
        .find(each => each.chain === chainName && each.settings.name === name)?.addedAt;
      await store.endpoints.put({ chain: chainName, settings, addedAt: addedAt ?? clock.wall() });
      facts.apply(
        withEndpoints(facts.inputs(), chainName, all =>
          all.map(each => (each.name === name ? settings : each)),
        ),
      );
    }
    facts.switches.apply(facts.roster());
    const now = desk.member(desk.chain(chainName), name).record;
    await desk.audit({ ...entry, result: 'done', before, after: { ...stateFor(now), ...untilFor(put) } });
    const limited =
      change.after.weight !== now.weight && change.put.length + (settings === undefined ? 0 : 1) > 0
        ? [`in force is a weight of ${now.weight}: runtime endpoints are kept below those of the config`]
        : [];
    const text = `${chainName}/${name}: ${change.text}`;
    return {
      already,
      text,
      endpoint: desk.shown(chainName, name),
      dryRun,
      notes: [...change.notes, ...limited],
    };
  }

  type Basic = RouteRequest<'endpointEnable'>;

  function basic(input: Basic, action: string) {
    const { chain: chainName, name, who = 'unknown', force, dryRun } = input;
    const chain = desk.chain(chainName);
    const { record } = desk.member(chain, name);
    return {
      chain,
      record,
      force,
      dryRun,
      entry: { who, action, chain: chainName, target: name },
      again: `rpcgw ${action} ${chainName} ${name} --force`,
    };
  }

  async function set(input: RouteRequest<'endpointSet'>): Promise<Done> {
    const { chain, record, entry, force, dryRun } = basic(input, 'endpoint set');
    const where = `${chain.settings.name}/${record.settings.name}`;
    const refuse = (error: OperatorError): Promise<never> => desk.refuse(error, entry, dryRun);
    const changed = settingsAfter(record.settings, input);
    if (input.reset && input.weight !== undefined)
      throw new OperatorError('usage', '--reset and --weight contradict each other');
    if (!input.reset && input.weight === undefined && changed === undefined)
      throw new OperatorError('usage', 'nothing is asked for', { next: ['rpcgw endpoint set --help'] });
    if (input.forMs !== undefined && input.weight === undefined)
      throw new OperatorError('usage', '--for says how long a --weight holds');
    const { origin } = record.settings;
    if (changed !== undefined && origin === 'file') {
      return refuse(
        new OperatorError(
          'refused_by_rule',
          `${where} is in the config, and only the file can change its settings`,
          {
            next: [
              `change it in ${facts.configPath ?? 'the config'}, then: rpcgw reload`,
              '--weight, drain, enable and disable work at runtime too',
            ],
          },
        ),
      );
    }
    const preferred = notPreferred(input);
    if (preferred !== undefined) return refuse(preferred);
    const base = changed ?? record.settings;
    const pool = chain.pool.records.map(each => each.settings);
    const weight = input.reset ? base.weight : weightAfter(input.weight, record);
    const bound = weightBound(record.settings, pool);
    if (input.weight !== undefined && (weight < 0 || weight > bound))
      return refuse(outOfBounds(where, weight, bound, record));
    const forGood = origin === 'runtime' && input.weight !== undefined && input.forMs === undefined;
    const put: Wanted[] =
      input.weight === undefined || forGood || (input.forMs === undefined && weight === base.weight)
        ? []
        : [{ what: 'weight', value: weight, ...untilOf(input.forMs) }];
    const drop: What[] = input.reset
      ? ['weight', 'draining', 'disabled']
      : input.weight !== undefined && put.length === 0
        ? ['weight']
        : [];
    const settings = forGood ? { ...base, weight } : changed;
    const after = input.reset
      ? { disabled: base.disabled, draining: false, weight, ...abilities(base) }
      : { ...proposedOf(record), weight, ...abilities(base) };
    const words = setWords(input, record, weight, changed);
    return make({
      chain,
      record,
      entry,
      force,
      dryRun,
      again: `rpcgw endpoint set ${chain.settings.name} ${record.settings.name} … --force`,
      after,
      ...(settings === undefined ? {} : { settings }),
      put,
      drop,
      text: words,
      would: `would set ${where}: ${words}`,
      notes: weight === 0 && after.weight !== record.weight ? ['a weight of 0 takes no new traffic'] : [],
    });
  }

  return {
    endpointSet: input => desk.oneAtATime(() => set(input)),

    endpointDrain: input =>
      desk.oneAtATime(() => {
        const { record, ...rest } = basic(input, 'endpoint drain');
        const spell = forWords(input.forMs);
        return make({
          ...rest,
          record,
          after: { ...proposedOf(record), draining: true },
          put: [{ what: 'draining', value: 1, ...untilOf(input.forMs) }],
          drop: [],
          text: `draining${spell}: no new traffic, ${record.inFlight} in flight`,
          would: `would drain ${input.chain}/${input.name}${spell}: no new traffic, ${record.inFlight} in flight`,
          notes: [],
        });
      }),

    endpointDisable: input =>
      desk.oneAtATime(() => {
        const { record, ...rest } = basic(input, 'endpoint disable');
        const inFile = record.settings.disabled && input.forMs === undefined;
        const spell = forWords(input.forMs);
        return make({
          ...rest,
          record,
          after: { ...proposedOf(record), disabled: true },
          put: inFile ? [] : [{ what: 'disabled', value: 1, ...untilOf(input.forMs) }],
          drop: inFile ? ['disabled'] : [],
          text: `disabled${spell}: no traffic, no probes`,
          would: `would disable ${input.chain}/${input.name}${spell}`,
          notes: [],
        });
      }),

    endpointEnable: input =>
      desk.oneAtATime(() => {
        const { record, ...rest } = basic(input, 'endpoint enable');
        return make({
          ...rest,
          record,
          after: { ...proposedOf(record), disabled: false, draining: false },
          put: record.settings.disabled ? [{ what: 'disabled', value: 0 }] : [],
          drop: record.settings.disabled ? ['draining'] : ['draining', 'disabled'],
          text: 'enabled',
          would: `would enable ${input.chain}/${input.name}`,
          notes:
            record.weight === 0
              ? [`its weight is 0: rpcgw endpoint set ${input.chain} ${input.name} --reset`]
              : [],
        });
      }),
  };
}

function isSame(there: Override, { what, value, until }: Wanted): boolean {
  // The same switch with another end is a change; asked for without one, an end there was is taken away.
  return there.what === what && there.value === value && there.until === until;
}

function same(a: EndpointSettings, b: EndpointSettings): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}

function stateFor(record: EndpointRecord): Record<string, string | number | boolean> {
  const { weight, draining, disabled, settings } = record;
  const { roles, broadcast, history, maxInFlight, rps, labels } = settings;
  return {
    weight,
    draining,
    disabled,
    ...(settings.origin === 'file'
      ? {}
      : {
          roles: roles.join(','),
          broadcast,
          history,
          maxInFlight,
          rps: rps ?? 'unlimited',
          labels: Object.entries(labels)
            .map(pair => pair.join('='))
            .join(','),
        }),
  };
}

function untilFor(put: readonly Wanted[]): { until?: string } {
  const until = put.find(wanted => wanted.until !== undefined)?.until;
  return until === undefined ? {} : { until: new Date(until).toISOString() };
}

/** Undefined: none of them was asked for. */
function settingsAfter(
  settings: EndpointSettings,
  { history, broadcast, roles, labels, maxInFlight, rps }: RouteRequest<'endpointSet'>,
): EndpointSettings | undefined {
  const asked = [history, broadcast, roles, labels, maxInFlight, rps];
  if (asked.every(value => value === undefined)) return undefined;
  const { rps: limit, ...rest } = settings;
  const newLimit = rps === undefined ? limit : (rps ?? undefined);
  return {
    ...rest,
    ...(history === undefined ? {} : { history }),
    ...(broadcast === undefined ? {} : { broadcast }),
    ...(roles === undefined ? {} : { roles }),
    ...(labels === undefined ? {} : { labels }),
    ...(maxInFlight === undefined ? {} : { maxInFlight }),
    ...(newLimit === undefined ? {} : { rps: newLimit }),
  };
}

function weightAfter(text: string | undefined, record: EndpointRecord): number {
  if (text === undefined) return record.weight;
  const order = parseWeight(text);
  if (order === undefined) {
    throw new OperatorError('usage', `${JSON.stringify(text)} is no weight`, {
      why: ['a number, or +10, -10, 50%'],
    });
  }
  return orderedWeight(order, record.weight, record.settings.weight);
}

function outOfBounds(where: string, weight: number, bound: number, record: EndpointRecord): OperatorError {
  const { settings } = record;
  const why =
    settings.origin === 'runtime'
      ? 'at runtime: 20, and below the highest weight in the config'
      : `what the config gives it (${settings.weight}), or 20 where that is more and the config has a heavier one`;
  return new OperatorError(
    'refused_by_rule',
    `a weight of ${weight} is out of bounds for ${where}: 0 to ${bound}`,
    {
      why: [`at most ${bound}: ${why}`, `it is ${record.weight} now; lowering is always free`],
      next:
        settings.origin === 'file' && record.weight !== settings.weight
          ? [`rpcgw endpoint set ${where.replace('/', ' ')} --reset`]
          : [`rpcgw endpoint set ${where.replace('/', ' ')} --weight ${bound}`],
    },
  );
}

function forWords(forMs: number | undefined): string {
  return forMs === undefined ? '' : ` for ${spanText(forMs)}`;
}

function setWords(
  input: RouteRequest<'endpointSet'>,
  record: EndpointRecord,
  weight: number,
  changed: EndpointSettings | undefined,
): string {
  const parts: string[] = [];
  if (input.reset) parts.push(`back to its settings, weight ${weight}`);
  else if (input.weight !== undefined) {
    const change = weight === record.weight ? `weight ${weight}` : `weight ${record.weight} → ${weight}`;
    parts.push(
      input.forMs === undefined
        ? change
        : `${change}${forWords(input.forMs)}, then back to ${record.settings.weight}`,
    );
  }
  if (changed !== undefined) {
    const { roles, broadcast, history, labels, maxInFlight, rps } = input;
    if (roles !== undefined) parts.push(`roles ${roles.join(', ')}`);
    if (broadcast !== undefined) parts.push(`broadcast ${broadcast}`);
    if (history !== undefined) parts.push(`history ${history}`);
    if (labels !== undefined)
      parts.push(
        `labels ${
          Object.entries(labels)
            .map(pair => pair.join('='))
            .join(', ') || 'none'
        }`,
      );
    if (maxInFlight !== undefined) parts.push(`max in flight ${maxInFlight}`);
    if (rps !== undefined)
      parts.push(rps === null ? 'requests a second unlimited' : `${rps} requests a second`);
  }
  return parts.join('; ');
}
