import type { EndpointStatus } from '../api/contract.ts';
import { ms, thousands } from '../cli/format.ts';
import type { Spans } from './line.tsx';
import { pad, percentText } from './text.ts';

/** What is known of it, a fact a line, two abreast where there is room. */
export function factLines(endpoint: EndpointStatus, share: number | null, width: number): readonly Spans[] {
  const { latencyMs, labels } = endpoint;
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['head', `${thousands(endpoint.head)}, lag ${endpoint.lag ?? '-'}`],
    ['latency', `p50 ${ms(latencyMs.p50)}  p95 ${ms(latencyMs.p95)}  p99 ${ms(latencyMs.p99)}`],
    [
      'traffic',
      `${endpoint.requestsPerSecond.toFixed(1)} req/s, share ${percentText(share, 0)}, ${endpoint.inFlight} in flight`,
    ],
    ['requests', `${thousands(endpoint.requests)} since the start`],
    ['it costs', `${thousands(endpoint.probesToday)} own probes today`],
    ['weight', String(endpoint.weight)],
    ['history', endpoint.history],
    ['client', endpoint.client ?? 'not known'],
    ['roles', endpoint.roles.join(', ')],
    ['broadcasts', endpoint.broadcast],
    [
      'labels',
      Object.entries(labels)
        .map(([key, value]) => `${key}=${value}`)
        .join(' ') || 'none',
    ],
    ['origin', endpoint.origin === 'file' ? 'the config file' : 'added at runtime'],
  ];
  const half = Math.floor(width / 2);
  const fitsTwo = width >= 100;
  if (!fitsTwo) return facts.map(fact => factSpans(fact, width));
  const rows = Math.ceil(facts.length / 2);
  return Array.from({ length: rows }, (_, at): Spans => {
    const left = facts[at];
    const right = facts[at + rows];
    return [
      ...(left === undefined ? [] : factSpans(left, half)),
      ...(right === undefined ? [] : factSpans(right, half)),
    ];
  });
}

function factSpans([name, value]: readonly [string, string], width: number): Spans {
  return [{ text: `  ${pad(name, 11)}`, tone: 'quiet' }, { text: pad(value, Math.max(1, width - 13)) }];
}
