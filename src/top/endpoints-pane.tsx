import { Box } from 'ink';
import type { ReactElement } from 'react';
import { endpointColumns, hasReason, reasonSpans } from './endpoint-columns.ts';
import { readFilter } from './filter.ts';
import { Line, type Span } from './line.tsx';
import { PaneTitle } from './pane-title.tsx';
import { chosenChain, type EndpointRow, endpointRows, filterText, selectedRow } from './rows.ts';
import type { Scene } from './scene.ts';
import { sorts } from './sort.ts';
import { Table } from './table.tsx';
import { shownWindow, windowNote } from './window.ts';

/** `room`: rows of endpoints; `reasons`: lines below them that say why. */
export function EndpointsPane({
  scene,
  room,
  reasons,
}: {
  scene: Scene;
  room: number;
  reasons: number;
}): ReactElement {
  const { view, display, now } = scene;
  const rows = endpointRows(scene);
  const selected = selectedRow(rows, view.endpoint);
  const window = shownWindow(rows.length, room, selected === undefined ? 0 : rows.indexOf(selected));
  const shown = rows.slice(window.from, window.to);
  const explained = explain(shown, selected, reasons);
  return (
    <Box flexDirection="column">
      <PaneTitle
        title="endpoints [2]"
        notes={[...titleNotes(scene), { text: windowNote(window, rows.length), tone: 'quiet' }]}
        focused={view.pane === 'endpoints'}
        display={display}
      />
      <Table
        columns={endpointColumns(now)}
        rows={shown}
        measured={rows}
        selected={selected}
        under={row => (explained.has(row) ? reasonSpans(row, now) : undefined)}
        display={display}
      />
      {rows.length === 0 && room > 0 && (
        <Line display={display} spans={[{ text: `  ${emptyText(scene)}`, tone: 'quiet' }]} />
      )}
    </Box>
  );
}

/** Who gets a line that says why: the selected one first, then from the top: the worst, as they are sorted. */
function explain(
  shown: readonly EndpointRow[],
  selected: EndpointRow | undefined,
  reasons: number,
): ReadonlySet<EndpointRow> {
  const wanting = shown.filter(hasReason);
  const order = new Set([...wanting.filter(row => row === selected), ...wanting]);
  return new Set([...order].slice(0, reasons));
}

function titleNotes(scene: Scene): Span[] {
  const { view, display } = scene;
  const chain = chosenChain(scene);
  const filter = filterText(view);
  const { problem } = readFilter(filter);
  const sort = sorts[view.sort % sorts.length] ?? sorts[0];
  const narrow = display.columns < 100;
  return [
    { text: chain?.name ?? 'all chains', tone: 'strong' },
    { text: `${narrow ? 'by' : 'sorted by'} ${sort.title}${view.reverse ? ' ↑' : ''}`, tone: 'quiet' },
    ...(filter === '' ? [] : [{ text: `filter: ${filter}`, tone: 'info' as const }]),
    ...(problem === undefined ? [] : [{ text: `(${problem})`, tone: 'bad' as const }]),
  ];
}

function emptyText({ view }: Scene): string {
  return view.filter === ''
    ? 'no endpoints'
    : `no endpoint matches ${view.filter}; / changes it, Esc clears it`;
}
