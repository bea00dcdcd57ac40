import type { EndpointStatus } from '../api/contract.ts';
import { type Spans, said } from './line.tsx';
import { since, until } from './text.ts';

/** Every gate that holds it, with its reason, since and until when, and what releases it. */
export function gateLines(
  { gates, state, reason }: EndpointStatus,
  now: number,
  width: number,
): readonly Spans[] {
  if (gates.length === 0) {
    const said = state === 'healthy' || reason === null ? 'nothing holds it' : reason;
    return [[{ text: `  ● ${said}`, tone: 'good' }]];
  }
  return gates.flatMap(gate => {
    const times = [
      gate.since === null ? '' : ` for ${since(gate.since, now)}`,
      gate.until === null ? '' : `, ${until(gate.until, now)} left`,
    ].join('');
    return [
      [
        {
          text: `  ${gate.hard ? '✖' : '▲'} ${gate.name.replaceAll('_', ' ')}`,
          tone: gate.hard ? 'alarm' : 'warn',
        },
        { text: `${gate.hard ? ' (hard: never bypassed)' : ''}${times}`, tone: 'quiet' },
      ],
      ...said(gate.reason, 6, width),
      ...said(gate.next === null ? '' : `→ ${gate.next}`, 6, width, 'info'),
    ];
  });
}
