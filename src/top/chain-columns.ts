import type { ChainStatus } from '../api/contract.ts';
import { ms, span, thousands } from '../cli/format.ts';
import { stateWords } from '../core/state.ts';
import type { Column } from './columns.ts';
import type { Span } from './line.tsx';
import { isStrained } from './needs.ts';
import { isTrouble, severity, signs } from './signs.ts';
import { spark } from './spark.ts';
import { percent } from './text.ts';
import type { Trail } from './trail.ts';

/** `now` is the daemon's clock, ms. */
export function chainColumns(now: number, trail: Trail): readonly Column<ChainStatus>[] {
  return [
    { title: 'CHAIN', cell: chain => chain.name, max: 20, min: 9 },
    { title: 'USABLE', cell: usable, min: 7 },
    { title: 'HEAD', cell: chain => thousands(chain.head), right: true, min: 11 },
    { title: 'AGE', cell: chain => age(chain, now), right: true, min: 9, drop: 5 },
    { title: 'REQ/S', cell: chain => chain.requestsPerSecond.toFixed(1), right: true, min: 6 },
    {
      title: 'TREND',
      cell: (chain, width) => spark(trail.rows.get(chain.name) ?? [], width),
      min: 12,
      drop: 1,
    },
    { title: 'OK%', cell: okCell, right: true, min: 5 },
    { title: 'P50', cell: chain => ms(chain.latencyMs.p50), right: true, min: 5, drop: 2 },
    { title: 'P95', cell: chain => ms(chain.latencyMs.p95), right: true, min: 6, drop: 4 },
    { title: 'INFL', cell: chain => thousands(chain.inFlight), right: true, min: 4, drop: 3 },
    { title: 'NOTE', cell: note, min: 24, grow: true },
  ];
}

function usable({ usable, total }: ChainStatus): Span {
  const text = `${usable}/${total}`;
  if (usable === total) return { text: `● ${text}`, tone: 'good' };
  return usable === 0 ? { text: `▼ ${text}`, tone: 'alarm' } : { text: `▲ ${text}`, tone: 'warn' };
}

/** `4s /12s`: the age of the head against the normal block time. Heights come with probes, so a few seconds are normal. */
function age(chain: ChainStatus, now: number): Span {
  if (chain.headSince === null) return { text: '-' };
  const old = Math.max(0, now - Date.parse(chain.headSince));
  const text = `${span(old)} /${blockTime(chain.blockTimeMs)}`;
  if (chain.oldHead) return { text, tone: 'alarm' };
  return old > Math.max(3 * chain.blockTimeMs, 15_000) ? { text, tone: 'warn' } : { text };
}

function blockTime(spanMs: number): string {
  return spanMs < 10_000 ? `${Number((spanMs / 1000).toFixed(1))}s` : span(spanMs);
}

function okCell({ okShare }: ChainStatus): Span {
  const text = percent(okShare, 2);
  return okShare !== null && okShare < 0.99 ? { text, tone: 'warn' } : { text };
}

function note(chain: ChainStatus): Span {
  const { unknownBroadcasts, notes, endpoints } = chain;
  if (unknownBroadcasts > 0)
    return {
      text: `! ${unknownBroadcasts} unknown broadcast${unknownBroadcasts === 1 ? '' : 's'}`,
      tone: 'shout',
    };
  const [first = ''] = notes;
  if (isStrained(chain) && first !== '')
    return { text: first, tone: chain.usable === 0 || chain.oldHead ? 'alarm' : 'warn' };
  const troubled = endpoints.filter(isTrouble).toSorted((a, b) => severity(a.state) - severity(b.state));
  const [worst] = troubled;
  if (worst === undefined) return { text: first, tone: 'quiet' };
  const counts = Map.groupBy(troubled, each => each.state);
  const text = [...counts].map(([state, all]) => `${all.length} ${stateWords[state]}`);
  return { text: text.join(', '), tone: signs[worst.state].tone };
}
