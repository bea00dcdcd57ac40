/** Texts that are nearly URLs, and what must be true of those that pass for one. */

import fc from 'fast-check';
import { urlFaults } from '../../src/config/url.ts';
import { same } from './same.ts';

export const goodUrls: readonly string[] = [
  'https://good.example.com',
  'https://good.example.com/',
  'HTTPS://Good.Example.COM/',
  'https://good.example.com/v3/0123456789abcdef0123456789abcdef',
  'https://good.example.com/?apikey=0123456789abcdef',
  'https://good.example.com?apikey=0123456789abcdef',
  'https://good.example.com/a/b/../c',
  'https://good.example.com//double//slashes',
  'https://good.example.com/@10.0.0.1/',
  'https://good.example.com/https://10.0.0.1/',
  'https://good.example.com/a;b=c,d',
  "https://good.example.com/~user/$x!*'()",
  'https://good.example.com/%2F%41%00',
  'https://good.example.com/x?a=b&c=%20d&e[]=f',
  'https://good.example.com/x?u=http://10.0.0.1',
  'https://good.example.com:443/',
  'https://good.example.com:8443/x',
  'https://good.example.com:08443/x',
  'https://good.example.com:65535/',
  'https://xn--bcher-kva.example/',
  'https://0x7f.example.com/',
  'https://1.2.3.4.example.com/',
  'https://a_b.example.com/',
  'https://3scale.example.com/',
  'https://8.8.8.8/',
  'https://8.8.8.8:8545/x',
  'https://[2606:4700:4700::1111]/',
  'https://[2606:4700:4700:0:0:0:0:1111]:8545/x',
  'https://[2606:4700:4700::0:1111]/',
];

/** Written anew here, from no library: what stands between the slashes and the path, and nothing unusual in it. */
const plain =
  /^https:\/\/((?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_-]+|\[[0-9a-f:]+\])(?::0*([1-9][0-9]{0,4}))?(?:[/?][\x21-\x5b\x5d-\x7e]*)?$/i;

const pieces = fc.constantFrom(
  ...'https: // / \\ @ : :443 :0 :80 . .. # ? % %2e %40 %00 \t \n \0 0x7f 0177 127 1 0 [ ] [::1] ::ffff: good example com evil.example 10.0.0.1 ．＠ ｇ ß ; & - _'.split(
    ' ',
  ),
  ' ',
);
export const mixedUrl = fc
  .array(fc.oneof({ arbitrary: pieces, weight: 8 }, fc.string({ maxLength: 3, unit: 'binary' })), {
    maxLength: 10,
  })
  .map(parts => `https://${parts.join('')}`);
export const nearUrl = fc
  .tuple(fc.constantFrom(...goodUrls), fc.nat(), pieces, fc.boolean())
  .map(([url, at, piece, cut]) => {
    const index = at % (url.length + 1);
    return url.slice(0, index) + piece + url.slice(index + (cut ? 1 : 0));
  });
export const anyUrl = fc.oneof(mixedUrl, nearUrl, fc.webUrl({ withFragments: true }));

/** What passes is in the plain form, and the HTTP client reads the same host and port in it. */
export function passesPlainOnly(text: string): void {
  if (urlFaults(text, false).length > 0) return;
  const [, host = '', port] = plain.exec(text) ?? [];
  const url = new URL(text);
  same('it has a host', host !== '', true);
  if (!host.startsWith('[')) same('its host', url.hostname, host.toLowerCase());
  same('its port', url.port === '' ? 443 : Number(url.port), Number(port ?? 443));
  same('nothing else stands in it', [url.username, url.password, url.hash], ['', '', '']);
}
