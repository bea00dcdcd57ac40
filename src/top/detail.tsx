import type { ReactElement } from 'react';
import { eventLine } from './event-line.ts';
import { factLines } from './fact-lines.ts';
import { gateLines } from './gate-lines.ts';
import type { Spans } from './line.tsx';
import { endpointRows, selectedRow } from './rows.ts';
import type { Scene } from './scene.ts';
import { scoreLines } from './score-lines.ts';
import { signs } from './signs.ts';
import { since, until } from './text.ts';
import { TextPage } from './text-page.tsx';
import { keyOf } from './trail.ts';
import { verdictLines } from './verdict-lines.ts';

/** One endpoint in full. `room`: rows in all. */
export function Detail({ scene, room }: { scene: Scene; room: number }): ReactElement {
  return (
    <TextPage
      scene={scene}
      title={scene.view.endpoint ?? 'endpoint'}
      lines={detailLines(scene)}
      room={room}
    />
  );
}

function detailLines(scene: Scene): readonly Spans[] {
  const { view, events, now, display } = scene;
  const row = selectedRow(endpointRows(scene), view.endpoint);
  if (row === undefined || keyOf(row.endpoint) !== view.endpoint)
    return [[{ text: '  it is not in the pool any more; Esc goes back', tone: 'warn' }]];
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
    ...(endpoint.reason === null ? [] : [[{ text: `   ${endpoint.reason}`, tone }]]),
    ...(endpoint.next === null ? [] : [[{ text: `   → ${endpoint.next}`, tone: 'info' as const }]]),
    ...heading('score = (100 × success − latency) × weight'),
    ...scoreLines(endpoint, display.columns),
    ...heading('held by'),
    ...gateLines(endpoint, now),
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
