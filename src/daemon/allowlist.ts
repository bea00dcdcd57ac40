/** Which hosts a runtime endpoint may have: as the file said when the process started, and never more than that. */

import { type AllowedHost, bareHost, coversHost, hostPort, ownPort } from '../config/hosts.ts';
import type { ConfiguredChain } from '../config/settings.ts';

export interface Allowed {
  /** Plain http and private addresses are allowed there. */
  readonly allowPrivate: boolean;
}

export interface Allowlist {
  /** Undefined: not allowed. */
  permits(chain: string, url: URL): Allowed | undefined;
  /** As a reviewer would have to add it. */
  entryFor(url: URL): string;
}

export function allowlist(chains: readonly ConfiguredChain[]): Allowlist {
  const byChain = new Map(chains.map(chain => [chain.settings.name, entriesOf(chain)]));
  return {
    permits(chain, url) {
      const found = byChain.get(chain)?.find(entry => covers(entry, url));
      return found === undefined ? undefined : { allowPrivate: found.allowPrivate };
    },
    entryFor: url => hostPort(bareHost(url), url.port === '' ? undefined : Number(url.port)),
  };
}

/** The listed hosts, and those of the file's own endpoints. */
function entriesOf({ allowedHosts, endpoints }: ConfiguredChain): readonly AllowedHost[] {
  const own = endpoints.map(({ url: text, allowPrivate }): AllowedHost => {
    const url = new URL(text);
    return { host: bareHost(url), port: portOf(url), subdomains: false, allowPrivate };
  });
  return [...allowedHosts, ...own];
}

function covers(entry: AllowedHost, url: URL): boolean {
  return portOf(url) === (entry.port ?? ownPort(url)) && coversHost(entry, bareHost(url));
}

function portOf(url: URL): number {
  return url.port === '' ? ownPort(url) : Number(url.port);
}
