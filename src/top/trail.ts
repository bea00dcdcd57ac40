/** What a dashboard remembers that the daemon does not tell: the last values of each row, for the sparklines. */

import type { EndpointStatus, Status } from '../api/contract.ts';

const kept = 60;

export type Values = readonly (number | null)[];

export interface Trail {
  /** Requests a second of all chains together. */
  readonly total: Values;
  /** By chain: requests a second. By `chain/endpoint`: average latency of reads, ms. */
  readonly rows: ReadonlyMap<string, Values>;
}

export const noTrail: Trail = { total: [], rows: new Map() };

/** Rows that are gone are forgotten, so that a dashboard left open for a month stays as small. */
export function extend({ total, rows }: Trail, status: Status): Trail {
  const next = new Map<string, Values>();
  const note = (key: string, value: number | null): void => {
    next.set(key, [...(rows.get(key) ?? []), value].slice(-kept));
  };
  for (const chain of status.chains) {
    note(chain.name, chain.requestsPerSecond);
    for (const endpoint of chain.endpoints) note(keyOf(endpoint), latencyNow(endpoint));
  }
  const sum = status.chains.reduce((all, chain) => all + chain.requestsPerSecond, 0);
  return { total: [...total, sum].slice(-kept), rows: next };
}

export function keyOf({ chain, name }: Pick<EndpointStatus, 'chain' | 'name'>): string {
  return `${chain}/${name}`;
}

/** The running average moves with each answer, where the percentiles of whole minutes stand still. */
function latencyNow(endpoint: EndpointStatus): number | null {
  return endpoint.terms.find(terms => terms.class === 'read')?.latencyMs ?? endpoint.latencyMs.p50;
}
