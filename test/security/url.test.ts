import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { urlFaults } from '../../src/config/url.ts';
import { anyUrl, goodUrls, mixedUrl, nearUrl, passesPlainOnly } from '../fuzz/urls.ts';

/**
 * URLs with which somebody could have one host checked and another one asked. `internal` stands for what the attacker is
 * after, `good.example.com` for what is allowed. None of them may pass, private addresses allowed or not.
 */
const hostile: readonly (readonly [name: string, url: string])[] = [
  // Credentials, and hosts that hide behind them.
  ['a user', 'https://user@good.example.com/'],
  ['a user and a password', 'https://user:pass@good.example.com/'],
  ['the allowed host as a user', 'https://good.example.com@10.0.0.1/'],
  ['the allowed host and its port as a user', 'https://good.example.com:443@10.0.0.1/'],
  ['two at signs', 'https://a@good.example.com@10.0.0.1/'],
  ['an empty user', 'https://@good.example.com/'],
  ['an empty user and password', 'https://:@good.example.com/'],
  ['an encoded at sign in front of one', 'https://good.example.com%40a@10.0.0.1/'],
  ['a slash in a user', 'https://good.example.com%2f@10.0.0.1/'],
  // Fragments, which some readers end the host at and others do not.
  ['a fragment', 'https://good.example.com/#x'],
  ['an empty fragment', 'https://good.example.com/x#'],
  ['a fragment in place of a path', 'https://good.example.com#@10.0.0.1/'],
  ['a host behind a fragment', 'https://10.0.0.1#.good.example.com/'],
  // Backslashes, which are slashes to browsers and letters to others.
  ['a backslash and an at sign', 'https://good.example.com\\@10.0.0.1/'],
  ['a backslash in place of a path', 'https://good.example.com\\x'],
  ['two backslashes', 'https:\\\\good.example.com/'],
  ['slash and backslash', 'https:/\\good.example.com/'],
  ['backslash and slash', 'https:\\/good.example.com/'],
  ['a backslash in the path', 'https://good.example.com/a\\b'],
  ['a backslash in the query', 'https://good.example.com/?a\\b'],
  // Control characters and spaces, which some readers take out.
  ['a tab in the scheme', 'ht\ttps://good.example.com/'],
  ['a tab between the slashes', 'https:/\t/good.example.com/'],
  ['a tab in the host', 'https://good.exam\tple.com/'],
  ['a line feed in the host', 'https://good.example.com\n.evil.example/'],
  ['a carriage return in the host', 'https://good.example.com\r.evil.example/'],
  ['a whole header behind the path', 'https://good.example.com/ HTTP/1.1\r\nhost: evil.example'],
  ['a space in front', ' https://good.example.com/'],
  ['a space behind', 'https://good.example.com/ '],
  ['a line feed behind', 'https://good.example.com/\n'],
  ['a space in the host', 'https://good.example.com .evil.example/'],
  ['a space in the path', 'https://good.example.com/a b'],
  ['a NUL in the host', 'https://good.example.com\0.evil.example/'],
  ['a NUL in the path', 'https://good.example.com/\0'],
  ['a delete character', 'https://good.example.com/\x7f'],
  ['an escape sequence', 'https://good.example.com/\x1b[2J'],
  ['a byte order mark', '\ufeffhttps://good.example.com/'],
  ['a zero-width space in the host', 'https://good\u200b.example.com/'],
  ['a soft hyphen in the host', 'https://go\u00adod.example.com/'],
  ['a right-to-left override', 'https://good.example.com/\u202emoc.live'],
  ['a no-break space', 'https://good.example.com/\u00a0'],
  // Percent signs in the host.
  ['an encoded letter', 'https://g%6fod.example.com/'],
  ['an encoded dot', 'https://good%2eexample.com/'],
  ['an encoded slash', 'https://good.example.com%2f.evil.example/'],
  ['an encoded at sign', 'https://good.example.com%40evil.example/'],
  ['an encoded NUL', 'https://good.example.com%00.evil.example/'],
  ['an encoded backslash', 'https://good.example.com%5c.evil.example/'],
  ['an encoded address', 'https://%31%32%37.0.0.1/'],
  ['a whole encoded host', 'https://%6c%6f%63%61%6c%68%6f%73%74/'],
  ['a percent sign without digits', 'https://good.example.com%/'],
  ['an encoded port', 'https://good.example.com:%38%30/'],
  // Letters that become others: full width, compatibility forms, look-alikes.
  ['a full-width letter', 'https://ｇood.example.com/'],
  ['a full-width dot', 'https://good．example.com/'],
  ['an ideographic full stop', 'https://good。example.com/'],
  ['full-width digits', 'https://１２７.0.0.1/'],
  ['circled digits', 'https://①②⑦.0.0.1/'],
  ['a full-width slash', 'https://good.example.com／.evil.example/'],
  ['a full-width at sign', 'https://good.example.com＠evil.example/'],
  ['a full-width colon', 'https://good.example.com：8443/'],
  ['a look-alike letter', 'https://gооd.example.com/'],
  ['a sharp s', 'https://faß.example.com/'],
  ['a Kelvin sign', 'https://\u212aey.example.com/'],
  ['an account-of sign', 'https://good.example.com℀.evil.example/'],
  // Dots.
  ['a dot behind the name', 'https://good.example.com./'],
  ['two dots behind the name', 'https://good.example.com../'],
  ['a dot behind an address', 'https://10.0.0.1./'],
  ['a dot in front', 'https://.good.example.com/'],
  ['two dots in the name', 'https://good..example.com/'],
  ['nothing but a dot', 'https://./'],
  ['nothing but dots', 'https://../'],
  // Addresses in forms that are names to some readers.
  ['one number', 'https://2130706433/'],
  ['one hexadecimal number', 'https://0x7f000001/'],
  ['one octal number', 'https://017700000001/'],
  ['two parts', 'https://127.1/'],
  ['three parts', 'https://127.0.1/'],
  ['octal parts', 'https://0177.0.0.1/'],
  ['leading zeros', 'https://010.0.0.1/'],
  ['hexadecimal parts', 'https://0x7f.0x0.0x0.0x1/'],
  ['a hexadecimal part among others', 'https://10.0.0.0x1/'],
  ['an empty hexadecimal part', 'https://127.0.0.0x/'],
  ['five parts', 'https://10.0.0.0.1/'],
  ['a part over 255', 'https://10.0.0.256/'],
  ['a number past the last address', 'https://4294967296/'],
  // IPv6.
  ['a zone', 'https://[fe80::1%25eth0]/'],
  ['a zone with a bare percent sign', 'https://[fe80::1%eth0]/'],
  ['a mapped loopback address', 'https://[::ffff:127.0.0.1]/'],
  ['a mapped metadata address', 'https://[::ffff:169.254.169.254]/'],
  ['a mapped address in hexadecimal', 'https://[::ffff:7f00:1]/'],
  ['a mapped public address', 'https://[::ffff:8.8.8.8]/'],
  ['a translated address', 'https://[::ffff:0:127.0.0.1]/'],
  ['an address behind NAT64', 'https://[64:ff9b::7f00:1]/'],
  ['a 6to4 address', 'https://[2002:7f00:1::]/'],
  ['a Teredo address', 'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/'],
  ['a compatible address', 'https://[::127.0.0.1]/'],
  ['a public address with a dotted end', 'https://[2606:4700:4700::110.0.0.111]/'],
  ['a future kind of address', 'https://[v1.fe80::a]/'],
  ['brackets that do not close', 'https://[::1/'],
  ['brackets around a name', 'https://[good.example.com]/'],
  ['something behind the brackets', 'https://[2606:4700::1111]evil.example/'],
  ['an IPv6 address without brackets', 'https://2606:4700::1111/'],
  // Ports.
  ['port 0', 'https://good.example.com:0/'],
  ['a port past the last', 'https://good.example.com:65536/'],
  ['a port that wraps around', 'https://good.example.com:65979/'],
  ['a colon without a port', 'https://good.example.com:/'],
  ['a port with a sign', 'https://good.example.com:+443/'],
  ['a port with a minus', 'https://good.example.com:-443/'],
  ['a port in exponents', 'https://good.example.com:4e2/'],
  ['a hexadecimal port', 'https://good.example.com:0x1bb/'],
  ['two ports', 'https://good.example.com:443:80/'],
  ['a port and a name', 'https://good.example.com:443.evil.example/'],
  // Schemes.
  ['a WebSocket', 'wss://good.example.com/'],
  ['a file', 'file:///etc/passwd'],
  ['a file on a host', 'file://good.example.com/etc/passwd'],
  ['FTP', 'ftp://good.example.com/'],
  ['gopher', 'gopher://10.0.0.1:6379/_FLUSHALL'],
  ['data', 'data:text/plain,good.example.com'],
  ['script', 'javascript://good.example.com/%0aalert(1)'],
  ['a Unix socket', 'http+unix://%2Frun%2Fdocker.sock/'],
  ['a nested scheme', 'blob:https://good.example.com/'],
  ['a doubled scheme', 'https:https://good.example.com/'],
  ['no scheme', '//good.example.com/'],
  ['no scheme and no slashes', 'good.example.com'],
  ['one slash', 'https:/good.example.com/'],
  ['no slash', 'https:good.example.com/'],
  ['three slashes', 'https:///good.example.com/'],
  ['a scheme with a space', 'https ://good.example.com/'],
  ['an encoded scheme', 'h%74tps://good.example.com/'],
  ['no host', 'https://'],
  ['no host but a path', 'https:///x'],
  ['no host but a port', 'https://:443/'],
  ['nothing', ''],
  // Characters that end a host for some readers only.
  ['a semicolon', 'https://good.example.com;.evil.example/'],
  ['a comma', 'https://good.example.com,evil.example/'],
  ['a bar', 'https://good.example.com|.evil.example/'],
  ['a quotation mark', 'https://good.example.com".evil.example/'],
  ['an apostrophe', "https://good.example.com'.evil.example/"],
  ['a back quote', 'https://good.example.com`.evil.example/'],
  ['an ampersand', 'https://good.example.com&.evil.example/'],
  ['a dollar sign', 'https://good.example.com$.evil.example/'],
  ['an exclamation mark', 'https://good.example.com!.evil.example/'],
  ['a star', 'https://*.example.com/'],
  ['parentheses', 'https://good.example.com(.evil.example)/'],
  ['braces', 'https://{good}.example.com/'],
  ['a less-than sign', 'https://good.example.com<.evil.example/'],
  ['a caret', 'https://good.example.com^.evil.example/'],
  ['a plus sign', 'https://good+evil.example.com/'],
  ['an equals sign', 'https://good=evil.example.com/'],
  ['a tilde', 'https://~good.example.com/'],
  // Names no resolver should be asked for.
  ['a label that begins with a dash', 'https://-good.example.com/'],
  ['a label that ends with a dash', 'https://good-.example.com/'],
  ['a label of 64 letters', `https://${'a'.repeat(64)}.example.com/`],
  ['a name of more than 253 letters', `https://${'a.'.repeat(130)}example.com/`],
  ['a percent sign without digits in the path', 'https://good.example.com/%zz'],
];

const goodWherePrivateIs: readonly string[] = [
  'http://10.0.0.5:8545',
  'http://localhost:8545/x',
  'http://node1:8545',
  'http://192.168.1.7/ext/bc/C/rpc',
  'http://[::1]:8545/',
  'http://[fd00::1]:8545/',
  'https://127.0.0.1:8545/',
  'http://rpc.internal/',
];

describe('URLs that two readers could take for two hosts', () => {
  it('is a table of at least 80, each once', () => {
    expect(new Set(hostile.map(([, url]) => url)).size).toBe(hostile.length);
    expect(hostile.length).toBeGreaterThanOrEqual(80);
  });

  it.each(hostile)('%s is refused, whatever is allowed: %j', (_name, url) => {
    expect(urlFaults(url, false)).not.toEqual([]);
    expect(urlFaults(url, true)).not.toEqual([]);
  });
});

describe('URLs there is one reading of', () => {
  it.each(goodUrls)('%s passes', url => {
    expect(urlFaults(url, false)).toEqual([]);
  });

  it.each(goodWherePrivateIs)('%s passes where private addresses are allowed, and only there', url => {
    expect(urlFaults(url, true)).toEqual([]);
    expect(urlFaults(url, false)).not.toEqual([]);
  });
});

describe('whatever is given as a URL', () => {
  it('passes only in the plain form, and names the host that the HTTP client connects to', () => {
    fc.assert(fc.property(anyUrl, passesPlainOnly), { numRuns: 20_000 });
  });

  it('is never shown beyond its host', () => {
    fc.assert(
      fc.property(fc.oneof(mixedUrl, nearUrl), text => {
        const secret = 'K3yN0body5ees';
        for (const url of [
          `${text}/${secret}`,
          `${text}?k=${secret}`,
          `https://u:${secret}@a.example/${text}`,
        ])
          expect(urlFaults(url, false).join('\n')).not.toContain(secret);
      }),
      { numRuns: 2000 },
    );
  });
});
