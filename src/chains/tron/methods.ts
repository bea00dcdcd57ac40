/**
 * What may be asked of a TRON node: java-tron's HTTP paths, TronGrid's index paths, and `/jsonrpc`. A path that stands
 * nowhere here is not found and never forwarded; a JSON-RPC method that stands nowhere here is sent once.
 */

import type { HistoryKind } from '../../core/chain.ts';
import type { Method } from '../family.ts';

/** Where a request names a block or a transaction. */
type Named =
  /** A block number. */
  | { readonly by: 'number'; readonly key: string }
  /** A block id, whose first 8 bytes are the block's number. */
  | { readonly by: 'id'; readonly key: string }
  /** A number in decimal, a block id, or nothing for the head. */
  | { readonly by: 'number-or-id'; readonly key: string }
  /** From `startNum` up to, but without, `endNum`. */
  | { readonly by: 'range' }
  /** `{number, hash}`, the body itself or the member of this name. */
  | { readonly by: 'identifier'; readonly key: string | undefined }
  | { readonly by: 'transaction' }
  /** JSON-RPC: a number, a tag, a block id or an object of these at this place of the params. */
  | { readonly by: 'param'; readonly at: number }
  /** JSON-RPC: `fromBlock`, `toBlock`, `blockHash` of the first param. */
  | { readonly by: 'filter' };

export interface TronMethod extends Method {
  /** Keys the GET form may have; absent: POST only. */
  readonly query?: readonly string[];
  readonly named?: Named;
  /** What must be kept to answer a request that names an old block or a transaction. */
  readonly keeps?: HistoryKind;
  /** What `{}` stands for; absent: a thing that is not there, or has nothing to tell. `head`: what every node has. */
  readonly empty?: 'block' | 'head';
  /** Answers with an array. */
  readonly list?: true;
}

type Rows = Readonly<Record<string, TronMethod>>;

const read: TronMethod = { kind: 'read' };
const timeless: TronMethod = { kind: 'read', timeless: true };

/** `visible` and `int64_as_string` go with every GET form. */
function get(...keys: readonly string[]): TronMethod {
  return { kind: 'read', query: [...keys, 'visible', 'int64_as_string'] };
}

function under(root: string, rows: Rows): Rows {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [`/${root}/${name}`, row]));
}

function all(names: string, row: TronMethod): Rows {
  return Object.fromEntries(names.split(/\s+/).map(name => [name, row]));
}

/** The head block, the chain's parameters, its prices and witnesses: no node that runs is without. */
const always: TronMethod = { ...get(), empty: 'head' };
const block = { keeps: 'blocks', empty: 'block' } as const;
const oneTransaction: TronMethod = {
  ...get('value'),
  named: { by: 'transaction' },
  keeps: 'transactions',
};

/** On the full node and, at the solidified height, on the solidity node. */
const bothTrees: Rows = {
  getaccount: get('address'),
  getaccountbyid: get('account_id'),
  getassetissuebyid: get('value'),
  getassetissuebyname: get('value'),
  getassetissuelistbyname: get('value'),
  getassetissuelist: { ...get(), kind: 'heavy' },
  getpaginatedassetissuelist: get('offset', 'limit'),
  getavailableunfreezecount: get('owner_address', 'ownerAddress'),
  getbandwidthprices: always,
  getburntrx: get(),
  getcandelegatedmaxsize: get('owner_address', 'type'),
  getcanwithdrawunfreezeamount: get('owner_address', 'timestamp'),
  getdelegatedresource: get('fromAddress', 'toAddress'),
  getdelegatedresourceaccountindex: get('value'),
  getdelegatedresourceaccountindexv2: get('value'),
  getdelegatedresourcev2: get('fromAddress', 'toAddress'),
  getenergyprices: always,
  getexchangebyid: get('id'),
  getmarketorderbyaccount: get('value'),
  getmarketorderbyid: get('value'),
  getmarketorderlistbypair: get('sell_token_id', 'buy_token_id'),
  getmarketpairlist: get(),
  getmarketpricebypair: get('sell_token_id', 'buy_token_id'),
  getnodeinfo: always,
  getpaginatednowwitnesslist: get('offset', 'limit'),
  getBrokerage: get('address'),
  getReward: get('address'),
  listexchanges: get(),
  listwitnesses: always,
  getnowblock: always,
  getblock: { ...get('id_or_num', 'detail'), ...block, named: { by: 'number-or-id', key: 'id_or_num' } },
  getblockbynum: { ...get('num'), ...block, named: { by: 'number', key: 'num' } },
  getblockbyid: { ...get('value'), ...block, named: { by: 'id', key: 'value' } },
  getblockbylimitnext: { ...get('startNum', 'endNum'), ...block, kind: 'heavy', named: { by: 'range' } },
  getblockbylatestnum: { ...get('num'), kind: 'heavy' },
  gettransactionbyid: oneTransaction,
  gettransactioninfobyid: oneTransaction,
  gettransactioncountbyblocknum: { ...get('num'), keeps: 'blocks', named: { by: 'number', key: 'num' } },
  gettransactioninfobyblocknum: {
    ...get('num'),
    kind: 'heavy',
    keeps: 'transactions',
    list: true,
    named: { by: 'number', key: 'num' },
  },
  getmerkletreevoucherinfo: read,
  triggerconstantcontract: read,
  estimateenergy: read,
};

const fullNode: Rows = {
  getaccountnet: get('address'),
  getaccountresource: get('address'),
  getassetissuebyaccount: get('address'),
  getaccountbalance: { ...read, keeps: 'blocks', named: { by: 'identifier', key: 'block_identifier' } },
  getblockbalance: { ...read, keeps: 'blocks', named: { by: 'identifier', key: undefined } },
  getchainparameters: always,
  getcontract: get('value'),
  getcontractinfo: get('value'),
  getdiversifier: { ...get(), timeless: true },
  getmemofee: always,
  getnextmaintenancetime: always,
  getpaginatedexchangelist: get('offset', 'limit'),
  getpaginatedproposallist: get('offset', 'limit'),
  getpendingsize: { ...get(), own: true },
  getproposalbyid: get('id'),
  getrcm: { ...get(), timeless: true },
  gettransactionfrompending: { ...get('value'), own: true },
  gettransactionlistfrompending: { ...get(), kind: 'heavy', own: true },
  gettransactionreceiptbyid: oneTransaction,
  listnodes: { ...get(), timeless: true },
  listproposals: get(),
  totaltransaction: { ...get(), kind: 'heavy' },
  validateaddress: { ...get('address'), timeless: true },
  getsignweight: read,
  getapprovedlist: read,
  gettriggerinputforshieldedtrc20contract: timeless,
  getshieldtransactionhash: timeless,
};

/** These build an unsigned transaction on the node's head: a read, that names no height and so needs a fresh node. */
const builders = all(
  `createtransaction createaccount updateaccount setaccountid accountpermissionupdate createassetissue updateasset
   transferasset participateassetissue unfreezeasset deploycontract triggersmartcontract clearabi updatesetting
   updateenergylimit createwitness updatewitness votewitnessaccount updateBrokerage withdrawbalance proposalcreate
   proposalapprove proposaldelete freezebalance unfreezebalance freezebalancev2 unfreezebalancev2
   withdrawexpireunfreeze cancelallunfreezev2 delegateresource undelegateresource exchangecreate exchangeinject
   exchangetransaction exchangewithdraw marketsellasset marketcancelorder createCommonTransaction`,
  read,
);

const broadcasts = all('broadcasttransaction broadcasthex', { kind: 'broadcast' });

const privateKey: TronMethod = {
  kind: 'refused',
  why: 'it carries a private key, seed or password, in the request or in the answer: whoever serves it learns the key; sign locally',
};
const viewingKey: TronMethod = {
  kind: 'refused',
  why: 'it carries a viewing key: whoever serves it can read the shielded account; ask a node of your own',
};
const nodeAffair: TronMethod = { kind: 'refused', why: 'it is about the node itself, for its operator' };

const secrets: Rows = {
  ...all(
    `createaddress generateaddress easytransfer easytransferbyprivate easytransferasset easytransferassetbyprivate
     gettransactionsign addtransactionsign createspendauthsig getexpandedspendingkey getspendingkey getakfromask
     getnkfromnsk getnewshieldedaddress createshieldedtransaction createshieldedtransactionwithoutspendauthsig
     createshieldedcontractparameters createshieldedcontractparameterswithoutask createshieldnullifier`,
    privateKey,
  ),
  ...all(
    `getincomingviewingkey getzenpaymentaddress scannotebyivk scanandmarknotebyivk scannotebyovk
     scanshieldedtrc20notesbyivk scanshieldedtrc20notesbyovk isspend isshieldedtrc20contractnotespent`,
    viewingKey,
  ),
};

/** Paths as they are, capitals included. */
export const paths: Rows = {
  ...under('wallet', { ...bothTrees, ...fullNode, ...builders, ...broadcasts, ...secrets }),
  ...under('walletsolidity', { ...bothTrees, ...secrets }),
  '/net/listnodes': nodeAffair,
  '/monitor/getnodeinfo': nodeAffair,
  '/monitor/getstatsinfo': nodeAffair,
};

const indexKeys = [
  'only_confirmed',
  'only_unconfirmed',
  'only_to',
  'only_from',
  'limit',
  'fingerprint',
  'order_by',
  'min_timestamp',
  'max_timestamp',
  'min_block_timestamp',
  'max_block_timestamp',
  'search_internal',
  'contract_address',
  'event_name',
  'block_number',
  'token_id',
];
const index: TronMethod = { kind: 'read', query: indexKeys };

/** TronGrid's index. Words in braces stand for one segment of the kind they name (`segments`). */
export const indexPaths: Rows = all(
  `/v1/accounts/{address} /v1/accounts/{address}/transactions /v1/accounts/{address}/transactions/trc20
   /v1/accounts/{address}/internal-transactions /v1/accounts/{address}/trc20/balance
   /v1/assets /v1/assets/{asset} /v1/assets/{asset}/list
   /v1/contracts/{address}/transactions /v1/contracts/{address}/internal-transactions
   /v1/contracts/{address}/events /v1/contracts/{address}/tokens
   /v1/transactions/{id}/events /v1/transactions/{id}/internal-transactions
   /v1/blocks/latest/events /v1/blocks/{number}/events`,
  index,
);

export const segments: Readonly<Record<string, RegExp>> = {
  address: /^(?:T[1-9A-HJ-NP-Za-km-z]{33}|41[0-9a-fA-F]{40})$/,
  asset: /^[A-Za-z0-9]{1,64}$/,
  id: /^[0-9a-fA-F]{64}$/,
  number: /^(?:0|[1-9]\d{0,15})$/,
};

const blockParam: TronMethod = { kind: 'read', keeps: 'blocks', named: { by: 'param', at: 0 } };
const hashParam: TronMethod = { kind: 'read', keeps: 'transactions', named: { by: 'transaction' } };
/** Only `latest` is answered, so that no height is named; the object form asks that the block is there. */
const stateCall: TronMethod = { kind: 'read', keeps: 'blocks', named: { by: 'param', at: 1 } };
const evmKey: TronMethod = {
  kind: 'refused',
  why: 'it signs with, or uses, a key that the node would have to hold; sign locally',
};
const evmBroadcast: TronMethod = {
  kind: 'refused',
  why: 'no TRON node broadcasts by JSON-RPC; use /wallet/broadcasttransaction or /wallet/broadcasthex',
};
const miner: TronMethod = { kind: 'refused', why: 'it administers the node' };

export const rpcMethods: Rows = {
  ...all(
    `web3_clientVersion web3_sha3 net_version net_listening net_peerCount eth_chainId eth_protocolVersion eth_coinbase
     eth_accounts eth_mining eth_hashrate eth_getWork`,
    timeless,
  ),
  ...all(
    `eth_blockNumber eth_syncing eth_gasPrice eth_getUncleByBlockHashAndIndex eth_getUncleByBlockNumberAndIndex eth_getUncleCountByBlockHash
     eth_getUncleCountByBlockNumber eth_getBalance eth_getStorageAt eth_getCode eth_estimateGas buildTransaction
     eth_getTransactionCount`,
    read,
  ),
  ...all(
    `eth_getBlockByNumber eth_getBlockByHash eth_getBlockTransactionCountByNumber
     eth_getBlockTransactionCountByHash eth_getTransactionByBlockHashAndIndex
     eth_getTransactionByBlockNumberAndIndex`,
    blockParam,
  ),
  eth_getBlockReceipts: { ...blockParam, kind: 'heavy', keeps: 'transactions' },
  eth_getTransactionByHash: hashParam,
  eth_getTransactionReceipt: hashParam,
  eth_call: stateCall,
  eth_getLogs: { kind: 'heavy', keeps: 'transactions', named: { by: 'filter' } },
  eth_newFilter: { kind: 'read', filter: 'makes' },
  eth_newBlockFilter: { kind: 'read', filter: 'makes' },
  eth_getFilterChanges: { kind: 'read', filter: 'uses' },
  eth_getFilterLogs: { kind: 'heavy', filter: 'uses' },
  eth_uninstallFilter: { kind: 'read', filter: 'uses' },
  ...all(
    `eth_sendRawTransaction eth_sendRawTransactionSync eth_sendRawTransactionConditional
     eth_sendPrivateTransaction eth_sendPrivateRawTransaction eth_sendBundle eth_sendUserOperation`,
    evmBroadcast,
  ),
  ...all(
    'eth_sign eth_signTransaction eth_sendTransaction eth_signTypedData eth_signTypedData_v3 eth_signTypedData_v4',
    evmKey,
  ),
  ...all('eth_submitWork eth_submitHashrate', miner),
};

const unknown: TronMethod = { kind: 'read', unknown: true };

/** What a JSON-RPC method is; whole groups that no public node should be asked are refused by their prefix. */
export function rpcMethod(name: string): TronMethod {
  if (Object.hasOwn(rpcMethods, name)) return rpcMethods[name] ?? unknown;
  if (/^(?:personal|account|clef|wallet|parity|signer)_/i.test(name)) return evmKey;
  if (/^(?:admin|miner|debug_set|engine|db|shh|les|clique)/i.test(name)) return miner;
  if (/send(?:raw|private|bundle|user)/i.test(name)) return evmBroadcast;
  return /sign|unlock|privatekey/i.test(name) ? evmKey : unknown;
}
