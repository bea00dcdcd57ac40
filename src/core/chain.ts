/** What the operator configured for one chain and its endpoints, defaults filled in. Units stand in the names. */

export type FamilyName = 'evm' | 'solana' | 'xrpl' | 'tron';
export type WorkClass = 'read' | 'broadcast' | 'heavy';
export type Strategy = 'best' | 'priority' | 'weighted' | 'least-outstanding' | 'latency';
export type Role = 'read' | 'broadcast' | 'history';
export type HistoryKind = 'state' | 'blocks' | 'transactions';

export interface EndpointSettings {
  readonly name: string;
  /** Whole URL, secrets and all. Never shown; `core/redact.ts` says what may be. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly origin: 'file' | 'runtime';
  /** 0–100; 0 takes no new traffic. */
  readonly weight: number;
  readonly history: 'full' | 'recent' | 'auto';
  readonly roles: readonly Role[];
  readonly broadcast: 'prefer' | 'allow' | 'never';
  readonly labels: Readonly<Record<string, string>>;
  readonly maxInFlight: number;
  /** Requests a second, unlimited when absent. */
  readonly rps?: number;
  /** Plain http and private addresses are allowed. */
  readonly allowPrivate: boolean;
  /** Switched off by an operator. */
  readonly disabled: boolean;
}

export interface ChainSettings {
  readonly name: string;
  readonly family: FamilyName;
  readonly aliases: readonly string[];
  /** What an endpoint must prove: EVM chain id in decimal, Solana genesis hash, XRPL network id, TRON genesis block id. */
  readonly identity: string;
  readonly blockTimeMs: number;
  /** Lag, in blocks, past which an endpoint is stale; absent: 10 s of the measured block time, at least 2. */
  readonly staleBlocks?: number;
  readonly strategy: Strategy;
  /** Share of reads that goes to backups, 0–1. */
  readonly trickle: number;
  readonly lastResort: 'off' | 'on' | 'stale';
  /** Average latency past which an endpoint is slow, ms; absent: the gate is off. */
  readonly maxLatencyMs?: number;
  /** Upstream tries a request may have, 1–10. */
  readonly attempts: number;
  /** Retries as a share of the chain's requests in flight, 0–1. */
  readonly retryShare: number;
  readonly connectTimeoutMs: number;
  readonly readTimeoutMs: number;
  readonly heavyTimeoutMs: number;
  readonly readDeadlineMs: number;
  readonly heavyDeadlineMs: number;
  readonly repeatWindowMs: number;
  readonly probeIntervalMs: number;
  /** Own requests an endpoint may get a day; absent: no cap. */
  readonly probesMaxPerDay?: number;
  /** Accepted transactions are looked up too, until they are settled. */
  readonly confirmBroadcasts?: boolean;
  /** `strict`: reads go only to endpoints at the head of the pool. */
  readonly freshness?: 'normal' | 'strict';
  /** The reads of one client stay on one endpoint while it is open. */
  readonly pinning?: boolean;
  /** Development nodes: `anvil_*`, `hardhat_*`, `evm_*` are forwarded. */
  readonly development: boolean;
}
