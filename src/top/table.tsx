import { Box } from 'ink';
import type { ReactElement } from 'react';
import { type Column, cells, heads, lay } from './columns.ts';
import { Line, type Spans } from './line.tsx';
import type { Display } from './scene.ts';

const mark = '▸ ';

/** Rows of cells under their heads; `under` is a line below a row that has more to say. */
export function Table<Row>({
  columns,
  rows,
  measured = rows,
  selected,
  under,
  display,
}: {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** All rows, where only some are shown: widths stay while they scroll. */
  measured?: readonly Row[];
  selected?: Row | undefined;
  under?: (row: Row) => Spans | undefined;
  display: Display;
}): ReactElement {
  const laid = lay(columns, measured, display.columns - mark.length);
  const lines = rows.flatMap((row, at): ReactElement[] => {
    const isSelected = row === selected;
    const spans = cells(laid, row);
    const shown: Spans = [
      { text: isSelected ? mark : '  ', tone: 'strong' },
      ...(isSelected
        ? spans.map(({ text, tone }) => ({ text, tone: tone === 'quiet' ? undefined : tone }))
        : spans),
    ];
    const more = under?.(row);
    // Rows keep their place on the screen rather than their identity: what is written there is compared as text.
    const key = String(at);
    return more === undefined
      ? [<Line key={key} display={display} spans={shown} />]
      : [
          <Line key={key} display={display} spans={shown} />,
          <Line key={`${key} under`} display={display} spans={more} />,
        ];
  });
  return (
    <Box flexDirection="column">
      <Line display={display} spans={[{ text: '  ' }, ...heads(laid)]} />
      {lines}
    </Box>
  );
}
