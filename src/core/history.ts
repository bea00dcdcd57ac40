/** What an endpoint keeps of the past, and whether that is enough for a request. */

import type { HistoryKind } from './chain.ts';
import type { EndpointRecord } from './endpoint.ts';
import type { Need } from './need.ts';

/** A bound as a probe found it. Nodes prune as they go, so it moves up with the head. */
export interface Bound {
  readonly lowest: number;
  readonly headThen: number;
}

/** Every full node keeps this many heights of everything; what lies deeper counts as old. */
export const recentHeights = 128;

export type Keeps = 'yes' | 'maybe' | 'no';

export function keeps(record: EndpointRecord, need: Need): Keeps {
  if (need.history !== undefined) {
    const from = keptFrom(record, need.history.kind);
    if (from !== undefined) return need.history.height >= from ? 'yes' : 'no';
    return isOld(record, need) || record.head.height < 0 ? 'maybe' : 'yes';
  }
  if (need.unplaced !== undefined) return keptFrom(record, need.unplaced) === 0 ? 'yes' : 'maybe';
  return 'yes';
}

/** The lowest height kept; 0: all; undefined: not known. */
export function keptFrom(record: EndpointRecord, kind: HistoryKind): number | undefined {
  if (record.settings.history === 'full') return 0;
  const { height } = record.head;
  const bound = record.kept[kind];
  if (bound !== undefined) {
    return bound.lowest <= 0 ? 0 : bound.lowest + Math.max(0, height - bound.headThen);
  }
  if (record.settings.history === 'recent' && height >= 0) return Math.max(0, height - recentHeights + 1);
  return undefined;
}

/** It names a height deeper than what every node keeps. */
export function isOld(record: EndpointRecord, need: Need): boolean {
  return need.history !== undefined && record.head.height - need.history.height >= recentHeights;
}
