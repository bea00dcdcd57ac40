import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { configJsonSchema } from '../../src/config/json-schema.ts';
import { loadConfig, parseConfig } from '../../src/config/load.ts';
import { problemText } from '../../src/config/problem.ts';
import type { Config } from '../../src/config/settings.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/configs');
const scratch = mkdtempSync(join(tmpdir(), 'rpcgw-config-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const env = { INFURA_KEY: 'infura-0a1b2c3d', API_KEY: 'api-0a1b2c3d', CLIENT_KEY: 'client-0a1b2c3d4e5f' };

function fixture(name: string): string {
  return readFileSync(join(fixtures, name), 'utf8');
}

function good(text: string): Config {
  const loaded = parseConfig(text, env, '/etc/rpcgw');
  if (!loaded.ok) throw new Error(loaded.problems.map(problem => problemText('config', problem)).join('\n'));
  return loaded.config;
}

function problems(text: string): string[] {
  const loaded = parseConfig(text, env, '/etc/rpcgw');
  return loaded.ok ? [] : loaded.problems.map(problem => problemText('c', problem));
}

const reference = (name: string) => `\${${name}}`;

/** A chain with this in it, the shortest way to say so; `$VAR` stands for the reference to it. */
const inChain = (lines: string) =>
  `chains:\n  ethereum:\n    ${lines.replaceAll('\n', '\n    ').replaceAll(/\$(\w+)/g, (_, name) => reference(name))}\n`;
const inEndpoint = (lines: string) =>
  inChain(`endpoints:\n  - name: a\n    url: https://a.example.com\n    ${lines.replaceAll('\n', '\n    ')}`);

describe('a good config', () => {
  it("is the contract's example", () => {
    const { gateway, chains } = good(fixture('contract.yaml'));
    expect(gateway).toEqual({
      listen: { host: '127.0.0.1', port: 8600 },
      dataDir: '/var/lib/rpcgw',
      socket: '/run/rpcgw/rpcgw.sock',
      limits: {
        bodyBytes: 10_485_760,
        batchItems: 1000,
        depth: 10,
        errorBodyBytes: 1_048_576,
        connections: 4096,
        memoryBytes: 268_435_456,
      },
      logLevel: 'info',
      drainDelayMs: 5000,
      drainTimeoutMs: 20_000,
      keepMinutesMs: 7 * 86_400_000,
      keepHoursMs: 90 * 86_400_000,
    });
    expect(chains.map(({ settings }) => [settings.name, settings.family, settings.identity])).toEqual([
      ['ethereum', 'evm', '1'],
      ['base', 'evm', '8453'],
    ]);
    expect(chains[0]?.endpoints).toEqual([
      {
        name: 'infura',
        url: 'https://mainnet.infura.io/v3/infura-0a1b2c3d',
        headers: { 'x-api-key': 'api-0a1b2c3d' },
        origin: 'file',
        weight: 60,
        history: 'full',
        roles: ['read', 'broadcast', 'history'],
        broadcast: 'allow',
        labels: { provider: 'infura', region: 'us-east' },
        maxInFlight: 256,
        allowPrivate: false,
        disabled: false,
      },
      expect.objectContaining({
        name: 'own-node',
        weight: 50,
        history: 'auto',
        allowPrivate: true,
        headers: {},
      }),
    ]);
    expect(chains[0]?.allowedHosts).toEqual([
      { host: 'rpc.ankr.com', subdomains: false, allowPrivate: false },
      { host: 'nodes.example.com', subdomains: true, allowPrivate: false },
      { host: '10.0.0.6', port: 8545, subdomains: false, allowPrivate: true },
    ]);
  });

  it('has the defaults of the contract where it says nothing', () => {
    expect(
      good('chains: { ethereum: {}, solana: {}, gnosis: { family: evm, chainId: 100 } }').chains,
    ).toEqual([
      {
        settings: {
          name: 'ethereum',
          family: 'evm',
          identity: '1',
          aliases: [],
          blockTimeMs: 12_000,
          staleBlocks: 2,
          strategy: 'best',
          trickle: 0,
          lastResort: 'on',
          attempts: 3,
          retryShare: 0.2,
          connectTimeoutMs: 2000,
          readTimeoutMs: 5000,
          heavyTimeoutMs: 30_000,
          readDeadlineMs: 15_000,
          heavyDeadlineMs: 60_000,
          repeatWindowMs: 60_000,
          probeIntervalMs: 5000,
          confirmBroadcasts: false,
          freshness: 'normal',
          pinning: true,
          development: false,
        },
        endpoints: [],
        allowedHosts: [],
      },
      expect.objectContaining({
        settings: expect.objectContaining({ name: 'solana', repeatWindowMs: 2000, staleBlocks: 25 }),
      }),
      expect.objectContaining({ settings: expect.not.objectContaining({ staleBlocks: expect.anything() }) }),
    ]);
  });

  it('takes every key', () => {
    const { gateway, chains } = good(fixture('every-key.yaml'));
    expect(gateway).toEqual({
      listen: { host: '::1', port: 9600 },
      metrics: { host: '127.0.0.1', port: 9601 },
      dataDir: '/etc/rpcgw/state',
      socket: '/etc/rpcgw/run/rpcgw.sock',
      socketGroup: 'rpcgw',
      clients: {
        keys: [
          { name: 'client-1', key: 'client-0a1b2c3d4e5f' },
          { name: 'app', key: 'client-0a1b2c3d4e5f-2' },
        ],
        cidrs: ['10.0.0.0/8', '2001:db8::/32'],
        rps: 25,
      },
      limits: {
        bodyBytes: 1_048_576,
        batchItems: 50,
        depth: 20,
        errorBodyBytes: 65_536,
        connections: 2000,
        memoryBytes: 1_073_741_824,
      },
      logLevel: 'debug',
      drainDelayMs: 0,
      drainTimeoutMs: 60_000,
      keepMinutesMs: 86_400_000,
      keepHoursMs: 30 * 86_400_000,
    });
    expect(chains[0]?.settings).toEqual({
      name: 'ethereum',
      family: 'evm',
      identity: '1',
      aliases: ['eth', 'evm/1'],
      blockTimeMs: 13_000,
      staleBlocks: 3,
      strategy: 'least-outstanding',
      trickle: 0.01,
      lastResort: 'stale',
      maxLatencyMs: 1500,
      attempts: 2,
      retryShare: 0.125,
      connectTimeoutMs: 1000,
      readTimeoutMs: 4000,
      heavyTimeoutMs: 20_000,
      readDeadlineMs: 10_000,
      heavyDeadlineMs: 40_000,
      repeatWindowMs: 120_000,
      probeIntervalMs: 10_000,
      probesMaxPerDay: 20_000,
      confirmBroadcasts: true,
      freshness: 'strict',
      pinning: false,
      development: true,
    });
    expect(chains[0]?.endpoints).toEqual([
      {
        name: 'a',
        url: 'https://rpc.example.com/api-0a1b2c3d',
        weight: 100,
        history: 'recent',
        headers: { 'x-api-key': 'api-0a1b2c3d' },
        labels: { region: 'eu' },
        roles: ['read'],
        broadcast: 'never',
        maxInFlight: 10,
        rps: 2.5,
        allowPrivate: true,
        disabled: true,
        origin: 'file',
      },
    ]);
    expect(
      chains.slice(1).map(({ settings }) => [settings.name, settings.identity, settings.lastResort]),
    ).toEqual([
      ['devnet', 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', 'on'],
      ['xrpl-testnet', '1', 'off'],
      ['nile', '0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc', 'on'],
    ]);
  });

  it('every-key.yaml really has every key of the schema', () => {
    const text = fixture('every-key.yaml');
    const keys = new Set<string>();
    JSON.stringify(configJsonSchema(), (key, value) => {
      if (key === 'properties') for (const name of Object.keys(value)) keys.add(name);
      return value;
    });
    expect(keys.size).toBeGreaterThan(60);
    expect([...keys].filter(key => !new RegExp(`\\b${key}:`).test(text))).toEqual([]);
  });

  it('may share parts by anchors', () => {
    const { chains } = good(
      inChain(
        'endpoints:\n  - { name: a, url: "https://a.example.com", headers: &h { x-key: "$API_KEY" } }\n  - { name: b, url: "https://b.example.com", headers: *h }',
      ),
    );
    expect(chains[0]?.endpoints.map(endpoint => endpoint.headers)).toEqual([
      { 'x-key': 'api-0a1b2c3d' },
      { 'x-key': 'api-0a1b2c3d' },
    ]);
  });
});

describe('a config with mistakes', () => {
  it('ten of them: lists ten, each with line, column, path and what was meant', () => {
    expect(problems(fixture('ten-mistakes.yaml'))).toEqual([
      'c:1:9: listen: others than this machine reach this address, so it needs clients: with keys or cidrs (or listen on 127.0.0.1)',
      'c:4:15: chains.ethereum.strategy: expected one of best, priority, weighted, least-outstanding, latency (did you mean "best"?)',
      'c:5:23: chains.ethereum.timeouts.read: expected a span with its unit, such as 500ms, 30s or 5m, found the number 5',
      'c:8:14: chains.ethereum.endpoints[0].url: the variable UNSET is not set, or empty',
      'c:9:9: chains.ethereum.endpoints[0].weigth: unknown key "weigth" (did you mean "weight"?)',
      'c:10:15: chains.ethereum.endpoints[1].name: endpoints[0] has this name already',
      'c:11:14: chains.ethereum.endpoints[1].url: http://rpc.example.com: plain http needs allowPrivate: true; expected https',
      'c:12:17: chains.ethereum.endpoints[1].weight: expected a whole number from 0 to 100, found the number 101',
      'c:13:20: chains.ethereum.allowedHosts[0]: a wildcard stands for whole labels in front of a named domain: *.domain',
      'c:14:3: chains.etherium: not a known chain, so it needs a family, and with it chainId, genesisHash, networkId or genesisBlock (did you mean "ethereum"?)',
    ]);
  });

  // Text, then the beginning of what is said about it, whole lines where they are one.
  it.each<[string, string, string[]]>([
    [
      'an unknown key of the process',
      'lissten: x\nchains: { xrpl: {} }',
      ['c:1:1: lissten: unknown key "lissten" (did you mean "listen"?)'],
    ],
    [
      'an unknown key far from all',
      'zzzzzzzz: 1\nchains: { xrpl: {} }',
      ['c:1:1: zzzzzzzz: unknown key "zzzzzzzz" (known here are listen, '],
    ],
    [
      'an unknown key in snake case',
      inChain('max_latency: 1s'),
      ['c:3:5: chains.ethereum.max_latency: unknown key "max_latency" (did you mean "maxLatency"?)'],
    ],
    [
      'an unknown key in a nested table',
      inChain('probes: { every: 1s }'),
      ['c:3:15: chains.ethereum.probes.every: unknown key "every" (known here are interval, maxPerDay)'],
    ],
    [
      'an unknown key that is a name of JavaScript',
      inChain('constructor: 1'),
      ['c:3:5: chains.ethereum.constructor: unknown key "constructor"'],
    ],
    [
      'an unknown key that could be a secret',
      'chains: { xrpl: {} }\n0a1b2c3d4e5f60718293: x',
      ['c:2:1: …: unknown key "…" (known here'],
    ],
    ['a merge key', inChain('<<: { attempts: 1 }'), ['c:3:5: chains.ethereum.<<: unknown key "<<"']],
    [
      'a key that stands twice',
      'chains: { xrpl: {} }\nlog: { level: info, level: warn }',
      ['c:2:21: log.level: this key stands twice'],
    ],
    [
      'a chain that stands twice',
      'chains:\n  xrpl: {}\n  xrpl: {}',
      ['c:3:3: chains.xrpl: this key stands twice'],
    ],
    [
      'a bare number for a span',
      inChain('maxLatency: 500'),
      [
        'c:3:17: chains.ethereum.maxLatency: expected a span with its unit, such as 500ms, 30s or 5m, found the number 500',
      ],
    ],
    [
      'a bare number for a size',
      'limits: { body: 10 }\nchains: { xrpl: {} }',
      ['c:1:17: limits.body: expected a size with its unit, such as 64KiB or 10MiB, found the number 10'],
    ],
    [
      'a bare number for a share',
      inChain('trickle: 0.01'),
      [
        'c:3:14: chains.ethereum.trickle: expected a share with its unit, such as 1% or 20%, found the number 0.01',
      ],
    ],
    [
      'a wrong unit',
      'limits: { body: 10MB }\nchains: { xrpl: {} }',
      ['c:1:17: limits.body: expected a size with its unit'],
    ],
    [
      'a span for a size',
      'limits: { body: 10s }\nchains: { xrpl: {} }',
      ['c:1:17: limits.body: expected a size with its unit'],
    ],
    [
      'a span over its limit',
      inChain('timeouts: { read: 2h }'),
      ['c:3:23: chains.ethereum.timeouts.read: expected a span from 1ms to 1h'],
    ],
    [
      'a share over its limit',
      inChain('trickle: 60%'),
      ['c:3:14: chains.ethereum.trickle: expected a share from 0% to 50%'],
    ],
    [
      'less memory than one body, beside another mistake',
      'limits: { body: 10MiB, memory: 5MiB, batch: 0 }\nchains: { xrpl: {} }',
      [
        'c:1:32: limits.memory: expected at least limits.body',
        'c:1:45: limits.batch: expected a whole number from 1 to 100000, found the number 0',
      ],
    ],
    [
      'less memory than one body of the usual size',
      'limits: { memory: 5MiB }\nchains: { xrpl: {} }',
      ['c:1:19: limits.memory: expected at least limits.body'],
    ],
    ['yes for true', inChain('pinning: yes'), ['c:3:14: chains.ethereum.pinning: expected true or false']],
    [
      'a text for a list',
      inChain('endpoints: none'),
      ['c:3:16: chains.ethereum.endpoints: expected a list of endpoints'],
    ],
    [
      'nothing for a table',
      'chains:\n  ethereum:',
      ['c:2:12: chains.ethereum: expected a table of keys, found nothing'],
    ],
    ['no chains', 'listen: 127.0.0.1:1', ['c:1:1: chains: missing: expected a table of chains']],
    ['an empty table of chains', 'chains: {}', ['c:1:9: chains: expected at least one chain']],
    ['an empty file', '', ['c:1:1: expected a table of keys, found nothing']],
    ['a file that is a text', 'hello', ['c:1:1: expected a table of keys']],
    [
      'attempts over ten',
      inChain('attempts: 11'),
      ['c:3:15: chains.ethereum.attempts: expected a whole number from 1 to 10, found the number 11'],
    ],
    [
      'a weight with a fraction',
      inEndpoint('weight: 1.5'),
      [
        'c:6:17: chains.ethereum.endpoints[0].weight: expected a whole number from 0 to 100, found the number 1.5',
      ],
    ],
    [
      'a weight below nothing',
      inEndpoint('weight: -1'),
      [
        'c:6:17: chains.ethereum.endpoints[0].weight: expected a whole number from 0 to 100, found the number -1',
      ],
    ],
    [
      'no roles',
      inEndpoint('roles: []'),
      ['c:6:16: chains.ethereum.endpoints[0].roles: expected at least one role'],
    ],
    [
      'an unknown role',
      inEndpoint('roles: [reed]'),
      [
        'c:6:17: chains.ethereum.endpoints[0].roles[0]: expected one of read, broadcast, history (did you mean "read"?)',
      ],
    ],
    [
      'an unknown lastResort',
      inChain('lastResort: never'),
      ['c:3:17: chains.ethereum.lastResort: expected true, false or stale'],
    ],
    [
      'an endpoint without a name',
      inChain('endpoints: [{ url: "https://a.example.com" }]'),
      ['c:3:17: chains.ethereum.endpoints[0].name: missing: expected a name'],
    ],
    [
      'an endpoint without a URL',
      inChain('endpoints: [{ name: a }]'),
      ['c:3:17: chains.ethereum.endpoints[0].url: missing: expected a URL'],
    ],
    [
      'a name with a slash',
      inChain('endpoints: [{ name: a/b, url: "https://a.example.com" }]'),
      ['c:3:25: chains.ethereum.endpoints[0].name: expected a name'],
    ],
    [
      'rps of nothing',
      inEndpoint('rps: 0'),
      ['c:6:14: chains.ethereum.endpoints[0].rps: expected a number above 0, found the number 0'],
    ],
    [
      'a header the gateway writes',
      inEndpoint('headers: { Content-Length: "1" }'),
      ['c:6:20: chains.ethereum.endpoints[0].headers.Content-Length: the gateway writes this header itself'],
    ],
    [
      'a header name with a space',
      inEndpoint('headers: { "x y": "1" }'),
      ['c:6:20: chains.ethereum.endpoints[0].headers.…: expected a header name'],
    ],
    [
      'a header with a line break',
      inEndpoint('headers: { x: "1\\n2" }'),
      ['c:6:23: chains.ethereum.endpoints[0].headers.x: expected a header value'],
    ],
    [
      'a header that is a number',
      inEndpoint('headers: { x: 123456789 }'),
      [
        'c:6:23: chains.ethereum.endpoints[0].headers.x: expected a header value of printable ASCII on one line',
      ],
    ],
    [
      'a header twice in two spellings',
      inEndpoint('headers: { x-key: a, X-Key: b }'),
      ['c:6:30: chains.ethereum.endpoints[0].headers.X-Key: this header stands twice'],
    ],
    [
      'the same URL twice',
      inChain(
        'endpoints: [{ name: a, url: "https://a.example.com/x" }, { name: b, url: "HTTPS://A.example.com:443/x" }]',
      ),
      ['c:3:78: chains.ethereum.endpoints[1].url: endpoints[0] has the same URL and headers already'],
    ],
    [
      'a listener others reach, without clients',
      'listen: "[::]:8600"\nchains: { xrpl: {} }',
      ['c:1:9: listen: others than this machine'],
    ],
    [
      'a listener by name',
      'listen: gateway:8600\nchains: { xrpl: {} }',
      ['c:1:9: listen: expected a literal address'],
    ],
    [
      'a listener that is a number',
      'listen: 8600\nchains: { xrpl: {} }',
      ['c:1:9: listen: expected an address and a port, such as 127.0.0.1:8600, found the number 8600'],
    ],
    [
      'metrics where the listener is',
      'metrics: 127.0.0.1:8600\nchains: { xrpl: {} }',
      ['c:1:10: metrics: expected another address than that of listen'],
    ],
    [
      'clients that let nobody in',
      'clients: { keys: [] }\nchains: { xrpl: {} }',
      ['c:1:10: clients: expected keys or cidrs'],
    ],
    [
      'a client key that can be guessed',
      'clients: { keys: [letmein] }\nchains: { xrpl: {} }',
      ['c:1:19: clients.keys[0]: expected a key of 16 to 256'],
    ],
    [
      'a client key that is a number',
      'clients: { keys: [1234567890123456] }\nchains: { xrpl: {} }',
      ['c:1:19: clients.keys[0]: expected a key of 16 to 256 letters, digits and . _ ~ + / -'],
    ],
    [
      'a client range that is none',
      'clients: { cidrs: [10.0.0.0] }\nchains: { xrpl: {} }',
      ['c:1:20: clients.cidrs[0]: expected a range of addresses'],
    ],
    [
      'a socket path that is too long',
      `socket: /${'x'.repeat(103)}\nchains: { xrpl: {} }`,
      ['c:1:9: socket: a path of more than 103 bytes'],
    ],
    ['a home folder', 'dataDir: ~/state\nchains: { xrpl: {} }', ['c:1:10: dataDir: expected a path']],
    [
      'an unknown chain without a family',
      'chains: { gnosis: { chainId: 100 } }',
      [
        'c:1:11: chains.gnosis: not a known chain, so it needs a family, and with it chainId, genesisHash, networkId or genesisBlock (known are ethereum, ',
      ],
    ],
    [
      'an unknown chain named like a member of Object',
      'chains: { constructor: {} }',
      ['c:1:11: chains.constructor: not a known chain'],
    ],
    [
      'an unknown family',
      'chains: { x: { family: svm, chainId: 1 } }',
      ['c:1:24: chains.x.family: expected one of evm, solana, xrpl, tron (did you mean "evm"?)'],
    ],
    [
      'an EVM chain without its id',
      'chains: { x: { family: evm } }',
      ['c:1:11: chains.x.chainId: missing: a chain that is not a known one needs its chain id'],
    ],
    [
      'an EVM chain id as text',
      'chains: { x: { family: evm, chainId: "0x1" } }',
      ['c:1:38: chains.x.chainId: expected a whole number from 1'],
    ],
    [
      'a Solana chain with a chain id',
      'chains: { x: { family: solana, chainId: 1 } }',
      [
        'c:1:11: chains.x.genesisHash: missing',
        'c:1:32: chains.x.chainId: only evm chains have a chainId; of solana chains it is the genesisHash',
      ],
    ],
    [
      'an XRPL chain without its id',
      'chains: { x: { family: xrpl } }',
      ['c:1:11: chains.x.networkId: missing'],
    ],
    [
      'a TRON chain without its id',
      'chains: { x: { family: tron } }',
      ['c:1:11: chains.x.genesisBlock: missing'],
    ],
    [
      'a genesis block in capitals',
      `chains: { x: { family: tron, genesisBlock: ${'A'.repeat(64)} } }`,
      ['c:1:44: chains.x.genesisBlock: expected a genesis block id'],
    ],
    [
      'a known name on another network',
      'chains: { ethereum: { chainId: 11155111 } }',
      [
        'c:1:32: chains.ethereum.chainId: ethereum is the network whose chain id is 1 (another network needs another name)',
      ],
    ],
    [
      'a known name with another family',
      'chains: { tron: { family: evm } }',
      ['c:1:27: chains.tron.family: tron is a known chain of the family tron'],
    ],
    [
      'one network under two names',
      'chains: { base: {}, other: { family: evm, chainId: 8453 } }',
      ['c:1:21: chains.other: the same network as base'],
    ],
    [
      'a chain name in capitals',
      'chains: { Base: { family: evm, chainId: 8453 } }',
      ['c:1:11: chains.Base: a chain’s name begins'],
    ],
    [
      "a chain name that is the gateway's own path",
      'chains: { metrics: { family: evm, chainId: 5 } }',
      ['c:1:11: chains.metrics: the gateway answers this path itself'],
    ],
    [
      'a chain named __proto__',
      'chains: { xrpl: {}, __proto__: { family: evm, chainId: 5 } }',
      ['c:1:21: chains.__proto__: a chain’s name begins'],
    ],
    [
      "an alias that is a chain's name",
      'chains: { xrpl: {}, tron: { aliases: [xrpl] } }',
      ['c:1:39: chains.tron.aliases[0]: this is the path of the chain xrpl'],
    ],
    [
      'an alias that is its own name',
      'chains: { tron: { aliases: [tron] } }',
      ['c:1:29: chains.tron.aliases[0]: this is the path of the chain tron'],
    ],
    [
      'an alias that is the name of a known chain',
      'chains: { tron: { aliases: [bnb] } }',
      ['c:1:29: chains.tron.aliases[0]: this is the path of the known chain bnb'],
    ],
    [
      'an alias twice',
      'chains: { xrpl: { aliases: [a] }, tron: { aliases: [/a] } }',
      ['c:1:53: chains.tron.aliases[0]: this is the path of an alias of xrpl'],
    ],
    [
      'an alias below a chain',
      'chains: { tron: {}, xrpl: { aliases: [tron/wallet] } }',
      ['c:1:39: chains.xrpl.aliases[0]: one of this path and that of the chain tron lies below the other'],
    ],
    [
      "an alias that is the gateway's own path",
      'chains: { xrpl: { aliases: [readyz/x] } }',
      ['c:1:29: chains.xrpl.aliases[0]: the gateway answers this path itself'],
    ],
    [
      'an alias with a dot segment',
      'chains: { xrpl: { aliases: [a/../b] } }',
      ['c:1:29: chains.xrpl.aliases[0]: expected a path'],
    ],
    [
      'an allowed host that is everybody',
      inChain('allowedHosts: ["*.com"]'),
      ['c:3:20: chains.ethereum.allowedHosts[0]: a wildcard over a whole top-level domain lets everybody in'],
    ],
    [
      'an allowed range',
      inChain('allowedHosts: [10.0.0.0/8]'),
      ['c:3:20: chains.ethereum.allowedHosts[0]: expected a host'],
    ],
    [
      'an allowed private host without the word',
      inChain('allowedHosts: [10.0.0.6, { host: "[::1]" }]'),
      [
        'c:3:20: chains.ethereum.allowedHosts[0]: a private address needs allowPrivate: true',
        'c:3:30: chains.ethereum.allowedHosts[1]: a private address needs allowPrivate: true',
      ],
    ],
    [
      'a mistyped key of an allowed host',
      inChain('allowedHosts: [{ host: a.example.com, alowPrivate: true }]'),
      [
        'c:3:43: chains.ethereum.allowedHosts[0].alowPrivate: unknown key "alowPrivate" (did you mean "allowPrivate"?)',
      ],
    ],
    [
      'an allowed host without a host',
      inChain('allowedHosts: [{ allowPrivate: true }]'),
      ['c:3:20: chains.ethereum.allowedHosts[0].host: missing: expected a host'],
    ],
    [
      'an allowed host that is a number',
      inChain('allowedHosts: [5]'),
      [
        'c:3:20: chains.ethereum.allowedHosts[0]: expected a host, such as rpc.example.com, or a table with host and allowPrivate, found the number 5',
      ],
    ],
  ])('%s', (_what, text, expected) => {
    const found = problems(text);
    expect(found).toHaveLength(expected.length);
    for (const [index, start] of expected.entries()) expect(found[index]?.slice(0, start.length)).toBe(start);
  });

  it.each<[string, string, string]>([
    ['a tab', 'chains:\n\txrpl: {}', 'c:2:1: not valid YAML: tabs cannot indent YAML'],
    [
      'an open quote',
      'listen: "127.0.0.1:8600\nchains: {}',
      'c:2:11: not valid YAML: something is missing here',
    ],
    [
      'an open bracket',
      'chains: { xrpl: {}',
      'c:1:19: not valid YAML: the indentation does not fit the lines above, or a bracket is not closed',
    ],
    [
      'a forgotten colon',
      'listen\nchains: {}',
      'c:1:1: not valid YAML: a key must fit on one line; is a colon missing?',
    ],
    [
      'wrong indentation',
      'log:\n    level: info\n  x: 1',
      'c:3:1: not valid YAML: the indentation does not fit',
    ],
    [
      'a second document',
      'chains: { xrpl: {} }\n---\nchains: {}',
      'c:2:1: not valid YAML: only one document',
    ],
    ['an alias without an anchor', 'chains: { xrpl: *nothing }', 'c:1:1: an alias (*name) has no anchor'],
    [
      'a value that begins with a percent sign',
      'listen: @x\nchains: {}',
      'c:1:9: not valid YAML: a text that begins',
    ],
    ['a tag', 'listen: !env X\nchains: { xrpl: {} }', 'c:1:9: not valid YAML: tags (!…) are not known here'],
  ])('broken YAML: %s', (_what, text, start) => {
    expect(problems(text).some(problem => problem.startsWith(start))).toBe(true);
  });

  it('broken YAML: a reference without quotes, where braces mean something', () => {
    expect(problems(inChain('endpoints: [{ name: a, url: $KEY }]'))).toContainEqual(
      expect.stringContaining('(inside [ ] and { } a reference must be in quotes)'),
    );
  });

  it('an alias that holds itself ends', () => {
    expect(problems('chains: &a { xrpl: *a }').join()).toContain('nested too deep');
  });

  it('aliases that multiply end', () => {
    const rows = Array.from(
      { length: 12 },
      (_, at) => `l${at + 1}: &l${at + 1} [${Array.from({ length: 9 }, () => `*l${at}`)}]`,
    );
    expect(problems(['l0: &l0 [x]', ...rows].join('\n')).join()).toContain('multiply past all reason');
  });

  it('other mistakes beside an unset variable are listed, those that hang on its value are not', () => {
    const text = inChain(
      'endpoints:\n  - { name: "$UNSET_NAME", url: "http://a.example.com/$UNSET_A" }\n  - { name: b, url: "$UNSET_URL", headers: { x: "$UNSET_H" } }\n  - { name: b, url: "https://b.example.com/$UNSET_A" }',
    );
    expect(problems(text)).toEqual([
      'c:4:17: chains.ethereum.endpoints[0].name: the variable UNSET_NAME is not set, or empty',
      'c:4:39: chains.ethereum.endpoints[0].url: the variable UNSET_A is not set, or empty',
      'c:4:39: chains.ethereum.endpoints[0].url: http://a.example.com: plain http needs allowPrivate: true; expected https',
      'c:5:25: chains.ethereum.endpoints[1].url: the variable UNSET_URL is not set, or empty',
      'c:5:55: chains.ethereum.endpoints[1].headers.x: the variable UNSET_H is not set, or empty',
      'c:6:17: chains.ethereum.endpoints[2].name: endpoints[1] has this name already',
      'c:6:25: chains.ethereum.endpoints[2].url: the variable UNSET_A is not set, or empty',
    ]);
  });

  it('no value of the file or of the environment gets into a problem, whatever lines are lost, doubled or moved', () => {
    const key = '0a1b2c3d4e5f60718293a4b5c6d7e8f9';
    const lines = fixture('every-key.yaml')
      .replaceAll(/\$\{\w+\}/g, key)
      .replace(key, reference('CLIENT_KEY'))
      .split('\n');
    const at = fc.nat({ max: lines.length - 1 });
    const edit = fc.oneof(
      fc.record({ do: fc.constant('drop' as const), at }),
      fc.record({ do: fc.constant('double' as const), at }),
      fc.record({ do: fc.constant('indent' as const), at }),
      fc.record({ do: fc.constant('outdent' as const), at }),
    );
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), edits => {
        const text = [...lines];
        for (const { do: what, at: line } of edits) {
          const was = text[line] ?? '';
          const now = {
            drop: [],
            double: [was, was],
            indent: [`  ${was}`],
            outdent: [was.replace(/^ {1,2}/, '')],
          }[what];
          text.splice(line, 1, ...now);
        }
        const loaded = parseConfig(text.join('\n'), { CLIENT_KEY: key.slice(4) }, '/etc/rpcgw');
        const told = loaded.ok ? '' : JSON.stringify(loaded.problems);
        for (let from = 0; from + 12 <= key.length; from += 1)
          expect(told).not.toContain(key.slice(from, from + 12));
      }),
    );
  });

  it('ends with settings or with problems for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const loaded = parseConfig(text, {}, '/');
        expect(loaded.ok || loaded.problems.length > 0).toBe(true);
      }),
    );
  });
});

describe('a config file', () => {
  it('is read, with paths from its own folder', () => {
    const file = join(scratch, 'good.yaml');
    writeFileSync(file, 'dataDir: state\nchains: { xrpl: {} }\n');
    const loaded = loadConfig(file, {});
    expect(loaded.ok && loaded.config.gateway.dataDir).toBe(join(scratch, 'state'));
  });

  it('that is not there', () => {
    expect(loadConfig(join(scratch, 'none.yaml'), {})).toEqual({
      ok: false,
      problems: [
        {
          path: '',
          line: 0,
          column: 0,
          message: 'the config cannot be read: it does not exist',
          hint: 'rpcgw init writes one to start with',
        },
      ],
    });
  });

  it('that is a folder, or not UTF-8', () => {
    const file = join(scratch, 'latin1.yaml');
    writeFileSync(file, Buffer.from('listen: \xfc', 'latin1'));
    const messages = [scratch, file].map(path => {
      const loaded = loadConfig(path, {});
      return loaded.ok ? '' : loaded.problems.map(problem => problemText('c', problem)).join();
    });
    expect(messages[0]).toContain('c: the config cannot be read: it is a folder');
    expect(messages[1]).toContain('c: the config cannot be read: it is not UTF-8');
  });
});
