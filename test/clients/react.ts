/** What each library makes of each of the gateway's own errors: how often it asks, and what it shows. */

import { execFile } from 'node:child_process';
import { type Base64EncodedWireTransaction, createSolanaRpc } from '@solana/kit';
import { Connection } from '@solana/web3.js';
import { FetchRequest, JsonRpcProvider, Network } from 'ethers';
import { TronWeb } from 'tronweb';
import { createPublicClient, http } from 'viem';
import { Web3 } from 'web3';
import type { FamilyName } from '../../src/core/chain.ts';
import type { ClientReason } from '../../src/core/errors.ts';
import { evmRaw, solanaBytes, xrplBlob } from '../kit/signed.ts';
import { castFile } from './cast.ts';
import { startRefuser } from './refusals.ts';

/** One way to ask with a library: one call of a program that needs one request when all is well. */
export interface Asker {
  readonly name: string;
  readonly family: FamilyName;
  ask(url: string): Promise<unknown>;
  /** What the library asks beside the call itself, and the results of that. */
  readonly beside?: Readonly<Record<string, unknown>>;
}

export interface Reaction {
  readonly requests: number;
  /** Names and codes of the error that the program gets, the outermost first; or what it gets in place of one. */
  readonly shows: string;
  /** Where in that the gateway's `reason` stands, or the text that holds it; '': nowhere. */
  readonly reasonAt: string;
}

const raw = evmRaw(1) as `0x${string}`;
const solanaRaw = solanaBytes(1);

/** As it is used, but for the wait after a 429, which is at its shortest: how often it asks does not hang on it. */
function ethersAt(url: string): JsonRpcProvider {
  const request = new FetchRequest(url);
  request.setThrottleParams({ slotInterval: 1 });
  return new JsonRpcProvider(request, Network.from(1), { staticNetwork: true });
}

async function withEthers<T>(url: string, ask: (provider: JsonRpcProvider) => Promise<T>): Promise<T> {
  const provider = ethersAt(url);
  try {
    return await ask(provider);
  } finally {
    provider.destroy();
  }
}

function cast(...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(castFile, args, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else {
        const [, code] = /error code (-?\d+)|HTTP error (\d+)/.exec(stderr)?.filter(Boolean) ?? [];
        reject(Object.assign(new Error(stderr), { name: `exit ${error.code}`, code }));
      }
    });
  });
}

async function postXrpl(url: string, method: string, params: object): Promise<unknown> {
  const body = JSON.stringify({ method, params: [params] });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  if (response.ok) return response.json();
  throw Object.assign(new Error(await response.text()), { name: 'HTTP', code: response.status });
}

const tronKey = '11'.repeat(32);
/** Of a block that the library need not ask for. */
const blockHeader = {
  ref_block_bytes: '1234',
  ref_block_hash: '00112233445566aa',
  expiration: 1_777_447_527_000,
  timestamp: 1_777_447_467_000,
};

export const readers: readonly Asker[] = [
  {
    name: 'viem',
    family: 'evm',
    ask: url => createPublicClient({ transport: http(url) }).getBlockNumber({ cacheTime: 0 }),
  },
  {
    name: 'viem, `batch: true`',
    family: 'evm',
    ask: url =>
      createPublicClient({ transport: http(url, { batch: true }) }).getBlockNumber({ cacheTime: 0 }),
  },
  { name: 'ethers', family: 'evm', ask: url => withEthers(url, provider => provider.getBlockNumber()) },
  {
    name: 'ethers, two calls at once',
    family: 'evm',
    ask: url =>
      withEthers(url, provider =>
        Promise.all([provider.getBlockNumber(), provider.getBalance(`0x${'22'.repeat(20)}`)]),
      ),
  },
  { name: 'web3', family: 'evm', ask: url => new Web3(url).eth.getBlockNumber() },
  {
    name: 'cast',
    family: 'evm',
    ask: url => cast('rpc', '--no-proxy', '--rpc-url', url, 'eth_blockNumber'),
  },
  { name: '@solana/web3.js', family: 'solana', ask: url => new Connection(url).getSlot() },
  { name: '@solana/kit', family: 'solana', ask: url => createSolanaRpc(url).getSlot().send() },
  { name: 'tronweb', family: 'tron', ask: url => new TronWeb({ fullHost: url }).trx.getCurrentBlock() },
  { name: 'xrpl', family: 'xrpl', ask: url => postXrpl(url, 'server_info', {}) },
];

const network = { eth_chainId: '0x1', net_version: '1', eth_blockNumber: '0x3e8', eth_call: '0x' };

export const senders: readonly Asker[] = [
  {
    name: 'viem',
    family: 'evm',
    ask: url =>
      createPublicClient({ transport: http(url) }).sendRawTransaction({ serializedTransaction: raw }),
  },
  {
    // What libraries on top of it use (EIP-1193).
    name: 'viem, `request()`',
    family: 'evm',
    ask: url =>
      createPublicClient({ transport: http(url) }).request({
        method: 'eth_sendRawTransaction',
        params: [raw],
      }),
  },
  {
    name: 'ethers',
    family: 'evm',
    beside: network,
    ask: url => withEthers(url, provider => provider.broadcastTransaction(raw)),
  },
  {
    name: 'web3',
    family: 'evm',
    beside: network,
    ask: async url => new Web3(url).eth.sendSignedTransaction(raw),
  },
  {
    name: 'cast',
    family: 'evm',
    beside: network,
    ask: url => cast('publish', '--async', '--no-proxy', '--rpc-url', url, raw),
  },
  {
    name: '@solana/web3.js',
    family: 'solana',
    ask: url => new Connection(url).sendRawTransaction(solanaRaw),
  },
  {
    name: '@solana/kit',
    family: 'solana',
    ask: url => {
      // The library marks the text as what it is.
      const wire = Buffer.from(solanaRaw).toString('base64') as Base64EncodedWireTransaction;
      return createSolanaRpc(url).sendTransaction(wire, { encoding: 'base64' }).send();
    },
  },
  {
    name: 'tronweb',
    family: 'tron',
    async ask(url) {
      const tron = new TronWeb({ fullHost: url, privateKey: tronKey });
      const owner = tron.defaultAddress.base58 || '';
      const to = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL';
      const unsigned = await tron.transactionBuilder.sendTrx(to, 5, owner, { blockHeader });
      return tron.trx.sendRawTransaction(await tron.trx.sign(unsigned));
    },
  },
  { name: 'xrpl', family: 'xrpl', ask: url => postXrpl(url, 'submit', { tx_blob: xrplBlob(1) }) },
];

/**
 * Without `staticNetwork`: the call is refused, and the provider goes on asking for its network every second, until it is
 * told or destroyed. Settles when it was refused `times` times and has then found its network.
 */
export async function ethersLooksForItsNetwork(reason: ClientReason, times: number): Promise<string> {
  const server = await startRefuser('evm', reason, {}, { after: times, result: '0x1' });
  const provider = new JsonRpcProvider(server.url);
  try {
    const first = await provider
      .getBlockNumber()
      .then(String, (error: unknown) => namesOf(error).join(' ← '));
    while (server.refused <= times) await new Promise(resolve => setTimeout(resolve, 20));
    return `${first}, then ${await provider.getBlockNumber()}`;
  } finally {
    provider.destroy();
    await server.close();
  }
}

export async function reactionOf(asker: Asker, reason: ClientReason): Promise<Reaction> {
  const server = await startRefuser(asker.family, reason, asker.beside ?? {});
  try {
    const ended = await asker.ask(server.url).then(
      (value: unknown) => ({ value, shows: `returns ${answerIn(value)}`, root: 'answer' }),
      (error: unknown) => ({ value: error, shows: namesOf(error).join(' ← '), root: 'error' }),
    );
    const { value, shows, root } = ended;
    return { requests: server.refused, shows, reasonAt: reasonAt(value, root, reason) };
  } finally {
    await server.close();
  }
}

/** An error's name and code, and those of what caused it. */
function namesOf(error: unknown): string[] {
  if (error === null || typeof error !== 'object') return [];
  const { name, code, cause, context } = error as Partial<Record<string, unknown>>;
  const kind = name === 'Error' ? error.constructor.name : name;
  // Where @solana/kit has them.
  const { __code, statusCode } = (context ?? {}) as { __code?: unknown; statusCode?: unknown };
  const parts = [kind, code ?? __code, statusCode];
  const own = parts.filter(part => typeof part === 'string' || typeof part === 'number').join(' ');
  return [own, ...namesOf(cause)].filter((part, at, all) => part !== '' && !all[at - 1]?.endsWith(part));
}

/** The path to it that a program would write; nearer places first. */
function reasonAt(value: unknown, root: string, reason: ClientReason): string {
  const seen = new Set<unknown>();
  let level: [string, unknown][] = [[root, value]];
  for (let depth = 0; depth < 7; depth += 1) {
    const below: [string, unknown][] = [];
    for (const [path, part] of level) {
      if (typeof part === 'string' && part.includes(`"reason":"${reason}"`)) return `${path}, a text`;
      if (part === null || typeof part !== 'object' || seen.has(part)) continue;
      seen.add(part);
      if ('source' in part && part.source === 'rpcgw' && 'reason' in part && part.reason === reason)
        return `${path}.reason`;
      for (const name of Object.getOwnPropertyNames(part)) {
        if (name === 'stack') continue;
        below.push([`${path}.${name}`, Reflect.get(part, name)]);
      }
    }
    level = below;
  }
  return '';
}

/** Where TRON and XRPL say in an answer that something is wrong. */
function answerIn(value: unknown): string {
  const { Error: text, code, result } = value as { Error?: unknown; code?: unknown; result?: unknown };
  if (text !== undefined) return 'an answer with `Error`';
  if (typeof code === 'string') return `an answer with code \`${code}\``;
  const { error } = (result ?? {}) as { error?: unknown };
  return typeof error === 'string' ? `an answer with error \`${error}\`` : JSON.stringify(value);
}
