import type { EndpointRow } from './rows.ts';
import { severity } from './signs.ts';

type Compare = (a: EndpointRow, b: EndpointRow) => number;

export interface Sort {
  /** As the title of the pane says it. */
  readonly title: string;
  readonly compare: Compare;
}

const byName: Compare = (a, b) => (a.label < b.label ? -1 : 1);
const byShare = most(row => row.share);

/** In the order in which `s` walks through them; equals are in the order of share, then of name. */
export const sorts = [
  { title: 'state', compare: (a, b) => severity(a.endpoint.state) - severity(b.endpoint.state) },
  { title: 'share', compare: byShare },
  { title: 'req/s', compare: most(row => row.endpoint.requestsPerSecond) },
  { title: 'p95', compare: most(row => row.endpoint.latencyMs.p95) },
  { title: 'ok%', compare: (a, b) => a.endpoint.success - b.endpoint.success },
  { title: 'lag', compare: most(row => row.endpoint.lag) },
  { title: 'score', compare: most(row => row.endpoint.score) },
  { title: 'name', compare: byName },
] as const satisfies readonly Sort[];

export function sorted(rows: readonly EndpointRow[], sort: number, reverse: boolean): readonly EndpointRow[] {
  const { compare } = sorts[sort % sorts.length] ?? sorts[0];
  const turn = reverse ? -1 : 1;
  return rows.toSorted((a, b) => turn * compare(a, b) || byShare(a, b) || byName(a, b));
}

/** The highest first; what is not known last. */
function most(value: (row: EndpointRow) => number | null): Compare {
  return (a, b) => (value(b) ?? -Infinity) - (value(a) ?? -Infinity) || 0;
}
