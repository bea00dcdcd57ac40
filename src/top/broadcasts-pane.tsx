import { Box } from 'ink';
import type { ReactElement } from 'react';
import { BroadcastTable } from './broadcast-table.tsx';
import { broadcastOrder } from './broadcast-text.ts';
import { Line, type Span } from './line.tsx';
import { unknownCount } from './needs.ts';
import { PaneTitle } from './pane-title.tsx';
import type { Scene } from './scene.ts';

/** What is unknown stands on top, however old it is. `room`: rows of broadcasts. */
export function BroadcastsPane({ scene, room }: { scene: Scene; room: number }): ReactElement {
  const { broadcasts, status, view, display } = scene;
  const focused = view.pane === 'broadcasts';
  const ordered = broadcastOrder(broadcasts);
  const from = focused ? Math.min(view.scroll, Math.max(0, ordered.length - room)) : 0;
  const unknown = unknownCount(status);
  const notes: Span[] = [
    ...(unknown === 0
      ? []
      : [{ text: ` ${unknown} UNKNOWN: do not sign again, Enter says more `, tone: 'shout' as const }]),
    ...(from === 0 ? [] : [{ text: `${from} more above`, tone: 'quiet' as const }]),
  ];
  return (
    <Box flexDirection="column">
      <PaneTitle title="broadcasts [3]" notes={notes} focused={focused} display={display} />
      {ordered.length === 0 ? (
        <Line display={display} spans={[{ text: '  no transaction was sent yet', tone: 'quiet' }]} />
      ) : (
        <BroadcastTable scene={scene} rows={ordered.slice(from, from + room)} />
      )}
    </Box>
  );
}
