import type { ChainStatus, EndpointStatus } from '../api/contract.ts';
import { readFilter } from './filter.ts';
import type { Scene } from './scene.ts';
import { sorted } from './sort.ts';
import { keyOf, type Trail, type Values } from './trail.ts';
import type { View } from './view.ts';

/** An endpoint with what only a whole chain or a while of watching can tell. */
export interface EndpointRow {
  readonly endpoint: EndpointStatus;
  /** Its name, with its chain where several are shown. */
  readonly label: string;
  /** Of the chain's requests; null when there are none. */
  readonly share: number | null;
  readonly latencies: Values;
}

/** The chain whose endpoints are shown; undefined: all of them. */
export function chosenChain({ status, view }: Pick<Scene, 'status' | 'view'>): ChainStatus | undefined {
  return status.chains.find(chain => chain.name === view.chain);
}

/** Already while it is typed. */
export function filterText({ foot, filter }: View): string {
  return foot.is === 'filter' ? foot.text : filter;
}

/** The endpoints that are shown, in the order in which they are. */
export function endpointRows(scene: Pick<Scene, 'status' | 'view' | 'trail'>): readonly EndpointRow[] {
  const { status, view, trail } = scene;
  const chain = chosenChain(scene);
  const { match } = readFilter(filterText(view));
  const rows = (chain === undefined ? status.chains : [chain]).flatMap(each =>
    each.endpoints.filter(match).map(endpoint => rowOf(each, endpoint, chain === undefined, trail)),
  );
  return sorted(rows, view.sort, view.reverse);
}

/** What an action or a page speaks of: the one that the page shows, whatever the filter says now, or the one marked. */
export function targetRow(scene: Pick<Scene, 'status' | 'view' | 'trail'>): EndpointRow | undefined {
  const { status, view, trail } = scene;
  if (view.page !== 'endpoint') return selectedRow(endpointRows(scene), view.endpoint);
  for (const chain of status.chains) {
    const found = chain.endpoints.find(endpoint => keyOf(endpoint) === view.endpoint);
    if (found !== undefined) return rowOf(chain, found, false, trail);
  }
  return undefined;
}

function rowOf(chain: ChainStatus, endpoint: EndpointStatus, withChain: boolean, trail: Trail): EndpointRow {
  return {
    endpoint,
    label: withChain ? keyOf(endpoint) : endpoint.name,
    share: chain.requestsPerSecond > 0 ? endpoint.requestsPerSecond / total(chain) : null,
    latencies: trail.rows.get(keyOf(endpoint)) ?? [],
  };
}

/** A request that needed two attempts counts at two endpoints, so shares are of attempts: they add up to one. */
function total(chain: ChainStatus): number {
  const attempts = chain.endpoints.reduce((sum, endpoint) => sum + endpoint.requestsPerSecond, 0);
  return attempts > 0 ? attempts : 1;
}

/** Held by its key, so that it stays on the same endpoint while rows change their places. */
export function selectedRow(
  rows: readonly EndpointRow[],
  selected: string | undefined,
): EndpointRow | undefined {
  return rows.find(row => keyOf(row.endpoint) === selected) ?? rows[0];
}
