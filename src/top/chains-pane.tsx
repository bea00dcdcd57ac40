import { Box } from 'ink';
import type { ReactElement } from 'react';
import { chainColumns } from './chain-columns.ts';
import { PaneTitle } from './pane-title.tsx';
import { chosenChain } from './rows.ts';
import type { Scene } from './scene.ts';
import { Table } from './table.tsx';
import { shownWindow, windowNote } from './window.ts';

/** `room`: rows of chains. */
export function ChainsPane({ scene, room }: { scene: Scene; room: number }): ReactElement {
  const { status, trail, view, display, now } = scene;
  const chosen = chosenChain(scene);
  const at = chosen === undefined ? 0 : status.chains.indexOf(chosen);
  const window = shownWindow(status.chains.length, room, at);
  return (
    <Box flexDirection="column">
      <PaneTitle
        title="chains [1]"
        notes={[{ text: windowNote(window, status.chains.length), tone: 'quiet' }]}
        focused={view.pane === 'chains'}
        display={display}
      />
      <Table
        columns={chainColumns(now, trail)}
        rows={status.chains.slice(window.from, window.to)}
        measured={status.chains}
        selected={chosen}
        display={display}
      />
    </Box>
  );
}
