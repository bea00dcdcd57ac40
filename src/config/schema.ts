/**
 * What can be configured: the one source of types, defaults, limits, help, the JSON Schema and the reference page.
 * Only what a single value can tell is checked here; what values say together is in `checks.ts`.
 */

import { z } from 'zod';
import {
  address,
  allowedHost,
  clientKey,
  clientName,
  endpointName,
  flag,
  headers,
  labels,
  oneOf,
  part,
  path,
  size,
  span,
  text,
  whole,
} from './fields.ts';
import { isCidr } from './hosts.ts';
import { isTable } from './table.ts';

export const endpointSchema = z
  .strictObject({
    name: endpointName.describe('Unique in the chain. Shown everywhere in place of the URL.'),
    url: z
      .string({ error: 'expected a URL such as https://rpc.example.com/path' })
      .min(1, { error: 'expected a URL such as https://rpc.example.com/path' })
      .describe(
        'https; plain http and private addresses only with `allowPrivate`. Never shown beyond its host.',
      ),
    weight: whole(0, 100).default(50).describe('Multiplies the score. 0 takes no new traffic.'),
    history: oneOf(['full', 'recent', 'auto'])
      .default('auto')
      .describe(
        'How far back it keeps state, blocks and transactions; `auto` finds the bounds by cheap probes.',
      ),
    headers: headers.default({}).describe('Sent with every request to it. Values are never shown.'),
    labels: labels.default({}).describe('For people and dashboards: provider, region, …'),
    roles: z
      .array(oneOf(['read', 'broadcast', 'history']), { error: 'expected a list of roles' })
      .min(1, { error: 'expected at least one role; `disabled: true` switches an endpoint off' })
      .default(['read', 'broadcast', 'history'])
      .describe('What it may be used for.'),
    broadcast: oneOf(['prefer', 'allow', 'never'])
      .default('allow')
      .describe('Whether signed transactions go there: before others, among others, not at all.'),
    maxInFlight: whole(1, 10_000)
      .default(256)
      .describe('Requests at a time; more wait up to a second for room.'),
    rps: z
      .number({ error: 'expected a number above 0' })
      .positive({ error: 'expected a number above 0' })
      .max(1_000_000, { error: 'expected at most 1000000' })
      .optional()
      .describe('Requests a second. Unlimited when absent.'),
    allowPrivate: flag
      .default(false)
      .describe('Allows plain http and private, loopback and link-local addresses.'),
    disabled: flag.default(false).describe('Switched off, but kept.'),
  })
  .describe('One upstream RPC URL.');

export const chainSchema = z
  .strictObject({
    family: oneOf(['evm', 'solana', 'xrpl', 'tron'])
      .optional()
      .describe('How the chain speaks. A known chain brings its own.'),
    chainId: whole(1, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Identity of an `evm` chain that is not a known one.'),
    genesisHash: text(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'a genesis hash in base58')
      .optional()
      .describe('Identity of a `solana` chain that is not a known one.'),
    networkId: whole(0, 2 ** 32 - 1)
      .optional()
      .describe('Identity of an `xrpl` chain that is not a known one.'),
    genesisBlock: text(/^[0-9a-f]{64}$/, 'a genesis block id of 64 small hexadecimal digits')
      .optional()
      .describe('Identity of a `tron` chain that is not a known one.'),
    aliases: z
      .array(text(/^\/?[a-z0-9][a-z0-9_.-]*(?:\/[a-z0-9][a-z0-9_.-]*)*$/, 'a path such as eth or evm/1'), {
        error: 'expected a list of paths',
      })
      .default([])
      .describe('Further paths the chain is served under: `evm/1` for `/evm/1`.'),
    endpoints: z
      .array(endpointSchema, { error: 'expected a list of endpoints' })
      .default([])
      .describe('The pool. The order matters to `strategy: priority`.'),
    allowedHosts: z
      .array(allowedHost, { error: 'expected a list of hosts' })
      .default([])
      .describe(
        'Hosts a runtime endpoint may have, beside those of the endpoints here: `host`, `host:port`, or `*.domain` for the names below one. ' +
          'Without a port: the one of the scheme. Only a restart changes it.',
      ),
    strategy: oneOf(['best', 'priority', 'weighted', 'least-outstanding', 'latency'])
      .default('best')
      .describe(
        'Which of the open endpoints is taken: the highest score; the order here; at random by score; the fewest requests in flight over weight; the lowest latency.',
      ),
    trickle: part('0%', '50%')
      .prefault('0%')
      .describe('Share of reads that goes to backups, so that they are known to work.'),
    lastResort: z
      .union([z.boolean(), z.literal('stale')], { error: 'expected true, false or stale' })
      .default(true)
      .describe(
        'When no endpoint is open, reads go to the best that is only slow or whose circuit is open; `stale`: also to stale ones.',
      ),
    maxLatency: span('1ms', '10m')
      .optional()
      .describe('Average latency past which an endpoint counts as slow. Off when absent.'),
    staleBlocks: whole(1, 1_000_000)
      .optional()
      .describe(
        'Lag in blocks past which an endpoint is stale. Known chains bring theirs; others: 10 s of the block time, at least 2.',
      ),
    blockTime: span('10ms', '1h')
      .optional()
      .describe(
        'Usual time between two blocks. Known chains bring theirs; others: that of the family, see below.',
      ),
    attempts: whole(1, 10).default(3).describe('Upstream tries a read may have.'),
    retryShare: part('0%', '100%')
      .prefault('20%')
      .describe("Retries, as a share of the chain's requests in flight."),
    timeouts: z
      .strictObject({
        connect: span('1ms', '1h').prefault('2s').describe('To connect, TLS included.'),
        read: span('1ms', '1h')
          .prefault('5s')
          .describe('One attempt of a read, to the first bytes of a result.'),
        heavy: span('1ms', '1h').prefault('30s').describe('The same for heavy methods: traces, wide logs, …'),
      })
      .prefault({})
      .describe('Limits of one attempt.'),
    deadlines: z
      .strictObject({
        read: span('1ms', '1h').prefault('15s').describe('A read with all its attempts.'),
        heavy: span('1ms', '1h').prefault('60s').describe('A heavy request with all its attempts.'),
      })
      .prefault({})
      .describe('Limits of one request.'),
    repeatWindow: span('0s', '1d')
      .optional()
      .describe(
        'How long the same signed transaction gets the recorded answer and is not sent again: 60s; Solana 2s.',
      ),
    probes: z
      .strictObject({
        interval: span('100ms', '1h')
          .prefault('5s')
          .describe('Between two looks at the height of an endpoint.'),
        maxPerDay: whole(1, 10_000_000)
          .optional()
          .describe("The gateway's own requests an endpoint may get a day. No cap when absent."),
      })
      .prefault({})
      .describe('The questions of the gateway itself.'),
    broadcast: z
      .strictObject({
        confirm: flag
          .default(false)
          .describe(
            'Looks up accepted transactions too, not only those whose outcome is unknown, until they are settled.',
          ),
      })
      .prefault({})
      .describe('Signed transactions.'),
    freshness: oneOf(['normal', 'strict'])
      .default('normal')
      .describe(
        '`strict`: reads of the newest block go only to endpoints at or above the highest height the pool has agreed on; ' +
          'they wait a moment for one, and then say that none is fresh. What is about no block (`eth_chainId`) is never held ' +
          'to it. A request asks for it with `rpcgw-freshness: strict`.',
      ),
    pinning: flag
      .default(true)
      .describe(
        'For 30 s after a broadcast, the same client (its key, or its `rpcgw-session` header) reads what it wrote: what ' +
          'stands in no block yet (its nonce, the transaction) from the endpoint that took it, the rest from endpoints at ' +
          'least as high.',
      ),
    development: flag
      .default(false)
      .describe('A development chain: `anvil_*`, `hardhat_*` and `evm_*` are forwarded.'),
  })
  .describe('One network, served as `/<name>`.');

export const configSchema = z
  .strictObject({
    listen: address
      .prefault('127.0.0.1:8600')
      .describe(
        'Where clients connect. An address that is not loopback needs `clients`. Port 0: any free one.',
      ),
    metrics: address
      .optional()
      .describe(
        'A further address for `/metrics`. Needed when `listen` is not loopback, which then does not serve them.',
      ),
    dataDir: path
      .optional()
      .describe(
        'Folder of the state, one daemon each. When absent: `$STATE_DIRECTORY`, `$XDG_STATE_HOME/rpcgw`.',
      ),
    socket: path
      .optional()
      .describe(
        'Socket of the commands. When absent: `$RPCGW_SOCKET`, `$RUNTIME_DIRECTORY/rpcgw.sock`, `$XDG_RUNTIME_DIR/rpcgw.sock`, else in the state folder.',
      ),
    socketGroup: z
      .union([z.string().regex(/^[a-z_][a-z0-9_-]{0,31}\$?$/), z.int().min(0).max(4_294_967_294)], {
        error: 'expected the name or the number of a group',
      })
      .optional()
      .describe(
        'Group that may use the socket (0660, folder 0750). When absent only the user of the daemon may (0600, 0700).',
      ),
    clients: z
      .strictObject({
        keys: z
          .array(
            z.union([
              clientKey,
              z.strictObject({ name: clientName.describe('For logs.'), key: clientKey.describe('The key.') }),
            ]),
            { error: 'expected a list of keys' },
          )
          .default([])
          .describe('Keys, taken as `Authorization: Bearer`. Never shown.'),
        cidrs: z
          .array(
            z.string({ error: 'expected a range of addresses, such as 10.0.0.0/8' }).refine(isCidr, {
              error: 'expected a range of addresses, such as 10.0.0.0/8 or 2001:db8::/32',
            }),
            { error: 'expected a list of address ranges' },
          )
          .default([])
          .describe('Ranges of addresses that need no key.'),
        rps: z
          .number({ error: 'expected a number above 0' })
          .positive({ error: 'expected a number above 0' })
          .max(1_000_000, { error: 'expected at most 1000000' })
          .optional()
          .describe(
            'Calls a second each of them may make, those of a batch counted one by one; more get 429. Unlimited when absent.',
          ),
      })
      .optional()
      .describe(
        'Who may send requests: whoever has one of the keys or comes from one of the ranges. When absent: everybody who reaches `listen`.',
      ),
    limits: z
      .strictObject({
        body: size('1KiB', '1GiB').prefault('10MiB').describe('Body of a request.'),
        batch: whole(1, 100_000).default(1000).describe('Items of a batch.'),
        depth: whole(2, 1000).default(10).describe('Levels of nesting in a request.'),
        errorBody: size('1KiB', '64MiB').prefault('1MiB').describe("Body of an upstream's error."),
        connections: whole(1, 1_000_000)
          .default(4096)
          .describe('Connections of clients at a time; one more gets 503 and is closed.'),
        memory: size('1MiB', '64GiB')
          .prefault('256MiB')
          .describe('All bodies in memory together; past it requests get 503.'),
      })
      .refine(({ body, memory }) => memory >= body, {
        path: ['memory'],
        error: 'expected at least limits.body: not one such body would fit',
        // Not put off until every other limit is right.
        when: ({ value }) =>
          isTable(value) && typeof value.body === 'number' && typeof value.memory === 'number',
      })
      .prefault({})
      .describe('Limits of the client side.'),
    log: z
      .strictObject({
        level: oneOf(['debug', 'info', 'warn', 'error'])
          .default('info')
          .describe('Least level that is written.'),
      })
      .prefault({})
      .describe('The log.'),
    drain: z
      .strictObject({
        delay: span('0s', '10m')
          .prefault('5s')
          .describe('How long `/readyz` says no before the work ends, so that load balancers notice.'),
        timeout: span('0s', '1h')
          .prefault('20s')
          .describe('How long reads in flight may take. Broadcasts keep their own deadline.'),
      })
      .prefault({})
      .describe('The end, after SIGTERM.'),
    retention: z
      .strictObject({
        minutes: span('1h', '3650d').prefault('7d').describe('How long numbers a minute are kept.'),
        hours: span('1d', '3650d').prefault('90d').describe('How long numbers an hour are kept.'),
      })
      .prefault({})
      .describe(
        'The history for reports. Settled broadcasts are kept for 400 days, all others and the audit for good.',
      ),
    chains: z
      .record(z.string(), chainSchema, { error: 'expected a table of chains' })
      .describe('The chains, each under the name it is served as.'),
  })
  .describe('The configuration of rpcgw.');

/** The file as it is after defaults, units read. */
export type ConfigFile = z.output<typeof configSchema>;
export type ChainInFile = z.output<typeof chainSchema>;

/** For editors, and for `rpcgw config schema`. */
export function configJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(configSchema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // An editor sees `${VAR}` where the daemon sees the value.
      if (jsonSchema.pattern !== undefined) jsonSchema.pattern = `${jsonSchema.pattern}|\\$\\{`;
    },
  });
}
