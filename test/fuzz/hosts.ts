/** Entries of an allowlist and URLs, both nearly right: who is let in must be who the entry names, read naively. */

import fc from 'fast-check';
import { type AllowedHost, parseAllowedHost } from '../../src/config/hosts.ts';
import { urlFaults } from '../../src/config/url.ts';
import { allowlist } from '../../src/daemon/allowlist.ts';
import { chainSettings } from '../core/pool-fixture.ts';
import { same } from './same.ts';
import { anyUrl } from './urls.ts';

const part = fc.constantFrom(
  ...'* *. . .. : :443 :8443 :0 rpc example com co.uk github.io evil 10.0.0.6 8.8.8.8 [::1] [2606:4700::1111] [ ] ::ffff: 0x7f 0177 / @ % - _ xn--p1ai ⁄ ｅ'.split(
    ' ',
  ),
);
const entryText = fc.oneof(
  fc.constantFrom(
    'rpc.example.com',
    '*.example.com',
    '*.example.com:8443',
    '8.8.8.8',
    '[2606:4700::1111]:8545',
  ),
  fc.array(part, { maxLength: 6 }).map(parts => parts.join('')),
);
const urlText = fc.oneof(
  anyUrl,
  entryText.map(text => `https://${text}/x`),
  fc.tuple(part, entryText).map(([label, text]) => `https://${label}.${text.replace('*.', '')}/x`),
);

/** Who the entry lets in with a URL that has no fault is below it or is it, at its port, told by plain comparison. */
export function letsInWhoItNames([text, url]: readonly [string, string]): void {
  const entry = parseAllowedHost(text);
  if (typeof entry === 'string') return;
  same('an entry is plain', /^(?:\*\.)?[a-z0-9._:[\]-]+$/i.test(text), true);
  const hosts: readonly AllowedHost[] = [{ ...entry, allowPrivate: false }];
  const list = allowlist([{ settings: chainSettings, endpoints: [], allowedHosts: hosts }]);
  if (!URL.canParse(url) || list.permits(chainSettings.name, new URL(url)) === undefined) return;
  if (urlFaults(url, true).length > 0) return;
  const [, name = '', port] = /^https?:\/\/(\[[^\]]*\]|[^/?#:]*)(?::0*(\d+))?/i.exec(url) ?? [];
  const [, wanted = '', at] = /^(?:\*\.)?(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [];
  same(
    'the port',
    Number(port ?? (/^http:/i.test(url) ? 80 : 443)),
    Number(at ?? (/^http:/i.test(url) ? 80 : 443)),
  );
  if (name.startsWith('[')) {
    same('the address', new URL(url).hostname, new URL(`https://${wanted}`).hostname);
    return;
  }
  const below = name.toLowerCase().endsWith(`.${wanted.toLowerCase()}`);
  same('it is named', text.startsWith('*.') ? below : name.toLowerCase() === wanted.toLowerCase(), true);
}

export const entryAndUrl = fc.tuple(entryText, urlText);
