import { createHash } from 'node:crypto';
import type { ChainSettings, EndpointSettings } from '../core/chain.ts';

/**
 * What makes an endpoint this one: the chain, what the chain expects, the whole URL and its headers. Everything learned
 * belongs to this key, never to the name. A digest, so that it may stand in tables and logs.
 */
export function identityKey(chain: ChainSettings, endpoint: EndpointSettings): string {
  const headers = Object.entries(endpoint.headers).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = [chain.name, chain.family, chain.identity, new URL(endpoint.url).href, headers];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
