import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { evm } from '../../fixtures/sim/evm.ts';
import { solana } from '../../fixtures/sim/solana.ts';
import { tron } from '../../fixtures/sim/tron.ts';
import { heightAt, type SimFamily, type World } from '../../fixtures/sim/world.ts';
import { xrpl } from '../../fixtures/sim/xrpl.ts';
import { presets } from '../../src/chains/presets.ts';
import { type Verdict, verdicts } from '../../src/core/verdict.ts';
import type { Gateway } from '../kit/gateway.ts';
import { stage } from '../kit/stage.ts';

// A pool of two in each family: the first answers one question in a way that deserves a verdict, the second as a healthy
// node does. What the client gets, who was asked, and what it did to the first one's score and state.

interface Said {
  readonly status: number;
  readonly body: string;
  readonly headers?: Record<string, string>;
}

interface Case {
  readonly verdict: Verdict;
  /** Undefined: the connection is cut. */
  readonly said: Said | undefined;
  /** When not the family's plain question. */
  readonly ask?: { readonly path: string; readonly body: string };
  readonly state?: string;
}

interface FamilyCases {
  readonly sim: SimFamily;
  readonly preset: string;
  readonly identity: (index: number) => Record<string, unknown>;
  readonly ask: { readonly path: string; readonly body: string };
  readonly cases: readonly Case[];
}

const html = { 'content-type': 'text/html' };
const everyFamily: readonly Case[] = [
  {
    verdict: 'rate_limited',
    said: { status: 429, body: 'Too Many Requests', headers: { 'retry-after': '300' } },
    state: 'cooling',
  },
  { verdict: 'auth_refused', said: { status: 401, body: 'Unauthorized' }, state: 'auth_refused' },
  {
    verdict: 'node_failure',
    said: { status: 502, body: '<html><h1>502 Bad Gateway</h1></html>', headers: html },
  },
  { verdict: 'transport', said: undefined },
];

/** `id` 77 marks the test's own question: the gateway asks with 1. */
const rpc = (method: string, params: unknown): { path: string; body: string } => ({
  path: '',
  body: JSON.stringify({ jsonrpc: '2.0', id: 77, method, params }),
});
const rpcError = (error: unknown): Said => ({
  status: 200,
  body: JSON.stringify({ jsonrpc: '2.0', id: 77, error }),
});
const ledgerError = (error: string, more: object = {}): Said => ({
  status: 200,
  body: JSON.stringify({ result: { error, status: 'error', id: 77, ...more } }),
});
const account = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';
const marked = '410000000000000000000000000000000000000077';

const families: Readonly<Record<string, FamilyCases>> = {
  evm: {
    sim: evm,
    preset: 'ethereum',
    identity: index => ({ family: 'evm', chainId: 700_000 + index }),
    ask: rpc('eth_getBalance', [`0x${'11'.repeat(20)}`, 'latest']),
    cases: [
      { verdict: 'ok', said: { status: 200, body: '{"jsonrpc":"2.0","id":77,"result":"0x0"}' } },
      {
        verdict: 'app_error',
        said: rpcError({ code: 3, message: 'execution reverted: rate limit exceeded', data: '0x08c379a0' }),
      },
      {
        verdict: 'missing_history',
        said: rpcError({ code: -32000, message: 'missing trie node 0123abcd (path )' }),
        ask: rpc('eth_getBalance', [`0x${'11'.repeat(20)}`, '0x64']),
      },
      {
        verdict: 'unsupported',
        said: rpcError({
          code: -32601,
          message: 'the method eth_getBalance does not exist/is not available',
        }),
      },
      ...everyFamily,
    ],
  },
  solana: {
    sim: solana,
    preset: 'solana',
    identity: index => ({ family: 'solana', genesisHash: `${'2'.repeat(40)}${'ABCDEFGHJ'[index] ?? 'K'}` }),
    ask: rpc('getBalance', ['11111111111111111111111111111111', { commitment: 'confirmed' }]),
    cases: [
      {
        verdict: 'ok',
        said: { status: 200, body: '{"jsonrpc":"2.0","result":{"context":{"slot":1},"value":0},"id":77}' },
      },
      { verdict: 'app_error', said: rpcError({ code: -32602, message: 'Invalid param: WrongSize' }) },
      {
        verdict: 'missing_history',
        said: rpcError({
          code: -32001,
          message: 'Block 100 cleaned up, does not exist on node. First available block: 900',
        }),
        ask: rpc('getBlock', [100]),
      },
      { verdict: 'unsupported', said: rpcError({ code: -32601, message: 'Method not found' }) },
      ...everyFamily,
    ],
  },
  xrpl: {
    sim: xrpl,
    preset: 'xrpl',
    identity: index => ({ family: 'xrpl', networkId: 900 + index }),
    ask: {
      path: '',
      body: JSON.stringify({
        method: 'account_info',
        params: [{ account, ledger_index: 'validated', id: 77 }],
      }),
    },
    cases: [
      {
        verdict: 'ok',
        said: { status: 200, body: '{"result":{"account_data":{},"status":"success","id":77}}' },
      },
      { verdict: 'app_error', said: ledgerError('actNotFound', { error_code: 19 }) },
      {
        verdict: 'missing_history',
        said: ledgerError('lgrNotFound', { error_code: 21 }),
        ask: {
          path: '',
          body: JSON.stringify({
            method: 'account_info',
            params: [{ account, ledger_index: 40_000, id: 77 }],
          }),
        },
      },
      { verdict: 'unsupported', said: ledgerError('unknownCmd', { error_code: 32 }) },
      {
        verdict: 'rate_limited',
        said: {
          status: 503,
          body: '{"error":"slowDown","error_code":10,"status":"error","type":"response"}',
        },
        state: 'cooling',
      },
      { verdict: 'node_failure', said: ledgerError('tooBusy', { error_code: 9 }) },
      ...everyFamily.filter(({ verdict }) => verdict === 'auth_refused' || verdict === 'transport'),
    ],
  },
  tron: {
    sim: tron,
    preset: 'tron',
    identity: index => ({ family: 'tron', genesisBlock: (index + 1).toString(16).padStart(64, '0') }),
    ask: { path: '/wallet/getaccount', body: JSON.stringify({ address: marked }) },
    cases: [
      { verdict: 'ok', said: { status: 200, body: '{}' } },
      {
        verdict: 'app_error',
        said: { status: 200, body: '{"Error":"class java.lang.IllegalArgumentException : Invalid address"}' },
      },
      {
        verdict: 'missing_history',
        said: { status: 200, body: '{}' },
        ask: { path: '/wallet/getblockbynum', body: '{"num":19000077}' },
      },
      {
        verdict: 'unsupported',
        said: { status: 404, body: '<html><h2>HTTP ERROR 404</h2>Powered by Jetty</html>', headers: html },
      },
      {
        verdict: 'rate_limited',
        said: {
          status: 200,
          body: '{"Error":"class java.lang.IllegalAccessException : lack of computing resources"}',
        },
        state: 'cooling',
      },
      ...everyFamily.filter(({ verdict }) => verdict !== 'rate_limited'),
    ],
  },
};

const rows = Object.entries(families).flatMap(([family, { cases }]) =>
  cases.map((row, index) => ({ family, index, chain: `${family}-${row.verdict.replace('_', '-')}`, ...row })),
);

/** All endpoints of all pools on one server, told apart by the path: `/<chain>/<endpoint>`. */
const asked = new Map<string, number>();
const sinceMs = Date.now();

function answer(target: string, body: string, response: ServerResponse): void {
  const [, chain = '', endpoint = '', ...rest] = target.split('/');
  const row = rows.find(each => each.chain === chain);
  const family = row && families[row.family];
  if (row === undefined || family === undefined) throw new Error(`no pool at ${target}`);
  const path = rest.length === 0 ? '' : `/${rest.join('/')}`;
  if (body.includes('77') && /"id":77|0077/.test(body)) {
    asked.set(`${chain}/${endpoint}`, (asked.get(`${chain}/${endpoint}`) ?? 0) + 1);
    if (endpoint === 'first') {
      if (row.said === undefined) response.socket?.resetAndDestroy();
      else {
        response.writeHead(row.said.status, { 'content-type': 'application/json', ...row.said.headers });
        response.end(row.said.body);
      }
      return;
    }
  }
  const preset = presets[family.preset];
  const [identity] = Object.values(family.identity(row.index)).slice(1);
  const world: World = {
    identity: String(identity),
    blockTimeMs: preset?.blockTimeMs ?? 1000,
    baseHeight: 20_000_000,
    sinceMs,
    keeps: 1_000_000_000,
  };
  const nowMs = Date.now();
  const said = family.sim.answer(path, body, {
    world,
    height: heightAt(world, nowMs),
    nowMs,
    pool: new Map(),
  });
  response.writeHead(said.status, { 'content-type': 'application/json' });
  response.end(said.body);
}

describe('every verdict of every family, through the program', () => {
  const started = stage();
  let running: Gateway;

  beforeAll(async () => {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => answer(request.url ?? '/', Buffer.concat(chunks).toString('utf8'), response));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    started.after(() => new Promise(resolve => server.close(() => resolve(undefined)).closeAllConnections()));
    const { port } = server.address() as AddressInfo;
    const chains = rows.map(({ family, index, chain }) => [
      chain,
      {
        ...families[family]?.identity(index),
        strategy: 'priority',
        endpoints: ['first', 'second'].map(name => ({
          name,
          url: `http://127.0.0.1:${port}/${chain}/${name}`,
          allowPrivate: true,
          // No question of the gateway's own how far back it keeps: an answer to that would tell that it offers the method.
          history: 'full',
        })),
      },
    ]);
    running = await started.gateway({ chains: Object.fromEntries(chains) });
    for (;;) {
      const { chains: now } = await running.status();
      if (now.every(({ usable }) => usable === 2)) break;
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  });

  it('has every verdict in every family', () => {
    for (const family of Object.keys(families)) {
      const has = rows.filter(row => row.family === family).map(row => row.verdict);
      expect(new Set(has), family).toEqual(new Set(Object.keys(verdicts)));
    }
  });

  it.each(rows)('$family: $verdict', async ({ family, chain, verdict, said, ask, state }) => {
    const { path, body } = ask ?? families[family]?.ask ?? { path: '', body: '' };
    const response = await running.post(`/${chain}${path}`, body);
    const text = await response.text();
    const returned = verdicts[verdict].next === 'return';
    expect(response.headers.get('rpcgw-endpoint'), text).toBe(returned ? 'first' : 'second');
    expect(response.headers.get('rpcgw-attempts')).toBe(returned ? '1' : '2');
    expect(response.headers.get('rpcgw-verdict')).toBe(returned ? verdict : 'ok');
    if (returned) expect(text).toBe(said?.body);
    else expect(text).not.toContain('rpcgw');
    expect(asked.get(`${chain}/first`)).toBe(1);
    expect(asked.get(`${chain}/second`)).toBe(returned ? undefined : 1);

    const status = await running.status();
    const first = status.chains
      .find(({ name }) => name === chain)
      ?.endpoints.find(({ name }) => name === 'first');
    if (verdicts[verdict].score === 'failure') expect(first?.verdicts[verdict]).toBe(1);
    else expect(first?.success).toBe(1);
    expect(first?.verdicts[verdict]).toBe(1);
    if (state !== undefined) expect(first?.state).toBe(state);
  });

  it('a refusal of the method as a whole is remembered: the next one goes straight to the second', async () => {
    const { path, body } = families.evm?.ask ?? { path: '', body: '' };
    const again = await running.post(`/evm-unsupported${path}`, body);
    expect(again.headers.get('rpcgw-endpoint')).toBe('second');
    expect(again.headers.get('rpcgw-attempts')).toBe('1');
  });
});
