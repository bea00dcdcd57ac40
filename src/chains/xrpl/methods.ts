/** XRPL's methods (rippled's handler table, Clio's own), and what may not be forwarded. */

import type { HistoryKind } from '../../core/chain.ts';
import type { Method } from '../family.ts';

export interface XrplMethod extends Method {
  /** What must be kept at the ledger the request names. */
  readonly keeps?: HistoryKind;
  /** Answers over a range of ledgers, and clips the range to what the server keeps without saying so. */
  readonly clips?: true;
}

const state = (kind: 'read' | 'heavy' = 'read'): XrplMethod => ({ kind, keeps: 'state' });
/** In the open ledger, which is each server's own, a transaction shows before it is validated. */
const ownState: XrplMethod = { ...state(), own: true };
const blocks = (kind: 'read' | 'heavy' = 'read'): XrplMethod => ({ kind, keeps: 'blocks' });
const transactions = (kind: 'read' | 'heavy' = 'read'): XrplMethod => ({ kind, keeps: 'transactions' });
const plain: XrplMethod = { kind: 'read' };
const timeless: XrplMethod = { kind: 'read', timeless: true };
const refused = (why: string): XrplMethod => ({ kind: 'refused', why });

const admin = refused('it administers the node');
const signs = refused('it hands a private key to the node; sign on your own side and send the signed bytes');
const socket = refused('it needs a WebSocket: its answers come by and by');

export const methods: Readonly<Record<string, XrplMethod>> = {
  account_channels: ownState,
  account_currencies: state(),
  account_info: ownState,
  account_lines: ownState,
  account_nfts: ownState,
  account_objects: ownState,
  account_offers: ownState,
  account_tx: { kind: 'heavy', keeps: 'transactions', clips: true },
  amm_info: state(),
  book_changes: blocks(),
  book_offers: state('heavy'),
  channel_verify: timeless,
  deposit_authorized: state(),
  feature: plain,
  fee: plain,
  gateway_balances: state('heavy'),
  get_aggregate_price: state(),
  ledger: blocks(),
  ledger_closed: plain,
  ledger_current: plain,
  ledger_data: state('heavy'),
  ledger_entry: ownState,
  ledger_header: blocks(),
  ledger_index: plain,
  ledger_range: plain,
  manifest: timeless,
  mpt_history: { kind: 'heavy', keeps: 'transactions', clips: true },
  mpt_holders: state('heavy'),
  nft_buy_offers: state(),
  nft_history: { kind: 'heavy', keeps: 'transactions', clips: true },
  nft_info: state(),
  nft_sell_offers: state(),
  nfts_by_issuer: state('heavy'),
  noripple_check: state(),
  owner_info: plain,
  ping: timeless,
  random: timeless,
  ripple_path_find: state('heavy'),
  server_definitions: timeless,
  server_info: plain,
  server_state: plain,
  simulate: plain,
  transaction_entry: transactions(),
  tx: { ...transactions(), own: true },
  tx_history: plain,
  tx_reduce_relay: timeless,
  vault_info: state(),
  version: timeless,

  batch: plain,

  submit: { kind: 'broadcast' },
  submit_multisigned: { kind: 'broadcast' },

  sign: signs,
  sign_for: signs,
  channel_authorize: signs,
  wallet_propose: refused('it makes a private key on the node'),

  path_find: socket,
  subscribe: socket,
  unsubscribe: socket,

  blacklist: admin,
  can_delete: admin,
  catalogue_create: admin,
  catalogue_load: admin,
  catalogue_status: admin,
  connect: admin,
  consensus_info: admin,
  crawl_shards: admin,
  download_shard: admin,
  fetch_info: admin,
  get_counts: admin,
  inject: admin,
  json: admin,
  ledger_accept: admin,
  ledger_cleaner: admin,
  ledger_request: admin,
  log_level: admin,
  logrotate: admin,
  node_to_shard: admin,
  peer_reservations_add: admin,
  peer_reservations_del: admin,
  peer_reservations_list: admin,
  peers: admin,
  print: admin,
  shed: admin,
  stop: admin,
  unl_add: admin,
  unl_delete: admin,
  unl_list: admin,
  unl_load: admin,
  unl_network: admin,
  unl_reset: admin,
  unl_score: admin,
  validation_create: refused('it makes a private key on the node'),
  validation_seed: admin,
  validator_info: admin,
  validator_list_sites: admin,
  validators: admin,
};

/** Members that hand a private key, or an administrator's password, to the node. */
export const keyMembers: readonly string[] = [
  'secret',
  'seed',
  'seed_hex',
  'passphrase',
  'key_type',
  'admin_user',
  'admin_password',
];

/** Members that ask for an administrator's part of a method that is otherwise open to all. */
export const adminMembers: Readonly<Record<string, readonly string[]>> = {
  ledger: ['full', 'accounts'],
  feature: ['vetoed'],
};
