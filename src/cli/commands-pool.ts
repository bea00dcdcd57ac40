/** Commands about the pools and about requests: what is, where one would go, what an answer means. */

import { type ArgSpec, type CommandSpec, chainArg, onlyChainArg } from './command-spec.ts';

const method: ArgSpec = {
  name: '<method>',
  help: 'the method; for TRON a path such as /wallet/getnowblock',
};
const params: ArgSpec = { name: '[params...]', help: 'each JSON, or plain text' };
const headerFrom = {
  flags: '--header-from <name=source...>',
  help: 'a header, its value from env:VAR or file:PATH',
};

export const poolCommands: readonly CommandSpec[] = [
  {
    path: 'status',
    summary: 'the pools: every chain and endpoint in one word, with the reason',
    args: [onlyChainArg],
    options: [
      { flags: '--wait <what>', help: 'ready: end when it is', completes: ['ready'] },
      { flags: '--timeout <span>', help: 'how long --wait waits', value: '60s' },
      { flags: '--watch', help: 'go on, a screen at a time' },
      { flags: '--interval <span>', help: 'how often --watch looks', value: '2s' },
    ],
    examples: [
      ['rpcgw status', 'the chains, their endpoints, then what needs you'],
      ['rpcgw status ethereum --json', 'for scripts'],
      ['rpcgw status --wait ready --timeout 30s', 'after a start, in a script'],
    ],
    exits: [
      [1, 'not ready: no chain (or not this one) may take reads'],
      [8, 'still not ready after --timeout'],
    ],
    json: 'status',
    load: () => import('./status.ts'),
  },
  {
    path: 'scores',
    summary: "each endpoint's score term by term, and every gate with its reason",
    args: [onlyChainArg],
    options: [],
    examples: [
      ['rpcgw scores ethereum', 'why the first is first, and what holds the others'],
      ['rpcgw scores --json', 'for scripts'],
    ],
    json: 'scores',
    load: () => import('./scores.ts'),
  },
  {
    path: 'top',
    summary: 'a live dashboard; without a terminal one plain frame',
    args: [{ name: '[chain]', help: 'the chain to begin with', completes: 'chain' }],
    options: [
      { flags: '--once', help: 'print one plain frame and end' },
      { flags: '--interval <span>', help: 'how often, 200ms to 60s', value: '1s' },
      { flags: '--ascii', help: 'plain letters only (by itself where the locale is not UTF-8)' },
    ],
    examples: [
      ['rpcgw top', 'q quits, ? has every key'],
      ['rpcgw top ethereum --interval 5s', 'begins with one chain, over a slow line'],
      ['rpcgw top --once | mail -s pools ops', 'every chain and endpoint, nothing cut'],
    ],
    json: 'status',
    load: () => import('./top.ts'),
  },
  {
    path: 'test',
    summary: 'examine one URL: identity, head, history, latency, and whether it could be added',
    args: [
      chainArg,
      {
        name: '<url>',
        help: 'the RPC URL, - to read it from stdin, or the name of an endpoint in the pool',
        completes: 'endpoint',
      },
    ],
    options: [
      { flags: '--samples <n>', help: 'height reads for the latency, 1 to 40', value: '10' },
      headerFrom,
    ],
    examples: [
      ['rpcgw test ethereum https://rpc.ankr.com/eth', 'asks only hosts on the allowlist'],
      ['pass show rpc-url | rpcgw test ethereum -', 'keeps the URL out of the shell history'],
      ['rpcgw test ethereum own-node', 'one of the pool, by its name'],
    ],
    exits: [
      [1, 'a check failed'],
      [7, 'the host is not on the allowlist: nothing was sent'],
    ],
    json: 'examination',
    load: () => import('./test.ts'),
  },
  {
    path: 'call',
    summary: 'send one request through the gateway and print the answer',
    args: [chainArg, method, params],
    options: [{ flags: '-v, --verbose', help: 'who answered, after how many attempts' }],
    examples: [
      ['rpcgw call ethereum eth_blockNumber', 'the head'],
      [
        'rpcgw call ethereum eth_getBalance 0x0000000000000000000000000000000000000000 latest',
        'plain words are strings',
      ],
      [
        'rpcgw call xrpl account_info \'{"account":"rrrrrrrrrrrrrrrrrrrrrhoLvTp"}\'',
        'XRPL and TRON take one object',
      ],
    ],
    exits: [[1, 'the answer is an error']],
    json: 'callResult',
    load: () => import('./call.ts'),
  },
  {
    path: 'explain',
    summary: 'where that request would go now, and why not to the others; sends nothing',
    args: [chainArg, method, params],
    options: [],
    examples: [
      ['rpcgw explain ethereum eth_blockNumber', 'the order in which endpoints would be tried'],
      [
        'rpcgw explain ethereum eth_getBalance 0x0000000000000000000000000000000000000000 0x112a880',
        'old state: who keeps it',
      ],
    ],
    exits: [[1, 'nobody could take it now']],
    json: 'explanation',
    load: () => import('./explain.ts'),
  },
  {
    path: 'classify',
    summary: 'read an upstream answer and print the verdict and the rule that gave it; needs no daemon',
    args: [],
    options: [
      {
        flags: '--jsonl',
        help: 'read cases as JSON Lines from stdin (the corpus form), write one line each',
      },
      {
        flags: '--family <name>',
        help: 'evm, solana, xrpl or tron',
        value: 'evm',
        completes: ['evm', 'solana', 'xrpl', 'tron'],
      },
      {
        flags: '--chain <name>',
        help: "the chain, where a rule is one chain's habit",
        value: 'ethereum',
        completes: 'chain',
      },
      { flags: '--method <method>', help: 'the method that was asked; for TRON a path' },
      { flags: '--params <json>', help: 'its params as JSON' },
      { flags: '--status <code>', help: 'the HTTP status', value: '200' },
      { flags: '--header <line...>', help: 'a response header, "name: value"' },
      { flags: '--body <text>', help: 'the body (default: stdin; a saved `curl -i` text is understood)' },
      {
        flags: '--transport <kind>',
        help: 'no answer at all: connect_refused, dns, tls, timeout, reset',
        completes: ['connect_refused', 'dns', 'tls', 'timeout', 'reset'],
      },
    ],
    examples: [
      ['curl -si https://… -d … | rpcgw classify --method eth_call', 'a saved or piped `curl -i` text'],
      ['rpcgw classify --jsonl < fixtures/corpus/evm.jsonl', 'one line for each case'],
    ],
    json: 'classification',
    load: () => import('./classify.ts'),
  },
];
