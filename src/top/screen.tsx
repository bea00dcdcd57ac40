import { Box } from 'ink';
import type { ReactElement } from 'react';
import { BroadcastsPane } from './broadcasts-pane.tsx';
import { ChainsPane } from './chains-pane.tsx';
import { hasReason } from './endpoint-columns.ts';
import { EndpointsPane } from './endpoints-pane.tsx';
import { EventsPane } from './events-pane.tsx';
import { Foot } from './foot.tsx';
import { footRows } from './foot-lines.ts';
import { Header } from './header.tsx';
import { roomsOf, textRows } from './layout.ts';
import { isLost } from './link-text.ts';
import { Narrow } from './narrow.tsx';
import { unknownCount } from './needs.ts';
import { PageOfText } from './page-of-text.tsx';
import { textPage } from './pages.ts';
import { endpointRows } from './rows.ts';
import type { Scene } from './scene.ts';
import { TooSmall } from './too-small.tsx';

/** The whole frame, a function of the scene. */
export function Screen({ scene }: { scene: Scene }): ReactElement {
  const { display, view } = scene;
  if (display.columns < 40 || display.rows < 10) return <TooSmall display={display} />;
  if (display.columns < 60 && view.page === 'main') return <Narrow scene={scene} />;
  const body = isLost(scene) ? { ...scene, display: { ...display, dimmed: true } } : scene;
  return (
    <Box flexDirection="column" height={display.rows} justifyContent="space-between">
      <Box flexDirection="column">
        <Header scene={scene} />
        <Page scene={body} />
      </Box>
      <Foot scene={scene} />
    </Box>
  );
}

function Page({ scene }: { scene: Scene }): ReactElement {
  const page = textPage(scene);
  if (page !== undefined) return <PageOfText scene={scene} page={page} />;
  return scene.view.page === 'events' ? (
    <EventsPane scene={scene} room={textRows(scene.display.rows, footRows(scene))} />
  ) : (
    <Panes scene={scene} />
  );
}

function Panes({ scene }: { scene: Scene }): ReactElement {
  const { status, broadcasts, display } = scene;
  const rows = endpointRows(scene);
  const rooms = roomsOf({
    rows: display.rows,
    foot: footRows(scene),
    chains: status.chains.length,
    endpoints: rows.length,
    reasons: rows.filter(hasReason).length,
    broadcasts: broadcasts.length,
    unknown: unknownCount(status),
  });
  return (
    <Box flexDirection="column">
      {rooms.chains > 0 && <ChainsPane scene={scene} room={rooms.chains} />}
      <EndpointsPane scene={scene} room={rooms.endpoints} reasons={rooms.reasons} />
      {rooms.broadcasts > 0 && <BroadcastsPane scene={scene} room={rooms.broadcasts} />}
      {rooms.events > 0 && <EventsPane scene={scene} room={rooms.events} />}
    </Box>
  );
}
