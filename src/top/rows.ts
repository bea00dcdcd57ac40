import type { ChainStatus, EndpointStatus } from '../api/contract.ts';
import { readFilter } from './filter.ts';
import type { Scene } from './scene.ts';
import { sorted } from './sort.ts';
import { keyOf, type Values } from './trail.ts';
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
    each.endpoints.filter(match).map(endpoint => ({
      endpoint,
      label: chain === undefined ? keyOf(endpoint) : endpoint.name,
      share: each.requestsPerSecond > 0 ? endpoint.requestsPerSecond / total(each) : null,
      latencies: trail.rows.get(keyOf(endpoint)) ?? [],
    })),
  );
  return sorted(rows, view.sort, view.reverse);
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
