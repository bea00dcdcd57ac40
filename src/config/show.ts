/** The config in force, in the file's own form, without its secrets: for `rpcgw config show`, and to compare two. */

import { familyFacts } from '../chains/presets.ts';
import type { EndpointSettings } from '../core/chain.ts';
import { shownUrl } from '../core/redact.ts';
import { type AllowedHost, hostPort } from './hosts.ts';
import type { Config, ConfiguredChain, GatewaySettings } from './settings.ts';
import { shareText, sizeText, spanText } from './units.ts';

export type Shown = string | number | boolean | readonly Shown[] | ShownTable;
export interface ShownTable {
  readonly [key: string]: Shown | undefined;
}

export const hidden = '***';

/** Undefined members are absent keys. */
export function shownConfig({ gateway, chains }: Config): ShownTable {
  return {
    ...shownGateway(gateway),
    chains: Object.fromEntries(
      chains.map(chain => [
        chain.settings.name,
        {
          ...shownChain(chain),
          allowedHosts: chain.allowedHosts.map(shownHost),
          endpoints: chain.endpoints.map(shownEndpoint),
        },
      ]),
    ),
  };
}

export function shownGateway(gateway: GatewaySettings): ShownTable {
  const { listen, metrics, clients, limits } = gateway;
  return {
    listen: hostPort(listen.host, listen.port),
    metrics: metrics && hostPort(metrics.host, metrics.port),
    dataDir: gateway.dataDir,
    socket: gateway.socket,
    socketGroup: gateway.socketGroup,
    clients: clients && {
      keys: clients.keys.map(({ name }) => ({ name, key: hidden })),
      cidrs: clients.cidrs,
      rps: clients.rps,
    },
    limits: {
      body: sizeText(limits.bodyBytes),
      batch: limits.batchItems,
      depth: limits.depth,
      errorBody: sizeText(limits.errorBodyBytes),
      connections: limits.connections,
      memory: sizeText(limits.memoryBytes),
    },
    log: { level: gateway.logLevel },
    drain: { delay: spanText(gateway.drainDelayMs), timeout: spanText(gateway.drainTimeoutMs) },
    retention: { minutes: spanText(gateway.keepMinutesMs), hours: spanText(gateway.keepHoursMs) },
  };
}

/** Without its hosts and endpoints. */
export function shownChain({ settings }: ConfiguredChain): ShownTable {
  const { identityKey } = familyFacts[settings.family];
  const number = identityKey === 'chainId' || identityKey === 'networkId';
  return {
    family: settings.family,
    [identityKey]: number ? Number(settings.identity) : settings.identity,
    aliases: settings.aliases,
    strategy: settings.strategy,
    trickle: shareText(settings.trickle),
    lastResort: settings.lastResort === 'stale' ? 'stale' : settings.lastResort === 'on',
    maxLatency: settings.maxLatencyMs === undefined ? undefined : spanText(settings.maxLatencyMs),
    staleBlocks: settings.staleBlocks,
    blockTime: spanText(settings.blockTimeMs),
    attempts: settings.attempts,
    retryShare: shareText(settings.retryShare),
    timeouts: {
      connect: spanText(settings.connectTimeoutMs),
      read: spanText(settings.readTimeoutMs),
      heavy: spanText(settings.heavyTimeoutMs),
    },
    deadlines: { read: spanText(settings.readDeadlineMs), heavy: spanText(settings.heavyDeadlineMs) },
    repeatWindow: spanText(settings.repeatWindowMs),
    probes: { interval: spanText(settings.probeIntervalMs), maxPerDay: settings.probesMaxPerDay },
    broadcast: { confirm: settings.confirmBroadcasts },
    freshness: settings.freshness,
    pinning: settings.pinning,
    development: settings.development,
  };
}

export function shownEndpoint(endpoint: EndpointSettings): ShownTable {
  const { origin: _origin, url, headers, ...plain } = endpoint;
  return {
    ...plain,
    url: shownUrl(url),
    headers: Object.fromEntries(Object.keys(headers).map(name => [name, hidden])),
  };
}

export function shownHost({ host, port, subdomains, allowPrivate }: AllowedHost): Shown {
  const text = `${subdomains ? '*.' : ''}${hostPort(host, port)}`;
  return allowPrivate ? { host: text, allowPrivate } : text;
}
