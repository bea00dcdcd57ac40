import { eventLine } from './event-line.ts';
import { factLines } from './fact-lines.ts';
import { gateLines } from './gate-lines.ts';
import { type Spans, said } from './line.tsx';
import { targetRow } from './rows.ts';
import type { Scene } from './scene.ts';
import { scoreLines } from './score-lines.ts';
import { signs } from './signs.ts';
import { since, until } from './text.ts';
import { verdictLines } from './verdict-lines.ts';

/** One endpoint in full. */
export function detailLines(scene: Scene): readonly Spans[] {
  const { events, now, display } = scene;
  const row = targetRow(scene);
  if (row === undefined) return [[{ text: '  it is not in the pool any more; Esc goes back', tone: 'warn' }]];
  const { endpoint, share } = row;
  const { sign, tone } = signs[endpoint.state];
  const left = endpoint.until === null ? '' : `, ${until(endpoint.until, now)} left`;
  const own = events.filter(event => event.chain === endpoint.chain && event.endpoint === endpoint.name);
  const heading = (text: string): Spans[] => [[{ text: ' ' }], [{ text: ` ${text}`, tone: 'strong' }]];
  return [
    [
      { text: ` ${sign} ${endpoint.stateText}`, tone },
      { text: ` for ${since(endpoint.since, now)}${left}` },
      { text: `   ${endpoint.host}`, tone: 'quiet' },
    ],
    ...said(endpoint.reason ?? '', 3, display.columns, tone),
    ...said(endpoint.next === null ? '' : `→ ${endpoint.next}`, 3, display.columns, 'info'),
    ...heading('score = (100 × success − latency) × weight'),
    ...scoreLines(endpoint, display.columns),
    ...heading('held by'),
    ...gateLines(endpoint, now, display.columns),
    ...heading('facts'),
    ...factLines(endpoint, share, display.columns),
    ...heading('answers'),
    ...verdictLines(endpoint),
    ...heading('events'),
    ...(own.length === 0
      ? [[{ text: '  none lately', tone: 'quiet' as const }]]
      : own
          .toReversed()
          .slice(0, 50)
          .map((event): Spans => [{ text: '  ' }, ...eventLine(event, display.columns)])),
  ];
}
