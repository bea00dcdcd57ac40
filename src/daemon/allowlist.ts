/** Which hosts a runtime endpoint may have: as the file said when the process started, and never more than that. */

import { type AllowedHost, hostPort, sameHost } from '../config/hosts.ts';
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
    entryFor: url => hostPort(bare(url.hostname), url.port === '' ? undefined : Number(url.port)),
  };
}

/** The listed hosts, and those of the file's own endpoints. */
function entriesOf({ allowedHosts, endpoints }: ConfiguredChain): readonly AllowedHost[] {
  const own = endpoints.map(({ url, allowPrivate }): AllowedHost => {
    const { hostname, port, protocol } = new URL(url);
    const given = port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port);
    return { host: bare(hostname), port: given, subdomains: false, allowPrivate };
  });
  return [...allowedHosts, ...own];
}

function covers(entry: AllowedHost, url: URL): boolean {
  const own = url.protocol === 'https:' ? 443 : 80;
  const port = url.port === '' ? own : Number(url.port);
  if (port !== (entry.port ?? own)) return false;
  const host = bare(url.hostname);
  return entry.subdomains ? host.toLowerCase().endsWith(`.${entry.host}`) : sameHost(host, entry.host);
}

function bare(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
