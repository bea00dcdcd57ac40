/** Solana's methods (https://solana.com/docs/rpc), and what a request needs of the endpoint that answers it. */

import type { HistoryKind } from '../../core/chain.ts';
import type { Method } from '../family.ts';

export interface SolanaMethod extends Method {
  /** Position in the parameters of the lowest slot named; the one after it, when `through`, is the highest. */
  readonly slot?: { readonly at: number; readonly through?: true; readonly kind: HistoryKind };
  /** Position of the object of options (commitment, `minContextSlot`). */
  readonly options?: number;
  /** Names a signature, which cannot be placed in time: always, or when an option says so. */
  readonly signature?: 'always' | 'cursor' | 'searched';
  /** `result.context.slot` (or the result itself) tells the height at the commitment asked for. */
  readonly height?: 'context' | 'result' | 'absoluteSlot';
  /** `null` as the result, or within its list of values, says "no such thing" of a block or a transaction. */
  readonly absent?: 'result' | 'values';
}

const read = (more: Omit<SolanaMethod, 'kind'> = {}): SolanaMethod => ({ kind: 'read', ...more });
const heavy = (more: Omit<SolanaMethod, 'kind'> = {}): SolanaMethod => ({ kind: 'heavy', ...more });
const refused = (why: string): SolanaMethod => ({ kind: 'refused', why });

const context = (options: number): Omit<SolanaMethod, 'kind'> => ({ options, height: 'context' });
const admin = refused('it administers the node');

export const methods: Readonly<Record<string, SolanaMethod>> = {
  // Accounts: no history at all, only the newest state at a commitment.
  getAccountInfo: read(context(1)),
  getBalance: read(context(1)),
  getMultipleAccounts: read(context(1)),
  getTokenAccountBalance: read(context(1)),
  getTokenSupply: read(context(1)),
  getStakeActivation: read({ options: 1 }),
  getMinimumBalanceForRentExemption: read({ options: 1 }),
  getStakeMinimumDelegation: read(context(0)),
  getProgramAccounts: heavy({ options: 1 }),
  getTokenAccountsByOwner: heavy(context(2)),
  getTokenAccountsByDelegate: heavy(context(2)),
  getTokenLargestAccounts: heavy(context(1)),
  getLargestAccounts: heavy(context(0)),
  getSupply: heavy(context(0)),

  // Blocks and slots.
  getBlock: heavy({ slot: { at: 0, kind: 'blocks' }, options: 1, absent: 'result' }),
  getConfirmedBlock: heavy({ slot: { at: 0, kind: 'blocks' }, options: 1, absent: 'result' }),
  getBlocks: heavy({ slot: { at: 0, through: true, kind: 'blocks' }, options: 2 }),
  getConfirmedBlocks: heavy({ slot: { at: 0, through: true, kind: 'blocks' } }),
  getBlocksWithLimit: heavy({ slot: { at: 0, kind: 'blocks' }, options: 2 }),
  getConfirmedBlocksWithLimit: heavy({ slot: { at: 0, kind: 'blocks' } }),
  getBlockTime: read({ slot: { at: 0, kind: 'blocks' }, absent: 'result' }),
  getBlockCommitment: read({ slot: { at: 0, kind: 'blocks' } }),
  getBlockHeight: read({ options: 0 }),
  getBlockProduction: read(context(0)),
  getSlot: read({ options: 0, height: 'result' }),
  getSlotLeader: read({ options: 0 }),
  getSlotLeaders: read(),
  getEpochInfo: read({ options: 0, height: 'absoluteSlot' }),
  getEpochSchedule: read({ timeless: true }),
  getLeaderSchedule: read({ options: 1 }),
  getFirstAvailableBlock: read(),
  minimumLedgerSlot: read(),
  getMaxRetransmitSlot: read(),
  getMaxShredInsertSlot: read(),
  getHighestSnapshotSlot: read(),
  getSnapshotSlot: read(),
  getRecentPerformanceSamples: read(),
  getRecentPrioritizationFees: read(),

  // Transactions.
  getTransaction: read({ options: 1, signature: 'always', absent: 'result' }),
  getConfirmedTransaction: read({ options: 1, signature: 'always', absent: 'result' }),
  getSignatureStatuses: read({ options: 1, height: 'context', signature: 'searched', absent: 'values' }),
  getSignaturesForAddress: heavy({ options: 1, signature: 'cursor' }),
  getConfirmedSignaturesForAddress2: heavy({ options: 1, signature: 'cursor' }),
  getTransactionCount: read({ options: 0 }),
  simulateTransaction: read(context(1)),

  // Blockhashes and fees.
  getLatestBlockhash: read(context(0)),
  isBlockhashValid: read(context(1)),
  getFeeForMessage: read(context(1)),
  getRecentBlockhash: read(context(0)),
  getFees: read(context(0)),
  getFeeCalculatorForBlockhash: read(context(1)),
  getFeeRateGovernor: read(),

  // The cluster, the node.
  getGenesisHash: read({ timeless: true }),
  getVersion: read({ timeless: true }),
  getHealth: read(),
  getIdentity: read({ timeless: true }),
  getClusterNodes: heavy({ timeless: true }),
  getVoteAccounts: heavy({ options: 0 }),
  getInflationGovernor: read({ options: 0 }),
  getInflationRate: read(),
  getInflationReward: heavy({ options: 1 }),

  // What providers add: bundles (Jito), fees, compressed and other digital assets.
  simulateBundle: read({ options: 1 }),
  getBundleStatuses: read(),
  getInflightBundleStatuses: read(),
  getTipAccounts: read({ timeless: true }),
  getPriorityFeeEstimate: read(),
  getAsset: read(),
  getAssetBatch: read(),
  getAssetProof: read(),
  getAssetProofBatch: read(),
  getAssetsByAuthority: heavy(),
  getAssetsByCreator: heavy(),
  getAssetsByGroup: heavy(),
  getAssetsByOwner: heavy(),
  getNftEditions: read(),
  getSignaturesForAsset: heavy(),
  getTokenAccounts: heavy(),
  searchAssets: heavy(),
  getProgramAccountsV2: heavy(),
  getTokenAccountsByOwnerV2: heavy(),
  getTransactionsForAddress: heavy(),

  sendTransaction: { kind: 'broadcast', options: 1 },
  sendBundle: { kind: 'broadcast', options: 1 },
  // Signed by the faucet, and a new transaction each time: sending it twice pays twice.
  requestAirdrop: { kind: 'broadcast', options: 2 },

  // No node with a public port offers these, old and private builds do.
  exit: admin,
  validatorExit: admin,
  setLogFilter: admin,
  setLogLevel: admin,
  setIdentity: admin,
  setIdentityFromBytes: admin,
  addAuthorizedVoter: admin,
  addAuthorizedVoterFromBytes: admin,
  removeAllAuthorizedVoters: admin,
  setRepairWhitelist: admin,
  setPublicTpuAddress: admin,
  setStakedNodesOverrides: admin,
  registerNode: admin,
  deregisterNode: admin,
};
