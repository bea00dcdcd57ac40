import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load.ts';
import { plan } from '../../src/config/plan.ts';
import type { Config } from '../../src/config/settings.ts';

function config(text: string): Config {
  const loaded = parseConfig(text, {}, '/');
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

const base = `
clients: { keys: [{ name: app, key: key-0a1b2c3d4e5f }] }
chains:
  ethereum:
    allowedHosts: [a.example.com, "*.b.example.com"]
    endpoints:
      - { name: one, url: "https://one.example.com/0a1b2c3d", headers: { x-key: 0a1b2c3d-header } }
      - { name: two, url: "https://two.example.com/" }
  xrpl: {}
`;
const changed = (...edits: [string, string][]) =>
  config(
    edits.reduce((text, [from, to]) => {
      expect(text).toContain(from);
      return text.replace(from, to);
    }, base),
  );

const before = config(base);
const texts = (after: Config) => plan(before, after).map(change => change.text);

describe('plan', () => {
  it('of the same twice is empty', () => {
    expect(plan(before, config(base))).toEqual([]);
  });

  it.each<[string, [string, string][], string[]]>([
    [
      'a weight',
      [['"https://two.example.com/"', '"https://two.example.com/", weight: 60']],
      ['ethereum/two: weight 50 → 60'],
    ],
    [
      'a key in a URL',
      [['one.example.com/0a1b2c3d"', 'one.example.com/4e5f6a7b"']],
      ['ethereum/one: url changed behind https://one.example.com; everything about it is learned anew'],
    ],
    [
      'a host of a URL',
      [['one.example.com/0a1b2c3d"', 'three.example.com/0a1b2c3d"']],
      [
        'ethereum/one: url https://one.example.com → https://three.example.com; everything about it is learned anew',
      ],
    ],
    [
      'a header value',
      [['0a1b2c3d-header', '4e5f6a7b-header']],
      ['ethereum/one: headers.x-key changed; everything about it is learned anew'],
    ],
    [
      'a header that comes',
      [['{ x-key:', '{ x-new: 4e5f6a7b, x-key:']],
      ['ethereum/one: headers.x-new set to ***; everything about it is learned anew'],
    ],
    [
      'a header that goes',
      [['x-key: 0a1b2c3d-header', '']],
      ['ethereum/one: headers.x-key no longer set, was ***; everything about it is learned anew'],
    ],
    [
      'an endpoint that comes',
      [['  xrpl: {}', '      - { name: three, url: "https://three.example.com/4e5f6a7b" }\n  xrpl: {}']],
      ['ethereum/three: added'],
    ],
    [
      'an endpoint that goes',
      [['      - { name: two, url: "https://two.example.com/" }\n', '']],
      ['ethereum/two: removed'],
    ],
    ['a name that changes', [['name: two', 'name: zwei']], ['ethereum/zwei: added', 'ethereum/two: removed']],
    [
      'the order',
      [
        [
          'name: one, url: "https://one.example.com/0a1b2c3d", headers: { x-key: 0a1b2c3d-header }',
          'name: two, url: "https://two.example.com/"',
        ],
        [
          'name: two, url: "https://two.example.com/" }\n  xrpl',
          'name: one, url: "https://one.example.com/0a1b2c3d", headers: { x-key: 0a1b2c3d-header } }\n  xrpl',
        ],
      ],
      ['ethereum: order of endpoints one, two → two, one'],
    ],
    [
      'settings of a chain',
      [['xrpl: {}', 'xrpl: { attempts: 2, maxLatency: 1500ms, timeouts: { read: 1m } }']],
      ['xrpl: attempts 3 → 2; timeouts.read 5s → 1m; maxLatency set to 1500ms'],
    ],
    [
      'a chain that comes',
      [['xrpl: {}', 'xrpl: {}\n  base: { endpoints: [{ name: x, url: "https://x.example.com" }] }']],
      ['base: added, with 1 endpoint'],
    ],
    [
      'a chain that comes with hosts',
      [['xrpl: {}', 'xrpl: {}\n  base: { allowedHosts: [x.example.com] }']],
      [
        'base: added, with 0 endpoints',
        'base: allowedHosts + x.example.com: needs a restart, for it lets more hosts in',
      ],
    ],
    ['a chain that goes', [['  xrpl: {}\n', '']], ['xrpl: removed']],
    [
      'keys of the process',
      [['chains:', 'listen: 127.0.0.1:9600\nlog: { level: debug }\nchains:']],
      ['needs a restart: listen 127.0.0.1:8600 → 127.0.0.1:9600; log.level info → debug'],
    ],
    [
      'a client key',
      [['key-0a1b2c3d4e5f', 'key-6a7b8c9d0e1f']],
      ['needs a restart: clients.keys app changed'],
    ],
    [
      'a client',
      [['name: app', 'name: web']],
      ['needs a restart: clients.keys name app key *** → name web key ***'],
    ],
    [
      'a host that comes',
      [['[a.example.com,', '[a.example.com, { host: "10.0.0.1:1", allowPrivate: true },']],
      [
        'ethereum: allowedHosts + host 10.0.0.1:1 allowPrivate true: needs a restart, for it lets more hosts in',
      ],
    ],
    [
      'a host that goes',
      [['a.example.com, ', '']],
      ['ethereum: allowedHosts - a.example.com: needs a restart'],
    ],
  ])('tells %s', (_what, edits, expected) => {
    const after = changed(...edits);
    expect(texts(after)).toEqual(expected);
    // Keys, before and after, as data too: none of it may hold what stood behind a host or in a header.
    expect(JSON.stringify(plan(before, after))).not.toMatch(/0a1b|4e5f|6a7b/);
  });

  it('is data: what changed, whether a reload does it, whether what was learned still holds', () => {
    expect(
      plan(
        before,
        changed(
          ['xrpl: {}', 'xrpl: { pinning: false }'],
          ['one.example.com/0a1b2c3d"', 'one.example.com/4e5f6a7b", weight: 0'],
          ['[a.example.com, "*.b.example.com"]', '["*.b.example.com", c.example.com]'],
          ['chains:', 'dataDir: /data\nchains:'],
        ),
      ).map(({ text: _text, ...change }) => change),
    ).toEqual([
      { kind: 'gateway_changed', keys: [{ key: 'dataDir', after: '/data' }], needsRestart: true },
      {
        kind: 'endpoint_changed',
        chain: 'ethereum',
        endpoint: 'one',
        keys: [
          { key: 'weight', before: '50', after: '0' },
          { key: 'url', before: 'https://one.example.com', after: 'https://one.example.com' },
        ],
        identity: true,
        needsRestart: false,
      },
      {
        kind: 'hosts_changed',
        chain: 'ethereum',
        added: ['c.example.com'],
        removed: ['a.example.com'],
        widens: true,
        needsRestart: true,
      },
      {
        kind: 'chain_changed',
        chain: 'xrpl',
        keys: [{ key: 'pinning', before: 'true', after: 'false' }],
        needsRestart: false,
      },
    ]);
  });

  it('back again is the way undone', () => {
    const after = changed(['xrpl: {}', 'tron: {}'], ['name: two', 'name: zwei']);
    const kinds = (from: Config, to: Config) => plan(from, to).map(change => change.kind);
    const turned: Record<string, string> = {
      chain_added: 'chain_removed',
      chain_removed: 'chain_added',
      endpoint_added: 'endpoint_removed',
      endpoint_removed: 'endpoint_added',
    };
    expect(kinds(after, before).sort()).toEqual(
      kinds(before, after)
        .map(kind => turned[kind])
        .sort(),
    );
  });
});
