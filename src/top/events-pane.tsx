import { Box } from 'ink';
import type { ReactElement } from 'react';
import { eventLine } from './event-line.ts';
import { Line, type Span } from './line.tsx';
import { PaneTitle } from './pane-title.tsx';
import type { Scene } from './scene.ts';

/** The newest first, from `view.scroll` on when it has the keys. `room`: rows of events. */
export function EventsPane({ scene, room }: { scene: Scene; room: number }): ReactElement {
  const { view, display, problem } = scene;
  const focused = view.pane === 'events';
  const events = scene.events.toReversed();
  const from = focused ? Math.min(view.scroll, Math.max(0, events.length - room)) : 0;
  const notes: Span[] = [
    ...(from === 0 ? [] : [{ text: `${from} newer above`, tone: 'quiet' as const }]),
    ...(problem === undefined ? [] : [{ text: `cannot be read: ${problem}`, tone: 'bad' as const }]),
  ];
  return (
    <Box flexDirection="column">
      <PaneTitle title="events [4]" notes={notes} focused={focused} display={display} />
      {events.slice(from, from + room).map(event => (
        <Line key={`${event.id} ${event.time}`} display={display} spans={eventLine(event, display.columns)} />
      ))}
      {events.length === 0 && room > 0 && (
        <Line display={display} spans={[{ text: '  nothing has happened yet', tone: 'quiet' }]} />
      )}
    </Box>
  );
}
