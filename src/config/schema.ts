/**
 * What can be configured: the one source of types, defaults, limits, help, the JSON Schema and the reference page.
 * Only what a single value can tell is checked here; what values say together is in `checks.ts`.
 */

import { z } from 'zod/mini';
import {
  address,
  allowedHost,
  byDefault,
  clientKey,
  clientName,
  endpointName,
  flag,
  headers,
  labels,
  oneOf,
  optional,
  part,
  path,
  rate,
  said,
  size,
  span,
  text,
  whole,
  written,
} from './fields.ts';
import { isCidr } from './hosts.ts';
import { isTable } from './table.ts';

export const endpointSchema = said(
  z.strictObject({
    name: said(endpointName, 'Unique in the chain. Shown everywhere in place of the URL.'),
    url: said(
      z
        .string({ error: 'expected a URL such as https://rpc.example.com/path' })
        .check(z.minLength(1, { error: 'expected a URL such as https://rpc.example.com/path' })),
      'https; plain http and private addresses only with `allowPrivate`. Never shown beyond its host.',
    ),
    weight: byDefault(whole(0, 100), 50, 'Multiplies the score. 0 takes no new traffic.'),
    history: byDefault(
      oneOf(['full', 'recent', 'auto']),
      'auto',
      'How far back it keeps state, blocks and transactions; `auto` finds the bounds by cheap probes.',
    ),
    headers: byDefault(headers, {}, 'Sent with every request to it. Values are never shown.'),
    labels: byDefault(labels, {}, 'For people and dashboards: provider, region, …'),
    roles: byDefault(
      z.array(oneOf(['read', 'broadcast', 'history']), { error: 'expected a list of roles' }).check(
        z.minLength(1, {
          error: 'expected at least one role; `disabled: true` switches an endpoint off',
        }),
      ),
      ['read', 'broadcast', 'history'],
      'What it may be used for.',
    ),
    broadcast: byDefault(
      oneOf(['prefer', 'allow', 'never']),
      'allow',
      'Whether signed transactions go there: before others, among others, not at all.',
    ),
    maxInFlight: byDefault(whole(1, 10_000), 256, 'Requests at a time; more wait up to a second for room.'),
    rps: optional(rate, 'Requests a second. Unlimited when absent.'),
    allowPrivate: byDefault(flag, false, 'Allows plain http and private, loopback and link-local addresses.'),
    disabled: byDefault(flag, false, 'Switched off, but kept.'),
  }),
  'One upstream RPC URL.',
);

export const chainSchema = said(
  z.strictObject({
    family: optional(
      oneOf(['evm', 'solana', 'xrpl', 'tron']),
      'How the chain speaks. A known chain brings its own.',
    ),
    chainId: optional(
      whole(1, Number.MAX_SAFE_INTEGER),
      'Identity of an `evm` chain that is not a known one.',
    ),
    genesisHash: optional(
      text(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'a genesis hash in base58'),
      'Identity of a `solana` chain that is not a known one.',
    ),
    networkId: optional(whole(0, 2 ** 32 - 1), 'Identity of an `xrpl` chain that is not a known one.'),
    genesisBlock: optional(
      text(/^[0-9a-f]{64}$/, 'a genesis block id of 64 small hexadecimal digits'),
      'Identity of a `tron` chain that is not a known one.',
    ),
    aliases: byDefault(
      z.array(text(/^\/?[a-z0-9][a-z0-9_.-]*(?:\/[a-z0-9][a-z0-9_.-]*)*$/, 'a path such as eth or evm/1'), {
        error: 'expected a list of paths',
      }),
      [],
      'Further paths the chain is served under: `evm/1` for `/evm/1`.',
    ),
    endpoints: byDefault(
      z.array(endpointSchema, { error: 'expected a list of endpoints' }),
      [],
      'The pool. The order matters to `strategy: priority`.',
    ),
    allowedHosts: byDefault(
      z.array(allowedHost, { error: 'expected a list of hosts' }),
      [],
      'Hosts a runtime endpoint may have, beside those of the endpoints here: `host`, `host:port`, or `*.domain` for the names below one. ' +
        'Without a port: the one of the scheme. Only a restart changes it.',
    ),
    strategy: byDefault(
      oneOf(['best', 'priority', 'weighted', 'least-outstanding', 'latency']),
      'best',
      'Which of the open endpoints is taken: the highest score; the order here; at random by score; the fewest requests in flight over weight; the lowest latency.',
    ),
    trickle: written(
      part('0%', '50%'),
      '0%',
      'Share of reads that goes to backups, so that they are known to work.',
    ),
    lastResort: byDefault(
      z.union([z.boolean(), z.literal('stale')], { error: 'expected true, false or stale' }),
      true,
      'When no endpoint is open, reads go to the best that is only slow or whose circuit is open; `stale`: also to stale ones.',
    ),
    maxLatency: optional(
      span('1ms', '10m'),
      'Average latency past which an endpoint counts as slow. Off when absent.',
    ),
    staleBlocks: optional(
      whole(1, 1_000_000),
      'Lag in blocks past which an endpoint is stale. Known chains bring theirs; others: 10 s of the block time, at least 2.',
    ),
    blockTime: optional(
      span('10ms', '1h'),
      'Usual time between two blocks. Known chains bring theirs; others: that of the family, see below.',
    ),
    attempts: byDefault(whole(1, 10), 3, 'Upstream tries a read may have.'),
    retryShare: written(part('0%', '100%'), '20%', "Retries, as a share of the chain's requests in flight."),
    timeouts: written(
      z.strictObject({
        connect: written(span('1ms', '1h'), '2s', 'To connect, TLS included.'),
        read: written(
          span('1ms', '1h'),
          '5s',
          'One attempt of a read, to the first bytes of a result; over sooner when its endpoint falls silent.',
        ),
        heavy: written(
          span('1ms', '1h'),
          '30s',
          'One attempt of a heavy method (traces, wide logs, …), to the same point.',
        ),
      }),
      {},
      'Limits of one attempt.',
    ),
    deadlines: written(
      z.strictObject({
        read: written(span('1ms', '1h'), '15s', 'A read with all its attempts.'),
        heavy: written(span('1ms', '1h'), '60s', 'A heavy request with all its attempts.'),
      }),
      {},
      'Limits of one request.',
    ),
    repeatWindow: optional(
      span('0s', '1d'),
      'How long the same signed transaction gets the recorded answer and is not sent again: 60s; Solana 2s.',
    ),
    probes: written(
      z.strictObject({
        interval: written(span('100ms', '1h'), '5s', 'Between two looks at the height of an endpoint.'),
        maxPerDay: optional(
          whole(1, 10_000_000),
          "The gateway's own requests an endpoint may get a day. No cap when absent.",
        ),
      }),
      {},
      'The questions of the gateway itself.',
    ),
    broadcast: written(
      z.strictObject({
        confirm: byDefault(
          flag,
          false,
          'Looks up accepted transactions too, not only those whose outcome is unknown, until they are settled.',
        ),
      }),
      {},
      'Signed transactions.',
    ),
    freshness: byDefault(
      oneOf(['normal', 'strict']),
      'normal',
      '`strict`: reads of the newest block go only to endpoints at or above the highest height the pool has agreed on; ' +
        'they wait a moment for one, and then say that none is fresh. What is about no block (`eth_chainId`) is never held ' +
        'to it. A request asks for it with `rpcgw-freshness: strict`.',
    ),
    pinning: byDefault(
      flag,
      true,
      'For 30 s after a broadcast, the same client (its key, or its `rpcgw-session` header) reads what it wrote: what ' +
        'stands in no block yet (its nonce, the transaction) from the endpoint that took it, the rest from endpoints at ' +
        'least as high.',
    ),
    development: byDefault(
      flag,
      false,
      'A development chain: `anvil_*`, `hardhat_*` and `evm_*` are forwarded.',
    ),
  }),
  'One network, served as `/<name>`.',
);

export const configSchema = said(
  z.strictObject({
    listen: written(
      address,
      '127.0.0.1:8600',
      'Where clients connect. An address that is not loopback needs `clients`. Port 0: any free one.',
    ),
    metrics: optional(
      address,
      'A further address for `/metrics`. Needed when `listen` is not loopback, which then does not serve them.',
    ),
    dataDir: optional(
      path,
      'Folder of the state, one daemon each. When absent: `$STATE_DIRECTORY`, `$XDG_STATE_HOME/rpcgw`.',
    ),
    socket: optional(
      path,
      'Socket of the commands. When absent: `$RPCGW_SOCKET`, `$RUNTIME_DIRECTORY/rpcgw.sock`, `$XDG_RUNTIME_DIR/rpcgw.sock`, else in the state folder.',
    ),
    socketGroup: optional(
      z.union(
        [
          z.string().check(z.regex(/^[a-z_][a-z0-9_-]{0,31}\$?$/)),
          z.int().check(z.minimum(0), z.maximum(4_294_967_294)),
        ],
        {
          error: 'expected the name or the number of a group',
        },
      ),
      'Group that may use the socket (0660, folder 0750). When absent only the user of the daemon may (0600, 0700).',
    ),
    clients: optional(
      z.strictObject({
        keys: byDefault(
          z.array(
            z.union([
              clientKey,
              z.strictObject({
                name: said(clientName, 'For logs.'),
                key: said(z.clone(clientKey), 'The key.'),
              }),
            ]),
            { error: 'expected a list of keys' },
          ),
          [],
          'Keys, taken as `Authorization: Bearer`. Never shown.',
        ),
        cidrs: byDefault(
          z.array(
            z.string({ error: 'expected a range of addresses, such as 10.0.0.0/8' }).check(
              z.refine(isCidr, {
                error: 'expected a range of addresses, such as 10.0.0.0/8 or 2001:db8::/32',
              }),
            ),
            { error: 'expected a list of address ranges' },
          ),
          [],
          'Ranges of addresses that need no key.',
        ),
        rps: optional(
          rate,
          'Calls a second each of them may make, those of a batch counted one by one; more get 429. Unlimited when absent.',
        ),
      }),
      'Who may send requests: whoever has one of the keys or comes from one of the ranges. When absent: everybody who reaches `listen`.',
    ),
    limits: written(
      z
        .strictObject({
          body: written(size('1KiB', '1GiB'), '10MiB', 'Body of a request.'),
          batch: byDefault(whole(1, 100_000), 1000, 'Items of a batch.'),
          depth: byDefault(whole(2, 1000), 10, 'Levels of nesting in a request.'),
          errorBody: written(size('1KiB', '64MiB'), '1MiB', "Body of an upstream's error."),
          connections: byDefault(
            whole(1, 1_000_000),
            4096,
            'Connections of clients at a time; one more gets 503 and is closed.',
          ),
          memory: written(
            size('1MiB', '64GiB'),
            '256MiB',
            'All bodies in memory together; past it requests get 503.',
          ),
        })
        .check(
          z.refine(({ body, memory }) => memory >= body, {
            path: ['memory'],
            error: 'expected at least limits.body: not one such body would fit',
            // Not put off until every other limit is right.
            when: ({ value }) =>
              isTable(value) && typeof value.body === 'number' && typeof value.memory === 'number',
          }),
        ),
      {},
      'Limits of the client side.',
    ),
    log: written(
      z.strictObject({
        level: byDefault(oneOf(['debug', 'info', 'warn', 'error']), 'info', 'Least level that is written.'),
      }),
      {},
      'The log.',
    ),
    drain: written(
      z.strictObject({
        delay: written(
          span('0s', '10m'),
          '5s',
          'How long `/readyz` says no before the work ends, so that load balancers notice.',
        ),
        timeout: written(
          span('0s', '1h'),
          '20s',
          'How long reads in flight may take. Broadcasts keep their own deadline.',
        ),
      }),
      {},
      'The end, after SIGTERM.',
    ),
    retention: written(
      z.strictObject({
        minutes: written(span('1h', '3650d'), '7d', 'How long numbers a minute are kept.'),
        hours: written(span('1d', '3650d'), '90d', 'How long numbers an hour are kept.'),
      }),
      {},
      'The history for reports. Settled broadcasts are kept for 400 days, all others and the audit for good.',
    ),
    chains: said(
      z.record(z.string(), chainSchema, { error: 'expected a table of chains' }),
      'The chains, each under the name it is served as.',
    ),
  }),
  'The configuration of rpcgw.',
);

/** The file as it is after defaults, units read. */
export type ConfigFile = z.output<typeof configSchema>;
export type ChainInFile = z.output<typeof chainSchema>;
