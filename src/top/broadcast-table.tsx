import type { ReactElement } from 'react';
import type { Broadcast } from '../api/history-shapes.ts';
import { broadcastColumns } from './broadcast-text.ts';
import type { Scene } from './scene.ts';
import { Table } from './table.tsx';

export function BroadcastTable({
  scene,
  rows,
}: {
  scene: Pick<Scene, 'broadcasts' | 'display' | 'now'>;
  rows: readonly Broadcast[];
}): ReactElement {
  const { broadcasts, display, now } = scene;
  return (
    <Table
      columns={broadcastColumns(now, !Number.isFinite(display.columns))}
      rows={rows}
      measured={broadcasts}
      display={display}
    />
  );
}
