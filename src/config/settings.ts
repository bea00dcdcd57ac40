/** The checked file as the gateway's own settings: flat, units in the names, known chains filled in. */

import { resolve } from 'node:path';
import { familyFacts, presetOf } from '../chains/presets.ts';
import type { ChainSettings, EndpointSettings, FamilyName } from '../core/chain.ts';
import type { Address, AllowedHost } from './hosts.ts';
import type { ChainInFile, ConfigFile } from './schema.ts';

/** What holds for the whole process. Only a restart changes any of it. */
export interface GatewaySettings {
  readonly listen: Address;
  readonly metrics?: Address;
  /** Absolute, like `socket`. Absent: `locate.ts` finds the place. */
  readonly dataDir?: string;
  readonly socket?: string;
  /** By name or by number. */
  readonly socketGroup?: string | number;
  /** Absent: everybody who reaches `listen`. */
  readonly clients?: {
    readonly keys: readonly { readonly name: string; readonly key: string }[];
    readonly cidrs: readonly string[];
    /** Calls a second each client may make. */
    readonly rps?: number;
  };
  readonly limits: {
    readonly bodyBytes: number;
    readonly batchItems: number;
    readonly depth: number;
    readonly errorBodyBytes: number;
    readonly connections: number;
    readonly memoryBytes: number;
  };
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  readonly drainDelayMs: number;
  readonly drainTimeoutMs: number;
  readonly keepMinutesMs: number;
  readonly keepHoursMs: number;
}

export interface ConfiguredChain {
  readonly settings: ChainSettings;
  /** In the order of the file. */
  readonly endpoints: readonly EndpointSettings[];
  /** As the file lists them; the hosts of its own endpoints are allowed besides. */
  readonly allowedHosts: readonly AllowedHost[];
}

export interface Config {
  readonly gateway: GatewaySettings;
  /** In the order of the file. */
  readonly chains: readonly ConfiguredChain[];
}

export function familiesOf({ chains }: Config): Set<FamilyName> {
  return new Set(chains.map(({ settings }) => settings.family));
}

/** Relative paths are meant from the folder of the file: a reload finds them wherever the daemon stands. */
export function settingsOf(file: ConfigFile, folder: string): Config {
  const absolute = (path: string) => resolve(folder, path);
  return {
    gateway: {
      listen: file.listen,
      ...(file.metrics === undefined ? {} : { metrics: file.metrics }),
      ...(file.dataDir === undefined ? {} : { dataDir: absolute(file.dataDir) }),
      ...(file.socket === undefined ? {} : { socket: absolute(file.socket) }),
      ...(file.socketGroup === undefined ? {} : { socketGroup: file.socketGroup }),
      ...(file.clients === undefined
        ? {}
        : {
            clients: {
              keys: file.clients.keys.map((entry, index) =>
                typeof entry === 'string' ? { name: `client-${index + 1}`, key: entry } : entry,
              ),
              cidrs: file.clients.cidrs,
              ...(file.clients.rps === undefined ? {} : { rps: file.clients.rps }),
            },
          }),
      limits: {
        bodyBytes: file.limits.body,
        batchItems: file.limits.batch,
        depth: file.limits.depth,
        errorBodyBytes: file.limits.errorBody,
        connections: file.limits.connections,
        memoryBytes: file.limits.memory,
      },
      logLevel: file.log.level,
      drainDelayMs: file.drain.delay,
      drainTimeoutMs: file.drain.timeout,
      keepMinutesMs: file.retention.minutes,
      keepHoursMs: file.retention.hours,
    },
    chains: Object.entries(file.chains).map(([name, chain]) => ({
      settings: chainSettings(name, chain),
      endpoints: chain.endpoints.map(endpointSettings),
      allowedHosts: chain.allowedHosts,
    })),
  };
}

function chainSettings(name: string, chain: ChainInFile): ChainSettings {
  const known = presetOf(name);
  const family = known?.family ?? chain.family;
  const identity =
    known?.identity ?? (family === undefined ? undefined : chain[familyFacts[family].identityKey]);
  // The checks refuse such a config before it comes here.
  if (family === undefined || identity === undefined) throw new Error(`the chain ${name} has no identity`);
  const staleBlocks = chain.staleBlocks ?? known?.staleBlocks;
  return {
    name,
    family,
    identity: String(identity),
    aliases: chain.aliases.map(alias => alias.replace(/^\//, '')),
    blockTimeMs: chain.blockTime ?? known?.blockTimeMs ?? familyFacts[family].blockTimeMs,
    ...(staleBlocks === undefined ? {} : { staleBlocks }),
    strategy: chain.strategy,
    trickle: chain.trickle,
    lastResort: chain.lastResort === 'stale' ? 'stale' : chain.lastResort ? 'on' : 'off',
    ...(chain.maxLatency === undefined ? {} : { maxLatencyMs: chain.maxLatency }),
    attempts: chain.attempts,
    retryShare: chain.retryShare,
    connectTimeoutMs: chain.timeouts.connect,
    readTimeoutMs: chain.timeouts.read,
    heavyTimeoutMs: chain.timeouts.heavy,
    readDeadlineMs: chain.deadlines.read,
    heavyDeadlineMs: chain.deadlines.heavy,
    repeatWindowMs: chain.repeatWindow ?? familyFacts[family].repeatWindowMs,
    probeIntervalMs: chain.probes.interval,
    ...(chain.probes.maxPerDay === undefined ? {} : { probesMaxPerDay: chain.probes.maxPerDay }),
    confirmBroadcasts: chain.broadcast.confirm,
    freshness: chain.freshness,
    pinning: chain.pinning,
    development: chain.development,
  };
}

function endpointSettings({ rps, ...endpoint }: ChainInFile['endpoints'][number]): EndpointSettings {
  return {
    ...endpoint,
    headers: Object.fromEntries(
      Object.entries(endpoint.headers).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    origin: 'file',
    ...(rps === undefined ? {} : { rps }),
  };
}
