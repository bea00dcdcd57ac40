/** The JSON-RPC face of a Solana node over LiteSVM: the real runtime decides, this only speaks. */

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { base58 } from '@scure/base';
import { type Address, address, getTransactionDecoder, lamports, type Transaction } from '@solana/kit';
import { Keypair } from '@solana/web3.js';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';

export interface SolanaShim {
  readonly url: string;
  /** Funded. */
  readonly payer: Keypair;
  /** The state everything began with. */
  reset(): void;
  close(): Promise<void>;
}

export const genesisHash = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const slot = 280_000_000;

class RpcFault extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

type Params = readonly unknown[];
type Methods = Readonly<Record<string, (params: Params) => unknown>>;

export async function startSolanaShim(): Promise<SolanaShim> {
  const payer = Keypair.fromSeed(new Uint8Array(32).fill(7));
  let svm = begin();
  let sent = new Map<string, { readonly err: unknown }>();

  function begin(): LiteSVM {
    const fresh = new LiteSVM();
    fresh.airdrop(address(payer.publicKey.toBase58()), lamports(5_000_000_000n));
    return fresh;
  }

  const inContext = (value: unknown) => ({ context: { apiVersion: '2.2.0', slot }, value });
  const keyOf = (text: unknown): Address => {
    try {
      return address(String(text));
    } catch {
      throw new RpcFault(-32602, 'Invalid param: WrongSize');
    }
  };
  const account = (text: unknown): unknown => {
    const found = svm.getAccount(keyOf(text));
    if (!found.exists) return null;
    return {
      data: [Buffer.from(found.data).toString('base64'), 'base64'],
      executable: found.executable,
      lamports: Number(found.lamports),
      owner: found.programAddress,
      rentEpoch: 0,
      space: found.data.length,
    };
  };
  const decoded = (text: unknown, options: unknown): Transaction => {
    const encoding = (options as { encoding?: string } | undefined)?.encoding ?? 'base58';
    try {
      const bytes = encoding === 'base64' ? Buffer.from(String(text), 'base64') : base58.decode(String(text));
      return getTransactionDecoder().decode(bytes);
    } catch {
      throw new RpcFault(-32602, `invalid ${encoding} transaction: io error: failed to fill whole buffer`);
    }
  };

  const methods: Methods = {
    getHealth: () => 'ok',
    getSlot: () => slot,
    getBlockHeight: () => slot - 20_000_000,
    getVersion: () => ({ 'feature-set': 3_294_202_862, 'solana-core': '2.2.0' }),
    getGenesisHash: () => genesisHash,
    getFirstAvailableBlock: () => 0,
    minimumLedgerSlot: () => 0,
    getBlockTime: ([at]) => 1_764_000_000 + Math.floor((Number(at) - slot) * 0.4),
    getEpochInfo: () => ({
      absoluteSlot: slot,
      blockHeight: slot - 20_000_000,
      epoch: 648,
      slotIndex: 64_000,
      slotsInEpoch: 432_000,
      transactionCount: 1,
    }),
    getBalance: ([key]) => inContext(Number(svm.getBalance(keyOf(key)) ?? 0n)),
    getLatestBlockhash: () =>
      inContext({ blockhash: svm.latestBlockhash(), lastValidBlockHeight: slot - 20_000_000 + 150 }),
    isBlockhashValid: ([hash]) => inContext(hash === svm.latestBlockhash()),
    getAccountInfo: ([key]) => inContext(account(key)),
    getMultipleAccounts: ([keys]) => inContext((keys as readonly unknown[]).map(account)),
    getMinimumBalanceForRentExemption: ([size]) =>
      Number(svm.minimumBalanceForRentExemption(BigInt(Number(size)))),
    getFeeForMessage: () => inContext(5000),
    getSignatureStatuses: ([signatures]) =>
      inContext(
        (signatures as readonly string[]).map(one => {
          const seen = sent.get(one);
          if (seen === undefined) return null;
          const { err } = seen;
          const status = err === null ? { Ok: null } : { Err: err };
          return { confirmationStatus: 'confirmed', confirmations: 1, err, slot, status };
        }),
      ),
    requestAirdrop: ([key, amount]) => {
      const done = svm.airdrop(keyOf(key), lamports(BigInt(Number(amount))));
      if (done === null || done instanceof FailedTransactionMetadata)
        throw new RpcFault(-32603, 'airdrop request failed');
      // The runtime signs with a key of the moment; two runs are to read alike.
      const signature = base58.encode(createHash('sha512').update(`${key} ${amount}`).digest());
      sent.set(signature, { err: null });
      return signature;
    },
    simulateTransaction: ([text, options]) => {
      const done = svm.simulateTransaction(decoded(text, options));
      const failed = done instanceof FailedTransactionMetadata;
      const meta = done.meta();
      return inContext({
        accounts: null,
        err: failed ? String(done.err()) : null,
        logs: meta.logs(),
        unitsConsumed: Number(meta.computeUnitsConsumed()),
      });
    },
    sendTransaction: ([text, options]) => {
      const transaction = decoded(text, options);
      const signature = base58.encode(Object.values(transaction.signatures)[0] ?? new Uint8Array());
      const done = svm.sendTransaction(transaction);
      if (!(done instanceof FailedTransactionMetadata)) {
        sent.set(signature, { err: null });
        return signature;
      }
      const why =
        done.toString().includes('AlreadyProcessed') || sent.has(signature)
          ? ['AlreadyProcessed', 'This transaction has already been processed']
          : /Blockhash/i.test(done.toString())
            ? ['BlockhashNotFound', 'Blockhash not found']
            : ['AccountNotFound', 'Attempt to debit an account but found no record of a prior credit.'];
      throw new RpcFault(-32002, `Transaction simulation failed: ${why[1]}`, {
        accounts: null,
        err: why[0],
        logs: [],
        unitsConsumed: 0,
      });
    },
  };

  const one = (call: { id?: unknown; method?: string; params?: Params }): unknown => {
    const { id = null, method = '', params = [] } = call;
    try {
      const run = methods[method];
      if (run === undefined) throw new RpcFault(-32601, 'Method not found');
      return { jsonrpc: '2.0', result: run(params), id };
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error;
      const { code, message, data } = error;
      return { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id };
    }
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const read = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(Array.isArray(read) ? read.map(one) : one(read)));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    payer,
    reset() {
      svm = begin();
      sent = new Map();
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
