/** Hosts and ports as the config writes them: where to listen, and which hosts a runtime endpoint may have. */

import { createRequire } from 'node:module';
import ipaddr from 'ipaddr.js';
import type * as Tldts from 'tldts';

export interface Address {
  /** A literal IP address, IPv6 without brackets. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

/** One entry of `allowedHosts`. */
export interface AllowedHost {
  /** Lower case; IPv6 without brackets. */
  readonly host: string;
  /** Absent: the scheme's own. */
  readonly port?: number;
  /** Covers the names below `host`, not `host` itself. */
  readonly subdomains: boolean;
  /** Plain http and private addresses are allowed there. */
  readonly allowPrivate: boolean;
}

/** `127.0.0.1:8600`, `[::1]:8600`, `localhost:8600`. A name would leave it to DNS who can reach the gateway. */
export function parseAddress(text: string): Address | undefined {
  const [, host = '', digits = ''] = /^(\[[0-9a-f:.]+\]|[^:[\]]+):(\d{1,5})$/i.exec(text) ?? [];
  const literal = host === 'localhost' ? '127.0.0.1' : unbracketed(host);
  const port = Number(digits);
  return isLiteral(literal) && port <= 65_535 ? { host: literal, port } : undefined;
}

export function hostPort(host: string, port: number | undefined): string {
  const shown = host.includes(':') ? `[${host}]` : host;
  return port === undefined ? shown : `${shown}:${port}`;
}

/** Only for literal addresses. */
export function isLoopback(host: string): boolean {
  return ipaddr.process(host).range() === 'loopback';
}

/** A literal address that is no public one, or a name that always means this machine. Takes IPv6 with brackets too. */
export function isPrivate(host: string): boolean {
  const literal = unbracketed(host);
  if (isLiteral(literal)) return ipaddr.process(literal).range() !== 'unicast';
  return /(?:^|\.)localhost\.?$/i.test(host);
}

/** Without the brackets of an IPv6 address. */
export function bareHost({ hostname }: URL): string {
  return unbracketed(hostname);
}

/** The scheme's own. */
export function ownPort({ protocol }: URL): number {
  return protocol === 'http:' ? 80 : 443;
}

/** A name or a literal address as they are usually written, which leaves no reader anything to guess. */
export function isPlainHost(host: string): boolean {
  return isLiteral(host) || isName(host);
}

/** An IPv6 address behind which an IPv4 one stands: whoever checks the one may connect to the other. */
export function embedsAnother(host: string): boolean {
  if (!host.includes(':') || !isLiteral(host)) return false;
  const address = ipaddr.IPv6.parse(host);
  const compatible = address.parts.slice(0, 6).every(part => part === 0) && address.parts[6] !== 0;
  const ranges: readonly string[] = ['ipv4Mapped', 'rfc6145', 'rfc6052', '6to4', 'teredo'];
  return compatible || ranges.includes(address.range());
}

/** True when both name the same host, however they write it. */
export function sameHost(a: string, b: string): boolean {
  const [left, right] = [unbracketed(a), unbracketed(b)];
  if (!isLiteral(left) || !isLiteral(right)) return left.toLowerCase() === right.toLowerCase();
  return ipaddr.parse(left).toNormalizedString() === ipaddr.parse(right).toNormalizedString();
}

/** A text back: what is wrong with it. Never repeats what was given. */
export function parseAllowedHost(text: string): Omit<AllowedHost, 'allowPrivate'> | string {
  if (text.includes('/'))
    return 'expected a host, with its port if it is not the scheme’s own; no scheme, path or range';
  const [, head = '', digits] = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const subdomains = head.startsWith('*.');
  const host = unbracketed(subdomains ? head.slice(2) : head).toLowerCase();
  if (host.includes('*') || head === '*')
    return 'a wildcard stands for whole labels in front of a named domain: *.domain';
  if (subdomains && !/[^.]\.[^.]/.test(host))
    return 'a wildcard over a whole top-level domain lets everybody in';
  if (isLiteral(host)) {
    if (subdomains) return 'an address has no subdomains';
    if (embedsAnother(host)) return 'an IPv6 address that stands for an IPv4 one: write the IPv4 one';
  } else if (!isName(host)) {
    return 'expected a host name or a literal address, such as rpc.example.com, *.nodes.example.com or 10.0.0.6:8545';
  }
  if (subdomains && suffixOf(host) === host)
    return 'anybody can have a name below this domain, so a wildcard over it lets everybody in (public suffix list)';
  if (digits === undefined) return { host, subdomains };
  const port = Number(digits);
  if (port < 1 || port > 65_535) return 'expected a port from 1 to 65535';
  return { host, port, subdomains };
}

/**
 * A wildcard covers the names below its domain, as far as they belong to whoever has the domain: where others can have
 * names further down (`s3.amazonaws.com` below `amazonaws.com`), those are not covered.
 */
export function coversHost(entry: AllowedHost, host: string): boolean {
  if (!entry.subdomains) return sameHost(host, entry.host);
  const name = host.toLowerCase();
  const suffix = suffixOf(name);
  return (
    name.endsWith(`.${entry.host}`) &&
    suffix !== undefined &&
    suffix !== entry.host &&
    !suffix.endsWith(`.${entry.host}`)
  );
}

const load = createRequire(import.meta.url);

/** Below it anybody can have a name: `com`, `co.uk`, `github.io`. */
function suffixOf(name: string): string | undefined {
  // Read when the first wildcard asks for it: the list is large, and few configs have one. `load` knows no types.
  const { getPublicSuffix } = load('tldts') as typeof Tldts;
  return getPublicSuffix(name, { allowPrivateDomains: true, extractHostname: false }) ?? undefined;
}

export function isCidr(text: string): boolean {
  return (
    /^(?:[0-9.]+|[0-9a-f:.]+)\/\d{1,3}$/i.test(text) &&
    ipaddr.isValidCIDR(text) &&
    isLiteral(text.split('/')[0] ?? '')
  );
}

/**
 * Only as it is usually written: `127.1` and `0x7f000001` are addresses to some readers and names to others. The reader is
 * given nothing with other characters in it: it throws and catches an error for every name.
 */
function isLiteral(host: string): boolean {
  return (
    (/^[0-9.]+$/.test(host) && ipaddr.IPv4.isValidFourPartDecimal(host)) ||
    (/^[0-9a-f:.]+$/i.test(host) && ipaddr.IPv6.isValid(host))
  );
}

function isName(host: string): boolean {
  const labels = host.split('.');
  return (
    host.length <= 253 &&
    labels.every(label => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) &&
    // An end in digits makes URL readers see an IPv4 address, and people a range of them.
    /[a-z]/.test(labels.at(-1) ?? '') &&
    !/^0x[0-9a-f]*$/.test(labels.at(-1) ?? '')
  );
}

function unbracketed(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}
