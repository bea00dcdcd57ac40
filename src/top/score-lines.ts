import type { EndpointStatus } from '../api/contract.ts';
import { ms, thousands } from '../cli/format.ts';
import { type Column, cells, heads, lay } from './columns.ts';
import type { Spans } from './line.tsx';

type Terms = EndpointStatus['terms'][number];

/** score = (100 × success − latency penalty) × weight, as it was computed for each class of work. */
const columns: readonly Column<Terms>[] = [
  { title: 'CLASS', cell: terms => terms.class, min: 9 },
  { title: '100 × SUCCESS', cell: terms => (100 * terms.success).toFixed(1), right: true },
  { title: '− LATENCY', cell: terms => penalty(terms), right: true },
  { title: '× WEIGHT', cell: terms => String(terms.weight), right: true },
  {
    title: '= SCORE',
    cell: terms => ({ text: thousands(Math.round(terms.score)), tone: 'strong' }),
    right: true,
    min: 7,
  },
  { title: 'OWN AVERAGE', cell: terms => ms(terms.latencyMs), right: true, drop: 2 },
  { title: 'POOL MEDIAN', cell: terms => ms(terms.poolMedianMs), right: true, drop: 1 },
];

function penalty({ latencyPenalty, latencyMs }: Terms): string {
  return latencyMs === null ? '0.0 (unknown)' : latencyPenalty.toFixed(1);
}

export function scoreLines(endpoint: EndpointStatus, width: number): readonly Spans[] {
  const laid = lay(columns, endpoint.terms, width - 2);
  return [heads(laid), ...endpoint.terms.map(terms => cells(laid, terms))].map(
    (spans): Spans => [{ text: '  ' }, ...spans],
  );
}
