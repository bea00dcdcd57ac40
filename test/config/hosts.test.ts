import fc from 'fast-check';
import fastUri from 'fast-uri';
import { describe, expect, it } from 'vitest';
import {
  isCidr,
  isLoopback,
  isPrivate,
  parseAddress,
  parseAllowedHost,
  sameHost,
} from '../../src/config/hosts.ts';
import { urlFaults } from '../../src/config/url.ts';

describe('an address to listen on', () => {
  it.each([
    ['127.0.0.1:8600', '127.0.0.1', 8600, true],
    ['localhost:0', '127.0.0.1', 0, true],
    ['[::1]:8600', '::1', 8600, true],
    ['0.0.0.0:8600', '0.0.0.0', 8600, false],
    ['[::]:8600', '::', 8600, false],
    ['10.0.0.5:65535', '10.0.0.5', 65_535, false],
    ['[::ffff:127.0.0.1]:80', '::ffff:127.0.0.1', 80, true],
  ])('%s', (text, host, port, loopback) => {
    expect(parseAddress(text)).toEqual({ host, port });
    expect(isLoopback(host)).toBe(loopback);
  });

  it.each([
    '8600',
    ':8600',
    '127.0.0.1',
    'gateway.example.com:8600',
    '127.1:8600',
    '::1:8600',
    '1.2.3.4:65536',
    '',
  ])('refuses %j', text => {
    expect(parseAddress(text)).toBeUndefined();
  });
});

describe('an allowed host', () => {
  it.each([
    ['rpc.ankr.com', { host: 'rpc.ankr.com', subdomains: false }],
    ['RPC.Ankr.com:8443', { host: 'rpc.ankr.com', port: 8443, subdomains: false }],
    ['*.nodes.example.com', { host: 'nodes.example.com', subdomains: true }],
    ['10.0.0.6:8545', { host: '10.0.0.6', port: 8545, subdomains: false }],
    ['[2001:db8::1]:8545', { host: '2001:db8::1', port: 8545, subdomains: false }],
    ['localhost', { host: 'localhost', subdomains: false }],
  ])('%s', (text, host) => {
    expect(parseAllowedHost(text)).toEqual(host);
  });

  it.each([
    ['*', 'wildcard'],
    ['*.com', 'top-level'],
    ['*.', 'top-level'],
    ['*.*.example.com', 'wildcard'],
    ['rpc.*.example.com', 'wildcard'],
    ['rpc*.example.com', 'wildcard'],
    ['*.10.0.0.6', 'no subdomains'],
    ['10.0.0.0/8', 'range'],
    ['https://rpc.example.com', 'no scheme'],
    ['rpc.example.com/key', 'path'],
    ['10.0.0.1-10.0.0.9', 'host name'],
    ['127.1', 'host name'],
    ['0x7f.0x1', 'host name'],
    ['rpc.example.com.', 'host name'],
    ['rpc.example.com:0', 'port'],
    ['rpc.example.com:99999', 'port'],
    ['user@rpc.example.com', 'host name'],
    ['bücher.example', 'host name'],
    ['', 'host name'],
  ])('refuses %j', (text, reason) => {
    const found = parseAllowedHost(text);
    expect(found).toEqual(expect.stringContaining(reason));
    expect(text.length > 3 && String(found).includes(text)).toBe(false);
  });
});

describe('a private host', () => {
  it.each([
    '10.0.0.5',
    '127.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[fe80::1]',
    '[fd00::1]',
    '[ff02::1]',
    '[::ffff:10.0.0.5]',
    '[64:ff9b::a00:5]',
    '[2002:a00:5::]',
    'localhost',
    'a.localhost',
  ])('%s', host => {
    expect(isPrivate(host)).toBe(true);
  });

  it.each(['8.8.8.8', '[2606:4700:4700::1111]', 'rpc.example.com', 'localhost.example.com'])(
    'not %s',
    host => {
      expect(isPrivate(host)).toBe(false);
    },
  );
});

describe('a range of clients', () => {
  it.each(['10.0.0.0/8', '192.168.1.7/32', '2001:db8::/32', '::1/128'])('%s', text => {
    expect(isCidr(text)).toBe(true);
  });

  it.each(['10.0.0.0', '10.0.0.0/33', '10/8', 'example.com/8', '2001:db8::/129', '10.0.0.0/', ''])(
    'not %j',
    text => {
      expect(isCidr(text)).toBe(false);
    },
  );
});

describe("an endpoint's URL", () => {
  it.each([
    ['https://mainnet.infura.io/v3/0a1b2c3d4e', false],
    ['https://rpc.example.com:8443/?key=0a1b2c3d4e', false],
    ['HTTPS://RPC.Example.com', false],
    ['https://[2606:4700:4700:0:0:0:0:1111]:8545/x', false],
    ['https://8.8.8.8', false],
    ['http://10.0.0.5:8545', true],
    ['http://localhost:8545/x', true],
    ['http://rpc.example.com', true],
    ['https://[::1]', true],
  ])('%s', (url, allowPrivate) => {
    expect(urlFaults(url, allowPrivate)).toEqual([]);
  });

  it.each([
    ['0a1b2c3d4e', 'expected a URL'],
    ['https://', 'expected a URL'],
    ['rpc.example.com/0a1b2c3d4e', 'expected a URL'],
    ['wss://rpc.example.com/0a1b2c3d4e', 'begins with https://'],
    ['file:///0a1b2c3d4e', 'begins with https://'],
    ['http://rpc.example.com/0a1b2c3d4e', 'plain http needs allowPrivate'],
    ['https://0a1b2c3d4e@rpc.example.com/', 'credentials'],
    ['https://rpc.example.com/#0a1b2c3d4e', 'fragment'],
    ['https://rpc.example.com/0a1b2c3d4e#', 'fragment'],
    ['https://10.0.0.5/0a1b2c3d4e', 'private address'],
    ['https://localhost/0a1b2c3d4e', 'private address'],
    ['https://127.1/0a1b2c3d4e', 'not every URL reader'],
    ['https://2130706433/0a1b2c3d4e', 'not every URL reader'],
    ['https://rpc.example.com\\0a1b2c3d4e', 'backslashes'],
    ['https:/rpc.example.com/0a1b2c3d4e', 'not every URL reader'],
    ['https:\\\\rpc.example.com/0a1b2c3d4e', 'backslashes'],
    ['https://rpc.ex%61mple.com/0a1b2c3d4e', 'percent signs'],
    ['https://rpc.example.com/0a1b\t2c3d4e', 'control characters'],
    [' https://rpc.example.com/0a1b2c3d4e', 'spaces'],
    ['https://rpc.example.com/0a1b2c3d4e\n', 'control characters'],
    ['https://bücher.example/0a1b2c3d4e', 'beyond ASCII'],
    ['https://rpc.example.com:0/0a1b2c3d4e', 'not every URL reader'],
    ['https://a@b@rpc.example.com/0a1b2c3d4e', 'not every URL reader'],
  ])('refuses %j, and shows its host at most', (url, reason) => {
    const found = urlFaults(url, false).join('\n');
    expect(found).toContain(reason);
    expect(found).not.toContain('0a1b');
  });

  it('passes only as what a reader of another make takes it for', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        '0',
        '01',
        '127',
        '0x7f',
        '1.2.3.4',
        '::1',
        'xn--a',
        'A',
        '.',
        '..',
        '-',
        '_',
        '%41',
        '@',
        '[',
        ']',
      ],
      ...[':', ':80', ':080', ':0', ':65536', '/', '//', '/..', '?', '?a=b', '#', '&', '~', '!', "'", '*'],
    );
    const url = fc
      .tuple(fc.constantFrom('https://', 'http://', 'HTTPS://', 'https:/'), fc.array(piece, { maxLength: 6 }))
      .map(([scheme, pieces]) => scheme + pieces.join(''));
    fc.assert(
      fc.property(url, text => {
        if (urlFaults(text, true).length > 0) return;
        const { scheme, userinfo, host, port, error } = fastUri.parse(text, { scheme: 'other' });
        const { protocol, hostname, port: given } = new URL(text);
        expect({ error, userinfo, scheme: `${scheme}:` }).toEqual({ scheme: protocol });
        expect(sameHost(host ?? '', hostname)).toBe(true);
        const usual = protocol === 'http:' ? 80 : 443;
        expect(Number(port ?? usual)).toBe(Number(given || usual));
      }),
      { numRuns: 3_000 },
    );
  });

  it('says all that is wrong with one', () => {
    expect(urlFaults('http://u:p@10.0.0.5/#x', false)).toEqual([
      'http://10.0.0.5: plain http needs allowPrivate: true; expected https',
      'http://10.0.0.5: credentials do not belong in a URL: put them into headers',
      'http://10.0.0.5: a URL with a fragment (#…) cannot be asked',
      'http://10.0.0.5: a private address needs allowPrivate: true',
    ]);
  });
});
