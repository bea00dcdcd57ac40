/**
 * The known chains, as literals, and what the config needs to know of each family. A chain of a known family that is not
 * here needs no code: the config names its family and its identity.
 */

import type { FamilyName } from '../core/chain.ts';

export interface FamilyFacts {
  /** The config key that carries a chain's identity, and how the identity is called. */
  readonly identityKey: 'chainId' | 'genesisHash' | 'networkId' | 'genesisBlock';
  readonly identityName: string;
  /** For chains that do not say their own. */
  readonly blockTimeMs: number;
  readonly repeatWindowMs: number;
}

export const familyFacts: Readonly<Record<FamilyName, FamilyFacts>> = {
  evm: { identityKey: 'chainId', identityName: 'chain id', blockTimeMs: 2000, repeatWindowMs: 60_000 },
  // A blockhash lives for about a minute, and wallets send the same bytes again every two seconds on purpose.
  solana: {
    identityKey: 'genesisHash',
    identityName: 'genesis hash',
    blockTimeMs: 400,
    repeatWindowMs: 2000,
  },
  xrpl: { identityKey: 'networkId', identityName: 'network id', blockTimeMs: 4000, repeatWindowMs: 60_000 },
  tron: {
    identityKey: 'genesisBlock',
    identityName: 'genesis block id',
    blockTimeMs: 3000,
    repeatWindowMs: 60_000,
  },
};

export interface Preset {
  readonly family: FamilyName;
  readonly identity: string;
  readonly blockTimeMs: number;
  readonly staleBlocks: number;
  /** Free, without a key, rate limited: to start with, not to live on. */
  readonly publicEndpoints: readonly { readonly name: string; readonly url: string }[];
}

export const presets: Readonly<Record<string, Preset>> = {
  ethereum: {
    family: 'evm',
    identity: '1',
    blockTimeMs: 12_000,
    staleBlocks: 2,
    publicEndpoints: [
      { name: 'publicnode', url: 'https://ethereum-rpc.publicnode.com' },
      { name: 'drpc', url: 'https://eth.drpc.org' },
    ],
  },
  bnb: {
    family: 'evm',
    identity: '56',
    blockTimeMs: 450,
    staleBlocks: 20,
    publicEndpoints: [
      { name: 'bnbchain', url: 'https://bsc-dataseed.bnbchain.org' },
      { name: 'publicnode', url: 'https://bsc-rpc.publicnode.com' },
    ],
  },
  avalanche: {
    family: 'evm',
    identity: '43114',
    blockTimeMs: 1500,
    staleBlocks: 8,
    publicEndpoints: [
      { name: 'avax', url: 'https://api.avax.network/ext/bc/C/rpc' },
      { name: 'publicnode', url: 'https://avalanche-c-chain-rpc.publicnode.com' },
    ],
  },
  polygon: {
    family: 'evm',
    identity: '137',
    blockTimeMs: 2000,
    staleBlocks: 6,
    publicEndpoints: [
      { name: 'publicnode', url: 'https://polygon-bor-rpc.publicnode.com' },
      { name: 'drpc', url: 'https://polygon.drpc.org' },
    ],
  },
  arbitrum: {
    family: 'evm',
    identity: '42161',
    blockTimeMs: 250,
    staleBlocks: 40,
    publicEndpoints: [
      { name: 'offchain', url: 'https://arb1.arbitrum.io/rpc' },
      { name: 'publicnode', url: 'https://arbitrum-one-rpc.publicnode.com' },
    ],
  },
  optimism: {
    family: 'evm',
    identity: '10',
    blockTimeMs: 2000,
    staleBlocks: 5,
    publicEndpoints: [
      { name: 'optimism', url: 'https://mainnet.optimism.io' },
      { name: 'publicnode', url: 'https://optimism-rpc.publicnode.com' },
    ],
  },
  base: {
    family: 'evm',
    identity: '8453',
    blockTimeMs: 2000,
    staleBlocks: 5,
    publicEndpoints: [
      { name: 'base', url: 'https://mainnet.base.org' },
      { name: 'publicnode', url: 'https://base-rpc.publicnode.com' },
    ],
  },
  tron: {
    family: 'tron',
    identity: '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc',
    blockTimeMs: 3000,
    staleBlocks: 10,
    publicEndpoints: [
      { name: 'trongrid', url: 'https://api.trongrid.io' },
      { name: 'publicnode', url: 'https://tron-rpc.publicnode.com' },
    ],
  },
  solana: {
    family: 'solana',
    identity: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    blockTimeMs: 400,
    staleBlocks: 25,
    publicEndpoints: [
      { name: 'solana', url: 'https://api.mainnet-beta.solana.com' },
      { name: 'publicnode', url: 'https://solana-rpc.publicnode.com' },
    ],
  },
  xrpl: {
    family: 'xrpl',
    identity: '0',
    blockTimeMs: 4000,
    staleBlocks: 5,
    publicEndpoints: [
      { name: 'cluster', url: 'https://xrplcluster.com' },
      { name: 'ripple-full', url: 'https://s2.ripple.com:51234' },
    ],
  },
};

/** A chain's name comes from a file: `constructor` is none. */
export function presetOf(name: string): Preset | undefined {
  return Object.hasOwn(presets, name) ? presets[name] : undefined;
}
