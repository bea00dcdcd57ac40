/** What to set, and what to know, for each library behind the gateway; in docs/clients.md beside what was measured. */
export const advice: Readonly<Record<string, string>> = {
  viem:
    'Set `http(url, { timeout: 20_000, retryCount: 1 })`: its own 10 s are less than the 15 s the gateway takes for a read ' +
    'at most, and what the gateway says no to it has asked other endpoints already (`too_large` and `missing_history` do ' +
    'not get better by asking again). Its `MethodNotSupportedRpcError` stands for all of -32004: look at the reason, which is ' +
    '`no_endpoint` or `not_fresh`, and not at that name. A watch whose filter is lost makes it anew by itself.',
  ethers:
    'Name the network: `new JsonRpcProvider(url, network, { staticNetwork: true })`. Without it the library asks for ' +
    '`eth_chainId` in front of most calls, and when that is refused it goes on asking every second until `destroy()`. It ' +
    'repeats on 429 alone, 12 times at doubling random waits; a `FetchRequest` with ' +
    '`setThrottleParams({ maxAttempts: 3 })` in the place of the URL ends that sooner. Set `polling: true` where it listens for ' +
    'events: without it, it holds on to a filter that is lost (`filter_lost`, when its endpoint is gone), and hears of ' +
    'nothing more.',
  web3:
    'It repeats nothing and has no time limit of its own: the gateway’s deadlines (15 s, heavy reads 60 s, broadcasts 9 s) ' +
    'end every call. Read `error.data.reason` to tell a refusal of the gateway from an answer of the node.',
  cast:
    'It repeats on 429 and on 503, so that a command waits some 7 s before it says that no endpoint may be tried. What ' +
    'became of a transaction is always told under 200, and is not repeated.',
  curl:
    'With `--fail-with-body` it exits with 22 on each refused read and prints the reason. What became of a transaction comes ' +
    'under 200 always: look at `error` in the body.',
  '@solana/web3.js':
    'It repeats on 429 alone, five requests in 7.5 s; `disableRetryOnRateLimit: true` leaves that to you. It looks for a ' +
    'WebSocket at the next port: give `wsEndpoint` of a node, or confirm with `getSignatureStatuses`. Of a refused ' +
    'transaction it keeps the text alone, so go by the text: it says whether anything left.',
  '@solana/kit':
    'It repeats nothing, and keeps of an error the HTTP status or the JSON-RPC code alone: of a read go by ' +
    '`error.context.statusCode`. Set `NODE_ENV=production`: development builds throw a `TypeError` on a code they do not ' +
    'know. Subscriptions need a URL of a node.',
  tronweb:
    'What comes under HTTP 200 it returns and does not throw: after `sendRawTransaction` look at `result`, and at ' +
    '`rpcgw.reason` where it is not `true`. On all other statuses it throws axios’ error, with the reason in ' +
    '`error.response.data`. It repeats nothing; its limit of 30 s is longer than the gateway’s for all but heavy reads.',
  xrpl:
    'xrpl.js speaks WebSocket alone, so post JSON-RPC (as xrpl-py’s `JsonRpcClient` or xrpl4j do) and keep the library for ' +
    'keys and encoding, as these calls do. `result.status` says `error` in the server’s own words, and `result.rpcgw` is ' +
    'there when the gateway says it.',
};
