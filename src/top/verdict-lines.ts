import type { EndpointStatus } from '../api/contract.ts';
import { thousands } from '../cli/format.ts';
import { verdicts } from '../core/verdict.ts';
import type { Spans } from './line.tsx';
import { bar } from './spark.ts';
import { pad, percent } from './text.ts';
import type { Tone } from './tone.ts';

/** What its answers were, since the daemon began. What never came is left out. */
export function verdictLines(endpoint: EndpointStatus): readonly Spans[] {
  const seen = Object.entries(endpoint.verdicts)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a);
  const all = seen.reduce((sum, [, count]) => sum + count, 0);
  if (all === 0) return [[{ text: '  no request was sent to it yet', tone: 'quiet' }]];
  return seen.map(([verdict, count]): Spans => {
    const share = count / all;
    return [
      { text: `  ${pad(verdict, 16)}`, tone: toneOf(verdict) },
      { text: `${thousands(count).padStart(12)}  ${percent(share, 2).padStart(6)}%  ` },
      { text: bar(share, 20).trimEnd(), tone: toneOf(verdict) },
    ];
  });
}

/** A newer daemon may know verdicts that this program does not. */
function toneOf(verdict: string): Tone | undefined {
  const known = Object.entries(verdicts).find(([name]) => name === verdict)?.[1];
  return known?.fault === 'endpoint' ? 'warn' : undefined;
}
