/** A network of one cell: how the config names it, how its healthy nodes answer, and the transaction that is sent on it. */

import { base58 } from '@scure/base';
import { evm } from '../../fixtures/sim/evm.ts';
import { solana } from '../../fixtures/sim/solana.ts';
import { tron } from '../../fixtures/sim/tron.ts';
import type { Reply, SimFamily } from '../../fixtures/sim/world.ts';
import { xrpl } from '../../fixtures/sim/xrpl.ts';
import type { FamilyName } from '../../src/core/chain.ts';
import { type Signed, signed } from '../kit/signed.ts';

export interface Network {
  readonly family: FamilyName;
  /** As the config has it. */
  readonly identity: Readonly<Record<string, string | number>>;
  /** What a node that is well answers; `landed`: the transaction is in a block. */
  answer(target: string, body: string, landed: boolean): Reply;
  /** The answer of a node that takes the transaction. */
  takes(target: string, body: string): string;
  /** Told from the head of a request: a body with the transaction comes now. */
  isTransaction(head: string, length: number): boolean;
  /** There are bytes of the transaction in it. */
  carries(target: string, body: string): boolean;
  /** Asks for the transaction. */
  asksFor(text: string): boolean;
}

/** A network of the bench's own, with one transaction that is known beforehand. */
export interface OneOff extends Network {
  readonly tx: Signed;
}

/** All nodes stand still at one height, so that none is behind another. */
const height = 1000;
const sims: Readonly<Record<FamilyName, SimFamily>> = { evm, solana, xrpl, tron };

/** A node of the network with this identity, as nodes tell it. */
export function simulated(family: FamilyName, identity: string) {
  const world = { identity, blockTimeMs: 600_000, baseHeight: height, sinceMs: Date.now(), keeps: 900 };
  return (target: string, body: string): Reply =>
    sims[family].answer(target, body, { world, height, nowMs: Date.now(), pool: new Map() });
}

/** `n` makes networks and transactions differ. `padding`: white space behind the transaction, bytes. */
export function oneOff(family: FamilyName, n: number, padding: number): OneOff {
  const identity = identityOf(family, n);
  const tx = transactionOf(family, n, identity.number);
  const node = simulated(family, identity.value);
  const body = (id?: string): string => `${tx.body(id).slice(0, -1)}${' '.repeat(padding)}}`;
  const lengths = new Set([body(), body('"other"')].map(text => Buffer.byteLength(text)));
  const marker = /[0-9A-Za-z+/=]{80,}/.exec(tx.body())?.[0].slice(0, 80);
  if (marker === undefined) throw new Error('the transaction is nowhere in its body');
  return {
    family,
    identity: identity.config,
    tx: { ...tx, body },
    answer: (target, text, landed) => lookedUp(family, tx.txId, target, text, landed) ?? node(target, text),
    takes: (_, text) => tx.accepted(/"id":("[^"]*"|\d+)/.exec(text)?.[1]),
    isTransaction: (_, length) => lengths.has(length),
    carries: (_, text) => text.includes(marker),
    asksFor: text => text.includes(tx.txId),
  };
}

export interface Identity {
  /** Of an EVM or an XRPL network. Above 1024, where XRPL transactions name their network. */
  readonly number: number;
  /** As the config has it. */
  readonly config: Readonly<Record<string, string | number>>;
  /** As nodes tell it. */
  readonly value: string;
}

export function identityOf(family: FamilyName, n: number): Identity {
  const number = 10_000 + n;
  switch (family) {
    case 'evm':
      return { number, config: { chainId: number }, value: String(number) };
    case 'xrpl':
      return { number, config: { networkId: number }, value: String(number) };
    case 'solana': {
      const bytes = new Uint8Array(32).fill(3);
      new DataView(bytes.buffer).setUint32(0, number);
      const genesisHash = base58.encode(bytes);
      return { number, config: { genesisHash }, value: genesisHash };
    }
    case 'tron': {
      const genesisBlock = number.toString(16).padStart(64, '0');
      return { number, config: { genesisBlock }, value: genesisBlock };
    }
  }
}

function transactionOf(family: FamilyName, n: number, networkId: number): Signed {
  switch (family) {
    case 'evm':
      return signed.evm(1000 + n, networkId);
    case 'xrpl':
      return signed.xrpl(n, { lastLedger: 5000, networkId });
    default:
      return signed[family](n);
  }
}

/** Questions about the transaction, which the simulated nodes know nothing of. */
function lookedUp(
  family: FamilyName,
  txId: string,
  target: string,
  body: string,
  landed: boolean,
): Reply | undefined {
  const reply = (value: unknown): Reply => ({ status: 200, body: JSON.stringify(value) });
  const asks = (what: string) => body.includes(what) || target.includes(what);
  switch (family) {
    case 'evm': {
      if (!asks('eth_getTransactionByHash')) return undefined;
      const block = { hash: txId, blockNumber: '0x3e7', blockHash: `0x${'be'.repeat(32)}` };
      return reply({ jsonrpc: '2.0', id: idIn(body), result: landed ? block : null });
    }
    case 'solana': {
      if (!asks('getSignatureStatuses')) return undefined;
      const status = { slot: height - 1, confirmations: null, err: null, confirmationStatus: 'finalized' };
      const value = [landed ? status : null];
      return reply({ jsonrpc: '2.0', id: idIn(body), result: { context: { slot: height }, value } });
    }
    case 'xrpl': {
      if (!asks('"tx"')) return undefined;
      const found = { hash: txId, validated: true, ledger_index: height - 1, status: 'success' };
      const missing = {
        error: 'txnNotFound',
        error_code: 29,
        error_message: 'Transaction not found.',
        status: 'error',
      };
      return reply({ result: landed ? found : missing });
    }
    case 'tron':
      if (asks('gettransactioninfobyid'))
        return reply(landed ? { id: txId, blockNumber: height - 1, blockTimeStamp: 1_600_000_000_000 } : {});
      if (asks('gettransactionfrompending')) return reply({});
      // A solid head long before the transaction's end.
      if (asks('/walletsolidity/getblock'))
        return reply({ block_header: { raw_data: { number: 900, timestamp: 1_600_000_000_000 } } });
      return undefined;
  }
}

function idIn(body: string): unknown {
  return (JSON.parse(body) as { id?: unknown }).id;
}
