import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forbidden } from '../../src/io/addresses.ts';

const table: readonly [address: string, why: string | undefined][] = [
  // The public internet.
  ['8.8.8.8', undefined],
  ['1.1.1.1', undefined],
  ['172.15.255.255', undefined],
  ['172.32.0.0', undefined],
  ['100.63.255.255', undefined],
  ['100.128.0.0', undefined],
  ['169.253.255.255', undefined],
  ['223.255.255.255', undefined],
  ['2606:4700:4700::1111', undefined],
  ['2a00:1450:4001:80b::200e', undefined],
  // This machine.
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['::1', 'loopback'],
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'unspecified'],
  ['::', 'unspecified'],
  // The network around it.
  ['10.0.0.5', 'private'],
  ['10.255.255.255', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['fc00::1', 'private'],
  ['fdff:ffff::1', 'private'],
  ['fec0::1', 'private'],
  ['169.254.0.1', 'link-local'],
  ['fe80::1', 'link-local'],
  ['fe80::1%lo', 'link-local'],
  ['::127.0.0.1%lo', 'reserved'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['100.127.255.255', 'carrier-grade NAT'],
  ['255.255.255.255', 'broadcast'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['ff02::1', 'multicast'],
  // Where clouds hand out credentials.
  ['169.254.169.254', 'a cloud metadata service'],
  ['fd00:ec2::254', 'a cloud metadata service'],
  ['fd00:0ec2:0000:0000:0000:0000:0000:0254', 'a cloud metadata service'],
  ['100.100.100.200', 'a cloud metadata service'],
  ['168.63.129.16', 'a cloud metadata service'],
  ['::ffff:169.254.169.254', 'a cloud metadata service'],
  ['64:ff9b::a9fe:a9fe', 'a cloud metadata service'],
  ['2002:a9fe:a9fe::1', 'a cloud metadata service'],
  // An IPv4 address inside an IPv6 one.
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['::ffff:10.0.0.1', 'private'],
  ['::ffff:8.8.8.8', undefined],
  ['::ffff:0:127.0.0.1', 'loopback'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['64:ff9b::808:808', undefined],
  ['64:ff9b:1::808:808', 'reserved'],
  ['2002:7f00:1::', 'loopback'],
  ['2002:c0a8:101::1', 'private'],
  ['2002:808:808::1', undefined],
  ['::127.0.0.1', 'reserved'],
  ['::8.8.8.8', 'reserved'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'reserved'],
  // Given out for something else, or not at all.
  ['192.0.0.1', 'reserved'],
  ['192.0.2.1', 'reserved'],
  ['198.18.0.1', 'reserved'],
  ['198.51.100.1', 'reserved'],
  ['203.0.113.1', 'reserved'],
  ['240.0.0.1', 'reserved'],
  ['100::1', 'reserved'],
  ['2001:db8::1', 'reserved'],
  ['3fff::1', 'reserved'],
  ['4000::1', 'reserved'],
  ['5f00::1', 'reserved'],
  // No addresses at all.
  ['', 'not an IP address'],
  ['localhost', 'not an IP address'],
  ['127.1', 'not an IP address'],
  ['0x7f000001', 'not an IP address'],
  ['2130706433', 'not an IP address'],
  ['0177.0.0.1', 'not an IP address'],
  ['8.8.8.8 ', 'not an IP address'],
  ['1.2.3.4:80', 'not an IP address'],
  ['[::1]', 'not an IP address'],
];

describe('what may be connected to', () => {
  it.each(table)('%s: %s', (address, why) => {
    expect(forbidden(address)).toBe(why);
  });

  it('gives an IPv4 address the same answer in every IPv6 form that leads to it', () => {
    fc.assert(
      fc.property(fc.ipV4(), address => {
        const [a, b, c, d] = address.split('.').map(Number);
        const hex = [a! * 256 + b!, c! * 256 + d!].map(group => group.toString(16)).join(':');
        for (const form of [`::ffff:${hex}`, `::ffff:0:${hex}`, `64:ff9b::${hex}`, `2002:${hex}::1`]) {
          expect(forbidden(form)).toBe(forbidden(address));
        }
      }),
    );
  });

  it('allows no IPv6 address outside 2000::/3 unless it leads to an IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV6(), address => {
        const first = /^([0-9a-f]*):/i.exec(address)?.[1] ?? '';
        const inside = Number.parseInt(first.padStart(4, '0').slice(0, 1), 16);
        fc.pre(inside !== 2 && inside !== 3 && !/^(::|0|64:ff9b)/i.test(address));
        expect(forbidden(address)).toBeTypeOf('string');
      }),
    );
  });
});
