/** EVM methods: what each is, and where the block, range or hash it names stands in its parameters. */

import type { HistoryKind } from '../../core/chain.ts';
import type { Method } from '../family.ts';

/** Where in the parameters a request says which moment of the chain it is about. */
export type Place =
  /** A number, a tag, or an EIP-1898 object, at this position; absent means the head. */
  | { readonly by: 'block'; readonly at: number }
  /** As `block`, but the number at `count` says how many blocks end there. */
  | { readonly by: 'span'; readonly at: number; readonly count: number }
  /** First and last block at these positions. */
  | { readonly by: 'range'; readonly at: number; readonly to: number }
  /** An object with `fromBlock`, `toBlock` or `blockHash`. */
  | { readonly by: 'filter'; readonly at: number }
  /** The hash of a block or a transaction: it cannot be placed in time. */
  | { readonly by: 'hash'; readonly at: number };

export interface EvmMethod extends Method {
  readonly place?: Place;
  /** What must be kept there. */
  readonly keeps?: HistoryKind;
  /** `null` as the result says "no such thing" of a block or a transaction. */
  readonly absent?: true;
  /** How the signed bytes of a broadcast are handed over. */
  readonly carries?: 'raw' | 'private' | 'bundle' | 'operation';
}

const block = (at: number): Place => ({ by: 'block', at });
const hash = (at: number): Place => ({ by: 'hash', at });

const read: EvmMethod = { kind: 'read' };
const timeless: EvmMethod = { kind: 'read', timeless: true };
const heavy: EvmMethod = { kind: 'heavy' };
const state = (at: number): EvmMethod => ({ kind: 'read', place: block(at), keeps: 'state' });
const heavyState = (place: Place): EvmMethod => ({ kind: 'heavy', place, keeps: 'state' });
const ofBlock = (place: Place): EvmMethod => ({ kind: 'read', place, keeps: 'blocks', absent: true });
const ofTransaction: EvmMethod = {
  kind: 'read',
  place: hash(0),
  keeps: 'transactions',
  absent: true,
  own: true,
};
const logs: EvmMethod = { kind: 'heavy', place: { by: 'filter', at: 0 }, keeps: 'blocks' };
const broadcast = (carries: NonNullable<EvmMethod['carries']>): EvmMethod => ({ kind: 'broadcast', carries });
const refused = (why: string): EvmMethod => ({ kind: 'refused', why });

const signs = refused('it uses a private key on the node; sign on your own side and send the signed bytes');
const admin = refused('it administers the node');
const mines = refused('it is for miners');
const socket = refused('a subscription needs a connection that lasts; use filters or polling');
const development = refused('it is for development nodes, and this chain does not say `development: true`');

export const methods: Readonly<Record<string, EvmMethod>> = {
  // The head, the network, the node's software.
  eth_blockNumber: read,
  eth_chainId: timeless,
  eth_syncing: read,
  eth_gasPrice: read,
  eth_maxPriorityFeePerGas: read,
  eth_baseFee: read,
  eth_blobBaseFee: read,
  eth_protocolVersion: timeless,
  eth_config: read,
  eth_mining: timeless,
  eth_hashrate: timeless,
  net_version: timeless,
  net_listening: timeless,
  net_peerCount: timeless,
  web3_clientVersion: timeless,
  web3_sha3: timeless,
  rpc_modules: timeless,
  eth_feeHistory: { kind: 'read', place: { by: 'span', at: 1, count: 0 }, keeps: 'blocks' },

  // State at a block.
  eth_getBalance: state(1),
  eth_getCode: state(1),
  eth_getTransactionCount: { ...state(1), own: true },
  eth_getStorageAt: state(2),
  eth_call: state(1),
  eth_estimateGas: state(1),
  eth_getProof: heavyState(block(2)),
  eth_createAccessList: heavyState(block(1)),
  eth_simulateV1: heavyState(block(1)),
  eth_callMany: heavyState(block(1)),
  eth_callBundle: heavy,
  eth_multicall: heavy,
  eth_estimateUserOperationGas: read,

  // Blocks.
  eth_getBlockByNumber: ofBlock(block(0)),
  eth_getBlockByHash: ofBlock(hash(0)),
  eth_getHeaderByNumber: ofBlock(block(0)),
  eth_getHeaderByHash: ofBlock(hash(0)),
  eth_getBlockTransactionCountByNumber: ofBlock(block(0)),
  eth_getBlockTransactionCountByHash: ofBlock(hash(0)),
  eth_getUncleCountByBlockNumber: ofBlock(block(0)),
  eth_getUncleCountByBlockHash: ofBlock(hash(0)),
  eth_getUncleByBlockNumberAndIndex: ofBlock(block(0)),
  eth_getUncleByBlockHashAndIndex: ofBlock(hash(0)),
  eth_getBlockReceipts: { ...ofBlock(block(0)), kind: 'heavy' },
  eth_getTransactionReceiptsByBlock: { ...ofBlock(block(0)), kind: 'heavy' },
  erigon_getHeaderByNumber: ofBlock(block(0)),
  erigon_getHeaderByHash: ofBlock(hash(0)),
  bor_getAuthor: ofBlock(block(0)),

  // Transactions.
  eth_getTransactionByHash: ofTransaction,
  eth_getTransactionReceipt: ofTransaction,
  eth_getRawTransactionByHash: ofTransaction,
  eth_getTransactionByBlockNumberAndIndex: ofBlock(block(0)),
  eth_getTransactionByBlockHashAndIndex: ofBlock(hash(0)),
  eth_getRawTransactionByBlockNumberAndIndex: ofBlock(block(0)),
  eth_getRawTransactionByBlockHashAndIndex: ofBlock(hash(0)),
  eth_getTransactionBySenderAndNonce: { kind: 'read', absent: true, own: true },
  eth_getUserOperationByHash: ofTransaction,
  eth_getUserOperationReceipt: ofTransaction,
  eth_supportedEntryPoints: timeless,
  eth_pendingTransactions: { kind: 'read', own: true },

  // Logs, and the filters that live on one node.
  eth_getLogs: logs,
  erigon_getLogs: logs,
  erigon_getLatestLogs: logs,
  eth_newFilter: { kind: 'read', place: { by: 'filter', at: 0 }, filter: 'makes' },
  eth_newBlockFilter: { kind: 'read', filter: 'makes' },
  eth_newPendingTransactionFilter: { kind: 'read', filter: 'makes' },
  eth_getFilterChanges: { kind: 'read', filter: 'uses' },
  eth_getFilterLogs: { kind: 'heavy', filter: 'uses' },
  eth_uninstallFilter: { kind: 'read', filter: 'uses' },
  eth_subscribe: socket,
  eth_unsubscribe: socket,

  // The pool of waiting transactions.
  txpool_content: heavy,
  txpool_contentFrom: { kind: 'read', own: true },
  txpool_inspect: heavy,
  txpool_status: read,
  txpool_besuTransactions: heavy,
  txpool_besuStatistics: read,
  txpool_besuPendingTransactions: heavy,

  // Traces.
  debug_traceTransaction: heavyState(hash(0)),
  debug_traceBlockByNumber: heavyState(block(0)),
  debug_traceBlockByHash: heavyState(hash(0)),
  debug_traceBlock: heavy,
  debug_traceCall: heavyState(block(1)),
  debug_traceCallMany: heavyState(block(1)),
  debug_storageRangeAt: heavyState(hash(0)),
  debug_accountRange: heavyState(block(0)),
  debug_accountAt: heavyState(hash(0)),
  debug_dumpBlock: heavyState(block(0)),
  debug_intermediateRoots: heavyState(hash(0)),
  debug_executionWitness: heavyState(block(0)),
  debug_getModifiedAccountsByNumber: heavyState({ by: 'range', at: 0, to: 1 }),
  debug_getModifiedAccountsByHash: heavyState(hash(0)),
  debug_getAccessibleState: heavyState({ by: 'range', at: 0, to: 1 }),
  debug_getRawBlock: { kind: 'heavy', place: block(0), keeps: 'blocks' },
  debug_getRawHeader: { kind: 'heavy', place: block(0), keeps: 'blocks' },
  debug_getRawReceipts: { kind: 'heavy', place: block(0), keeps: 'blocks' },
  debug_getRawTransaction: { kind: 'heavy', place: hash(0), keeps: 'transactions' },
  debug_getBadBlocks: heavy,
  debug_preimage: heavy,
  debug_printBlock: { kind: 'heavy', place: block(0), keeps: 'blocks' },
  trace_block: heavyState(block(0)),
  trace_replayBlockTransactions: heavyState(block(0)),
  trace_replayTransaction: heavyState(hash(0)),
  trace_transaction: heavyState(hash(0)),
  trace_get: heavyState(hash(0)),
  trace_filter: heavyState({ by: 'filter', at: 0 }),
  trace_call: heavyState(block(2)),
  trace_callMany: heavyState(block(1)),
  trace_rawTransaction: heavy,
  arbtrace_block: heavyState(block(0)),
  arbtrace_call: heavyState(block(2)),
  arbtrace_callMany: heavyState(block(1)),
  arbtrace_filter: heavyState({ by: 'filter', at: 0 }),
  arbtrace_replayBlockTransactions: heavyState(block(0)),
  arbtrace_replayTransaction: heavyState(hash(0)),
  arbtrace_transaction: heavyState(hash(0)),
  ots_getApiLevel: timeless,
  ots_getBlockDetails: { kind: 'heavy', place: block(0), keeps: 'blocks' },
  ots_getBlockDetailsByHash: { kind: 'heavy', place: hash(0), keeps: 'blocks' },
  ots_getBlockTransactions: { kind: 'heavy', place: block(0), keeps: 'blocks' },
  ots_getContractCreator: heavy,
  ots_getInternalOperations: heavyState(hash(0)),
  ots_getTransactionBySenderAndNonce: heavy,
  ots_getTransactionError: heavyState(hash(0)),
  ots_hasCode: { kind: 'heavy', place: block(1), keeps: 'state' },
  ots_searchTransactionsAfter: heavy,
  ots_searchTransactionsBefore: heavy,
  ots_traceTransaction: heavyState(hash(0)),

  // Broadcasts (contract section 6), and what other nodes call the same.
  eth_sendRawTransaction: broadcast('raw'),
  eth_sendRawTransactionSync: broadcast('raw'),
  eth_sendRawTransactionConditional: broadcast('raw'),
  eth_sendPrivateRawTransaction: broadcast('raw'),
  zks_sendRawTransactionWithDetailedOutput: broadcast('raw'),
  bor_sendRawTransactionConditional: broadcast('raw'),
  realtime_sendRawTransaction: broadcast('raw'),
  klay_sendRawTransaction: broadcast('raw'),
  kaia_sendRawTransaction: broadcast('raw'),
  hmy_sendRawTransaction: broadcast('raw'),
  hmyv2_sendRawTransaction: broadcast('raw'),
  eea_sendRawTransaction: broadcast('raw'),
  eth_sendPrivateTransaction: broadcast('private'),
  eth_sendBundle: broadcast('bundle'),
  mev_sendBundle: broadcast('bundle'),
  eth_sendUserOperation: broadcast('operation'),

  // Never forwarded.
  eth_accounts: { kind: 'local', result: '[]' },
  eth_coinbase: refused("it tells the node operator's own address"),
  eth_sign: signs,
  eth_signTransaction: signs,
  eth_signTypedData: signs,
  eth_sendTransaction: signs,
  eth_resend: signs,
  eth_fillTransaction: refused('fill the transaction on your own side'),
  eth_submitWork: mines,
  eth_submitHashrate: mines,
  eth_getWork: mines,
};

/** Whole namespaces of nodes' own affairs. */
const closedNamespaces: Readonly<Record<string, EvmMethod>> = {
  personal: signs,
  account: signs,
  signer: signs,
  wallet: refused("it is a wallet's method, not a node's"),
  admin,
  clique: admin,
  engine: admin,
  ibft: admin,
  istanbul: admin,
  les: admin,
  perm: admin,
  plugins: admin,
  qbft: admin,
  miner: mines,
  ethash: mines,
};

const developmentNamespaces = new Set(['anvil', 'hardhat', 'evm']);

const unknownRead: EvmMethod = { kind: 'read', unknown: true };
const unknownHeavy: EvmMethod = { kind: 'heavy', unknown: true };
const unknownBroadcast: EvmMethod = { kind: 'broadcast', carries: 'raw', unknown: true };

/** Clients choose the names: a member that all objects have must not be found. */
const listed = new Map(Object.entries(methods));
const byLowerCase = new Set(Object.keys(methods).map(name => name.toLowerCase()));

/** What a method is; names that stand in no table are judged by their parts. */
export function methodOf(name: string, developmentChain: boolean): EvmMethod {
  return listed.get(name) ?? unlisted(name, developmentChain);
}

function unlisted(name: string, developmentChain: boolean): EvmMethod {
  const lower = name.toLowerCase();
  // A node that folds case would run it as the known one, past that one's rules.
  if (byLowerCase.has(lower)) return refused('its name is written in another case than the method it means');
  const namespace = lower.slice(0, Math.max(0, lower.indexOf('_')));
  const closed = Object.hasOwn(closedNamespaces, namespace) ? closedNamespaces[namespace] : undefined;
  if (closed !== undefined) return closed;
  if (developmentNamespaces.has(namespace)) return developmentChain ? unknownRead : development;
  const action = lower.slice(namespace.length + 1);
  if (
    namespace === 'parity' &&
    /^set|^add|^remove|^start|^stop|account|vault|pass|secret|brain|wallet|phrase/.test(action)
  )
    return admin;
  if (handsOver.test(action))
    return /raw|signed|private|bundle|operation|userop|batch/.test(action) ? unknownBroadcast : signs;
  if (/^sign|privatekey|unlock|decrypt/.test(action)) return signs;
  if (namespace === 'debug')
    return /^(?:trace|get(?!config)|storage|account|print|dump|execution|intermediate)/.test(action)
      ? unknownHeavy
      : admin;
  if (namespace === 'txpool') return admin;
  return /^(?:(?:arb)?trace|ots)$/.test(namespace) ? unknownHeavy : unknownRead;
}

/** Names of methods that hand a transaction to the network; if they are only a node's variants, they are broadcasts still. */
const handsOver =
  /(?:send|submit|broadcast|publish|relay|distribute|post)\w*(?:transaction|tx|bundle|userop)/;
