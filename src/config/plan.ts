/**
 * Two configs in, what changes out: what SIGHUP does, and what `rpcgw check --against-running` tells before. No text and
 * no value in it carries a secret; that a secret changed is told, not what it was.
 */

import type { EndpointSettings } from '../core/chain.ts';
import type { Config, ConfiguredChain } from './settings.ts';
import {
  hidden,
  type Shown,
  type ShownTable,
  shownChain,
  shownEndpoint,
  shownGateway,
  shownHost,
} from './show.ts';

/** One key, as text; absent: it was not, or is no more, there. Equal texts: what may not be shown has changed. */
interface KeyChange {
  readonly key: string;
  readonly before?: string;
  readonly after?: string;
}

type What =
  | { readonly kind: 'chain_added'; readonly chain: string; readonly endpoints: number }
  | { readonly kind: 'chain_removed'; readonly chain: string }
  | { readonly kind: 'chain_changed'; readonly chain: string; readonly keys: readonly KeyChange[] }
  | { readonly kind: 'endpoint_added'; readonly chain: string; readonly endpoint: string }
  | { readonly kind: 'endpoint_removed'; readonly chain: string; readonly endpoint: string }
  | {
      readonly kind: 'endpoint_changed';
      readonly chain: string;
      readonly endpoint: string;
      readonly keys: readonly KeyChange[];
      /** URL or headers are others: nothing learned about the old ones holds (contract section 1). */
      readonly identity: boolean;
    }
  | { readonly kind: 'gateway_changed'; readonly keys: readonly KeyChange[] }
  | {
      readonly kind: 'hosts_changed';
      readonly chain: string;
      readonly added: readonly string[];
      readonly removed: readonly string[];
      /** Runtime endpoints could have hosts they could not have before. */
      readonly widens: boolean;
    };

export type Change = What & {
  /** A reload leaves it as it is. */
  readonly needsRestart: boolean;
  /** One line for people. */
  readonly text: string;
};

export function plan(before: Config, after: Config): readonly Change[] {
  const old = new Map(before.chains.map(chain => [chain.settings.name, chain]));
  const now = new Map(after.chains.map(chain => [chain.settings.name, chain]));
  const changes: What[] = [];

  const keys = keyChanges(shownGateway(before.gateway), shownGateway(after.gateway));
  const clients = clientChanges(before, after);
  if (keys.length + clients.length > 0)
    changes.push({ kind: 'gateway_changed', keys: [...keys, ...clients] });

  for (const [name, chain] of now) {
    const was = old.get(name);
    if (was === undefined)
      changes.push({ kind: 'chain_added', chain: name, endpoints: chain.endpoints.length });
    else changes.push(...chainChanges(name, was, chain));
    changes.push(...hostChanges(name, was, chain));
  }
  for (const name of old.keys()) if (!now.has(name)) changes.push({ kind: 'chain_removed', chain: name });

  return changes.map(change => ({
    ...change,
    needsRestart: change.kind === 'gateway_changed' || change.kind === 'hosts_changed',
    text: inWords(change),
  }));
}

function chainChanges(name: string, was: ConfiguredChain, chain: ConfiguredChain): What[] {
  const changes: What[] = [];
  const keys = keyChanges(shownChain(was), shownChain(chain));
  const order = orderChange(was.endpoints, chain.endpoints);
  if (keys.length + order.length > 0)
    changes.push({ kind: 'chain_changed', chain: name, keys: [...keys, ...order] });

  const old = new Map(was.endpoints.map(endpoint => [endpoint.name, endpoint]));
  const now = new Map(chain.endpoints.map(endpoint => [endpoint.name, endpoint]));
  for (const [endpoint, settings] of now) {
    const before = old.get(endpoint);
    if (before === undefined) changes.push({ kind: 'endpoint_added', chain: name, endpoint });
    else changes.push(...endpointChanges(name, before, settings));
  }
  for (const endpoint of old.keys()) {
    if (!now.has(endpoint)) changes.push({ kind: 'endpoint_removed', chain: name, endpoint });
  }
  return changes;
}

function endpointChanges(chain: string, before: EndpointSettings, after: EndpointSettings): What[] {
  const shown = keyChanges(shownEndpoint(before), shownEndpoint(after));
  const secret: KeyChange[] = [];
  const unseen = (key: string, text: string) => {
    if (!shown.some(change => change.key === key)) secret.push({ key, before: text, after: text });
  };
  if (before.url !== after.url) unseen('url', String(shownEndpoint(after).url));
  for (const [name, value] of Object.entries(after.headers)) {
    if (Object.hasOwn(before.headers, name) && before.headers[name] !== value)
      unseen(`headers.${name}`, hidden);
  }
  const keys = [...shown, ...secret];
  const identity = keys.some(({ key }) => key === 'url' || key.startsWith('headers.'));
  return keys.length === 0 ? [] : [{ kind: 'endpoint_changed', chain, endpoint: after.name, keys, identity }];
}

/** Names are compared as shown; that a key behind a name is another one only here. */
function clientChanges(before: Config, after: Config): KeyChange[] {
  const old = new Map(before.gateway.clients?.keys.map(({ name, key }) => [name, key]));
  return (after.gateway.clients?.keys ?? [])
    .filter(({ name, key }) => old.has(name) && old.get(name) !== key)
    .map(({ name }) => ({ key: `clients.keys ${name}`, before: hidden, after: hidden }));
}

/** Of the endpoints that are in both: one in front moves nobody. */
function orderChange(before: readonly EndpointSettings[], after: readonly EndpointSettings[]): KeyChange[] {
  const both = (list: readonly EndpointSettings[], other: readonly EndpointSettings[]) =>
    list
      .map(({ name }) => name)
      .filter(name => other.some(endpoint => endpoint.name === name))
      .join(', ');
  const [was, is] = [both(before, after), both(after, before)];
  return was === is ? [] : [{ key: 'order of endpoints', before: was, after: is }];
}

function hostChanges(chain: string, was: ConfiguredChain | undefined, is: ConfiguredChain): What[] {
  const texts = (hosts: ConfiguredChain['allowedHosts'] = []) => hosts.map(host => textOf(shownHost(host)));
  const [old, now] = [texts(was?.allowedHosts), texts(is.allowedHosts)];
  const added = now.filter(text => !old.includes(text));
  const removed = old.filter(text => !now.includes(text));
  if (added.length + removed.length === 0) return [];
  return [{ kind: 'hosts_changed', chain, added, removed, widens: added.length > 0 }];
}

function keyChanges(before: ShownTable, after: ShownTable): KeyChange[] {
  const [old, now] = [new Map(leaves(before, '')), new Map(leaves(after, ''))];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter(key => old.get(key) !== now.get(key))
    .map(key => {
      const [was, is] = [old.get(key), now.get(key)];
      return {
        key,
        ...(was === undefined ? {} : { before: was }),
        ...(is === undefined ? {} : { after: is }),
      };
    });
}

function leaves(table: ShownTable, above: string): [string, string][] {
  return Object.entries(table).flatMap(([key, value]): [string, string][] => {
    if (value === undefined) return [];
    if (isTable(value)) return leaves(value, `${above}${key}.`);
    return [[above + key, textOf(value)]];
  });
}

function textOf(value: Shown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ') || 'none';
  return isTable(value)
    ? leaves(value, '')
        .map(([key, text]) => `${key} ${text}`)
        .join(' ')
    : String(value);
}

function isTable(value: Shown): value is ShownTable {
  return typeof value === 'object' && !Array.isArray(value);
}

function inWords(change: What): string {
  switch (change.kind) {
    case 'gateway_changed':
      return `needs a restart: ${change.keys.map(keyInWords).join('; ')}`;
    case 'chain_added':
      return `${change.chain}: added, with ${change.endpoints} ${change.endpoints === 1 ? 'endpoint' : 'endpoints'}`;
    case 'chain_removed':
      return `${change.chain}: removed`;
    case 'chain_changed':
      return `${change.chain}: ${change.keys.map(keyInWords).join('; ')}`;
    case 'endpoint_added':
      return `${change.chain}/${change.endpoint}: added`;
    case 'endpoint_removed':
      return `${change.chain}/${change.endpoint}: removed`;
    case 'endpoint_changed': {
      const anew = change.identity ? '; everything about it is learned anew' : '';
      return `${change.chain}/${change.endpoint}: ${change.keys.map(keyInWords).join('; ')}${anew}`;
    }
    case 'hosts_changed': {
      const parts = [...change.added.map(host => `+ ${host}`), ...change.removed.map(host => `- ${host}`)];
      return `${change.chain}: allowedHosts ${parts.join(', ')}: needs a restart${change.widens ? ', for it lets more hosts in' : ''}`;
    }
  }
}

function keyInWords({ key, before, after }: KeyChange): string {
  if (before === undefined) return `${key} set to ${after}`;
  if (after === undefined) return `${key} no longer set, was ${before}`;
  if (before !== after) return `${key} ${before} → ${after}`;
  return before === hidden ? `${key} changed` : `${key} changed behind ${before}`;
}
