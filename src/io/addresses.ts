/**
 * What may be connected to, when an endpoint has no `allowPrivate`: addresses of the public internet and nothing else.
 * Asked for literals before connecting, and for every address a name stands for at the moment of connecting.
 */

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses where clouds hand out credentials. Only the third looks public; the others get the truer name. */
const metadata: readonly string[] = [
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
].map(address => ipaddr.parse(address).toString());

/** Ranges of the address library, in words. `unicast` is its name for whatever stands in no special range. */
const inWords: Readonly<Record<string, string | undefined>> = {
  unspecified: 'unspecified',
  broadcast: 'broadcast',
  multicast: 'multicast',
  linkLocal: 'link-local',
  loopback: 'loopback',
  carrierGradeNat: 'carrier-grade NAT',
  private: 'private',
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
};

/** The only space IANA has given out for global unicast. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
const nat64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];

/** Why the address may not be connected to, as a word for people; undefined when it may. */
export function forbidden(address: string): string | undefined {
  if (isIP(address) === 0) return 'not an IP address';
  const parsed = ipaddr.parse(inGroups(address));
  if (metadata.includes(parsed.toString())) return 'a cloud metadata service';
  if (parsed instanceof ipaddr.IPv4) return v4(parsed);
  const inner = embedded(parsed);
  if (inner !== undefined) return forbidden(inner);
  const range = parsed.range();
  if (range === 'unicast' && parsed.match(...globalUnicast)) return undefined;
  return inWords[range] ?? 'reserved';
}

/**
 * Without the zone, and with a dotted end in IPv6 groups: the address library reads `::1.2.3.4` as `::ffff:1.2.3.4`,
 * the system reads it as `::102:304`.
 */
function inGroups(address: string): string {
  const [bare = ''] = address.split('%');
  if (!bare.includes(':')) return bare;
  return bare.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [a * 256 + +b, c * 256 + +d].map(group => group.toString(16)).join(':'),
  );
}

function v4(address: ipaddr.IPv4): string | undefined {
  const range = address.range();
  return range === 'unicast' ? undefined : (inWords[range] ?? 'reserved');
}

/** The IPv4 address that packets to this IPv6 address end at, where the form says so. */
function embedded(address: ipaddr.IPv6): string | undefined {
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === 'ipv4Mapped' || range === 'rfc6145' || address.match(...nat64))
    return dotted(bytes.slice(12));
  if (range === '6to4') return dotted(bytes.slice(2, 6));
  return undefined;
}

function dotted(bytes: readonly number[]): string {
  return bytes.join('.');
}
