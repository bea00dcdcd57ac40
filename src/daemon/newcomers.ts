import type { ChainSettings, EndpointSettings } from '../core/chain.ts';
import type { EndpointRecord } from '../core/endpoint.ts';
import type { ChainInput } from '../gateway/roster.ts';
import type { Store } from '../store/open.ts';
import { identityKey } from './identity-key.ts';

const newInFile = 'it is new in the config, or its URL changed there';

/** In quarantine only because it is new in the file: another one of the pool stood in for it then. */
export function isNewInFile({ settings, quarantine }: EndpointRecord): boolean {
  return settings.origin === 'file' && quarantine.good >= 0 && quarantine.reason === newInFile;
}

/**
 * Why an endpoint has to earn its place first (contract section 3, quarantine), or undefined. One of the file that was
 * there at the chain's first start need not; nor one that has passed before; nor one that nobody could stand in for.
 */
export function quarantineReason(
  store: Store,
  inputs: readonly ChainInput[],
  chain: ChainSettings,
  endpoint: EndpointSettings,
  key: string,
  wallMs: number,
): string | undefined {
  const passed = store.quarantines.get(key);
  if (passed !== undefined) return passed.again;
  if (endpoint.origin === 'runtime') return 'it was added at runtime';
  const firstStart = store.chains.get(chain.name) === undefined;
  const others = inputs.find(input => input.settings.name === chain.name)?.endpoints ?? [];
  const isProven = (other: EndpointSettings): boolean => {
    const otherKey = identityKey(chain, other);
    const theirs = store.quarantines.get(otherKey);
    const isIn = theirs !== undefined && theirs.again === undefined;
    return otherKey !== key && isIn && store.identities.get(otherKey)?.result === 'verified';
  };
  if (!firstStart && others.some(isProven)) return newInFile;
  store.quarantines.set(key, { passedAt: wallMs });
  return undefined;
}
