/** What an endpoint's URL in the file must be. Names are judged again when they are connected to. */

import { shownUrl } from '../core/redact.ts';
import { isPrivate, sameHost } from './hosts.ts';

/** All that is wrong with it, in words that show its host at most. */
export function urlFaults(text: string, allowPrivate: boolean): readonly string[] {
  if (!URL.canParse(text)) return ['expected a URL such as https://rpc.example.com/path'];
  const url = new URL(text);
  const found: string[] = [];
  if (url.protocol === 'http:') {
    if (!allowPrivate) found.push('plain http needs allowPrivate: true; expected https');
  } else if (url.protocol !== 'https:') {
    return ['expected a URL that begins with https://'];
  }
  if (url.username !== '' || url.password !== '')
    found.push('credentials do not belong in a URL: put them into headers');
  if (text.includes('#')) found.push('a URL with a fragment (#…) cannot be asked');
  if (!readAlike(text, url))
    found.push('not every URL reader takes it for the same (spaces, backslashes, unusual forms of a host)');
  if (!allowPrivate && isPrivate(url.hostname)) found.push('a private address needs allowPrivate: true');
  const shown = shownUrl(text);
  return found.map(fault => `${shown}: ${fault}`);
}

/**
 * A second, narrower reading. What the two read differently (backslashes, spaces and control characters, `127.1`, an
 * encoded host) could be checked as one host and connected to as another.
 */
function readAlike(text: string, url: URL): boolean {
  const [, scheme, authority = ''] = /^(https?):\/\/([^/?#]+)(?:[/?#][!-[\]-~]*)?$/i.exec(text) ?? [];
  const [, host = '', digits] =
    /^(?:[^@\\]*@)?(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(authority) ?? [];
  const own = url.protocol === 'https:' ? 443 : 80;
  return (
    `${scheme?.toLowerCase()}:` === url.protocol &&
    sameHost(host, url.hostname) &&
    Number(digits ?? own) === Number(url.port || own) &&
    digits !== '0'
  );
}
