import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllowedHost } from '../../src/config/hosts.ts';
import { parseConfig } from '../../src/config/load.ts';
import { type Allowlist, allowlist } from '../../src/daemon/allowlist.ts';

function allowing(hosts: readonly unknown[], endpoints: readonly unknown[] = []): Allowlist {
  const loaded = parseConfig(
    JSON.stringify({ chains: { ethereum: { endpoints, allowedHosts: hosts } } }),
    {},
    '/',
  );
  if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join('\n'));
  return allowlist(loaded.config.chains);
}

const permits = (list: Allowlist, url: string): boolean =>
  list.permits('ethereum', new URL(url)) !== undefined;

describe('an entry of the allowlist', () => {
  it.each([
    ['a bare star', '*'],
    ['a bare star with a port', '*:443'],
    ['two stars', '*.*'],
    ['a star over nothing', '*.'],
    ['a top-level domain', '*.com'],
    ['a new top-level domain', '*.xyz'],
    ['a top-level domain nobody knows', '*.internal'],
    ['this machine', '*.localhost'],
    ['a public suffix', '*.co.uk'],
    ['a public suffix with a port', '*.co.uk:8545'],
    ['a public suffix in capitals', '*.CO.UK'],
    ['a public suffix that a rule with a star makes', '*.anything.ck'],
    ['a public suffix of three labels', '*.k12.ca.us'],
    ['a public suffix in punycode', '*.xn--55qx5d.cn'],
    ['pages of anybody', '*.github.io'],
    ['apps of anybody', '*.herokuapp.com'],
    ['functions of anybody', '*.workers.dev'],
    ['pages of anybody at a cloud', '*.pages.dev'],
    ['tunnels of anybody', '*.ngrok.io'],
    ['machines of anybody', '*.compute.amazonaws.com'],
    ['buckets of anybody', '*.s3.amazonaws.com'],
    ['load balancers of anybody', '*.elb.amazonaws.com'],
    ['sites of anybody at a cloud', '*.azurewebsites.net'],
    ['a content network of anybody', '*.cloudfront.net'],
    ['a name anybody can take', '*.duckdns.org'],
    ['a star inside', 'rpc.*.example.com'],
    ['a star within a label', 'rpc-*.example.com'],
    ['a star at the end', 'rpc.example.*'],
    ['a star before a star', '*.*.example.com'],
    ['a range by its length', '10.0.0.0/8'],
    ['all addresses', '0.0.0.0/0'],
    ['a range of IPv6 addresses', '[2001:db8::]/32'],
    ['a range from to', '10.0.0.1-10.0.0.9'],
    ['a range in its last part', '10.0.0.1-9'],
    ['a range by a star', '10.0.0.*'],
    ['a range by leaving out', '10.0.0'],
    ['a range by a dot', '10.0.0.'],
    ['subdomains of an address', '*.10.0.0.6'],
    ['subdomains of parts of an address', '*.0.0.6'],
    ['subdomains of an IPv6 address', '*.[::1]'],
    ['an address in octal', '010.0.0.6'],
    ['an address in hexadecimal', '0x0a.0.0.6'],
    ['an address as one number', '167772166'],
    ['a mapped address', '[::ffff:10.0.0.6]'],
    ['a zone', '[fe80::1%eth0]'],
    ['a dot behind the name', 'rpc.example.com.'],
    ['an empty label', 'rpc..example.com'],
    ['a scheme', 'https://rpc.example.com'],
    ['a path', 'rpc.example.com/x'],
    ['a user', 'u@rpc.example.com'],
    ['a space', 'rpc.example.com '],
    ['two hosts', 'rpc.example.com,evil.example'],
    ['letters beyond ASCII', 'ｒpc.example.com'],
    ['percent signs', 'rpc%2eexample.com'],
    ['port 0', 'rpc.example.com:0'],
    ['a range of ports', 'rpc.example.com:1-65535'],
    ['every port', 'rpc.example.com:*'],
    ['a port past the last', 'rpc.example.com:65536'],
    ['nothing', ''],
  ])('is never %s (%s)', (_name, text) => {
    expect(parseAllowedHost(text)).toEqual(expect.any(String));
  });

  it('never lets a whole public suffix in, whatever the list says', () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
    const suffix = fc.constantFrom(
      'com',
      'co.uk',
      'github.io',
      's3.amazonaws.com',
      'pages.dev',
      'xyz',
      'com.au',
    );
    fc.assert(
      fc.property(suffix, label, label, (name, mine, theirs) => {
        fc.pre(mine !== theirs);
        expect(parseAllowedHost(`*.${name}`)).toEqual(expect.any(String));
        // `com.ru` and its like are public suffixes themselves: what is refused lets nobody in.
        const entry = `*.${mine}.${name}`;
        if (typeof parseAllowedHost(entry) === 'string') return;
        const list = allowing([entry]);
        expect(permits(list, `https://${theirs}.${name}`)).toBe(false);
        expect(permits(list, `https://a.${theirs}.${name}`)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

describe('what an entry covers', () => {
  const rows: readonly (readonly [entry: unknown, url: string, covered: boolean])[] = [
    // An exact host is that host.
    ['rpc.example.com', 'https://rpc.example.com/x', true],
    ['rpc.example.com', 'https://RPC.EXAMPLE.COM/x', true],
    ['rpc.example.com', 'https://rpc.example.com:443/x', true],
    ['rpc.example.com', 'https://a.rpc.example.com/', false],
    ['rpc.example.com', 'https://xrpc.example.com/', false],
    ['rpc.example.com', 'https://rpc.example.com.evil.example/', false],
    ['rpc.example.com', 'https://example.com/', false],
    ['example.com', 'https://rpc.example.com/', false],
    // A wildcard is what lies below, not the domain and not what ends alike.
    ['*.example.com', 'https://rpc.example.com/', true],
    ['*.example.com', 'https://a.b.rpc.example.com/', true],
    ['*.example.com', 'https://example.com/', false],
    ['*.example.com', 'https://evilexample.com/', false],
    ['*.example.com', 'https://example.com.evil.example/', false],
    ['*.nodes.example.com', 'https://a.nodes.example.com/', true],
    ['*.nodes.example.com', 'https://nodes.example.com/', false],
    ['*.nodes.example.com', 'https://example.com/', false],
    // Below a domain, others may have names: those are theirs.
    ['*.amazonaws.com', 'https://sts.amazonaws.com/', true],
    ['*.amazonaws.com', 'https://mine.s3.amazonaws.com/', false],
    ['*.amazonaws.com', 'https://s3.amazonaws.com/', false],
    ['*.amazonaws.com', 'https://ec2-1-2-3-4.compute-1.amazonaws.com/', false],
    ['*.windows.net', 'https://mine.blob.core.windows.net/', false],
    ['*.mine.github.io', 'https://a.mine.github.io/', true],
    ['*.mine.github.io', 'https://a.yours.github.io/', false],
    // Ports are part of the rule: the scheme's own, or the one given.
    ['rpc.example.com', 'https://rpc.example.com:8443/', false],
    ['rpc.example.com', 'https://rpc.example.com:80/', false],
    ['rpc.example.com:8443', 'https://rpc.example.com:8443/', true],
    ['rpc.example.com:8443', 'https://rpc.example.com/', false],
    ['*.example.com:8443', 'https://rpc.example.com:8443/', true],
    ['*.example.com:8443', 'https://rpc.example.com/', false],
    [{ host: 'node1', allowPrivate: true }, 'http://node1/', true],
    [{ host: 'node1', allowPrivate: true }, 'https://node1/', true],
    [{ host: 'node1', allowPrivate: true }, 'http://node1:443/', false],
    [{ host: 'node1', allowPrivate: true }, 'http://node1:8545/', false],
    [{ host: 'node1:8545', allowPrivate: true }, 'http://node1:8545/', true],
    // An address is that address and no range.
    [{ host: '10.0.0.6:8545', allowPrivate: true }, 'http://10.0.0.6:8545/', true],
    [{ host: '10.0.0.6:8545', allowPrivate: true }, 'http://10.0.0.7:8545/', false],
    [{ host: '10.0.0.6', allowPrivate: true }, 'https://10.0.0.60/', false],
    [{ host: '0.0.0.0', allowPrivate: true }, 'https://10.0.0.6/', false],
    ['8.8.8.8', 'https://8.8.8.8/', true],
    ['8.8.8.8', 'https://8.8.8.8.example.com/', false],
    ['[2606:4700::1111]', 'https://[2606:4700:0:0:0:0:0:1111]/', true],
    ['[2606:4700::1111]', 'https://[2606:4700::1112]/', false],
    [{ host: '[::1]:8545', allowPrivate: true }, 'http://[::1]:8545/', true],
    [{ host: '[::1]:8545', allowPrivate: true }, 'http://127.0.0.1:8545/', false],
  ];

  it.each(rows)('%j and %s: %s', (entry, url, covered) => {
    expect(permits(allowing([entry]), url)).toBe(covered);
  });
});

describe('the allowlist of a chain', () => {
  const endpoints = [
    { name: 'a', url: 'https://a.example.com/key' },
    { name: 'own', url: 'http://10.0.0.5:8545', allowPrivate: true },
  ];

  it("has the hosts and ports of the file's own endpoints, and what they allow there", () => {
    const list = allowing([], endpoints);
    expect(list.permits('ethereum', new URL('https://a.example.com/other'))).toEqual({ allowPrivate: false });
    expect(list.permits('ethereum', new URL('http://10.0.0.5:8545/other'))).toEqual({ allowPrivate: true });
    expect(permits(list, 'https://a.example.com:8443/')).toBe(false);
    expect(permits(list, 'http://10.0.0.5/')).toBe(false);
    expect(permits(list, 'https://b.a.example.com/')).toBe(false);
  });

  it('is empty when nothing is said, and is of that chain alone', () => {
    expect(permits(allowing([]), 'https://a.example.com/')).toBe(false);
    const list = allowing(['rpc.example.com']);
    expect(list.permits('bnb', new URL('https://rpc.example.com/'))).toBeUndefined();
    expect(list.permits('__proto__', new URL('https://rpc.example.com/'))).toBeUndefined();
  });

  it('says what a reviewer would have to add, with the port where it is not the scheme’s own', () => {
    const list = allowing([]);
    const rows = [
      ['https://rpc.example.com/secret?key=secret', 'rpc.example.com'],
      ['https://rpc.example.com:8443/secret', 'rpc.example.com:8443'],
      ['http://10.0.0.6:8545/secret', '10.0.0.6:8545'],
      ['https://[2606:4700::1111]/secret', '[2606:4700::1111]'],
      ['https://[2606:4700::1111]:8545/secret', '[2606:4700::1111]:8545'],
    ] as const;
    for (const [url, entry] of rows) {
      expect(list.entryFor(new URL(url))).toBe(entry);
      expect(parseAllowedHost(entry)).toEqual(expect.any(Object));
    }
  });
});
