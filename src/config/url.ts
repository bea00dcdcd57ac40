/**
 * What an endpoint's URL must be, in the file and at runtime. Two readers of different make must take it for the same
 * scheme, host and port: what they read differently could be checked as one host and connected to as another. Names are
 * judged again when they are connected to.
 */

import fastUri from 'fast-uri';
import { shownUrl } from '../core/redact.ts';
import { bareHost, embedsAnother, isPlainHost, isPrivate, ownPort, sameHost } from './hosts.ts';

/** All that is wrong with it, in words that show its host at most. */
export function urlFaults(text: string, allowPrivate: boolean): readonly string[] {
  const form = formFault(text);
  if (form !== undefined) return [form];
  // The HTTP client reads it so too: undici takes the global URL.
  const url = URL.parse(text);
  if (url === null) return ['expected a URL such as https://rpc.example.com/path'];
  const found: string[] = [];
  if (url.protocol === 'http:') {
    if (!allowPrivate) found.push('plain http needs allowPrivate: true; expected https');
  } else if (url.protocol !== 'https:') {
    return ['expected a URL that begins with https://'];
  }
  const other = otherReading(text);
  if (url.username !== '' || url.password !== '' || (other !== undefined && other.userinfo !== undefined))
    found.push('credentials do not belong in a URL: put them into headers');
  if (text.includes('#')) found.push('a URL with a fragment (#…) cannot be asked');
  const host = bareHost(url);
  if (other === undefined || !sameTarget(url, other) || !isPlainHost(host))
    found.push('not every URL reader takes it for the same (an unusual host, port or percent sign)');
  else if (embedsAnother(host)) found.push('an IPv6 address that stands for an IPv4 one: write the IPv4 one');
  if (!allowPrivate && isPrivate(host)) found.push('a private address needs allowPrivate: true');
  return found.map(fault => `${shownUrl(text)}: ${fault}`);
}

/** What no reader should have to guess at. Whoever reads it first, a URL is these characters and no others. */
function formFault(text: string): string | undefined {
  if (/[^\x21-\x7e]/.test(text))
    return 'spaces, control characters and letters beyond ASCII do not belong in a URL (write them as %XX, in a host as xn--…)';
  if (text.includes('\\')) return 'backslashes do not belong in a URL: some readers take them for slashes';
  // All readers decode it, and so none of them notices.
  if (/^[^/?#]*\/\/[^/?#]*%/.test(text)) return 'percent signs do not belong in the host of a URL';
  return undefined;
}

interface Reading {
  readonly scheme: string;
  readonly userinfo: string | undefined;
  readonly host: string;
  /** Undefined: none is given. */
  readonly port: number | undefined;
}

/**
 * By RFC 3986 and a reader of another make. It is told a scheme of which it knows nothing, because it hands the hosts of
 * `http` and `https` to the very reader it is held against here.
 */
function otherReading(text: string): Reading | undefined {
  const { error, scheme, userinfo, host, port } = fastUri.parse(text, { scheme: 'other' });
  if (error !== undefined || scheme === undefined || host === undefined) return undefined;
  // An IPv6 address with a dotted end: readers differ on what it stands for.
  if (host.includes(':') && host.includes('.')) return undefined;
  // Leading zeros are left as they stand; `https://host:/` gives an empty text.
  const given = port === undefined ? undefined : port === '' ? Number.NaN : Number(port);
  return { scheme, userinfo, host, port: given };
}

function sameTarget(url: URL, other: Reading): boolean {
  const port = url.port === '' ? ownPort(url) : Number(url.port);
  return (
    url.protocol === `${other.scheme}:` &&
    sameHost(bareHost(url), other.host) &&
    port === (other.port ?? ownPort(url)) &&
    port !== 0
  );
}
